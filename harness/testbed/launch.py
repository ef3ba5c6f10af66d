"""The testbed as a context: its servers run in processes of their own while it is open."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

import harness
from harness.errors import HarnessError
from harness.testbed.plan import Plan
from harness.testbed.services import MODEL, Server

if TYPE_CHECKING:
    from harness.model.topology import Agent, Edge

START_S = 60.0
"""So long the servers may take to start, on a machine with much else to do."""
STOP_S = 5.0


class Testbed:
    """Agents and their model over HTTP on 127.0.0.1, each server in its own process.

    `addresses` is known once the context is entered; nothing is served before `serve`. All processes
    end with the context, and with this process, whatever ends it.
    """

    __test__ = False

    def __init__(
        self, agents: Sequence[Agent], *, log: str | None = None, edges: Sequence[Edge] = ()
    ) -> None:
        """`log` is a file for what the servers print; `edges` limit whom each agent may call."""
        self.addresses: dict[str, str] = {}
        """Where each agent, and the model as `llm`, is reached."""
        self.pids: dict[str, int] = {}
        """The process of each server, known after `serve`."""
        self.servers = [Server(one.name, one.kind, _calls(one, edges)) for one in agents] + [Server(MODEL)]
        self.supervisor = 0
        """The process above the servers, known while the context is open."""
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._lines = b""

    def __enter__(self) -> Self:
        with open(self._log or os.devnull, "ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "harness.testbed", json.dumps(self.servers)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=_environment(),
                start_new_session=True,
                bufsize=0,
            )
        self.supervisor, self.pids, self._lines = self._process.pid, {}, b""
        try:
            self.addresses = self._hear("addresses")
        except BaseException:
            self.__exit__()
            raise
        return self

    def serve(self, peers: Mapping[str, str], plans: Mapping[str, Plan]) -> None:
        """Start the servers: they call `peers`, and play each contextId by its plan; then all accept."""
        if self.pids:
            raise HarnessError("the testbed serves already", mend="open another one")
        shown = {name: {**plan._asdict(), "defects": sorted(plan.defects)} for name, plan in plans.items()}
        line = json.dumps({"peers": {**self.addresses, **peers}, "plans": shown}) + "\n"
        try:
            _pipe(self._running.stdin).write(line.encode())
        except BrokenPipeError:
            raise self._lost("it has ended") from None
        self.pids = self._hear("ready")

    def __exit__(self, *error: object) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        _pipe(process.stdin).close()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _pipe(process.stdout).close()

    @property
    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise HarnessError("the testbed is not open", mend="use it in a `with` statement")
        return self._process

    def _hear(self, word: str) -> dict[str, Any]:
        """What the supervisor says under `word`; HarnessError when a server dies before."""
        deadline = time.monotonic() + START_S
        while True:
            line = json.loads(self._line(deadline))
            if word in line:
                return dict(line[word])
            if "died" in line:
                raise self._lost(f"server {line['died']} died: {line['why'] or 'it said no reason'}")

    def _line(self, deadline: float) -> bytes:
        out, poll = _pipe(self._running.stdout), select.poll()
        poll.register(out, select.POLLIN)
        while b"\n" not in self._lines:
            if not poll.poll(max(0, deadline - time.monotonic()) * 1000):
                raise self._lost(f"it did not start within {START_S:.0f} s")
            if not (more := out.read(65536)):
                raise self._lost("it has ended")
            self._lines += more
        line, _, self._lines = self._lines.partition(b"\n")
        return line

    def _lost(self, what: str) -> HarnessError:
        mend = f"see {self._log}" if self._log else "give it a log file to see why"
        return HarnessError(f"the testbed does not run: {what}", mend=mend)


def _calls(agent: Agent, edges: Sequence[Edge]) -> tuple[str, ...] | None:
    return tuple(one.target for one in edges if one.source == agent.name) if edges else None


def _environment() -> dict[str, str]:
    """Ours, with this very package first on the path and no proxy between the servers."""
    root = str(Path(harness.__file__).parent.parent)
    rest = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{rest}" if rest else root}


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise RuntimeError("the testbed's process was started without pipes")
    return stream
