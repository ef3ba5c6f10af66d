"""Which version an agent speaks, as its card says (A2A 1.0 section 8, 0.3 section 5)."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from harness import jsontext
from harness.drive.values import Target

PATHS = ("/.well-known/agent-card.json", "/.well-known/agent.json")
_LARGEST = 1 << 20


class NoCard(Exception):
    """No card tells how to talk to the agent."""


class Found(NamedTuple):
    """A card that tells how to talk to the agent."""

    place: str
    """Where it was read."""
    card: dict[str, Any]
    target: Target
    """The agent's address and protocol, as the card names them."""


async def resolved(target: Target, client: httpx.AsyncClient) -> Target:
    """`target` with the protocol that its agent's card says; raises `NoCard`."""
    return target if target.protocol != "auto" else (await found(target, client)).target


async def found(target: Target, client: httpx.AsyncClient) -> Found:
    """The card of the agent; raises `NoCard`, also where it has no interface of the target's protocol."""
    tried: list[str] = []
    for url in _places(target.url):
        try:
            status, text = await _got(url, target, client)
        except (httpx.HTTPError, httpx.InvalidURL) as fault:
            tried.append(f"{url}: {str(fault) or type(fault).__name__}")
            continue
        card = jsontext.read(text)
        told = spoken(card, target)
        if told is not None and isinstance(card, dict):
            return Found(url, card, told)
        tried.append(f"{url}: HTTP {status}, no card with a JSON-RPC interface")
    raise NoCard("; ".join(tried))


async def _got(url: str, target: Target, client: httpx.AsyncClient) -> tuple[int, str]:
    """Status and text of a card; more than a card may have is not read."""
    body = b""
    async with client.stream("GET", url, headers=list(target.headers)) as answer:
        if answer.is_success:
            async for piece in answer.aiter_bytes():
                body += piece
                if len(body) > _LARGEST:
                    break
        return answer.status_code, body[:_LARGEST].decode(errors="replace")


def _places(url: str) -> list[str]:
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.rstrip("/")
    bases = [origin] if not path else [origin, origin + path]
    return [base + one for base in bases for one in PATHS]


def spoken(card: Any, target: Target) -> Target | None:
    """The target as a card's first JSON-RPC interface names it: of its protocol, or of any that we speak."""
    for url, version in _interfaces(card):
        protocol = _protocol(version)
        if protocol is not None and target.protocol in ("auto", protocol):
            return target._replace(protocol=protocol, url=_address(url, target.url))
    return None


def protocols(card: Any) -> tuple[str, ...]:
    """All protocols that the card offers over JSON-RPC and that we speak."""
    found = (_protocol(version) for _, version in _interfaces(card))
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _protocol(version: str) -> str | None:
    return "v1.0" if version.startswith("1.") else "v0.3" if version.startswith("0.") else None


def _interfaces(card: Any) -> list[tuple[str, str]]:
    """URL and version of the JSON-RPC interfaces, the newest form of card first."""
    if not isinstance(card, dict):
        return []
    listed = card.get("supportedInterfaces")
    found = [
        (str(one.get("url", "")), str(one.get("protocolVersion", "")))
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict) and one.get("protocolBinding") == "JSONRPC"
    ]
    if card.get("preferredTransport", "JSONRPC") == "JSONRPC" and isinstance(card.get("url"), str):
        found.append((card["url"], str(card.get("protocolVersion", "0."))))
    return found


def _address(told: str, asked: str) -> str:
    """The card's address, if it leads where we asked: no card leads the driver elsewhere.

    Of an address with another host the path is taken, where we asked for the bare host.
    """
    far, near = urlsplit(told), urlsplit(asked)
    if far.netloc == near.netloc:
        return told
    return asked if near.path.strip("/") else near._replace(path=far.path).geturl()
