"""An exchange of another tool without its secrets, before any of it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.capture.adopt import Foreign
    from harness.capture.redaction import Redactor, StreamRedactor
    from harness.model.capture import Head, Request


def scrubbed(foreign: Foreign, redactor: Redactor) -> Foreign:
    """`foreign` with a pseudonym for each secret; its body is redacted as it is read.

    Borders of chunks stay but for bytes that have to wait for what follows them.
    """
    known = {
        name: redactor.text(value) if isinstance(value, str) else value
        for name, value in foreign.known.items()
    }
    request, head = _request(foreign.request, redactor), _head(foreign.head, redactor)
    return foreign._replace(
        name=foreign.name._replace(scenario=redactor.text(foreign.name.scenario)),
        request=request,
        head=head,
        body=_body(foreign.body, redactor.stream(frames=foreign.stream)),
        ending_text=redactor.text(foreign.ending_text),
        known=known,
    )


def _request(request: Request | None, redactor: Redactor) -> Request | None:
    """The headers first: their secrets are known in the rest then."""
    if request is None:
        return None
    return request._replace(
        headers=redactor.headers(request.headers),
        target=None if request.target is None else redactor.target(request.target),
        body=None if request.body is None else redactor.text(request.body),
    )


def _head(head: Head | None, redactor: Redactor) -> Head | None:
    return None if head is None else head._replace(headers=redactor.headers(head.headers))


def _body(
    chunks: Iterable[tuple[int | None, bytes]], stream: StreamRedactor
) -> Iterator[tuple[int | None, bytes]]:
    at_ns = None
    for at_ns, data in chunks:
        yield at_ns, stream.feed(data)
    if rest := stream.end():
        yield at_ns, rest
