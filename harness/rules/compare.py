"""What a rule is that compares rounds: it sees the facts of all of them at once. Rank 3."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

from harness.rules.rule import ALL, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.model.interaction import Place
    from harness.rules.facts import RoundFacts


class Tell(Protocol):
    """Where a comparison says what it saw; rounds are named by their index in the facts."""

    def breach(
        self, round: int, message: str, place: Place, *, cause: object = None, names: tuple[str, ...] = ()
    ) -> None:
        """A breach that one round shows, against others."""

    def between(
        self, rounds: Sequence[int], message: str, place: Place, *, cause: object, names: tuple[str, ...] = ()
    ) -> None:
        """A breach of no single round; `place` stands in the first of `rounds`."""

    def lacks(self, round: int | None, reason: str) -> None:
        """The rule could not be checked: on one round, or (None) at all."""

    def checks(self, round: int) -> None:
        """The rule was checked on that round, whatever the round alone said it lacks."""


class Comparison(Rule):
    """A rule over the rounds of a check. `harness.rules.across` calls `compare` once."""

    needs: ClassVar[frozenset[str]] = frozenset({"rounds"})
    versions: ClassVar[frozenset[str]] = ALL | {"openjiuwen-core"}
    second: ClassVar[frozenset[str]] = frozenset()
    """What a second look at the captures adds to the facts for it: `trail`, `card` (`RoundFacts`)."""
    also_refused: ClassVar[bool] = False
    """Sees also rounds without an A2A event, such as calls that were refused."""

    @classmethod
    def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
        """Look at the facts of all rounds that the rule is judged on, in the order of the report."""
        raise NotImplementedError


def scenarios(facts: Sequence[RoundFacts]) -> Iterable[list[int]]:
    """The rounds of one scenario, on one leg, in one run folder, in order: as indices into `facts`."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for index, one in enumerate(facts):
        found.setdefault((one.group, one.scenario, one.leg), []).append(index)
    for indices in found.values():
        yield sorted(indices, key=lambda index: (facts[index].round, index))
