"""Faults of ours: every error a user can meet, with its place and the mend.

The peer's faults are data (`Flaw`, findings), never exceptions. Rank 0.
"""

from __future__ import annotations


class HarnessError(Exception):
    """Base of all errors that reach a user: `file:line $.path: what; mend`.

    `exit_code` is the exit status that the command line maps the error to.
    """

    exit_code = 4

    def __init__(
        self,
        what: str,
        *,
        file: str | None = None,
        line: int | None = None,
        path: str | None = None,
        mend: str | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.file = file
        self.line = line
        self.path = path
        self.mend = mend

    def __str__(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}"
        if self.path:
            place += f" {self.path}" if place else self.path
        text = f"{place}: {self.what}" if place else self.what
        return f"{text}; {self.mend}" if self.mend else text


class UsageError(HarnessError):
    """The command line or a configuration file is wrong."""

    exit_code = 2


class MappingError(UsageError):
    """A mapping file is wrong."""


class ScenarioError(UsageError):
    """A scenario, topology, contract or waiver file is wrong."""


class CaptureError(HarnessError):
    """A file that was named as a capture can not be read as one."""

    exit_code = 3
