"""`harness record` as a process of its own, to be signalled, killed and measured."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HARNESS = str(Path(sys.executable).with_name("harness"))


class Process(NamedTuple):
    """A running `harness record` with one leg, `client`."""

    popen: subprocess.Popen[str]
    url: str
    """Where it listens."""
    run_dir: Path

    @property
    def pid(self) -> int:
        """The process id."""
        return self.popen.pid

    def peak(self) -> int:
        """The highest resident memory so far, in bytes."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.split("\n") if line.startswith("VmHWM")) << 10


@contextmanager
def running(upstream: str, captures: Path, *arguments: str) -> Iterator[Process]:
    """The command, recording; whatever the test left of it is killed."""
    command = [HARNESS, "record", "--leg", f"client={upstream}@0", "--captures", str(captures), *arguments]
    popen = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert popen.stderr is not None
    try:
        said = [popen.stderr.readline(), popen.stderr.readline()]
        addresses, folders = (
            [found[1] for line in said if (found := re.search(pattern, line))]
            for pattern in (r"^client +(\S+)", r"recording to (.+);")
        )
        yield Process(popen, addresses[0], Path(folders[0]))
    finally:
        popen.kill()
        popen.wait()
        popen.stderr.close()
