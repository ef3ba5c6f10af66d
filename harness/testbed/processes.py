"""One process a server, forked by a supervisor that binds the sockets, and gone when it is gone.

A child ends with its supervisor by whichever comes first: the parent-death signal (Linux), or the end
of a pipe that only the supervisor holds open. The supervisor ends with the one who started it: standard
input ends, or its parent is another. No process is waited for without a bound.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import uvicorn

if TYPE_CHECKING:
    from starlette.applications import Starlette

PR_SET_PDEATHSIG = 1
LOOK_S = 0.5
"""How often the supervisor looks whether its parent still lives."""
WHY = 2000
"""So many bytes a child may say about its death."""


class Child(NamedTuple):
    """One server's process; `said` gives `1` when it accepts, else why it died."""

    name: str
    pid: int
    said: int


def bind() -> socket.socket:
    """A socket on a free port of the loopback; connections are refused until it is served."""
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    one.bind(("127.0.0.1", 0))
    return one


def spawn(
    name: str, sockets: dict[str, socket.socket], make: Callable[[], Starlette], alive: tuple[int, int]
) -> Child:
    """Fork the process that serves `make()` on its socket; `alive` is the pipe that tells of our death."""
    sock, (said, say) = sockets.pop(name), os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(said)
        os.close(alive[1])
        for other in sockets.values():
            other.close()
        _child(sock, make, say, alive[0])
    os.close(say)
    sock.close()
    return Child(name, pid, said)


def _child(sock: socket.socket, make: Callable[[], Starlette], say: int, alive: int) -> NoReturn:
    """Serve until killed; what goes wrong is said, and the process ends without returning."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _die_with_parent()
        _detach()
        asyncio.run(_serve(sock, make(), say, alive))
    except BaseException as fault:  # noqa: BLE001 - nothing may return into the supervisor's stack
        traceback.print_exc()
        os.write(say, f"{type(fault).__name__}: {fault}".encode()[:WHY])
    finally:
        os._exit(1)


async def _serve(sock: socket.socket, app: Starlette, say: int, alive: int) -> None:
    asyncio.get_running_loop().add_reader(alive, os._exit, 0)
    config = uvicorn.Config(
        app, loop="asyncio", http="h11", ws="none", log_level="warning", access_log=False, server_header=False
    )
    await _Server(config, say).serve(sockets=[sock])


class _Server(uvicorn.Server):
    """Tells when it accepts."""

    def __init__(self, config: uvicorn.Config, say: int) -> None:
        super().__init__(config)
        self._say = say

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        os.write(self._say, b"1")


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _detach() -> None:
    """Read and write nothing of the supervisor's protocol; errors go where the supervisor's go."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)


def said_by(children: list[Child]) -> Iterator[tuple[Child, str]]:
    """What children say, as they say it, while standard input is open and our parent lives.

    `1` is said by one that accepts; another text, maybe an empty one, by one that is dead.
    """
    parent, by_pipe = os.getppid(), {child.said: child for child in children}
    while by_pipe and os.getppid() == parent:
        ready, _, _ = select.select([0, *by_pipe], [], [], LOOK_S)
        if 0 in ready and not os.read(0, 1024):
            return
        for pipe in set(ready) & by_pipe.keys():
            text = os.read(pipe, WHY).decode(errors="replace")
            yield by_pipe[pipe], text
            if text != "1":
                by_pipe.pop(pipe)


def kill(children: list[Child]) -> None:
    """End all children and collect them."""
    for child in children:
        os.kill(child.pid, signal.SIGKILL)
    for child in children:
        os.waitpid(child.pid, 0)
