"""The answer to a request that nothing recorded fits: 404, and what is known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.replay.known import Key, Known
    from harness.replay.request import Request

LISTED = 100


def not_recorded(key: Key, request: Request, known: tuple[Known, ...]) -> bytes:
    """The 404's body: what was asked, what is known, and the mend."""
    listed = [_row(one) for one in known[:LISTED]]
    return _dumped({
        "error": "nothing that was recorded fits this request",
        "asked": {
            "method": request.method,
            "path": key.path,
            "rpc_method": key.rpc,
            "context_id": key.context,
        },
        "known": listed,
        "known_count": len(known),
        "mend": "requests are matched by method, path and JSON-RPC method; ask for one of `known`, "
        "or replay a run that has this one",
    })  # fmt: skip


def told(status: int, reason: str) -> bytes:
    """The body of another refusal."""
    return _dumped({"error": reason, "status": status})


def _row(one: Known) -> dict[str, object]:
    key = one.key
    return {
        "method": key.method,
        "path": key.path,
        "rpc_method": key.rpc,
        "context_id": key.context,
        "scenario": one.capture.scenario,
        "round": one.capture.round,
        "leg": one.capture.leg,
        "source": one.capture.source,
    }


def _dumped(value: object) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()
