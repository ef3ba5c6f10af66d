"""`-o [FORMAT=]PATH`: which report goes where, told before anything is judged."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.model.verdict import Report
    from harness.pipeline import Options
    from harness.report.entries import Edition

FORMATS: dict[str, str] = {
    "json": ".json",
    "junit": ".xml",
    "sarif": ".sarif",
    "md": ".md",
    "html": ".html",
    "gitlab": "",
}
"""Formats that can be written, with the ending that chooses each; GitLab's is JSON and goes by name."""


class Output(NamedTuple):
    """A report to write: its format and its file."""

    format: str
    path: str


def outputs(asked: Iterable[str]) -> tuple[Output, ...]:
    """The reports that were asked for; raises `UsageError` for what can not be written."""
    made = tuple(_writable(_output(one)) for one in asked)
    for at, one in enumerate(made):
        if any(os.path.abspath(other.path) == os.path.abspath(one.path) for other in made[:at]):
            raise UsageError(f"-o {one.path} stands twice", mend="give each report a file of its own")
    return made


def output(asked: str, formats: Mapping[str, str]) -> Output | None:
    """`FORMAT=PATH`, or a path whose ending says the format; None: no format of `formats`."""
    name, equals, path = asked.partition("=")
    if equals and name in formats:
        return Output(name, path)
    ending = os.path.splitext(asked)[1].lower()
    return next(
        (Output(one, asked) for one, its_ending in formats.items() if its_ending == ending != ""), None
    )


def _output(asked: str) -> Output:
    if (known := output(asked, FORMATS)) is not None:
        return known
    names = ", ".join(
        f"{ending} ({name}=PATH)" if ending else f"{name}=PATH" for name, ending in FORMATS.items()
    )
    raise UsageError(f"-o {asked}: no report is known by this ending", mend=f"known are {names}")


def _writable(one: Output) -> Output:
    folder = os.path.dirname(one.path) or "."
    if not one.path or os.path.isdir(one.path):
        raise UsageError(f"-o {one.path!r} is no file to write to", mend="name a file")
    if not os.path.isdir(folder):
        raise UsageError(f"-o {one.path}: there is no folder {folder}", mend=f"create it: mkdir -p {folder}")
    return one


def edition(chosen: Options, lang: str) -> Edition:
    """How the files are made: the reader's language, what breaks, where the scenarios stand."""
    from harness.report.entries import Edition
    from harness.report.reasons import reasons
    from harness.report.words import words

    mild = chosen.strict or chosen.fail_on == "warning"
    breaking = frozenset({"error", "warning"} if mild else {"error"})
    anchors = {one.name: (one.file, one.line) for one in chosen.scenarios}
    return Edition(words(lang), breaking, anchors, reasons(lang), lang, chosen.max_line)


def write(report: Report, one: Output, made: Edition) -> None:
    """Write one report; the file is whole or it is not there."""
    partial = f"{one.path}.partial"
    try:
        with open(partial, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces(report, one.format, made))
        os.replace(partial, one.path)
    except OSError as fault:
        if os.path.exists(partial):
            os.unlink(partial)
        what = f"-o {one.path}: can not be written: {fault.strerror}"
        raise UsageError(what, mend="name another file") from None


def pieces(report: Report, format: str, made: Edition) -> Iterable[str]:
    """The text of the report in one of `FORMATS`; loads what that format needs."""
    if format == "json":
        from harness.report import json

        return json.pieces(report)
    if format == "junit":
        from harness.report import junit

        return (junit.text(report, made),)
    if format == "sarif":
        from harness.report import sarif

        return (sarif.text(report, made),)
    if format == "gitlab":
        from harness.report import gitlab

        return (gitlab.text(report, made),)
    if format == "html":
        from harness.report import html

        return html.pieces(report, made.lang, made.max_line, made.diff)
    from harness.report import markdown
    from harness.report.evidence import Evidence

    return (markdown.text(report, made, evidence=Evidence()),)
