"""How an exchange ended, out of what other tools write about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.model.capture import Ending

_WORDS: tuple[tuple[Ending, tuple[str, ...]], ...] = (
    ("client_left", ("client disconnected", "err_aborted", "ns_binding_aborted", "cancelled", "canceled")),
    ("refused", ("refused", "connect call failed", "unreachable", "name_not_resolved", "name or service")),
    ("timeout", ("timed out", "timeout", "timed_out")),
    (
        "upstream_cut",
        ("peer closed", "incomplete", "reset", "connection_closed", "closed connection",
         "http2_protocol_error", "server disconnected", "unexpected eof", "net_partial_transfer"),
    ),
)  # fmt: skip


def ending_of(text: str) -> Ending:
    """The ending that an error text of a browser or a proxy means; `unknown` if none is known."""
    lower = text.lower()
    return next((ending for ending, words in _WORDS if any(word in lower for word in words)), "unknown")
