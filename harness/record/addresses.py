"""Where the declared upstreams are reached, and what the cards that passed said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.record.labels import OTHER
from harness.record.legs import Origin, hostport, origin

if TYPE_CHECKING:
    from harness.record.cards import Card
    from harness.record.exchange import Exchange
    from harness.record.run import Run

_ANY = ("0.0.0.0", "::")
"""Addresses that a listener may have and nobody can call."""


class AddressBook:
    """The listeners of all legs; told of each card and each call."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._listeners: dict[Origin, tuple[str, tuple[str, int], str]] = {}
        self._cards: dict[str, Card] = {}
        self._gave: dict[str, None] = {}
        """Legs that gave a card, in order."""
        self._called: set[str] = set()

    def add(self, leg: str, upstream: str, address: tuple[str, int], scheme: str = "http") -> None:
        """A leg listens."""
        found = origin(upstream)
        if found is not None:
            self._listeners.setdefault(found, (leg, address, scheme))

    def seen_from(self, host: str | None, own: tuple[str, int]) -> dict[Origin, str]:
        """Each upstream's listener as a client names it that reached the listener `own` as `host`."""
        name = origin(f"http://{host}") if host else None
        return {
            upstream: self._url(address, scheme, name, own)
            for upstream, (_, address, scheme) in self._listeners.items()
        }

    def _url(self, address: tuple[str, int], scheme: str, name: Origin | None, own: tuple[str, int]) -> str:
        host, port = address
        if name is not None and (host in _ANY or (address == own and name.port == port)):
            host = name.host
        return f"{scheme}://{hostport(host, port)}"

    def saw_card(self, leg: str, card: Card) -> None:
        """A card passed on a leg."""
        self._gave[leg] = None
        if self._cards.get(leg) == card:
            return
        self._cards[leg] = card
        self._run.cards.append(
            {"leg": leg, "rewritten": card.rewritten, "foreign": card.foreign, "signed": card.signed}
        )
        if card.signed and card.rewritten:
            self._run.warn(
                f"leg {leg}: the agent card is signed, and its addresses were rewritten: its signature "
                "no longer fits; --keep-cards leaves it as it is"
            )
        for url in map(self._run.clean.url, card.foreign):
            self._run.warn(
                f"leg {leg}: the agent card names {url}, which is no leg's upstream: calls to it are not "
                "recorded; declare a leg for it with --leg NAME=URL@PORT"
            )

    def kept_card(self, leg: str) -> None:
        """A card passed on a leg, unread."""
        self._gave[leg] = None

    def saw(self, exchange: Exchange) -> None:
        """An exchange is over."""
        if exchange.where.protocol != OTHER:
            self._called.add(exchange.where.leg)

    def told(self) -> None:
        """At the end: legs whose card was read and that nobody called."""
        for leg in self._gave:
            if leg not in self._called:
                self._run.warn(
                    f"LEG {leg} GAVE ITS CARD AND WAS NEVER CALLED: the calls went around the recorder, or "
                    "there were none; have the client use the listener's address"
                )
