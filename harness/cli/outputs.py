"""`-o [FORMAT=]PATH`: which report goes where, told before anything is judged."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.model.verdict import Report

FORMATS: dict[str, str] = {"json": ".json"}
"""Formats that can be written, with the ending that chooses each."""


class Output(NamedTuple):
    """A report to write: its format and its file."""

    format: str
    path: str


def outputs(asked: Iterable[str]) -> tuple[Output, ...]:
    """The reports that were asked for; raises `UsageError` for what can not be written."""
    return tuple(_writable(_output(one)) for one in asked)


def _output(asked: str) -> Output:
    name, equals, path = asked.partition("=")
    if equals and name in FORMATS:
        return Output(name, path)
    ending = os.path.splitext(asked)[1].lower()
    for known, its_ending in FORMATS.items():
        if ending == its_ending:
            return Output(known, asked)
    names = ", ".join(f"{ending} ({known}=PATH)" for known, ending in FORMATS.items())
    raise UsageError(f"-o {asked}: no report is known by this ending", mend=f"known are {names}")


def _writable(one: Output) -> Output:
    folder = os.path.dirname(one.path) or "."
    if not one.path or os.path.isdir(one.path):
        raise UsageError(f"-o {one.path!r} is no file to write to", mend="name a file")
    if not os.path.isdir(folder):
        raise UsageError(f"-o {one.path}: there is no folder {folder}", mend=f"create it: mkdir -p {folder}")
    return one


def write(report: Report, one: Output) -> None:
    """Write one report; the file is whole or it is not there."""
    from harness.report import json

    partial = f"{one.path}.partial"
    try:
        with open(partial, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(json.pieces(report))
        os.replace(partial, one.path)
    except OSError as fault:
        if os.path.exists(partial):
            os.unlink(partial)
        what = f"-o {one.path}: can not be written: {fault.strerror}"
        raise UsageError(what, mend="name another file") from None
