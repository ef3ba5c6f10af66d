"""What a rule is: a statement, why it matters, and how it is checked while events go by.

A rule object lives for one round and keeps what it must remember. The engine calls `event`
for each event whose kind the rule `listens` to, before the stream's own memory takes the
event in, then `end` once. A breach goes to `self.found(...)`. A rule that lacks a fact says so in
`missing` and is counted as not checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from harness.model.interaction import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.model.event import Event
    from harness.rules.example import Example
    from harness.rules.found import Found
    from harness.rules.scope import Scope

ALL: frozenset[str] = frozenset({"v0.2", "v0.3", "v1.0"})


class Rule:
    """One checkable statement. Subclasses set the class values and override the hooks."""

    code: ClassVar[str]
    """`<FAMILY><3 digits>`, never reused."""
    slug: ClassVar[str]
    """Kebab-case name, as stable as the code."""
    title: ClassVar[str]
    """The statement, one line."""
    why: ClassVar[str]
    """Why a breach matters and how to mend it: two or three sentences for the reader of a finding."""
    source: ClassVar[str]
    """Section, seed or recorded behaviour the rule rests on."""
    severity: ClassVar[str | Mapping[str, str]] = "error"
    """`error`, `warning`, `info`; or by version, `{"v1.0": "error", "v0.3": "warning"}`."""
    versions: ClassVar[frozenset[str]] = ALL
    """Dialects the rule speaks of."""
    bindings: ClassVar[frozenset[str]] = frozenset({"jsonrpc", "rest"})
    listens: ClassVar[tuple[str, ...]] = ()
    """Event kinds that `event` is called with; `"*"` for all of them."""
    needs: ClassVar[frozenset[str]] = frozenset()
    """Facts needed: `raw` (frames as they stood on the wire, not rebuilt), `sse`, `http`
    (status and headers), `request`, `ending`, `timing`, `events` (at least one A2A event
    recognised), `rounds` (other rounds of the run folder), `legs`
    (other legs of the conversation). The engine says which are absent."""
    marks: ClassVar[frozenset[str]] = frozenset()
    """Names of the marks that the rule looks at (`harness.model.interaction.Mark`)."""
    PASSES: ClassVar[tuple[Example, ...]] = ()
    FAILS: ClassVar[tuple[Example, ...]] = ()

    def __init__(self, scope: Scope, found: Found) -> None:
        self.scope = scope
        self._found = found

    def found(
        self,
        message: str,
        place: Place,
        *,
        cause: object = None,
        severity: str | None = None,
        names: tuple[str, ...] = (),
        tag: str | None = None,
        snippet: str = "",
    ) -> None:
        """Report a breach. Equal `cause`s of one rule in one round are one finding with a count.

        `severity` milder than the rule's own (for what depends on the frame); `tag` names a
        circumstance that a contract may weigh (`agent-event`).
        """
        self._found(self, message, place, cause, severity, names, tag, snippet)

    def again(self, cause: object, places: int) -> None:
        """Count `places` more of a breach that was found before."""
        self._found.count(self, cause, places)

    def missing(self) -> str | None:
        """Why the rule can not be checked on this round, beyond `needs`; None: it can."""
        return None

    def event(self, event: Event) -> None:
        """Look at one event. `self.scope.stream` remembers what came before it."""

    def passed(self, name: str, frames: int) -> None:
        """`frames` plain frames named `name` went by (`harness.a2a.plain`): `event` is not called for them.

        Only a rule that has something to say of a frame's name needs this.
        """

    def end(self) -> None:
        """The round is over; `self.scope.outcome`, `.interactions` and `.marks` are known."""


def place(event: Event, pointer: str = "") -> Place:
    """The place of `pointer` in the frame of `event`."""
    return Place(event.frame.number, pointer, event.frame.span)
