"""What rules over several legs look at: a conversation with its model calls and remote calls. Rank 3.

The composition gathers it when all rounds are judged (`harness.legs`), and only where a run has
such legs or a scenario asks for them. Values are frozen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from harness.rules.rule import ALL, Rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.llm import ModelCall
    from harness.model.interaction import Place
    from harness.model.scenario import Scenario, ScenarioRound
    from harness.model.verdict import Round
    from harness.rules.facts import RoundFacts

LLM = "llm"
CLIENT = "client"


class Texts(NamedTuple):
    """What became of the texts that a scenario looks for in one round."""

    shown: Mapping[str, Place]
    """Those that the client was shown, and where first."""
    reached: int
    """How many of `expect.order` came in their order."""


class RemoteCall(NamedTuple):
    """One request to a remote agent and its answer. Times are ns of the recorder's clock."""

    source: str
    leg: str
    round: int
    text: str
    """What was asked; the texts of the request's parts."""
    asked_task: str | None = None
    """The task that the request continues: it is no new delegation."""
    asked_context: str | None = None
    task_id: str | None = None
    """The task that the answer speaks of."""
    outcome: str = ""
    failed: bool = False
    """The request reached no agent: refused, or answered with an HTTP error."""
    began_ns: int | None = None
    ended_ns: int | None = None
    texts: tuple[str, ...] = ()
    """The texts of its answer, tokens joined."""
    last: str = ""
    """The last whole text of its answer."""
    flaw: str | None = None
    """Why request or answer are not known whole."""

    @property
    def opens(self) -> bool:
        """Does it begin a task of the remote agent?"""
        return self.asked_task is None

    def is_of(self, call: str) -> bool:
        """Does its context say that it belongs to the tool call `call` (`parent_batch_call`)?"""
        context = self.asked_context or ""
        return context.endswith((f"_{call}", f":{call}"))


class Seen(NamedTuple):
    """One round of the client's leg."""

    position: int
    """In the rounds of the report."""
    round: Round
    facts: RoundFacts
    wanted: ScenarioRound | None = None
    """What the scenario says of it; None: nothing."""
    began_ns: int | None = None
    """When it was asked."""
    texts: Texts | None = None
    """None: nothing was looked for."""


class Conversation(NamedTuple):
    """All that was recorded of one scenario in one run folder."""

    group: str
    scenario: str
    rounds: tuple[Seen, ...] = ()
    models: tuple[ModelCall, ...] = ()
    """In the order of time, as far as it is known."""
    remotes: tuple[RemoteCall, ...] = ()
    legs: frozenset[str] = frozenset()
    """Legs that were recorded in the run folder, also those on which nothing passed."""
    tools: Mapping[str, str] = {}
    """Remote agents by the name that the model calls them, with the leg to each."""
    loose: frozenset[str] = frozenset()
    """Legs of the run folder with exchanges that belong to no round."""
    gone: frozenset[str] = frozenset()
    """Legs of which exchanges of this scenario were recorded that are not among the captures."""
    plan: Scenario | None = None
    contract: str = ""
    """The contract by which the run is judged."""
    defects: str = ""
    """The set of defects that the run was made with."""
    codes: frozenset[str] = frozenset()
    """The rules that the run is judged by."""
    counted: Mapping[str, int] | None = None
    """Errors and warnings by rule, when all other rules were judged; None before."""

    def at(self, round: int) -> Seen | None:
        """The round that was recorded under that number, else the last before it, else the first."""
        before = [seen for seen in self.rounds if seen.facts.round <= round]
        return before[-1] if before else next(iter(self.rounds), None)

    def missing(self, *legs: str) -> str | None:
        """What is told where exchanges of one of `legs` are gone; None: all are there."""
        gone = sorted(self.gone.intersection(legs))
        return f"exchanges of leg {', '.join(gone)} that run.json lists are missing" if gone else None

    def no_remotes(self) -> str | None:
        """Why the remote agents' side can not be looked at; None: it can."""
        return None if self.legs - {CLIENT, LLM} else "no leg to a remote agent was recorded"

    def no_models(self) -> str | None:
        """Why the model's side can not be looked at; None: it can."""
        if self.models:
            return None
        return "no call of the model was recorded (leg llm)" if LLM not in self.legs else _NONE


_NONE = "the leg llm was recorded, and no call of the model passed on it in this scenario"


class TellLegs(Protocol):
    """Where a rule over legs says what it saw; `None` for the round: it is none of one round."""

    def breach(
        self,
        seen: Seen | None,
        message: str,
        *,
        cause: object = None,
        place: Place | None = None,
        names: tuple[str, ...] = (),
        snippet: str = "",
        sources: Sequence[str] = (),
    ) -> None:
        """A breach; without a `place` it stands in the request. `sources` are those of a group."""

    def lacks(self, seen: Seen | None, reason: str) -> None:
        """The rule could not be checked: on one round, or (None) on all of the conversation."""

    def told(self, code: str) -> bool:
        """Was a breach of the rule `code` found in this conversation?"""


class OverLegs(Rule):
    """A rule over the legs of one conversation. `harness.rules.over` calls `judge` once for each."""

    needs: ClassVar[frozenset[str]] = frozenset({"legs"})
    versions: ClassVar[frozenset[str]] = ALL | {"openjiuwen-core"}
    planned: ClassVar[bool] = False
    """Concerns only conversations that a scenario speaks of."""
    counts: ClassVar[bool] = False
    """Looks at what all other rules found, and is judged behind them."""

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        """Look at one conversation."""
        raise NotImplementedError
