"""An agent card as the rules see it: does the agent stream, and which paths are its own.

Pure: text in, value out. v1.0 section 8, v0.3 section 5.5; the same members in both.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from harness import jsontext
from harness.a2a.shapes import members, word

_PATH = r"/\.well-known/agent(?:-card)?(?:\.json)?/?$|/(?:card|extendedAgentCard)/?$"
_LISTS = ("supportedInterfaces", "additionalInterfaces")


class Card(NamedTuple):
    """What one agent declares."""

    streaming: bool | None
    """`capabilities.streaming`, where its absence is a no; None: the card has no capabilities."""
    paths: tuple[str, ...] = ()
    """Paths of the addresses that a client may call, without a slash at the end."""

    def is_of(self, target: str) -> bool:
        """Does a request for `target` go to this agent?"""
        path = _path_of(target) + "/"
        return any(path.startswith(own + "/") for own in self.paths)


def is_card_path(target: str) -> bool:
    """Does a request for `target` ask for an agent card?"""
    return re.search(_PATH, _path_of(target, "")) is not None


def read_card(text: str) -> Card | None:
    """`text` as a card, or as the JSON-RPC answer that holds one; None if it is none."""
    value = members(jsontext.read(text))
    card = members(value.get("result")) or value
    addresses = _addresses(card)
    if not addresses or not ("capabilities" in card or "skills" in card):
        return None
    declared = card.get("capabilities")
    streams = members(declared).get("streaming") is True if isinstance(declared, dict) else None
    return Card(streams, tuple(dict.fromkeys(map(_path_of, addresses))))


def _addresses(card: dict[str, Any]) -> list[str]:
    entries = [card]
    for name in _LISTS:
        listed = card.get(name)
        entries += [members(one) for one in (listed if isinstance(listed, list) else ())]
    return [url for entry in entries if (url := word(entry, "url"))]


def _path_of(url: str, without: str = "/") -> str:
    """The path of an address or a target, without the slashes `without` at its end."""
    path = url.partition("#")[0].partition("?")[0]
    if "://" in path:
        path = path.partition("://")[2].partition("/")[2]
    path = "/" + path.lstrip("/")
    return path.rstrip(without) if without else path
