"""What the fixtures hand to hand-written tests: captures and verdicts that explain themselves."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from harness.report.cells import harmless

if TYPE_CHECKING:
    from harness.kit import Options
    from harness.model.capture import Capture
    from harness.model.event import Event
    from harness.model.finding import Finding
    from harness.model.interaction import Interaction
    from harness.model.verdict import Report, Round

LISTED = 6


class Ended(str):
    """How a round ended: its outcome, which knows its round."""

    round: Round

    @classmethod
    def of(cls, one: Round) -> Ended:
        """The outcome of a round."""
        made = cls(one.outcome)
        made.round = one
        return made


class Asked(tuple[Any, ...]):
    """What a round asked: its interactions, which know their round."""

    round: Round

    @classmethod
    def of(cls, one: Round) -> Asked:
        """The interactions of a round."""
        made = cls(one.interactions)
        made.round = one
        return made

    def phrases(self) -> list[str]:
        """Each in words: `masked delegation of hotel-agent on the control channel`."""
        return [phrase(one) for one in self]


def phrase(one: Any) -> str:
    """An interaction in words; anything else as it is."""
    from harness.model.interaction import Interaction
    from harness.rules.wanted import phrase

    return phrase(one) if isinstance(one, Interaction) else repr(one)


class Verdict:
    """One round, judged."""

    def __init__(self, round: Round, report: Report) -> None:
        self.round = round
        self.report = report

    @property
    def outcome(self) -> Ended:
        """`COMPLETED`, `INTERACTION`, ..."""
        return Ended.of(self.round)

    @property
    def interactions(self) -> Asked:
        """What was asked, as `harness.model.interaction.Interaction`."""
        return Asked.of(self.round)

    @property
    def asked(self) -> tuple[str, ...]:
        """What was asked, in words."""
        return tuple(self.interactions.phrases())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What broke, infos and waived findings left out."""
        return tuple(one for one in self.round.findings if one.severity != "info" and one.waived is None)

    @property
    def rules(self) -> tuple[str, ...]:
        """The codes of `findings`."""
        return tuple(one.rule for one in self.findings)

    def __repr__(self) -> str:
        one = self.round
        told = [f"{one.scenario} r{one.round}", one.outcome, *self.asked[:LISTED], *self.rules[:LISTED]]
        return harmless(f"<Verdict {'; '.join(told)}; {one.source}>")


class RunVerdict:
    """Several rounds, judged together."""

    def __init__(self, report: Report) -> None:
        self.report = report

    @property
    def exit(self) -> int:
        """The exit code that `harness check` gives."""
        return self.report.exit

    @property
    def rounds(self) -> tuple[Verdict, ...]:
        """All of them, in the order of their sources."""
        return tuple(Verdict(one, self.report) for one in self.report.rounds)

    @property
    def rules(self) -> tuple[str, ...]:
        """The codes of all standing errors and warnings."""
        across = [one.finding for one in self.report.findings]
        standing = (one.rule for one in across if one.severity != "info" and one.waived is None)
        return (*(rule for one in self.rounds for rule in one.rules), *standing)

    def of(self, scenario: str, number: int = 1) -> Verdict:
        """What the client saw in a round; raises `LookupError` where it is not there."""
        for one in self.rounds:
            if (one.round.scenario, one.round.round, one.round.leg) == (scenario, number, "client"):
                return one
        known = ", ".join(sorted({f"{one.round.scenario} r{one.round.round}" for one in self.rounds}))
        raise LookupError(f"there is no round {number} of {scenario}; there are {harmless(known) or 'none'}")

    def __repr__(self) -> str:
        rules = dict.fromkeys(self.rules)
        told = ", ".join(f"{rule} x{self.rules.count(rule)}" for rule in rules) or "nothing found"
        return f"<RunVerdict exit {self.exit}; {len(self.report.rounds)} rounds; {told}>"


class Recorded:
    """One capture, read."""

    def __init__(self, capture: Capture, options: Options) -> None:
        self.capture = capture
        self._options = options

    @property
    def source(self) -> str:
        """The path."""
        return self.capture.source

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """All frames as events."""
        from harness.legs.reading import events

        return tuple(events(self.capture, self._options.max_line))

    @cached_property
    def interactions(self) -> tuple[Interaction, ...]:
        """What was asked in it."""
        from harness.captures import judge_capture
        from harness.kit import load

        rounds = judge_capture(self.capture, load(self._options))
        return tuple(each for one in rounds for each in one.round.interactions)

    @cached_property
    def text(self) -> str:
        """All text that it shows, a line for each place; tokens are put together."""
        from harness.legs.shown import Shown

        shown = Shown(keep=1 << 30)
        for event in self.events:
            shown.take(event)
        return "\n".join(shown.texts)

    def __repr__(self) -> str:
        return harmless(f"<Recorded {self.source}>")
