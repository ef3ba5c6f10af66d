"""An exchange in the words of curl: the command that asks again, and what `curl -i` printed.

Pure. The command is for a shell; every part is quoted, so that nothing a peer sent is run.
"""

from __future__ import annotations

import shlex
from http import HTTPStatus
from typing import TYPE_CHECKING

from harness.capture.har import url

if TYPE_CHECKING:
    from harness.model.capture import Ending, Head, Request

_OURS = frozenset({
    "host", "content-length", "connection", "transfer-encoding", "accept-encoding", "expect", "keep-alive",
    "proxy-connection", "upgrade", "http2-settings", "te",
})  # fmt: skip
_EXITS: dict[Ending, int] = {
    "clean": 0, "upstream_cut": 18, "refused": 7, "client_left": 28, "timeout": 28,
}  # fmt: skip


def command(request: Request, address: str | None = None) -> str:
    """A command line that sends the request again. `address` replaces scheme, host and port."""
    to = url(request)
    if address is not None:
        path = to.partition("://")[2].partition("/")[2]
        to = f"{address.rstrip('/')}/{path}"
    method = request.method or ("POST" if request.body is not None else "GET")
    parts = ["curl", "-giN", "--compressed", "-X", method, to]
    for name, value in request.headers:
        if name not in _OURS:
            parts += ["-H", f"{name}: {value}" if value else f"{name};"]
    if request.body is not None:
        if not any(name == "content-type" for name, _ in request.headers):
            parts += ["-H", "content-type: application/json"]
        parts += ["--data-raw", request.body]
    return _laid_out(parts)


def _laid_out(parts: list[str]) -> str:
    """One option a line."""
    lines, line = [], ""
    for part in parts:
        if part in ("-X", "-H", "--data-raw"):
            lines.append(line)
            line = "  "
        line += ("" if line in ("", "  ") else " ") + _quoted(part)
    return " \\\n".join([*lines, line])


def _quoted(part: str) -> str:
    """For a shell; NUL can not stand in an argument."""
    return shlex.quote(part.replace("\0", ""))


def head_text(head: Head) -> bytes:
    """The head as `curl -i` prints it."""
    status = head.status or 200
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = ""
    lines = [f"HTTP/1.1 {status} {phrase}".rstrip()]
    lines += [f"{name}: {_one_line(value)}" for name, value in head.headers]
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "replace")


def _one_line(value: str) -> str:
    return value.replace("\r", " ").replace("\n", " ")


def exit_file(ending: Ending) -> bytes | None:
    """The `.rc` sidecar that says how it ended; None where curl has no word for it."""
    code = _EXITS.get(ending)
    return None if code is None else b"curl_rc=%d\n" % code
