"""The forward proxy: for systems that know `HTTP_PROXY` only. It reaches what it is allowed to.

Plain HTTP is recorded. TLS is opened where there is a certificate that the client trusts, else
it passes through as it is, and the run says so: what was in it is not recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mitmproxy.http import Response
from mitmproxy.proxy.layers import ClientTLSLayer, ServerTLSLayer, TCPLayer
from mitmproxy.proxy.layers.http import HTTPMode
from mitmproxy.proxy.tunnel import LayerStack

from harness.errors import UsageError
from harness.record import legs
from harness.record.listener import Kit, Listener
from harness.record.shortcut import Layer
from harness.record.tap import TLS, Tap

if TYPE_CHECKING:
    from mitmproxy.http import HTTPFlow
    from mitmproxy.proxy.layer import NextLayer
    from mitmproxy.proxy.server_hooks import ServerConnectionHookData
    from mitmproxy.tls import TlsData

    from harness.record.cards import Card

_FORM = "write HOST, HOST:PORT or NAME=HOST[:PORT]"


class Allowed:
    """The hosts that the forward proxy reaches, and the legs that they are."""

    def __init__(self, declared: tuple[legs.Leg, ...], allow: tuple[str, ...]) -> None:
        self._legs: dict[tuple[str, int | None], str] = {}
        for text in allow:
            name, equals, place = text.rpartition("=")
            host, port = _place(place, text)
            self._legs.setdefault((host, port), name if equals else host)
        for leg in declared:
            found = legs.origin(leg.upstream)
            if found is not None:
                self._legs[found.host.lower(), found.port] = leg.name

    def leg(self, host: str, port: int) -> str | None:
        """The leg of an address; None: it may not be reached."""
        host = host.lower().rstrip(".")
        return self._legs.get((host, port)) or self._legs.get((host, None))


def _place(text: str, told: str) -> tuple[str, int | None]:
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]"):
        host, port = text, ""
    if (port and not port.isdecimal()) or not host.strip("[]") or "/" in host:
        raise UsageError(f"--allow {told}: no host", mend=_FORM)
    return host.strip("[]").lower(), int(port) if port else None


class Forward(Listener):
    """The forward proxy's listener."""

    def __init__(self, kit: Kit, listen: tuple[str, int]) -> None:
        super().__init__(kit, "forward", listen)
        self.allowed = Allowed(kit.settings.legs, kit.settings.allow)
        self.distrusted: set[str] = set()
        """Hosts whose clients did not trust our certificate: their TLS passes unopened from then on."""

    def tap(self) -> Tap:
        """The hooks of a new connection."""
        return ForwardTap(self)

    def leg_of(self, flow: HTTPFlow) -> str:
        """The leg by the host that `flow` goes to."""
        return self.allowed.leg(flow.request.host, flow.request.port) or flow.request.host

    def saw_card(self, flow: HTTPFlow, card: Card) -> None:
        """A card passed: what is allowed is recorded, whoever's address it is."""
        foreign = tuple(url for url in card.foreign if not self._reaches(url))
        super().saw_card(flow, card._replace(foreign=foreign))

    def _reaches(self, url: str) -> bool:
        found = legs.origin(url)
        return found is not None and self.allowed.leg(found.host, found.port) is not None

    def refused(self, place: str) -> None:
        """Somebody asked for a host that is not allowed."""
        self.kit.run.warn(
            f"forward proxy: {place} was asked for and is not allowed; add --allow {place} if it should be"
        )

    def passed_unopened(self, place: str, why: str) -> None:
        """A TLS connection goes through as it is."""
        run = self.kit.run
        run.tunnelled[place] = run.tunnelled.get(place, 0) + 1
        run.warn(f"forward proxy: TLS to {place} passed through and IS NOT RECORDED: {why}")


class ForwardTap(Tap):
    """The hooks of a connection of the forward proxy."""

    def __init__(self, listener: Forward) -> None:
        super().__init__(listener)
        self._forward = listener

    def next_layer(self, data: NextLayer) -> None:
        """The proxy's own HTTP first; behind a CONNECT TLS, or HTTP again."""
        first = self.first_bytes(data)
        if first is None:
            return
        if len(data.context.layers) <= 2 and data.context.server.address is None:
            stack = LayerStack()
            if first[0] == TLS:
                stack /= ClientTLSLayer(data.context)
            stack /= Layer(data.context, HTTPMode.regular)
            data.layer = stack[0]
        elif first[0] == TLS:
            self._tls(data)
        else:
            data.layer = Layer(data.context, HTTPMode.transparent)

    def _tls(self, data: NextLayer) -> None:
        assert data.context.server.address is not None
        place = legs.hostport(*data.context.server.address[:2])
        why = None
        if not self._forward.kit.tls.has_cert:
            why = "there is no certificate to open it with; give one with --client-cert"
        elif place in self._forward.distrusted:
            why = "the client does not trust the certificate of --client-cert"
        if why is not None:
            self._forward.passed_unopened(place, why)
            data.layer = TCPLayer(data.context, ignore=True)
            return
        data.context.server.sni = data.context.server.address[0]
        stack = LayerStack()
        stack /= ServerTLSLayer(data.context)
        stack /= ClientTLSLayer(data.context)
        stack /= Layer(data.context, HTTPMode.transparent)
        data.layer = stack[0]

    def http_connect(self, flow: HTTPFlow) -> None:
        """A tunnel is asked for."""
        place = legs.hostport(flow.request.host, flow.request.port)
        if self._forward.allowed.leg(flow.request.host, flow.request.port) is None:
            self._forward.refused(place)
            flow.response = _forbidden(place)

    def requestheaders(self, flow: HTTPFlow) -> None:
        """A request with a whole URL, or one inside a tunnel."""
        if self._forward.allowed.leg(flow.request.host, flow.request.port) is None:
            place = legs.hostport(flow.request.host, flow.request.port)
            self._forward.refused(place)
            flow.metadata["refused"] = True
            flow.response = _forbidden(place)
            return
        super().requestheaders(flow)

    def server_connect(self, data: ServerConnectionHookData) -> None:
        """The last gate: no connection to what is not allowed, whoever asks."""
        address = data.server.address
        if address is None or self._forward.allowed.leg(address[0], address[1]) is None:
            data.server.error = "the recorder may not reach this address"

    def tls_failed_client(self, data: TlsData) -> None:
        """The client does not take our certificate: its next try passes through."""
        address = data.context.server.address
        if address is not None:
            place = legs.hostport(*address[:2])
            self._forward.distrusted.add(place)
            self._forward.kit.run.warn(
                f"forward proxy: a client refused the certificate for {place} ({data.conn.error}): its call "
                "failed and IS NOT RECORDED; from now on TLS to it passes through unopened"
            )


def _forbidden(place: str) -> Response:
    text = f"harness record: {place} is not allowed here; add it with --allow {place}\n"
    return Response.make(403, text.encode(), {"content-type": "text/plain; charset=utf-8"})
