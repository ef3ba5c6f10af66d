"""One exchange: what passes is written first and passed on then.

`chunk` is the hot path: it is called for each read off the wire, and its answer goes on to the
client. Where the disk fails the exchange is given up, the traffic is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.capture.naming import Name
from harness.capture.store import Writer, is_stream
from harness.model.capture import Head, Request
from harness.record.ids import Ids
from harness.record.labels import OTHER
from harness.record.run import Entry

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from harness.capture.redaction import StreamRedactor
    from harness.model.capture import Ending
    from harness.record.assign import Where
    from harness.record.run import Run
    from harness.wire.encodings import Decoder


class Exchange:
    """One request and its response, on their way to disk."""

    def __init__(self, run: Run, where: Where, request: Request, known: dict[str, str]) -> None:
        self._clean = run.clean.exchange()
        self.where = self._safe(where)
        self.sealed = False
        self.stem = ""
        self.asks_card = False
        """The request asks for an agent card."""
        self.size = 0
        """Bytes of the response body that passed."""
        self._run = run
        self._stream: StreamRedactor | None = None
        self._decoder: Decoder | None = None
        self._ids: Ids | None = None
        self._named: Callable[[str | None, str | None], Where | None] | None = None
        self._write: Callable[[bytes], None] = self._plain
        self._clock = run.clock
        self._feed = run.feed
        self._writer: Writer | None = None
        self.is_left_out = where.protocol == OTHER and run.leaves_out_other
        if self.is_left_out:
            return
        run.begun += 1
        self._kept(lambda: self._begin(request, known))

    @property
    def is_other(self) -> bool:
        """Neither a round nor part of one."""
        return self.where.protocol == OTHER

    def note(self, what: str, **members: Any) -> None:
        """A fact for the journal."""
        if self._writer is not None:
            writer = self._writer
            self._kept(lambda: writer.note(what, **self._clean.value(members)))

    def learn(self, named: Callable[[str | None, str | None], Where | None]) -> None:
        """Look for ids in the first bytes of the body; `named` gives the exchange's place by them."""
        self._ids, self._named = Ids(), named

    def response(self, head: Head, decoder: Decoder | None) -> None:
        """The response head arrived."""
        if self._writer is not None:
            self._kept(lambda: self._head(head, decoder))

    def chunk(self, data: bytes) -> bytes:
        """Bytes of the body arrived (empty: the body's end); they are passed on when they are on disk."""
        if data:
            self.size += len(data)
            if self._writer is not None:
                try:
                    self._write(data)
                except Exception as error:  # noqa: BLE001  see `_kept`
                    self._give_up(error)
        return data

    def seal(self, ending: Ending, text: str = "") -> None:
        """The exchange ended."""
        if self.sealed:
            return
        self.sealed = True
        if self.is_left_out:
            return
        done = self._writer is not None and self._kept(lambda: self._end(ending, text))
        self._run.entries.append(Entry(self.stem, self.where, ending if done else "unsealed"))
        if done and self._feed is not None:
            self._feed.put(self.where.leg, self.stem, ending)

    # on disk

    def _kept(self, step: Callable[[], None]) -> bool:
        """Do `step`. Whatever fails in it is the recording's, never the traffic's: that goes on."""
        try:
            step()
        except Exception as error:  # noqa: BLE001
            self._give_up(error)
            return False
        return True

    def _begin(self, request: Request, known: dict[str, str]) -> None:
        request = self._clean.request(request)
        name = _name(self.where)
        call = self._run.calls.get(name, 1)
        self._writer = Writer(self._run.folder, name, request, self._clock(), call=call, **known)
        self._run.calls[name] = self._writer.call + 1
        self.stem = self._writer.stem

    def _head(self, head: Head, decoder: Decoder | None) -> None:
        assert self._writer is not None
        self._decoder = decoder
        self._stream = self._clean.stream(frames=is_stream(head.headers))
        if decoder is not None or self._stream is not None or self._ids is not None:
            self._write = self._careful
        self._writer.response(Head(head.status, self._clean.headers(head.headers)), self._clock())

    def _end(self, ending: Ending, text: str) -> None:
        assert self._writer is not None
        self._rest()
        self._writer.seal(ending, self._clock(), self._clean.text(text))
        self._writer = None

    def _plain(self, data: bytes) -> None:
        assert self._writer is not None
        if type(data) is bytes:
            self._writer.chunk(self._clock(), data)
        else:
            self._writer.chunks(self._clock(), data, _pieces(data))
        if self._feed is not None:
            self._feed.put(self.where.leg, self.stem, data)

    def _careful(self, data: bytes) -> None:
        """Decoded, redacted, looked into: what is written may be less or more than what passes."""
        at_ns = self._clock()
        if self._decoder is None:
            self._put(at_ns, data, _pieces(data))
            return
        for piece in self._decoder.pieces(data):
            self._put(at_ns, piece, [piece])

    def _put(self, at_ns: int, data: bytes, pieces: list[bytes]) -> None:
        assert self._writer is not None
        safe = data if self._stream is None else self._stream.feed(data)
        if self._ids is not None:
            self._look(self._ids, data)
        self._writer.chunks(at_ns, safe, pieces if safe == data else [safe])
        if self._feed is not None:
            self._feed.put(self.where.leg, self.stem, safe)
        if self._stream is not None and self._stream.held:
            self._writer.note("held", bytes=self._stream.held)

    def _look(self, ids: Ids, data: bytes) -> None:
        """The ids that the answer tells, before its first chunk line: the exchange may get another name."""
        found = ids.feed(data)
        if found is None:
            return
        self._ids = None
        if self._decoder is None and self._stream is None:
            self._write = self._plain
        where = self._named(*found) if self._named is not None else None
        if where is not None and self._writer is not None:
            self.where = self._safe(where)
            self._writer.rename(_name(self.where))
            self.stem = self._writer.stem

    def _rest(self) -> None:
        """What decoder and redactor still hold."""
        assert self._writer is not None
        if not self._writer.has_body:
            return
        data = b""
        if self._decoder is not None:
            data = self._decoder.finish()
            if self._decoder.flaw is not None:
                self._writer.note("not-decoded", text=self._decoder.flaw)
        if self._stream is not None:
            data = self._stream.feed(data) + self._stream.end()
        if data:
            self._writer.chunk(self._clock(), data)

    def _safe(self, where: Where) -> Where:
        return where._replace(scenario=self._clean.text(where.scenario))

    def _give_up(self, error: Exception) -> None:
        """It can not be written: the exchange stays unsealed."""
        reason = error.strerror if isinstance(error, OSError) else f"a fault of ours, {type(error).__name__}"
        self._run.lacks(f"an exchange of leg {self.where.leg} was not written to its end: {reason}")
        writer, self._writer = self._writer, None
        if writer is not None:
            self.stem = writer.stem
            try:
                writer.close()
            except OSError as more:
                self._run.lacks(f"a file was not closed: {more.strerror}")


def _name(where: Where) -> Name:
    return Name(where.scenario, where.protocol, where.round, where.leg)


def _pieces(data: bytes) -> list[bytes]:
    """The chunks that one read brought."""
    return getattr(data, "pieces", None) or [data]
