"""What the entry agent's card says: where it takes requests, what it speaks, how it is called."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import httpx

from harness.drive import Target
from harness.drive.cards import NoCard, found, protocols

SECONDS = 5.0


class Card(NamedTuple):
    """A card that was read."""

    place: str
    name: str
    url: str
    protocol: str
    protocols: tuple[str, ...]
    """All that it offers."""


def read(url: str, protocol: str) -> Card | str:
    """The card of the agent at `url`; why there is none, where it can not be read."""
    try:
        return asyncio.run(_read(Target(url, protocol)))
    except NoCard as fault:
        return str(fault).partition("; ")[0]


async def _read(target: Target) -> Card:
    async with httpx.AsyncClient(timeout=SECONDS, trust_env=False) as client:
        one = await found(target, client)
    name = one.card.get("name")
    named = name if isinstance(name, str) else ""
    return Card(one.place, named, one.target.url, one.target.protocol, protocols(one.card))
