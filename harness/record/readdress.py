"""Answers that tell clients where to call: agent cards and redirects are made to lead to the recorder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.record import cards

if TYPE_CHECKING:
    from mitmproxy.http import HTTPFlow

    from harness.record.cards import Card
    from harness.record.exchange import Exchange
    from harness.record.listener import Listener


class Readdress:
    """Rewrites addresses of declared upstreams in the answers of one listener."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._book = listener.kit.book
        self._is_on = not listener.kit.settings.keep_cards

    def holds_card(self, flow: HTTPFlow, exchange: Exchange) -> bool:
        """Is the answer to be read whole, since it may hold addresses that clients will call?"""
        response, request = flow.response, flow.request
        assert response is not None
        if response.status_code != 200 or request.method == "HEAD":
            return False
        is_card = exchange.asks_card or cards.is_path(flow.metadata["target"])
        if not self._is_on:
            if is_card:
                self._book.kept_card(self._listener.leg_of(flow))
            return False
        length = response.headers.get("content-length", "")
        known = length.isdecimal() and int(length) <= cards.MOST
        if is_card:
            return known or not length
        kind = response.headers.get("content-type", "")
        return known and request.method == "GET" and "json" in kind and exchange.is_other

    def card(self, flow: HTTPFlow) -> Card | None:
        """Rewrite the answer of `flow`, if it is a card; what became of it."""
        response = flow.response
        assert response is not None
        try:
            text = (response.get_content() or b"").decode()
        except ValueError:
            return None
        card = cards.read_card(text, self._listener.addresses(flow))
        if card is not None:
            if card.rewritten:
                response.content = card.text.encode()
            self._listener.saw_card(flow, card)
        return card

    def location(self, flow: HTTPFlow) -> tuple[str, str] | None:
        """Let a redirect to a declared upstream lead to its listener; the address before and after."""
        assert flow.response is not None
        where = flow.response.headers.get("location")
        if where is None or not self._is_on:
            return None
        moved = cards.moved(where, self._listener.addresses(flow))
        if moved is None:
            return None
        flow.response.headers["location"] = moved
        return where, moved
