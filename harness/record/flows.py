"""mitmproxy flow files (`mitmdump -w`): their HTTP exchanges, as far as they were kept.

A flow file knows the times of request, head and end, not those of the chunks; a body that
mitmproxy streamed is not in it. Both are told, nothing is made up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.capture.adopt import Foreign
from harness.capture.faults import ending_of
from harness.capture.har_entries import Flawed
from harness.capture.naming import Name
from harness.model.capture import Head, Request

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from mitmproxy.http import Headers, HTTPFlow

    from harness.model.capture import Ending

_NO_BODY = "mitmproxy streamed this body and kept nothing of it; record it with `harness record`"


def exchanges(file: BinaryIO) -> Iterator[Foreign | Flawed]:
    """The exchanges of a flow file, in its order. Bytes that are no flow end it, told as flawed."""
    from mitmproxy.exceptions import FlowReadException
    from mitmproxy.http import HTTPFlow
    from mitmproxy.io import FlowReader

    number = 0
    try:
        for flow in FlowReader(file).stream():
            number += 1
            if isinstance(flow, HTTPFlow) and flow.websocket is None:
                yield _exchange(number, flow)
            else:
                yield Flawed(number, f"a flow of kind {flow.type}, not HTTP: nothing of ours reads it")
    except (FlowReadException, ValueError, TypeError, KeyError, AttributeError, OSError) as error:
        yield Flawed(number + 1, f"the file can not be read on from here: {error or type(error).__name__}")


def _exchange(number: int, flow: HTTPFlow) -> Foreign | Flawed:
    request, response = flow.request, flow.response
    if response is not None and response.raw_content is None:
        return Flawed(number, _NO_BODY)
    ending, text = _ending(flow)
    head = Head(response.status_code, _pairs(response.headers)) if response else None
    return Foreign(
        Name(""),
        Request(
            request.method, request.path, _pairs(request.headers), _text(request.get_content(strict=False))
        ),
        head,
        [(None, (response.get_content(strict=False) if response else None) or b"")],
        _is_sse(head),
        ending,
        text,
        _ns(request.timestamp_start),
        _ns(response.timestamp_start) if response else None,
        _ns(response.timestamp_end if response else None)
        or _ns(flow.error.timestamp if flow.error else None),
    )


def _ending(flow: HTTPFlow) -> tuple[Ending, str]:
    if flow.error is not None:
        return ending_of(flow.error.msg), flow.error.msg
    return ("clean", "") if flow.response is not None else ("unknown", "")


def _pairs(headers: Headers) -> tuple[tuple[str, str], ...]:
    return tuple(
        (str(name, "latin-1").lower(), str(value, "utf-8", "replace")) for name, value in headers.fields
    )


def _text(body: bytes | None) -> str | None:
    return str(body, "utf-8", "replace") if body else None


def _is_sse(head: Head | None) -> bool:
    media = next((value for name, value in head.headers if name == "content-type"), "") if head else ""
    return media.partition(";")[0].strip().lower() == "text/event-stream"


def _ns(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1e6) * 1000
