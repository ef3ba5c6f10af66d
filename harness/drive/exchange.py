"""One request and its answer over HTTP: attempts, patience, and when a stream is left."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

import httpx

from harness.drive.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.drive.values import End
    from harness.mapping.engine import Mapper
    from harness.model.event import Dialect

GRACE_S = 0.5
"""How long an answer stays silent behind a question or the task's end before we leave it."""
RETRIED = frozenset({429, 502, 503, 504})
_PAUSE_S = 0.2
"""Before the second attempt; twice as long before each further one, up to `_LONGEST_S`."""
_LONGEST_S = 5.0


class Ended(NamedTuple):
    """How an attempt ended."""

    end: End
    status: int | None = None
    text: str = ""


class Post(NamedTuple):
    """A request."""

    url: str
    headers: tuple[tuple[str, str], ...]
    body: str
    timeout_s: float
    """For all attempts together."""
    retries: int


class Exchange:
    """Sends one request until it is answered, and reads the answer."""

    def __init__(self, client: httpx.AsyncClient, mapper: Mapper, dialect: Dialect) -> None:
        self._client = client
        self._mapper = mapper
        self._dialect: Dialect = dialect
        self.reading = self._fresh(0, "")
        self.attempts = 0
        self.answered = asyncio.Event()
        """The answer has begun, or there will be none."""
        self.shown = asyncio.Event()
        """The agent works, or the answer is over."""

    def _fresh(self, status: int, content_type: str) -> Reading:
        return Reading(self._mapper, self._dialect, status, content_type)

    async def run(self, post: Post, again: Callable[[Ended], None]) -> Ended:
        """Send, read, and send again where `post` allows it; `again` is told before."""
        status: int | None = None
        try:
            async with asyncio.timeout(post.timeout_s):
                while True:
                    self.attempts += 1
                    ended = await self._attempt(post)
                    status = ended.status
                    if self.attempts > post.retries or not _is_refusal(ended):
                        return ended
                    await asyncio.sleep(min(_PAUSE_S * 2 ** (self.attempts - 1), _LONGEST_S))
                    again(ended)
        except TimeoutError:
            return Ended("timeout", status or self._status, f"not over within {post.timeout_s:g} s")
        finally:
            self.answered.set()
            self.shown.set()

    _status: int | None = None

    async def _attempt(self, post: Post) -> Ended:
        self._status = None
        headers = [("Content-Type", "application/json"), ("Accept", "text/event-stream, application/json")]
        headers += post.headers
        try:
            async with self._client.stream(
                "POST", post.url, content=post.body.encode(), headers=headers
            ) as answer:
                self._status = answer.status_code
                self.reading = self._fresh(answer.status_code, answer.headers.get("content-type", ""))
                if answer.status_code not in RETRIED:
                    self.answered.set()
                end = await self._read(answer)
            return Ended(end, self._status)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as fault:
            return self._failed(fault)

    async def _read(self, answer: httpx.Response) -> End:
        reading, clock = self.reading, asyncio.get_running_loop().time
        chunks = answer.aiter_bytes()
        frames, since = 0, clock()
        while True:
            try:
                async with asyncio.timeout_at(since + GRACE_S if reading.is_over else None):
                    chunk = await anext(chunks, None)
            except TimeoutError:
                return "left"
            if chunk is None:
                reading.finish()
                return "over"
            reading.feed(chunk)
            if reading.frames != frames:
                frames, since = reading.frames, clock()
            if reading.works:
                self.shown.set()

    def _failed(self, fault: Exception) -> Ended:
        text = f"{type(fault).__name__}: {fault}".removesuffix(": ")
        if isinstance(fault, (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.DecodingError)):
            return Ended("error", self._status, text)
        if isinstance(fault, httpx.TransportError):
            return Ended("refused" if self._status is None else "cut", self._status, text)
        return Ended("error", self._status, text)


def _is_refusal(ended: Ended) -> bool:
    return ended.end == "refused" or ended.status in RETRIED
