"""Addresses inside an agent card: a client calls what the card says, so it has to name the replay.

`url`, `additionalInterfaces[].url` and `supportedInterfaces[].url` of http(s) get the replay's
origin and keep their path (A2A v1.0 section 8, v0.3 section 5.5). All other bytes stay.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness import jsontext
from harness.capture.files import Body
from harness.replay.edits import Edit

if TYPE_CHECKING:
    from harness.model.capture import Capture

MAX_CARD = 4 << 20
_LISTS = ("additionalInterfaces", "supportedInterfaces")


def card_edits(capture: Capture, origin: str) -> list[Edit]:
    """The edits that make a card name `origin` (`http://127.0.0.1:8080`); none if it is no card."""
    if capture.framing != "document":
        return []
    body = bytearray()
    for chunk in Body(capture).chunks():
        body += chunk
        if len(body) > MAX_CARD:
            return []
    return edits_of(bytes(body), origin)


def edits_of(body: bytes, origin: str) -> list[Edit]:
    """The same for the bytes of a body."""
    value = jsontext.read(str(body, "utf-8", "replace").removeprefix("\ufeff"))
    found: dict[int, Edit] = {}
    for url in sorted(_addresses(value), key=len, reverse=True):
        new = json.dumps(_moved(url, origin), ensure_ascii=False).encode("utf-8", "replace")
        for old in _spellings(url):
            at = body.find(old)
            while at >= 0:
                found.setdefault(at, Edit(at, len(old), new))
                at = body.find(old, at + 1)
    return [found[at] for at in sorted(found)]


def _spellings(url: str) -> set[bytes]:
    """The JSON strings that mean `url`: as it is, all ASCII, with escaped slashes."""
    plain = {json.dumps(url, ensure_ascii=False), json.dumps(url)}
    escaped = {text.replace("/", "\\/") for text in plain}
    return {text.encode("utf-8", "replace") for text in plain | escaped}


def _addresses(value: Any) -> set[str]:
    """The addresses of a card, or of the card that a JSON-RPC result is."""
    card = value.get("result", value) if isinstance(value, dict) else None
    if not isinstance(card, dict) or not _is_card(card):
        return set()
    listed = [one for name in _LISTS for one in _list(card.get(name)) if isinstance(one, dict)]
    urls = [card.get("url"), *(one.get("url") for one in listed)]
    return {url for url in urls if isinstance(url, str) and url.lower().startswith(("http://", "https://"))}


def _is_card(card: dict[str, Any]) -> bool:
    if any(isinstance(card.get(name), list) for name in _LISTS):
        return True
    return isinstance(card.get("url"), str) and ("skills" in card or "capabilities" in card)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _moved(url: str, origin: str) -> str:
    rest = url.partition("://")[2]
    cut = min((at for mark in "/?#" if (at := rest.find(mark)) >= 0), default=len(rest))
    return origin + rest[cut:]
