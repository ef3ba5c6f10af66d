"""A command's process and all that it started, also those that left its group (where there is /proc).

They carry a mark in their environment. Without /proc the group stands for all.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "HARNESS_MARK"
"""Variable of the environment by which the processes are known."""
_PROC = "/proc"


class Family:
    """The processes of one command; `pid` leads their group, once it is known."""

    def __init__(self) -> None:
        self.mark = secrets.token_hex(8)
        self.pid: int | None = None

    @property
    def lives(self) -> bool:
        """Does any of them still run?"""
        if self.pid is None:
            return False
        if os.path.isdir(_PROC):
            return next(self._members(self.pid), None) is not None
        return self._to_group(self.pid, 0)

    def signal(self, number: signal.Signals) -> None:
        """To all of them."""
        if self.pid is None:
            return
        members = list(self._members(self.pid)) if os.path.isdir(_PROC) else []
        self._to_group(self.pid, number)
        for pid in members:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if os.getpgid(pid) != self.pid:
                    os.kill(pid, number)

    @staticmethod
    def _to_group(pid: int, number: int) -> bool:
        """The group may have members when its leader is gone."""
        try:
            os.killpg(pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def _members(self, group: int) -> Iterator[int]:
        sought = f"{MARK}={self.mark}".encode()
        for name in filter(str.isdecimal, os.listdir(_PROC)):
            try:
                with open(f"{_PROC}/{name}/stat", "rb") as file:
                    state, _, its_group = file.read().rpartition(b")")[2].split()[:3]
                if state == b"Z":
                    continue
                if int(its_group) == group or _holds(f"{_PROC}/{name}/environ", sought):
                    yield int(name)
            except OSError:
                continue  # it has ended meanwhile, or is another user's


def _holds(path: str, sought: bytes) -> bool:
    with open(path, "rb") as file:
        return sought in file.read().split(b"\0")
