"""A real system of the openJiuwen family: DeepAgents of the unmodified package behind its own A2A server.

    python system.py --entry deep-research:18601:loop:forward:MODEL --remote search-agent:18602:MODEL

The entry agent is a DeepAgent with one tool for each remote agent. `loop` or `plain` says whether its task
loop is on. `forward` gives all that the agent says to the client; `coordinate` carries delegations out; `raw`
hands the agent's chunks to the server as they are. The remotes are DeepAgents without tools. MODEL is the name
that an agent's model requests carry. See `agents.py`.

The environment says where the others are: HARNESS_MODEL_URL, the base URL of an OpenAI-compatible model, and
HARNESS_LEG_<NAME>, a remote agent's base URL (absent: the one in this process). The line `ready` on standard
output says that all servers accept; SIGTERM or SIGINT ends them. What the package writes goes to a temporary
folder that is gone afterwards.

It runs in an environment of its own (`setup.sh`) and imports nothing of the harness.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import tempfile
from typing import Any, NamedTuple

GRACE = 2
"""Seconds that the package's servers may take to end."""


class Entry(NamedTuple):
    """One server of this process."""

    name: str
    port: int
    model: str
    loop: bool = False
    delivers: str = "answer"
    """`forward`, `coordinate`, `raw`; a remote agent gives its answer only."""

    @property
    def url(self) -> str:
        """Its base address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def called(self) -> str:
        """The base address at which its callers shall reach it."""
        return os.environ.get("HARNESS_LEG_" + self.name.upper().replace("-", "_")) or self.url


def entry(text: str) -> Entry:
    """NAME:PORT:loop|plain:forward|coordinate|raw:MODEL"""
    name, port, loop, delivers, model = text.split(":", 4)
    return Entry(name, int(port), model, loop == "loop", delivers)


def remote(text: str) -> Entry:
    """NAME:PORT:MODEL"""
    name, port, model = text.split(":", 2)
    return Entry(name, int(port), model)


async def accepts(port: int) -> None:
    """Wait until a port accepts."""
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            await writer.wait_closed()
            return
        await asyncio.sleep(0.05)


async def until_told(servers: list[tuple[Any, Entry]]) -> None:
    """Run the package's servers until a signal."""
    running = [asyncio.create_task(one.start(port=told.port)) for one, told in servers]
    await asyncio.gather(*(accepts(told.port) for _, told in servers))
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):  # behind the servers, which set handlers of their own
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    print("ready", flush=True)
    await stopped.wait()
    for one, _ in servers:
        await one.stop()
    await asyncio.wait(running, timeout=GRACE)


def main() -> None:
    """Parse, serve, leave nothing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--entry", type=entry, action="append", default=[])
    parser.add_argument("--remote", type=remote, action="append", default=[])
    told = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="openjiuwen-", ignore_cleanup_errors=True) as folder:
        tempfile.tempdir = folder
        os.chdir(folder)  # the package writes logs where it is imported
        from agents import System

        away = {one.name: one.called for one in told.remote}
        system = System(folder, model_url=os.environ["HARNESS_MODEL_URL"], remotes=away)
        entries = [*told.entry, *told.remote]
        asyncio.run(until_told([(system.server(one), one) for one in entries]))
        os.chdir("/")
    os._exit(0)  # a task that waits for its client's answer would hold the process


if __name__ == "__main__":
    main()
