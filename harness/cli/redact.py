"""`harness redact`: look for secrets in captures, or copy captures without them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness.cli import terminal
from harness.cli.parser import Parser
from harness.cli.words import words
from harness.errors import UsageError
from harness.report.cells import harmless

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator

    from harness.capture.redaction.copy import Copied
    from harness.capture.redaction.scan import Scanned
    from harness.model.capture import Unread


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness redact",
        "harness redact --verify PATH ... | harness redact PATH -o DIR [options]",
        "Look for secrets in captures, ours and foreign ones (--verify), or copy captures without them "
        "(-o DIR). What counts as a secret is a YAML list of names and shapes; docs/secrets.md explains it. "
        "A find names file, offset and kind, never the secret. PATH is a file or a folder; archives are "
        "unpacked.",
        lang=lang,
        examples=(
            "harness redact --verify captures/run-20260811-093000",
            "harness redact target/sit-logs -o shared/sit-logs",
            "harness redact --verify captures --secrets ours.yaml --json",
        ),
        exits=(0, 1, 2, 3, 4),
    )
    add = made.add_argument
    add("paths", nargs="+", metavar="PATH", help="files or folders")
    add("--verify", action="store_true", help="write nothing; exit 1 if a secret is found")
    add("-o", "--output", metavar="DIR", help="the folder of the copy; new or empty")
    add("--secrets", metavar="FILE", help="further names and shapes, looked for before the shipped ones")
    add("--json", action="store_true", help="print the result as JSON and nothing else")
    return made


def run(args: Namespace, lang: str) -> int:
    """Look, or copy. Exit 1: a secret was found; 3: something could not be read."""
    if args.verify == (args.output is not None):
        raise UsageError("either --verify or -o DIR", mend="see `harness redact --help`")
    if not args.verify and len(args.paths) > 1:
        raise UsageError("one PATH is copied at a time", mend="copy the folder that holds them all")
    from harness.capture.redaction import Redactor, load

    redactor = Redactor(load(args.secrets))
    if args.verify:
        from harness.capture.redaction.scan import scan

        seen = scan(args.paths, redactor)
        return _show(
            _found_json(seen) if args.json else _found(seen, lang), seen.unread, lang, bool(seen.found)
        )
    from harness.capture.redaction.copy import copy

    made = copy(args.paths[0], args.output, redactor)
    return _show(_copied_json(made) if args.json else _copied(made, args.output, lang), made.unread, lang)


def _show(lines: Iterable[str], unread: Iterable[Unread], lang: str, found: bool = False) -> int:
    code = 1 if found else 0
    for one in unread:
        said = words(lang)["inspect.unread"]
        sys.stderr.write(f"harness: {said}: {harmless(f'{one.source}: {one.reason}')}\n")
        code = code or 3
    terminal.show(lines)
    return code


def _found(seen: Scanned, lang: str) -> Iterator[str]:
    said = words(lang)
    for one in seen.found:
        yield said["redact.found"].format(file=harmless(one.file), offset=one.offset, kind=one.kind)
    key = "redact.secrets" if seen.found else "redact.clean"
    yield said[key].format(count=len(seen.found), files=seen.files)


def _found_json(seen: Scanned) -> Iterator[str]:
    import json

    unread = [{"source": one.source, "reason": one.reason} for one in seen.unread]
    found = [one._asdict() for one in seen.found]
    yield json.dumps({"files": seen.files, "found": found, "unread": unread}, indent=2, ensure_ascii=False)


def _copied(made: Copied, folder: str, lang: str) -> Iterator[str]:
    said = words(lang)["redact.copied"]
    yield said.format(files=made.files, count=made.secrets, folder=harmless(folder))


def _copied_json(made: Copied) -> Iterator[str]:
    import json

    unread = [{"source": one.source, "reason": one.reason} for one in made.unread]
    yield json.dumps({"files": made.files, "secrets": made.secrets, "unread": unread}, indent=2)
