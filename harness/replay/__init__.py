"""Serve what was recorded again, byte for byte, in its rhythm, with its ending (rank 5).

    with Server(find(["captures/run-20260811-093000"]).captures) as server:
        httpx.post(server.address + "/a2a/", json=...)

One direction: `request` (bytes of a client to a request) > `choose` (which recorded exchange
fits) > `recorded` (its chunks and their times) > `answer` (head, framing) > `sending` (when, and the
ending). Only `link`, `sending`, `session` and `server` know asyncio.
"""

from __future__ import annotations

from harness.replay.sending import Served
from harness.replay.server import Server

__all__ = ["Served", "Server"]
