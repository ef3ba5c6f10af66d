"""The proxy edge: records what passes between client, agents and model. Rank 5.

The only place of mitmproxy, of which the proxy core is used as a library: connection handlers
and layers, no master and no addons, so that several recorders may live in one process.

    from harness.record import Recorder, Settings, legs

    client = legs.parse("client=http://127.0.0.1:8191@9191")
    with Recorder(Settings(legs=(client,), run_dir="captures/run-1")) as recorder:
        recorder.addresses["client"]     # http://127.0.0.1:9191
    recorder.summary
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.record.legs import Leg
from harness.record.settings import Settings, Summary

if TYPE_CHECKING:
    from harness.record.recorder import Recorder

__all__ = ["Leg", "Recorder", "Settings", "Summary"]


def __getattr__(name: str) -> object:
    """The recorder itself, and mitmproxy with it, is loaded when it is asked for."""
    if name == "Recorder":
        from harness.record.recorder import Recorder

        return Recorder
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
