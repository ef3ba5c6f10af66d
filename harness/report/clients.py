"""How a stream was written, and what official clients make of that.

py = a2a-sdk 1.3.0, js = @a2a-js/sdk 1.3.0, java = a2a-java 1.0.0; each was tried against a
server that writes so. What browsers do is WHATWG HTML 9.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.event import Event
    from harness.model.frame import Manner, Rest
    from harness.report.view import View

_SEPARATORS = ("\u2028", "\u2029", "\x85")


class Habits(NamedTuple):
    """What was counted while the frames went by."""

    separators: int = 0
    """Frames with a raw U+2028, U+2029 or U+0085."""
    sentinels: int = 0
    malformed: int = 0
    named_error: int = 0
    """Frames named `event: error`."""
    comments: int = 0
    replaced: int = 0

    def take(self, event: Event) -> Habits:
        """The counts with one more event."""
        frame = event.frame
        data = frame.data
        separated = not data.isascii() and any(char in data for char in _SEPARATORS)
        return Habits(
            self.separators + separated,
            self.sentinels + (event.kind == "sentinel"),
            self.malformed + (event.kind == "malformed"),
            self.named_error + (frame.name == "error"),
            self.comments + len(frame.comments),
            self.replaced + frame.replaced,
        )


def notes(habits: Habits, manner: Manner, rest: Rest, view: View, *, sse: bool) -> Iterator[str]:
    """A sentence for each habit that somebody may trip over."""
    ends = ", ".join(sorted(manner.line_ends)).upper()
    if ends and sse:
        yield view.say("clients.line_ends", ends=ends)
    if manner.bom:
        yield view.words["clients.bom"]
    if sse and manner.line_ends == {"cr"}:
        yield view.words["clients.cr"]
    for name, count in habits._asdict().items():
        if count and (sse or name in ("malformed", "sentinels", "replaced")):
            yield view.say("clients." + name, count=f"{count:,}")
    if rest.tail is not None:
        yield view.say("clients.tail_line" if rest.newline else "clients.tail", count=f"{len(rest.tail):,}")
