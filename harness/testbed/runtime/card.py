"""The agent card, A2A v1.0 section 4.4.1."""

from __future__ import annotations

from typing import Any


def card(name: str, base: str) -> dict[str, Any]:
    """The card of agent `name`, reached at `base`: scheme and authority as the client wrote them."""
    interface = {"url": f"{base}/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    skill = {"id": name, "name": name, "description": f"What {name} can do.", "tags": ["testbed"]}
    return {
        "name": name,
        "description": f"{name}, an agent of the testbed",
        "supportedInterfaces": [interface],
        "version": "1.0.0",
        "capabilities": {"streaming": True, "pushNotifications": False},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": [skill],
    }
