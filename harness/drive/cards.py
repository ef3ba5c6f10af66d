"""Which version an agent speaks, as its card says (A2A 1.0 section 8, 0.3 section 5)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import httpx

from harness import jsontext
from harness.drive.values import Target

PATHS = ("/.well-known/agent-card.json", "/.well-known/agent.json")
_LARGEST = 1 << 20


class NoCard(Exception):
    """No card tells how to talk to the agent."""


async def resolved(target: Target, client: httpx.AsyncClient) -> Target:
    """`target` with the protocol that its agent's card says; raises `NoCard`."""
    if target.protocol != "auto":
        return target
    tried: list[str] = []
    for url in _places(target.url):
        try:
            answer = await client.get(url, headers=list(target.headers))
        except httpx.HTTPError as fault:
            tried.append(f"{url}: {fault or type(fault).__name__}")
            continue
        card = jsontext.read(answer.text[:_LARGEST]) if answer.is_success else None
        found = spoken(card, target)
        if found is not None:
            return found
        tried.append(f"{url}: HTTP {answer.status_code}, no card with a JSON-RPC interface")
    raise NoCard("; ".join(tried))


def _places(url: str) -> list[str]:
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.rstrip("/")
    bases = [origin] if not path else [origin, origin + path]
    return [base + one for base in bases for one in PATHS]


def spoken(card: Any, target: Target) -> Target | None:
    """The target as a card's first JSON-RPC interface of a version that we speak names it."""
    for url, version in _interfaces(card):
        protocol = "v1.0" if version.startswith("1.") else "v0.3" if version.startswith("0.") else None
        if protocol is not None:
            return target._replace(protocol=protocol, url=_address(url, target.url))
    return None


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
    """The card's address, if it leads where we asked: no card leads the driver elsewhere."""
    return told if urlsplit(told).netloc == urlsplit(asked).netloc else asked
