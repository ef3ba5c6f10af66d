"""What all end-to-end tests share: one reference agent a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.sdk_server import SdkServer


@pytest.fixture(scope="module")
def running_agent() -> Iterator[SdkServer]:
    with SdkServer() as server:
        yield server


@pytest.fixture
def agent(running_agent: SdkServer) -> SdkServer:
    """The module's agent with all gates closed."""
    running_agent.forget()
    return running_agent
