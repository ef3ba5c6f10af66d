"""What a client connection tells: mitmproxy's hooks become exchanges on disk.

Requests with a known length of up to `KEPT` are read whole before they go on, so that their
round is known; larger ones and those of unknown length go on as they come, and the first `KEPT`
bytes are kept. Responses go on as they come; an agent card is read whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mitmproxy.proxy.layers import ClientTLSLayer, ServerTLSLayer
from mitmproxy.proxy.layers.http import HTTPMode
from mitmproxy.proxy.tunnel import LayerStack

from harness.model.capture import Head
from harness.record import labels, requests, secrets
from harness.record.exchange import Exchange
from harness.record.readdress import Readdress
from harness.record.requests import Body, pairs
from harness.record.shortcut import Layer

if TYPE_CHECKING:
    from mitmproxy.http import HTTPFlow
    from mitmproxy.proxy.layer import NextLayer
    from mitmproxy.tls import TlsData

    from harness.model.capture import Ending
    from harness.record.listener import Listener
    from harness.record.proxy import Handler

TLS = 0x16
"""The first byte of a TLS connection."""


class Tap:
    """The hooks of one client connection. Method names are mitmproxy's."""

    handler: Handler

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._kit = listener.kit
        self._run = listener.kit.run
        self._open: dict[str, Exchange] = {}
        self._bodies: dict[str, Body] = {}
        self._cards: set[str] = set()
        self._crashed: str | None = None
        self._readdress = Readdress(listener)

    # which layers

    def next_layer(self, data: NextLayer) -> None:
        """HTTP, within TLS where the client speaks it and where the upstream wants it."""
        first = self.first_bytes(data)
        if first is None:
            return
        stack = LayerStack()
        if self._listener.mode.startswith("reverse:https:"):
            address = data.context.server.address
            data.context.server.sni = address[0] if address else None
            stack /= ServerTLSLayer(data.context)
        if first[0] == TLS:
            stack /= ClientTLSLayer(data.context)
        stack /= Layer(data.context, HTTPMode.transparent)
        data.layer = stack[0]

    def first_bytes(self, data: NextLayer) -> bytes | None:
        """What the client sent first; None: too little to tell."""
        first: bytes = data.data_client()  # type: ignore[no-untyped-call]
        return None if not first or (first[0] == TLS and len(first) < 3) else first

    def tls_start_client(self, data: TlsData) -> None:
        """The client speaks TLS."""
        self._kit.tls.start_client(data)
        if not self._kit.tls.has_cert:
            self._run.warn(
                f"leg {self._listener.name}: a client spoke TLS to a listener without a certificate "
                "and IS NOT RECORDED; give one with --client-cert"
            )

    def tls_start_server(self, data: TlsData) -> None:
        """The upstream speaks TLS."""
        self._kit.tls.start_server(data)

    # the request

    def requestheaders(self, flow: HTTPFlow) -> None:
        """The request's head: what must not go on is taken off, the body's way is chosen."""
        request = flow.request
        if request.method == "PRI":
            self._cut_http2(flow)
            return
        flow.metadata["headers"] = pairs(request.headers)
        flow.metadata["target"] = request.path
        flow.metadata["host"] = request.host_header
        self._adapt(flow)
        if requests.passes_on(request):
            request.stream = self._bodies[flow.id] = Body()

    def _cut_http2(self, flow: HTTPFlow) -> None:
        """The preface of HTTP/2 without TLS, which mitmproxy does not speak."""
        self._run.warn(
            f"leg {self._listener.name}: a client spoke HTTP/2 without TLS; it was cut and IS NOT RECORDED: "
            "have it speak HTTP/1.1, or TLS with --client-cert"
        )
        flow.metadata["refused"] = True
        flow.kill()  # type: ignore[no-untyped-call]

    def request(self, flow: HTTPFlow) -> None:
        """The request is whole."""
        if "refused" not in flow.metadata:
            self._begun(flow)

    def _adapt(self, flow: HTTPFlow) -> None:
        headers = flow.request.headers
        if "h2c" in headers.get("upgrade", "").lower():
            for name in ("upgrade", "connection", "http2-settings"):
                headers.pop(name, None)
        host = self._listener.host_for(flow)
        if host is not None:
            flow.request.host_header = host
        if self._kit.settings.identity:
            headers["accept-encoding"] = "identity"

    def _begun(self, flow: HTTPFlow) -> Exchange:
        """The exchange of `flow`, on disk from the moment on that its request is known."""
        found: Exchange | None = flow.metadata.get("exchange")
        if found is not None:
            return found
        body = self._bodies.pop(flow.id, None)
        content = body.kept if body is not None else flow.request.raw_content or b""
        request = requests.read(flow, content)
        call = requests.call(self._listener.leg_of(flow), request)
        where = self._kit.rounds.begin(flow.id, call)
        known = {"client": flow.client_conn.id, "upstream": self._listener.origin_of(flow)}
        made = Exchange(self._run, where, request, known)
        flow.metadata["exchange"] = self._open[flow.id] = made
        if body is not None and body.size > len(body.kept):
            made.note("request-cut", kept=len(body.kept), size=body.size)
        made.asks_card = call.asked.operation == "card"
        if where.protocol not in (labels.OTHER, labels.LLM):
            made.learn(lambda context, task: self._kit.rounds.learn(flow.id, context, task))
        return made

    # the response

    def responseheaders(self, flow: HTTPFlow) -> None:
        """The response's head: from here on each chunk is written, then passed on."""
        assert flow.response is not None
        if "refused" in flow.metadata:
            return
        flow.response.stream = True  # whatever fails from here on, nothing is held back
        if self._readdress.holds_card(flow, self._begun(flow)):
            flow.response.stream = False
            self._cards.add(flow.id)
            return
        self._head(flow)

    def _head(self, flow: HTTPFlow) -> Exchange:
        """Write the response's head and let its body pass."""
        assert flow.response is not None
        exchange = self._begun(flow)
        moved = self._readdress.location(flow)
        if moved is not None:
            exchange.note("location", rewritten=[moved])
        headers = pairs(flow.response.headers)
        encoding = dict(headers).get("content-encoding", "").strip().lower()
        decoder = secrets.decoder(encoding) if encoding not in ("", "identity") else None
        exchange.response(Head(flow.response.status_code, headers), decoder)
        if decoder is not None:
            exchange.note("decoded", encoding=encoding)
        elif encoding not in ("", "identity"):
            exchange.note("not-decoded", encoding=encoding)
        flow.response.stream = exchange.chunk
        return exchange

    def response(self, flow: HTTPFlow) -> None:
        """The response is whole."""
        if "refused" in flow.metadata:
            return
        exchange = self._begun(flow)
        if flow.id in self._cards:
            self._cards.discard(flow.id)
            self._card(flow)
        if flow.response is not None and flow.response.trailers:
            exchange.note("trailers", headers=pairs(flow.response.trailers))
        if flow.response is not None and flow.response.status_code == 101:
            exchange.note("upgraded", to=flow.response.headers.get("upgrade", ""))
            self._run.warn(
                f"leg {exchange.where.leg}: a connection was upgraded to another protocol; what passed from "
                "then on IS NOT RECORDED"
            )
        if self.handler.was_reset(flow.server_conn):
            self._seal(flow, "upstream_cut", "reset by the upstream, in a body that ends with its connection")
        else:
            self._seal(flow, "clean")

    # agent cards

    def _card(self, flow: HTTPFlow) -> None:
        """The whole answer is here: rewrite the addresses in it, then write what goes on."""
        assert flow.response is not None
        card = self._readdress.card(flow)
        exchange = self._head(flow)
        exchange.chunk(flow.response.raw_content or b"")
        if card is not None:
            what = "cards-rewritten" if card.rewritten else "card"
            exchange.note(what, rewritten=card.rewritten, foreign=card.foreign, signed=card.signed)

    def error(self, flow: HTTPFlow) -> None:
        """The exchange broke: by whom, as far as can be told."""
        if "refused" in flow.metadata:
            return
        if flow.id in self._cards:
            self._cards.discard(flow.id)
            self._head(flow)
        self._begun(flow)
        text = flow.error.msg if flow.error else ""
        ending = self._ending(flow)
        if ending == "refused":
            self._unreachable(flow, text)
        self._seal(flow, ending, text)

    def _unreachable(self, flow: HTTPFlow, text: str) -> None:
        place = self._listener.origin_of(flow)
        self._run.warn(f"leg {self._listener.leg_of(flow)}: {place} could not be reached: {text}")

    def _ending(self, flow: HTTPFlow) -> Ending:
        if self.handler.timed_out:
            return "timeout"
        if self._crashed is not None:
            return "proxy_stopped"
        side = flow.metadata.get("broken_by")
        if side is None and flow.response is None:
            return "refused"
        return "client_left" if side == "client" else "upstream_cut"

    def _seal(self, flow: HTTPFlow, ending: Ending, text: str = "") -> None:
        exchange = self._open.pop(flow.id, None)
        if exchange is not None:
            exchange.seal(ending, text)
            self._listener.ended(flow.id, exchange)

    # the end

    def no_request(self, why: str) -> None:
        """A client sent what can not be read as a request; there is no exchange of it."""
        self._run.warn(
            f"leg {self._listener.name}: a client sent what is no HTTP request; it got status 400 and IS NOT "
            f"RECORDED: {why}"
        )

    def failed(self, hook: str, fault: Exception) -> None:
        """A fault of ours in a hook: the exchange goes on, the run is not whole."""
        leg = self._listener.name
        self._run.lacks(f"an exchange of leg {leg} was not recorded: {type(fault).__name__} in {hook}")

    def broke(self, message: str) -> None:
        """A fault inside the proxy core: what it broke is ended and told."""
        self._crashed = message
        self._run.lacks(f"an exchange of leg {self._listener.name} broke inside the proxy: {message}")
        self.seal_all("proxy_stopped", message)
        self.handler.stop()

    def seal_all(self, ending: Ending, text: str) -> None:
        """End what is still open."""
        for key, exchange in list(self._open.items()):
            exchange.seal(ending, text)
            self._listener.ended(key, exchange)
        self._open.clear()

    @property
    def is_idle(self) -> bool:
        """No exchange is open, and all that passed is sent."""
        return not self._open and not self._bodies and not self.handler.unsent
