"""The head of a SIT wire log: who was asked what, before the events (`openjiuwen.md` 5)."""

import re
from typing import NamedTuple

from harness.capture.sidecars import is_json
from harness.model.capture import Request

_FIRST = re.compile(rb"(?:\xef\xbb\xbf)?\s*# protocol:")
_RESPONSE = re.compile(rb"^====== RESPONSE \(\d{1,12} events?\) ======", re.MULTILINE)
_POSTED = re.compile(r"\b(POST|GET|PUT|DELETE)\s+(?:https?://[^/\s]+)?(/\S*)")
_TEXT = "  | "
_TITLE = "# protocol:"
_DIGITS = 10


class LogHead(NamedTuple):
    """What a log's head tells. `size`: bytes before its RESPONSE line (all, if it has none)."""

    protocol: str | None
    round: int | None
    session: str | None
    task_id: str | None
    context_id: str | None
    request: Request | None
    size: int
    whole: bool
    """The RESPONSE line was found."""


def begins(raw: bytes) -> bool:
    """Whether bytes begin like a SIT wire log."""
    return _FIRST.match(raw) is not None


def log_head(raw: bytes) -> LogHead:
    """Read the head of a log that `begins`; parts that are not there are None."""
    match = _RESPONSE.search(raw)
    size = match.start() if match else len(raw)
    lines = [line.removesuffix("\r") for line in str(raw[:size], "utf-8", "replace").split("\n")]
    protocol, round_, session = _first_line(next((line for line in lines if _TITLE in line), ""))
    fields = _fields(lines)
    return LogHead(
        protocol=protocol or None,
        round=int(round_) if round_.isdecimal() and len(round_) < _DIGITS else None,
        session=session or None,
        task_id=fields.get("taskId"),
        context_id=fields.get("contextId"),
        request=_request(lines),
        size=size,
        whole=match is not None,
    )


def _first_line(line: str) -> tuple[str, str, str]:
    """`# protocol: P  round: N  sessionId: S` in its parts."""
    protocol, _, rest = line.partition(_TITLE)[2].partition("round:")
    round_, _, session = rest.partition("sessionId:")
    return protocol.strip(), round_.strip(), session.strip()


def _fields(lines: list[str]) -> dict[str, str]:
    """`taskId` and `contextId` of the REQUEST section; `(none)` is none."""
    found: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        value = value.strip()
        if colon and name in ("taskId", "contextId") and value and value != "(none)":
            found.setdefault(name, value)
    return found


def _request(lines: list[str]) -> Request | None:
    """The request as it was on the wire, where the log prints one."""
    wire = _section(lines)
    text = "\n".join(wire) if wire else "\n".join(_printed_body(lines))
    first, last = text.find("{"), text.rfind("}")
    body = text[first : last + 1] if 0 <= first < last else None
    if body is not None and not is_json(body):
        body = None
    posted = _POSTED.search(text[:first] if first >= 0 else text) if wire else None
    if body is None and posted is None:
        return None
    return Request(posted[1] if posted else None, posted[2] if posted else None, (), body)


def _section(lines: list[str]) -> list[str]:
    """Lines of `WIRE REQUEST (paste-ready)`."""
    out: list[str] = []
    inside = False
    for line in lines:
        if line.startswith("====== WIRE REQUEST"):
            inside = True
        elif inside and line.startswith("======"):
            break
        elif inside:
            out.append(line.removeprefix(_TEXT))
    return out


def _printed_body(lines: list[str]) -> list[str]:
    """Lines under `body:` of the REQUEST section."""
    out: list[str] = []
    inside = False
    for line in lines:
        if line.startswith("body:"):
            inside = True
            out.append(line[len("body:") :])
        elif inside and not line.startswith(_TEXT):
            break
        elif inside:
            out.append(line.removeprefix(_TEXT))
    return out
