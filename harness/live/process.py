"""The process of a system under test: in a group of its own, waited for, ended with all it started.

A command that ends well and leaves its system running, as start scripts do, has not ended the system.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from typing import IO, TYPE_CHECKING, Self

from harness.errors import HarnessError, ScenarioError
from harness.live.family import MARK, Family
from harness.live.ready import Ready

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness.scenario.sut import Sut

STEP_S = 0.05
_TAIL = 2000
"""Bytes of its output that an error shows."""


class SutError(HarnessError):
    """The system under test can not be run."""

    exit_code = 3


class SutProcess:
    """The command of a `--sut` file while it runs."""

    def __init__(self, sut: Sut) -> None:
        self._sut = sut
        self._process: subprocess.Popen[bytes] | None = None
        self._family = Family()
        self._output: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            self._end(self._process)
        if self._output is not None:
            self._output.close()

    def start(self, command: list[str], environment: Mapping[str, str]) -> None:
        """Start it; raises `ScenarioError` where there is no such command or log."""
        sut = self._sut
        try:
            self._output = open(sut.log, "w+b") if sut.log else tempfile.TemporaryFile()  # noqa: SIM115
        except OSError as fault:
            what = f"can not be written: {fault.strerror}"
            raise ScenarioError(what, file=sut.file, path="$.log", mend="name a file") from None
        try:
            self._process = subprocess.Popen(
                command,
                env={**environment, MARK: self._family.mark},
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as fault:
            reason = (fault.strerror if isinstance(fault, OSError) else None) or fault
            what = f"{command[0]} can not be run: {reason}"
            mend = "name a command that can be found"
            raise ScenarioError(what, file=sut.file, path="$.start", mend=mend) from None
        self._family.pid = self._process.pid

    def wait_ready(self, ready: Ready, stopped: Callable[[], bool]) -> None:
        """Until it answers; raises `SutError` if it ends before, or takes too long."""
        deadline = time.monotonic() + self._sut.ready_timeout_s
        while not stopped():
            if (ended := self.ended()) is not None:
                raise self._no(f"the system ended before it was ready, {ended}")
            if ready.is_ready():
                return
            if time.monotonic() > deadline:
                waited = f"{self._sut.ready_timeout_s:g} s"
                raise self._no(f"the system was not ready within {waited}: {ready.lacks}")
            time.sleep(STEP_S)

    def ended(self) -> str | None:
        """How it ended; None while it runs, and where nothing was started."""
        code = None if self._process is None else self._process.poll()
        if code is None or (code == 0 and self._family.lives):
            return None
        return f"by signal {-code}" if code < 0 else f"with exit code {code}"

    def _no(self, what: str) -> SutError:
        said = self._said()
        mend = "see $.ready and $.start" + (
            f"; its output ends with: {said}" if said else "; it printed nothing"
        )
        return SutError(what, file=self._sut.file, mend=mend)

    def _said(self) -> str:
        assert self._output is not None
        size = os.fstat(self._output.fileno()).st_size
        tail = os.pread(self._output.fileno(), _TAIL, max(0, size - _TAIL))
        return tail.decode(errors="replace").strip()

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """SIGTERM, patience, SIGKILL, each to all that run."""
        self._family.signal(signal.SIGTERM)
        deadline = time.monotonic() + self._sut.stop_timeout_s
        while (process.poll() is None or self._family.lives) and time.monotonic() < deadline:
            time.sleep(STEP_S)
        self._family.signal(signal.SIGKILL)
        process.wait()
