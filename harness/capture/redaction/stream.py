"""Redacts a body while it streams: bytes in, bytes out that are safe to write.

What comes out does not hang on how the bytes were cut. Bytes that may still turn out to belong
to a secret are held, `MOST` at most; at the end of a frame nothing is. Every decision needs a
bounded number of bytes before and after it, so that nothing but the last `CONTEXT` bytes is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from harness.capture.redaction.hit import Match, Wait
from harness.capture.redaction.hits import begun, hits, known_begun, known_hits
from harness.capture.redaction.inside import Inside
from harness.capture.redaction.known import Known
from harness.capture.redaction.members import Looked
from harness.capture.redaction.plain import plain
from harness.capture.redaction.pseudonym import LONGEST, Pseudonyms
from harness.capture.redaction.settling import disguised, stop_of, undecided
from harness.capture.redaction.sights import Sight, merged, sights
from harness.capture.redaction.tables import Tables

MOST = 4096
"""Bytes held at most."""
CONTEXT = 1024
"""Bytes kept of what was written: a name may stand there whose value is to come."""
LOOKED = LONGEST + 1024
"""Bytes of a value that are looked at to tell whether it is a secret."""
PIECE = 16 << 10
"""Bytes looked at in one go: what fits into the nearest cache."""
_BLANK_ENDS = (b"\n\n", b"\n\r\n", b"\r\r", b"\n\r")


class Find(NamedTuple):
    """A secret that was found: what it is and where it stands in the bytes that were fed."""

    kind: str
    start: int
    end: int
    """Of a long one: the end of what was looked at."""


class Written(NamedTuple):
    """A pseudonym was written."""

    fresh: list[bytes]
    """Forms in which the secret is looked for from now on."""


class StreamRedactor:
    """Redact one body. `frames`: a blank line ends a frame (SSE), so that nothing is held there.

    `told` is called with each find.
    """

    def __init__(
        self,
        tables: Tables,
        pseudonyms: Pseudonyms,
        known: Known,
        frames: bool = True,
        told: Callable[[Find], None] | None = None,
    ) -> None:
        self._tables = tables
        self._pseudonyms = pseudonyms
        self._known = known
        self._frames = frames
        self._told = told
        self._buffer = b""
        self._done = 0  # up to there the buffer was given out, or dropped as part of a secret
        self._base = 0  # where the buffer begins in all that was fed
        self._dropping: Match | None = None  # its pseudonym is written, but it goes on
        self._more = False  # what is decided as though the bytes ended here may go on
        self._inside: Inside | None = None  # an array or object whose strings are all secret
        self.found = 0
        """Secrets found so far."""

    @property
    def held(self) -> int:
        """Bytes that came but were not given out yet."""
        return len(self._buffer) - self._done

    def feed(self, chunk: bytes) -> bytes:
        """Take the next bytes; give those that are safe to write."""
        if len(chunk) <= PIECE:
            return self._piece(chunk)
        return b"".join([self._piece(chunk[at : at + PIECE]) for at in range(0, len(chunk), PIECE)])

    def flush(self) -> bytes:
        """Give out what is held, though more may come: what may be a secret is taken for one."""
        self._more = True
        out = self._run(final=True)
        self._more = False
        return out

    def end(self) -> bytes:
        """The end of the bytes: give out what is held."""
        out = self._run(final=True)
        self._buffer, self._done, self._dropping, self._inside = b"", 0, None, None
        return out

    def _piece(self, piece: bytes) -> bytes:
        if not self._buffer and self._frames and piece.endswith(_BLANK_ENDS) and self._is_clean(piece):
            self._base += len(piece)
            return piece
        self._buffer += piece
        return self._run(final=False)

    def _is_clean(self, piece: bytes) -> bool:
        """Whether whole frames hold nothing of interest: so it is with nearly all."""
        if self._dropping or self._inside:
            return False
        return not hits(plain(piece, True), piece, self._tables, self._known)

    def _run(self, final: bool) -> bytes:
        out: list[bytes] = []
        step = True
        while step and (not self._dropping or self._dropped(final)):
            step = self._step_inside(self._inside, out, final) if self._inside else self._step(out, final)
        self._trim()
        return b"".join(out)

    def _dropped(self, final: bool) -> bool:
        """Drop what goes on of a secret; whether it ended."""
        if self._dropping is None:
            return True
        stop = stop_of(self._dropping, self._buffer, self._done, self._frames)
        whole = not stop.ended and (final or len(self._buffer) - stop.at > MOST)
        self._done = len(self._buffer) if whole else stop.at
        if stop.ended or (final and not self._more):
            self._dropping = None
        return self._dropping is None

    def _step(self, out: list[bytes], final: bool) -> bool:
        """Give out what is safe, pseudonyms in place of secrets; whether to go on in another way."""
        raw, known = self._buffer, self._known
        text = plain(raw, final)
        looked = Looked(text, raw, self._tables, self._frames, final)
        safe = text.cut if final else begun(raw, text, self._tables)
        unsure = self._unsure(final)
        seen = sights(looked, hits(text, raw, self._tables, known), known)
        while seen:
            sight = seen.pop()
            taken = self._taken(out, sight, unsure, final) if sight.start >= self._done else None
            if isinstance(taken, Wait):
                safe = min(safe, sight.start)
                break
            if self._dropping or self._inside:
                return True
            if taken:
                unsure = self._unsure(final)
                fresh = known_hits(raw, taken.fresh, self._done)
                seen = merged(seen, sights(looked, fresh, known))
        self._give(out, max(min(safe, unsure), self._done))
        return False

    def _taken(self, out: list[bytes], sight: Sight, unsure: int, final: bool) -> Wait | Written | None:
        """Write the pseudonym of a secret, or enter an array or object of them. None: it is none."""
        turned = sight.turned
        if isinstance(turned, Wait) and len(self._buffer) - sight.start > MOST:
            turned = undecided(sight.start)
        if isinstance(turned, Wait) or sight.start >= unsure:
            return Wait(sight.start)
        if turned.inside:
            self._give(out, sight.start)
            self._inside = Inside(turned.inside, turned.depth, self._frames)
            return None
        return self._settle(out, turned, final)

    def _unsure(self, final: bool) -> int:
        return len(self._buffer) if final else known_begun(self._buffer, self._known, self._done)

    def _give(self, out: list[bytes], end: int) -> None:
        out.append(self._buffer[self._done : end])
        self._done = end

    def _step_inside(self, inside: Inside, out: list[bytes], final: bool) -> bool:
        """The same, in an array or object of secrets."""
        reached = inside.read(self._buffer, self._done)
        self._give(out, reached.at)
        if reached.value is None:
            over = reached.over or (final and not self._more)
            self._inside = None if over else inside
            return over
        settled = self._settle(out, reached.value, final)
        if isinstance(settled, Wait):
            return False
        inside.judged()
        return True

    def _settle(self, out: list[bytes], match: Match, final: bool) -> Wait | Written | None:
        """Write the pseudonym if the value at a match is a secret. None: it is none."""
        raw = self._buffer
        far = match.start + LOOKED
        stop = stop_of(match, raw if len(raw) <= far else raw[:far], match.start, self._frames)
        if not (stop.ended or final or len(raw) > far or stop.at - match.start >= LONGEST):
            return Wait(match.start)
        whole = stop.ended or (final and len(raw) <= far)
        end = len(raw) if whole and not stop.ended else stop.at
        made = disguised(match, raw, end, self._pseudonyms)
        if made is None:
            return None
        fresh = [form for secret in made.secrets for form in self._known.add(secret.kind, secret.value)]
        self.found += 1
        if self._told:
            self._told(Find(match.kind, self._base + match.start, self._base + end))
        out += (raw[self._done : match.start], match.quote, made.text, match.quote)
        self._done = end
        self._dropping = None if stop.ended or (whole and not self._more) else match
        return Written(fresh)

    def _trim(self) -> None:
        """Forget all but the context of what is still to come."""
        buffer, done = self._buffer, self._done
        cut = max(0, done - CONTEXT)
        if (
            self._frames
            and done == len(buffer)
            and not self._dropping
            and not self._inside
            and buffer.endswith(_BLANK_ENDS)
        ):
            cut = done
        if cut:
            self._buffer = buffer[cut:]
            self._done = done - cut
            self._base += cut
