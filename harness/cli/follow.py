"""One exchange as it grows on disk: events, interactions and outcome so far.

Reads the same files with the same decoders, readers and mapping as `check`, a piece at a time;
what it shows is provisional, the verdict is that of `check`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from harness import wire
from harness.a2a.reader import Reader
from harness.a2a.request import asked
from harness.a2a.stream import Stream
from harness.capture.discover import find
from harness.capture.journal import read_journal
from harness.capture.naming import BESIDE
from harness.errors import CaptureError
from harness.judge import outcome
from harness.mapping.collect import collect
from harness.mapping.engine import Mapper
from harness.mapping.load import load
from harness.report.cells import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.capture.journal import Journal
    from harness.model.capture import Capture
    from harness.model.frame import Frame
    from harness.model.interaction import Interaction, Sighting
    from harness.report.words import Words

_PIECE = 1 << 20
_MOST = 4 << 20
"""Bytes that one look reads of one exchange; the rest is read at the next."""
_mapper: list[Mapper] = []


class Happened(NamedTuple):
    """One thing worth a line."""

    role: str
    text: str


def followed(folder: str) -> dict[int, str]:
    """Stems of the exchanges in a run folder, by their journals' inodes: those keep when names change."""
    try:
        with os.scandir(folder) as entries:
            return {one.inode(): one.name[:-6] for one in entries if one.name.endswith(".jsonl")}
    except OSError:
        return {}


class Follower:
    """Follows one exchange."""

    def __init__(self, folder: str, stem: str, said: Words) -> None:
        self._said = said
        self.scenario = stem
        self.leg = ""
        self.round = 0
        self.protocol: str | None = None
        self.events = 0
        self.state = "..."
        self.is_over = False
        self.interactions: tuple[Interaction, ...] = ()
        self._folder = folder
        self._path = os.path.join(folder, stem)
        self._capture: Capture | None = None
        self._offset = 0
        self._stream = Stream()
        self._sightings: list[Sighting] = []
        self._decoder: wire.Decoder | None = None
        self._reader: Reader | None = None
        self._begun = False
        self._told: set[tuple[object, ...]] = set()

    def moved(self, stem: str) -> None:
        """The exchange's files are called `stem` now."""
        self._path = os.path.join(self._folder, stem)

    @property
    def name(self) -> str:
        """How a log line calls it."""
        return harmless(f"{self.scenario} r{self.round} {self.leg}")

    @property
    def asked(self) -> int:
        """Interactions that were meant for the client."""
        return len(self.interactions) - self.leaked

    @property
    def leaked(self) -> int:
        """Interactions that show internal detail."""
        return sum(one.exposure == "leaked" for one in self.interactions)

    def look(self) -> Iterator[Happened]:
        """Read what is new; what happened by that."""
        try:
            journal = read_journal(self._path + ".jsonl", wire.MAX_LINE)
        except OSError:
            self.is_over = not os.path.exists(self._path + ".jsonl")
            return
        self._named(journal)
        if not self._begun:
            self._begun = True
            yield Happened("dim", self._said["watch.began"].format(protocol=self.protocol or "-"))
        at_end = self.protocol in BESIDE or self._read()
        yield from self._asks()
        if journal.ending != "unsealed" and at_end:
            self.is_over = True
            yield self._ended(journal)

    def _named(self, journal: Journal) -> None:
        if journal.name is not None:
            self.scenario, self.protocol, self.round, self.leg = journal.name

    def _read(self) -> bool:
        """Take new bytes of the body; have all been taken?"""
        path = next((one for e in (".sse", ".body") if os.path.exists(one := self._path + e)), None)
        if path is None:
            return True
        if self._decoder is None and not self._open(path):
            return True
        assert self._decoder is not None
        with open(path, "rb") as body:
            body.seek(self._offset)
            for _ in range(_MOST // _PIECE):
                piece = body.read(_PIECE)
                if not piece:
                    return True
                self._offset += len(piece)
                for frame in self._decoder.feed(piece):
                    self._take(frame)
        return False

    def _open(self, path: str) -> bool:
        if not os.path.getsize(path):
            return False
        try:
            found = find([path]).captures
        except CaptureError:
            return False
        if not found:
            return False
        self._capture = found[0]
        self._decoder = wire.decoder(found[0].framing, found[0].start, wire.MAX_LINE)
        self._reader = Reader(found[0], asked(found[0]))
        return True

    def _take(self, frame: Frame) -> None:
        assert self._reader is not None
        event = self._reader.read(frame)
        self.events += 1
        if event.regions:
            if not _mapper:
                _mapper.append(Mapper(load(())))
            self._sightings += _mapper[0].read(event)[0]
        self._stream.take(event)
        self.state = self._stream.last_state or self.state

    def _asks(self) -> Iterator[Happened]:
        """Interactions that were not told yet."""
        if not self._sightings:
            return
        self.interactions = collect(self._sightings)
        for one in self.interactions:
            key = (one.tool_call_id, one.channel, one.exposure, one.kind)
            if key not in self._told:
                self._told.add(key)
                who = one.tool_name or one.agent
                key_of_text = "watch.leak" if one.exposure == "leaked" else "watch.asks"
                text = self._said[key_of_text].format(
                    kind=one.kind, exposure=one.exposure, channel=one.channel, who=f", {who}" if who else ""
                )
                yield Happened(one.exposure, harmless(text))

    def _ended(self, journal: Journal) -> Happened:
        if self.protocol in BESIDE:
            self.state = "-"
            text = self._said["watch.other"].format(protocol=self.protocol, ending=journal.ending)
            return Happened("dim", text)
        self._finish(journal)
        text = self._said["watch.round"].format(
            outcome=self.state,
            events=self.events,
            asked=self.asked,
            leaked=self.leaked,
            ending=journal.ending,
        )
        return Happened("leaked" if self.leaked else "head", text)

    def _finish(self, journal: Journal) -> None:
        tail = None
        if self._decoder is not None:
            last, rest = self._decoder.finish()
            tail = rest.tail
            for frame in last:
                self._take(frame)
        if self._capture is None:
            captures = find([self._path + ".jsonl"]).captures
            if not captures:
                return
            self._capture = captures[0]
        capture = self._capture._replace(ending=journal.ending, head=journal.head or self._capture.head)
        self.state = outcome(
            self._stream,
            capture,
            recognised=self._stream.recognised,
            body_empty=self.events == 0 and tail is None,
            asked=asked(capture),
        )
        if self._sightings:
            self.interactions = collect(self._sightings)
