"""Where a value that was sighted ends in the bytes at hand, and what is written in its place."""

from __future__ import annotations

import re

from harness.capture.redaction.ends import Fixed, Stop, run_of
from harness.capture.redaction.hit import Match
from harness.capture.redaction.hits import is_bare
from harness.capture.redaction.known import is_number
from harness.capture.redaction.pseudonym import LONGEST, Pseudonyms
from harness.capture.redaction.values import Disguised, decoded, disguise, is_like

_BLANK = re.compile(rb"(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)")


def stop_of(match: Match, raw: bytes, at: int, frames: bool) -> Stop:
    """Where a value ends that goes on at `at`; a blank line ends every one, where there are frames."""
    stop = match.end.stop(raw, at)
    if not frames or isinstance(match.end, Fixed):
        return stop
    blank = _BLANK.search(raw, at, min(len(raw), stop.at + 4))
    if blank and blank.start() <= stop.at:
        return Stop(blank.start(), True)
    return stop if stop.ended else Stop(at + len(raw[at : stop.at].rstrip(b"\r\n")), False)


def undecided(start: int) -> Match:
    """What can not be waited for any longer is taken for a secret."""
    return Match(start, run_of(r"A-Za-z0-9._~+/=\-"), "secret", "sure")


def disguised(match: Match, raw: bytes, end: int, pseudonyms: Pseudonyms) -> Disguised | None:
    """What is written in place of the value of `match` that ends at `end`; None: it is no secret."""
    if match.secret:
        if is_number(match.secret) and is_bare(raw, match.start, end):
            return Disguised(pseudonyms.number(match.secret), ())
        return Disguised(pseudonyms.of(match.kind, match.secret), ())
    value = decoded(match, raw[match.start : min(end, match.start + LONGEST)])
    if not is_like(match.judged, value):
        return None
    return disguise(value, match.kind, match.keeps, pseudonyms)
