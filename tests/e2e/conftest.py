"""What all end-to-end tests share: one reference agent a module."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tests.e2e.sdk_server import SdkServer

OURS = ("recorder", "fault ", "harness-replay")
"""How threads are called that end with their recorder or server."""


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    yield
    assert [one.name for one in threading.enumerate() if one.name.startswith(OURS)] == []


@pytest.fixture(scope="module")
def running_agent() -> Iterator[SdkServer]:
    with SdkServer() as server:
        yield server


@pytest.fixture
def agent(running_agent: SdkServer) -> SdkServer:
    """The module's agent with all gates closed."""
    running_agent.forget()
    return running_agent
