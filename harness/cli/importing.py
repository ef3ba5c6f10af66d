"""`harness import`: make run folders of what other tools recorded."""

from __future__ import annotations

import os
import sys
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.cli import archives, terminal
from harness.cli.parser import Parser
from harness.cli.words import words
from harness.errors import CaptureError, UsageError
from harness.report.cells import harmless

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Sequence
    from typing import BinaryIO

    from harness.capture.adopt import Foreign
    from harness.capture.redaction import Redactor
    from harness.model.capture import Capture, Unread


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness import",
        "harness import FILE ... [options]",
        "Make run folders of what other tools recorded: HAR archives, mitmproxy flow files, and every form "
        "that check reads (SIT wire logs, raw SSE, curl output, JSON lines). Each source folder becomes one "
        "run, since rounds are compared within a run. Times, status and ending are kept where the source "
        "has them, and stay unknown where it has not. Secrets become pseudonyms, as when recording.",
        lang=lang,
        examples=(
            "harness import session.har",
            "harness import flows.mitm --leg search.internal=search-agent",
            "harness import target/sit-logs/wire/run-20260811-093000 --captures captures",
        ),
        exits=(0, 2, 3, 4),
    )
    add = made.add_argument
    add("paths", nargs="+", metavar="FILE", help="HAR, flow file, capture, folder, or - for standard input")
    add("--captures", metavar="DIR", default="captures", help="where the run folders go (captures)")
    text = "name the leg of an archive's host: HOST[:PORT]=NAME; may be repeated (all are client)"
    add("--leg", metavar="HOST=NAME", action="append", default=[], help=text)
    add("--secrets", metavar="FILE", help="further names and shapes of secrets (YAML)")
    add("--json", action="store_true", help="print what was written as JSON and nothing else")
    return made


class Source(NamedTuple):
    """One exchange to be written, of a folder; or a wire log that is kept as it is."""

    group: str
    foreign: Foreign | None
    log: Capture | None = None


class Written(NamedTuple):
    """One run folder and the names in it."""

    folder: str
    stems: list[str]


def run(args: Namespace, lang: str) -> int:
    """Read, write, tell. Exit 3 if something could not be imported."""
    from harness.capture.redaction import Redactor, load

    legs, redactor = dict(_leg(one) for one in args.leg), Redactor(load(args.secrets))
    unread: list[Unread] = []
    sources = list(_sources(args.paths, legs, unread))
    if not sources:
        _complain(unread, lang)
        raise CaptureError("nothing that can be imported", mend="name a HAR, a flow file or a capture")
    sources = [_without_secrets(source, redactor) for source in sources]
    written = _write_all(sources, args.captures, redactor, lang)
    _complain(unread, lang)
    terminal.show(_json(written, unread) if args.json else _lines(written, lang))
    return 3 if unread else 0


def _leg(text: str) -> tuple[str, str]:
    host, equals, name = text.rpartition("=")
    if not equals or not host or not name:
        raise UsageError(f"--leg {text}: no HOST=NAME", mend="write --leg search.internal=search-agent")
    return host.lower(), name


# reading


def _sources(paths: Sequence[str], legs: dict[str, str], unread: list[Unread]) -> Iterable[Source]:
    from harness.capture.beside import printable
    from harness.capture.discover import find

    sorted_out = _sorted_out(paths)
    for path, source in sorted_out.archives.items():
        exchanges, told = archives.read(path, legs, source)
        unread += told
        yield from (Source("" if source == "-" else os.path.dirname(path) or ".", one) for one in exchanges)
    if not sorted_out.others:
        return
    found = find(sorted_out.others, stdin=sorted_out.stdin)
    taken = {printable(path) for path in sorted_out.archives}
    unread += [one for one in found.unread if one.source not in taken]
    for capture in found.captures:
        unread += capture.unread
        yield _source(capture, unread)


class _SortedOut(NamedTuple):
    """Archives, by path, with the name that reports use (None: the path), and all else."""

    archives: dict[str, str | None]
    others: list[str]
    stdin: BinaryIO | None


def _sorted_out(paths: Sequence[str]) -> _SortedOut:
    found: dict[str, str | None] = {}
    others: list[str] = []
    stdin = None
    for path in dict.fromkeys(paths):
        if path == "-":
            from harness.capture.spool import spooled

            kept = spooled(sys.stdin.buffer)
            if archives.kind_of(kept):
                found[kept] = "-"
                continue
            stdin = open(kept, "rb")  # noqa: SIM115  read by `find`, gone with the process
        elif os.path.isdir(path):
            found |= dict.fromkeys(archives.archives_in(path))
        elif os.path.isfile(path) and archives.is_archive(path):
            found[path] = None
            continue
        others.append(path)
    return _SortedOut(found, others, stdin)


def _source(capture: Capture, unread: list[Unread]) -> Source:
    from harness.model.capture import Unread
    from harness.replay.foreign import foreign_of, whole

    if whole(capture):
        return Source(capture.group, foreign_of(capture))
    reason = "events of this log are cut or can not be read: it is kept as it is"
    unread.append(Unread(capture.source, reason))
    return Source(capture.group, None, capture)


# writing


def _without_secrets(source: Source, redactor: Redactor) -> Source:
    """Done for all before any body is written: then the secrets of every head are known."""
    from harness.capture.scrub import scrubbed

    return source if source.foreign is None else source._replace(foreign=scrubbed(source.foreign, redactor))


def _write_all(sources: list[Source], captures: str, redactor: Redactor, lang: str) -> list[Written]:
    from harness.cli.progress import progress

    groups: dict[str, list[Source]] = {}
    for source in sources:
        groups.setdefault(source.group, []).append(source)
    line, done = progress(lang, "import.progress"), count()
    try:
        told = (lambda: line(next(done), len(sources))) if line else lambda: None
        return [_write(group, captures, redactor, told) for group in groups.values()]
    except OSError as error:
        what = f"{captures}: can not be written: {error.strerror or error}"
        raise UsageError(what, mend="name another folder with --captures") from None
    finally:
        if line:
            line.close()


def _write(sources: list[Source], captures: str, redactor: Redactor, told: Callable[[], None]) -> Written:
    import harness
    from harness.capture.adopt import adopt, new_run
    from harness.capture.store import write_run

    folder = new_run(captures)
    stems, entries = [], []
    for source in sources:
        told()
        if source.foreign is None:
            stems.append(_kept(source.log, folder, redactor))
            continue
        stems.append(adopt(folder, source.foreign))
        entries.append(_entry(stems[-1], source.foreign))
    write_run(folder, {
        "id": os.path.basename(folder),
        "started": None,
        "ended": None,
        "tool": f"harness {harness.__version__}",
        "scenarios": sorted({entry["scenario"] for entry in entries if entry["round"]}),
        "exchanges": entries,
        **_of_the_run(sources[0].group),
        "imported": True,
        "redaction": {"key_id": redactor.key_id},
        "incomplete": [],
    })  # fmt: skip
    return Written(folder, stems)


def _of_the_run(group: str) -> dict[str, Any]:
    """What a run folder that is imported says of itself and its captures do not show."""
    from harness.capture.store import read_run

    try:
        facts = read_run(group) or {}
    except CaptureError:
        return {}
    legs = [one for one in facts.get("legs") or () if isinstance(one, dict)]
    kept = [{key: one[key] for key in ("name", "agent") if key in one} for one in legs]
    told: dict[str, Any] = {key: facts[key] for key in ("topologies", "defects") if key in facts}
    return {**({"legs": kept} if kept else {}), **told}


def _kept(log: Capture | None, folder: str, redactor: Redactor) -> str:
    """A log whose events are not whole, copied without its secrets."""
    from harness.capture.files import Body
    from harness.capture.store import safe

    assert log is not None
    stem, number = safe(os.path.basename(log.path).partition(".log")[0]), 1
    path = os.path.join(folder, f"{stem}.log")
    while os.path.lexists(path):
        number += 1
        path = os.path.join(folder, f"{stem}.{number}.log")
    stream = redactor.stream(frames=False)
    with open(path, "xb") as file:
        file.writelines(stream.feed(chunk) for chunk in Body(log._replace(start=0)).chunks())
        file.write(stream.end())
    return os.path.basename(path)


def _entry(stem: str, one: Foreign) -> dict[str, Any]:
    name = one.name
    return {
        "stem": stem,
        "leg": name.leg,
        "protocol": name.protocol,
        "scenario": name.scenario,
        "round": name.round,
        "ending": one.ending,
        "unassigned": name.scenario == "unassigned",
        "imported": one.known.get("imported"),
    }


# telling


def _complain(unread: list[Unread], lang: str) -> None:
    said = words(lang)["import.unread"]
    sys.stderr.writelines(
        said.format(source=harmless(one.source), reason=harmless(one.reason, 400)) + "\n" for one in unread
    )


def _lines(written: list[Written], lang: str) -> list[str]:
    said = words(lang)["import.run"]
    return [said.format(folder=harmless(one.folder), count=len(one.stems)) for one in written]


def _json(written: list[Written], unread: list[Unread]) -> list[str]:
    import json

    value = {
        "runs": [{"folder": one.folder, "exchanges": one.stems} for one in written],
        "unread": [{"source": one.source, "reason": one.reason} for one in unread],
    }
    return [json.dumps(value, indent=2, ensure_ascii=False)]
