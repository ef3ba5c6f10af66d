"""Agent cards recorded beside the rounds: what each says goes to the calls of its agent. Rank 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.a2a.card import is_card_path, read_card
from harness.a2a.request import asked
from harness.capture.files import Body

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.a2a.card import Card
    from harness.model.capture import Capture
    from harness.rules.facts import RoundFacts

MOST = 4 << 20
"""Bytes of the longest card that is read."""

type _Found = dict[tuple[str, str], list[Card]]


def with_cards(facts: Sequence[RoundFacts], beside: Sequence[Capture]) -> list[RoundFacts]:
    """`facts`, each with the card of the agent that it called, where `beside` holds it.

    A card belongs to a round of its run folder and leg whose request goes to an address of the
    card. Where several do, and they differ in what they declare, the round gets none.
    """
    cards: _Found = {}
    for capture in beside:
        card = _card(capture)
        if card is not None:
            cards.setdefault((capture.group or capture.source, capture.leg), []).append(card)
    return [_with_card(one, cards) for one in facts] if cards else list(facts)


def _with_card(one: RoundFacts, cards: _Found) -> RoundFacts:
    if one.target is None:
        return one
    own = [card for card in cards.get((one.group, one.leg), ()) if card.is_of(one.target)]
    return one._replace(card=own[0]) if len({card.streaming for card in own}) == 1 else one


def _card(capture: Capture) -> Card | None:
    """The card that an exchange brought; None if it brought none."""
    status = capture.head.status if capture.head else None
    if status != 200 or not _asks_card(capture):
        return None
    body = b""
    for chunk in Body(capture).chunks():
        body += chunk
        if len(body) > MOST:
            return None
    return read_card(str(body, "utf-8", "replace").removeprefix("\ufeff"))


def _asks_card(capture: Capture) -> bool:
    request = capture.request
    if request is None:
        return False
    return is_card_path(request.target or "") or asked(capture).operation == "card"
