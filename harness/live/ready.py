"""Can a started system be used yet?"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

if TYPE_CHECKING:
    from harness.scenario.sut import Sut

_PATIENCE_S = 2.0
_PORTS = {"http": 80, "https": 443}


class Ready:
    """Asks the `ready` URL of a system, or knocks at the ports of its agents."""

    def __init__(self, sut: Sut) -> None:
        self._url = sut.ready_url
        self._agents = [one.url for one in sut.agents]
        self.lacks = ""
        """What was not ready when it was looked at last."""

    def is_ready(self) -> bool:
        """Look once."""
        if self._url is not None:
            return self._answers(self._url)
        return all(self._accepts(url) for url in self._agents)

    def _answers(self, url: str) -> bool:
        try:
            status = asyncio.run(_status(url))
        except TimeoutError:
            self.lacks = f"{url}: no answer within {_PATIENCE_S:g} s"
            return False
        except httpx.HTTPError as fault:
            self.lacks = f"{url}: {str(fault) or type(fault).__name__}"
            return False
        self.lacks = f"{url}: HTTP {status}"
        return status < 500

    def _accepts(self, url: str) -> bool:
        parts = urlsplit(url)
        address = (parts.hostname or "", parts.port or _PORTS[parts.scheme])
        try:
            socket.create_connection(address, _PATIENCE_S).close()
        except OSError as fault:
            self.lacks = f"{address[0]}:{address[1]}: {fault.strerror or fault}"
            return False
        return True


async def _status(url: str) -> int:
    """The HTTP status; the body is not read, which may have no end."""
    async with (
        asyncio.timeout(_PATIENCE_S),
        httpx.AsyncClient(trust_env=False, timeout=None, verify=False) as client,
        client.stream("GET", url) as answer,
    ):
        return answer.status_code
