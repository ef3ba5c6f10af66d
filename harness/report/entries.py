"""What every file report is made of: the findings in one order, each with its round, and their counts.

Console, JSON, JUnit, SARIF, Markdown, GitLab and GitHub count from here, so that one red run
shows the same numbers everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.baseline.identity import of_group, of_round
from harness.wire import MAX_LINE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.baseline.identity import Identity
    from harness.diff.values import Difference
    from harness.model.finding import Finding
    from harness.model.verdict import Report, Round

RANK: dict[str, int] = {"error": 0, "warning": 1, "info": 2}


class Edition(NamedTuple):
    """How the files of a report are made: what the report itself does not say."""

    words: Mapping[str, str]
    breaking: frozenset[str] = frozenset({"error"})
    """Severities that break the contract."""
    anchors: Mapping[str, tuple[str, int]] = {}
    """File and line of the scenarios that are known, by name."""
    reasons: Mapping[str, str] = {}
    """Texts by rule that replace a finding's own `why`, in the reader's language."""
    lang: str = "en"
    max_line: int = MAX_LINE
    """Longest line that is read, where a capture is read again."""
    diff: Difference | None = None
    """What changed since another run, where that was asked for."""

    def say(self, key: str, **values: object) -> str:
        """The text `key` with its placeholders filled."""
        return self.words[key].format(**values)

    def why(self, one: Finding) -> str:
        """Why a breach of the finding's rule matters."""
        return self.reasons.get(one.rule, one.why)


class Entry(NamedTuple):
    """One finding, and where it belongs."""

    finding: Finding
    source: str
    """The capture in which it stands; empty where it stands in none."""
    round: Round | None
    """None: it compares several, or none."""
    compares: tuple[str, ...]
    """Sources of the rounds that it compares."""
    scenario: str | None
    identity: Identity
    """Equal for the same finding in another run."""

    def breaks(self, breaking: frozenset[str]) -> bool:
        """Does it break the contract, being neither waived nor known?"""
        one = self.finding
        return one.severity in breaking and one.waived is None and not one.known


def entries(report: Report) -> list[Entry]:
    """All findings, the worst first, else in the order of the report."""
    found = [*_of_rounds(report), *_across(report)]
    return sorted(found, key=_order)


def _order(entry: Entry) -> tuple[bool, bool, int]:
    one = entry.finding
    return one.waived is not None, one.known, RANK[one.severity]


def _of_rounds(report: Report) -> Iterator[Entry]:
    for one in report.rounds:
        for finding, identity in of_round(one):
            yield Entry(finding, one.source, one, (), one.scenario, identity)


def _across(report: Report) -> Iterator[Entry]:
    by_source = {one.source: one for one in report.rounds}
    for group in report.findings:
        home = by_source.get(home_of(group.finding, group.rounds, by_source))
        scenario = None if home is None else home.scenario
        source = home.source if home else ""
        yield Entry(group.finding, source, None, group.rounds, scenario, of_group(group, by_source))


def home_of(finding: Finding, sources: tuple[str, ...], rounds: Mapping[str, Round]) -> str:
    """The source of the round in which the finding's place stands: the one that saw something there."""
    for source in sources:
        if source in rounds and finding.place in rounds[source].asked_at():
            return source
    return sources[0] if sources else ""


class Tally(NamedTuple):
    """How much of what a report has to say; errors, warnings and infos are those that no waiver accepts."""

    errors: int
    warnings: int
    infos: int
    waived: int
    known: int
    """Errors and warnings among them that the baseline has as well."""
    undecided: int
    """Rounds that the capture can not tell the end of."""
    unread: int


def tally(report: Report) -> Tally:
    """The counts of a report."""
    found = [each for one in report.rounds for each in one.findings]
    found += [group.finding for group in report.findings]
    standing = [each for each in found if each.waived is None]
    severities = [each.severity for each in standing]
    return Tally(
        errors=severities.count("error"),
        warnings=severities.count("warning"),
        infos=severities.count("info"),
        waived=len(found) - len(standing),
        known=sum(each.known and each.severity != "info" for each in standing),
        undecided=sum(undecided(one) for one in report.rounds),
        unread=len(report.unread),
    )


def undecided(one: Round) -> bool:
    """Nobody can say how the round ended: a capture without an end, or a system out of reach."""
    refused = one.outcome == "TRANSPORT_ERROR" and one.ending == "refused"
    return one.outcome == "INCONCLUSIVE" or bool(one.unread) or refused


def title(one: Round) -> str:
    """What a round is called in every run: scenario, number, and the leg where it is not the client's."""
    leg = "" if one.leg == "client" else f" [{one.leg}]"
    return f"{one.scenario} r{one.round}{leg}"


def look(entry: Entry) -> list[str]:
    """Commands that look closer at the finding."""
    from harness.report.snippet import closer

    return closer(entry.source or "-", entry.finding.place, entry.finding.rule)
