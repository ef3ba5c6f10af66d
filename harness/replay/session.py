"""One connection: request after request, each answered as it was recorded.

Nothing that a client sends raises out of here.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from harness.model import capture as model
from harness.replay.answer import Answer, answer
from harness.replay.cards import card_edits
from harness.replay.edits import edited, growth
from harness.replay.ids import event_edited, id_edits, wanted
from harness.replay.known import Key, Known, key_of
from harness.replay.link import Left, Link
from harness.replay.projection import answered_whole, event, frames, projected
from harness.replay.recorded import Piece, Recording
from harness.replay.request import Refused, Request
from harness.replay.sending import Manner, Pace, Sending, Served
from harness.replay.unknown import not_recorded, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.replay.choose import Chooser

IDLE_S = 120.0
"""A connection without a request is closed after this."""
PATIENCE_S = 30.0
"""A request that has begun has to be whole within this."""
_JSON = (("content-type", "application/json"),)
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(?::\d{1,5})?\Z|\[[0-9A-Fa-f:.]{2,45}\](?::\d{1,5})?\Z")


async def converse(link: Link, chooser: Chooser, known: tuple[Known, ...], manner: Manner) -> None:
    """Serve one connection until it ends."""
    session = _Session(link, chooser, known, manner)
    try:
        while await session.one():
            pass
    except Left:
        pass
    finally:
        link.transport.close()


class _Session:
    def __init__(self, link: Link, chooser: Chooser, known: tuple[Known, ...], manner: Manner) -> None:
        self._link, self._chooser, self._known, self._manner = link, chooser, known, manner

    async def one(self) -> bool:
        """One request; False if the connection is at its end."""
        try:
            request = await self._request()
        except Refused as refusal:
            await self._refuse(refusal)
            return False
        return request is not None and await self._answer(request)

    async def _request(self) -> Request | None:
        """The next request; None if the client has none. Raises `Refused`."""
        parser, loop = self._link.parser, asyncio.get_running_loop()
        end: float | None = None
        while (request := parser.next()) is None:
            if parser.expects():
                await self._link.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            if self._link.eof:
                return None
            if parser.begun:
                end = end or loop.time() + PATIENCE_S
            if not await self._link.news(IDLE_S if end is None else max(0.0, end - loop.time())):
                if end is None:
                    return None
                raise Refused(408, f"the request was not whole within {PATIENCE_S:g} s")
        return request

    async def _refuse(self, refusal: Refused) -> None:
        body = told(refusal.status, refusal.reason)
        head = Answer(refusal.status, _JSON, "length", len(body), keeps=False)
        await self._link.send(head.head() + body)
        self._manner.serve(Served("-", "-", None, None, refusal.status, len(body), "clean"))
        await self._link.linger()

    async def _answer(self, request: Request) -> bool:
        asked = model.Request(
            request.method, request.target, request.headers, str(request.body, "utf-8", "replace")
        )
        key = key_of(asked)
        found = self._chooser.choose(key)
        if found is not None:
            return await self._replay(request, asked, key, found)
        if request.method == "OPTIONS":
            return await self._say(request, key, 204, b"", (("allow", self._methods(key)),))
        return await self._say(request, key, 404, not_recorded(key, request, self._known), _JSON)

    def _methods(self, key: Key) -> str:
        on = {one.key.method or "POST" for one in self._known if one.key.path in (None, key.path, "*")}
        return ", ".join(sorted({"OPTIONS", *on, *({"HEAD"} if "GET" in on else ())}))

    async def _say(
        self, request: Request, key: Key, status: int, body: bytes, headers: tuple[tuple[str, str], ...],
        source: str | None = None,
    ) -> bool:  # fmt: skip
        """An answer of our own."""
        silent = status == 204 or request.method == "HEAD"
        head = Answer(status, headers, "none" if status == 204 else "length", len(body), _keeps(request))
        await self._link.send(head.head() + (b"" if silent else body))
        self._tell(request, key, source, status, len(body), "clean")
        return head.keeps

    # what was recorded

    async def _replay(self, request: Request, asked: model.Request, key: Key, found: Known) -> bool:
        recording = Recording(found.capture)
        source = found.capture.source
        pace = Pace(self._link, self._manner, recording)
        if recording.close == "unreachable":
            await pace.due(recording.end_ns)
            body = told(502, f"the upstream could not be reached when this was recorded: {source}")
            return await self._say(request, key, 502, body, _JSON, source)
        if recording.close in ("silent", "never"):
            return await self._unanswered(request, key, recording, pace)
        head, pieces = self._made(request, asked, found, recording)
        sending = Sending(self._link, recording, head, pace)
        try:
            end = await sending.run(pieces)
        except Left:
            self._tell(request, key, source, head.status, sending.sent, "client_left")
            raise
        self._tell(request, key, source, head.status, sending.sent, end)
        return head.keeps and end == "clean"

    async def _unanswered(self, request: Request, key: Key, recording: Recording, pace: Pace) -> bool:
        """The upstream closed without an answer, or gave none as long as somebody waited."""
        end = "silent"
        try:
            if recording.close == "never":
                await pace.held()
            await pace.due(recording.end_ns)
        except Left:
            end = "client_left"
        self._tell(request, key, recording.capture.source, None, 0, end)
        return False

    def _made(
        self, request: Request, asked: model.Request, found: Known, recording: Recording
    ) -> tuple[Answer, Iterator[Piece]]:
        """The head and the pieces of the body, ids and addresses put right."""
        capture, rewrite, origin = found.capture, self._manner.rewrite_ids, self._origin(request)
        if rewrite and projected(capture):
            head = answer(capture, request, recording.close, None, origin)
            return head, _rewritten(found, asked, recording.head_ns)
        edits = card_edits(capture, origin)
        if rewrite:
            edits = sorted([*edits, *id_edits(found, asked)])
        head = answer(capture, request, recording.close, growth(edits), origin)
        return head, edited(recording.pieces(), edits)

    def _origin(self, request: Request) -> str:
        """Our address as the client knows it."""
        host = request.header("host") or ""
        return f"http://{host}" if _HOST.match(host) else self._manner.origin

    def _tell(
        self, request: Request, key: Key, source: str | None, status: int | None, sent: int, end: str
    ) -> None:
        self._manner.serve(Served(request.method, request.target, key.rpc, source, status, sent, end))


def _keeps(request: Request) -> bool:
    return request.minor > 0 and request.keeps


def _rewritten(found: Known, asked: model.Request, due_ns: int) -> Iterator[Piece]:
    """A wire log's frames with the client's ids."""
    rpc, pairs = wanted(found, asked)
    whole = answered_whole(found.capture)
    for frame in frames(found.capture):
        if frame.flaw is None:
            data = event_edited(frame.data, rpc, pairs)
            yield Piece(due_ns, data.encode("utf-8", "replace") if whole else event(data))
