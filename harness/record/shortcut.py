"""mitmproxy's HTTP layer, with a short way for what there is most of: chunks of a streamed response."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mitmproxy.proxy import commands, events
from mitmproxy.proxy.layers import http
from mitmproxy.proxy.layers.http._events import RequestProtocolError, ResponseProtocolError

from harness.record.http1 import Client, Server, framed, is_chunked

if TYPE_CHECKING:
    from mitmproxy.connection import Connection
    from mitmproxy.proxy.layer import CommandGenerator


class Layer(http.HttpLayer):
    """The HTTP layer of one client connection, with a short way for the chunks of a streamed response.

    The long way, through five layers, does the same for them: call the flow's `stream`, send
    what it gives. It is taken for all else.
    """

    def event_to_child(self, child: Any, event: events.Event) -> CommandGenerator[None]:
        """As mitmproxy does it; but who broke an exchange is remembered for its `error` hook."""
        if isinstance(event, RequestProtocolError | ResponseProtocolError) and hasattr(child, "flow"):
            child.flow.metadata["broken_by"] = (
                "client" if isinstance(event, RequestProtocolError) else "upstream"
            )
        return super().event_to_child(child, event)

    def _handle_event(self, event: events.Event) -> CommandGenerator[None]:
        if type(event) is events.DataReceived:
            upstream = self._streaming(event.connection)
            if upstream is not None:
                yield from self._passed(upstream, event)
                return
        yield from super()._handle_event(event)

    def _streaming(self, connection: Connection) -> Client | None:
        """The upstream's connection, if what comes from it is the body of a streamed response."""
        found = self.connections.get(connection)
        inner = getattr(found, "child_layer", None) if type(found) is http.HttpClient else None
        if (
            type(inner) is not Client
            or inner.state != inner.read_body
            or inner._paused
            or inner.stream_id is None
        ):
            return None
        stream = self.streams.get(inner.stream_id)
        if stream is None or stream._paused or stream.server_state != stream.state_stream_response_body:
            return None
        server = self.connections[self.context.client]
        return inner if type(server) is Server and not server._paused else None

    def _passed(self, upstream: Client, event: events.DataReceived) -> CommandGenerator[None]:
        assert upstream.stream_id is not None
        response = self.streams[upstream.stream_id].flow.response
        assert response is not None
        data = upstream.taken(event.data)
        if data:
            if callable(response.stream):
                response.stream(data)
            raw = framed(data) if is_chunked(response.headers) else data
            yield commands.SendData(self.context.client, raw)
        if upstream.at_end:
            yield from super()._handle_event(events.DataReceived(event.connection, b""))
