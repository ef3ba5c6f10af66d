"""Agent cards: the addresses of declared upstreams in them become those of the recorder.

A client takes the address that it calls from the card; left as it is, the first real call
would go around the recorder. Pure: text in, text out. Nothing but the addresses changes, not
even the spacing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from harness.jsontext import Flaw, read
from harness.record.legs import Origin, origin

MOST = 4 << 20
"""Bytes of the longest card that is read whole."""
_PATH = re.compile(r"/\.well-known/agent(?:-card)?(?:\.json)?/?$|/(?:v1/card|extendedAgentCard)/?$")
_SELF = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "ip6-localhost"})
_ADDRESSES = ("additionalInterfaces", "supportedInterfaces")

type Listeners = Mapping[Origin, str]
"""The listener's address of each declared upstream."""


class Card(NamedTuple):
    """What became of a card."""

    text: str
    rewritten: tuple[tuple[str, str], ...]
    """Each address with what stands there now."""
    foreign: tuple[str, ...]
    """Addresses that are no declared upstream's: calls to them go around the recorder."""
    signed: bool


def is_path(target: str) -> bool:
    """Whether a request for `target` asks for an agent card."""
    return _PATH.search(target.partition("?")[0]) is not None


def read_card(text: str, listeners: Listeners) -> Card | None:
    """`text` as a card (or the answer that holds one), rewritten; None if it is none."""
    value = read(text)
    if isinstance(value, Flaw) or not isinstance(value, dict):
        return None
    card = value.get("result", value)
    if not isinstance(card, dict) or not _is_card(card):
        return None
    own = {one for url in listeners.values() if (one := _normal(url)) is not None}
    by_origin = {_plain(one): url for one, url in listeners.items()}
    rewritten: dict[str, str] = {}
    foreign: dict[str, None] = {}
    for url in _urls(card):
        found = _normal(url)
        if found is None or found in own:
            continue
        if found in by_origin:
            rewritten[url] = _moved(url, by_origin[found])
        else:
            foreign[url] = None
    for old, new in rewritten.items():
        text = _replaced(text, old, new)
    return Card(text, tuple(rewritten.items()), tuple(foreign), bool(card.get("signatures")))


def moved(url: str, listeners: Listeners) -> str | None:
    """`url` at its listener's address; None if it leads to no declared upstream."""
    found = _normal(url)
    by_origin = {_plain(one): listener for one, listener in listeners.items()}
    return None if found is None or found not in by_origin else _moved(url, by_origin[found])


def _is_card(value: dict[str, Any]) -> bool:
    known = ("capabilities", "skills", "protocolVersion", "supportedInterfaces", "defaultInputModes")
    return any(isinstance(value.get(name), str | list) for name in ("url", "supportedInterfaces")) and any(
        name in value for name in known
    )


def _urls(card: dict[str, Any]) -> list[str]:
    """The addresses that a client may call."""
    entries = [card]
    for name in _ADDRESSES:
        listed = card.get(name)
        entries += [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [url for entry in entries if isinstance(url := entry.get("url"), str)]


def _normal(url: str) -> Origin | None:
    found = origin(url)
    return None if found is None else _plain(found)


def _plain(one: Origin) -> Origin:
    """Names of this machine are one name."""
    host = one.host.lower().rstrip(".")
    return one._replace(host="localhost" if host in _SELF or host.startswith("127.") else host)


def _moved(url: str, listener: str) -> str:
    """`url` at the listener's address."""
    rest = url.partition("://")[2]
    cut = min((at for at in (rest.find(c) for c in "/?#") if at >= 0), default=len(rest))
    return listener + rest[cut:]


def _replaced(text: str, old: str, new: str) -> str:
    """Every JSON string of the value `old` in `text`, in any of the usual spellings."""
    for spell in (_spelled, _slashed, _ascii):
        text = text.replace(spell(old), spell(new))
    return text


def _spelled(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _ascii(value: str) -> str:
    return json.dumps(value)


def _slashed(value: str) -> str:
    return _spelled(value).replace("/", "\\/")
