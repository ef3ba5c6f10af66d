"""A recording session of the command line: signals, the watcher, the client command, the summary."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Self

from harness.cli.record import is_whole, said
from harness.errors import UsageError

if TYPE_CHECKING:
    from types import FrameType, TracebackType

    from harness.record import Recorder

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PATIENCE = 2
"""Signals that the client command may ignore before it is killed."""


class Session:
    """Runs one recorder from start to summary."""

    def __init__(self, recorder: Recorder, lang: str, *, quiet: bool) -> None:
        self._recorder = recorder
        self._lang = lang
        self._quiet = quiet
        self._client: subprocess.Popen[bytes] | None = None
        self._signals = 0

    def run(self, command: list[str]) -> int:
        """Record; the command's exit code, 0 without one."""
        before = {one: signal.signal(one, self._told) for one in _SIGNALS}
        code = 0
        try:
            with self._recorder, Watcher(None if self._quiet else self._recorder.run_dir, self._lang):
                self._addresses()
                if command:
                    code = self._ran(command)
                else:
                    self._wait()
                self._recorder.stop()
                self._recorder.done.wait()
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)
        self._sum_up()
        return code

    def _told(self, number: int, frame: FrameType | None) -> None:
        """A signal: the command gets it, and the recorder stops."""
        if self._client is not None and self._client.poll() is None:
            self._signals += 1
            if self._signals > _PATIENCE:
                self._client.kill()
            elif number != signal.SIGINT or not os.isatty(0):
                self._client.send_signal(number)
            return
        self._recorder.stop()

    def _wait(self) -> None:
        """Until a signal or a limit; waits in steps, so that signals are heard on every system."""
        while not self._recorder.done.wait(1):
            pass

    def _addresses(self) -> None:
        recorder = self._recorder
        upstreams = {leg.key: leg.upstream for leg in recorder.settings.legs}
        for name, url in recorder.addresses.items():
            said(self._lang, "record.leg", name=name, url=url, upstream=upstreams.get(name, "*"))
        said(self._lang, "record.ready", folder=recorder.run_dir)

    def _ran(self, command: list[str]) -> int:
        environment = dict(os.environ)
        for name, url in self._recorder.addresses.items():
            environment["HARNESS_LEG_" + re.sub(r"\W", "_", name).upper()] = url
        try:
            self._client = subprocess.Popen(command, env=environment)
        except OSError as fault:
            what = f"{command[0]} can not be run: {fault.strerror}"
            raise UsageError(what, mend="name a command that can be found") from None
        self._limits(self._client)
        code = self._client.wait()
        return 128 - code if code < 0 else code

    def _limits(self, client: subprocess.Popen[bytes]) -> None:
        """When the recorder reaches its limit, the command is asked to end."""

        def ask() -> None:
            self._recorder.done.wait()
            if client.poll() is None:
                client.terminate()

        threading.Thread(target=ask, name="limits", daemon=True).start()

    def _sum_up(self) -> None:
        summary = self._recorder.summary
        for text in summary.warnings:
            said(self._lang, "record.warning", text=text)
        for text in summary.incomplete:
            said(self._lang, "record.incomplete", text=text)
        key = "record.whole" if is_whole(summary) else "record.lost"
        said(
            self._lang,
            key,
            folder=summary.run_dir,
            rounds=summary.rounds,
            sealed=summary.sealed,
            exchanges=summary.exchanges,
        )


class Watcher:
    """The process that shows what is recorded, beside the recorder."""

    def __init__(self, run_dir: str | None, lang: str) -> None:
        self._run_dir = run_dir
        self._lang = lang
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        if self._run_dir is not None:
            arguments = [sys.executable, "-m", "harness.cli.watch", self._run_dir, self._lang]
            self._process = subprocess.Popen(
                arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()
