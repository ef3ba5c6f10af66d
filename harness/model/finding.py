"""A finding: one breach of one rule, with the evidence down to the bytes."""

from typing import Literal, NamedTuple

from harness.model.interaction import Place

type Severity = Literal["error", "warning", "info"]


class Finding(NamedTuple):
    """One rule, one cause, one round (or several, for rules across rounds)."""

    rule: str
    slug: str
    severity: Severity
    message: str
    """What broke here, in one sentence with the values seen."""
    why: str
    """Why it matters and what to do: the rule's own text, carried along for reports."""
    place: Place
    times: int = 1
    """How many places show it (`count` in the JSON report)."""
    also: tuple[Place, ...] = ()
    """Up to two more places."""
    names: tuple[str, ...] = ()
    """Names the finding is about (members, ids, other rules that state the same breach)."""
    snippet: str = ""
    """The text around the place, cut to 200 characters."""
    waived: str | None = None
    """Id of the waiver that accepts it."""
    known: bool = False
    """The baseline has it as well."""


class NotChecked(NamedTuple):
    """A rule that could not be checked, and why: counted, never passed."""

    rule: str
    reason: str
