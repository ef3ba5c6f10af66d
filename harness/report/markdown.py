"""The Markdown report: made for a pull request, the verdict first, never longer than its limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model.verdict import OUTCOMES
from harness.report.entries import entries, look, tally, title, undecided
from harness.report.markdown_text import cell, code, render

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.model.finding import Finding
    from harness.model.verdict import Report, Row
    from harness.report.entries import Edition, Entry

    type Evidence = Callable[[str, Finding], str]

LIMIT = 60_000
"""Characters: a comment on a pull request may have 65,536."""
_ROWS = 60
_RESERVE = 1500
_ICONS = {0: "✅", 1: "❌", 3: "❔"}


def _none(_source: str, finding: Finding) -> str:
    return finding.snippet


def text(report: Report, edition: Edition, limit: int = LIMIT, evidence: Evidence = _none) -> str:
    """The report in at most `limit` characters; what is left out is counted where it would stand."""
    page = _Page(max(limit, 2 * _RESERVE))
    page.add(_head(report, edition))
    page.add(_matrix(report, edition))
    found = entries(report)
    for name, chosen in _sections(report, found).items():
        page.section(edition.words[name], _findings(chosen, edition, evidence), len(chosen), edition)
    _waived(page, report, found, edition)
    _fixed(page, report, edition)
    _open(page, report, edition)
    page.add(_infos(found, edition))
    return page.text()


class _Page:
    """Pieces as long as there is room; a section tells how many of its entries had none."""

    def __init__(self, limit: int) -> None:
        self._room = limit - _RESERVE
        self._pieces: list[str] = []

    def add(self, piece: str) -> bool:
        if len(piece) > self._room:
            return False
        self._pieces.append(piece)
        self._room -= len(piece)
        return True

    def section(self, name: str, pieces: Iterator[str], count: int, edition: Edition) -> None:
        """A heading and the entries below it; nothing where there are none."""
        if not count:
            return
        self._note(render("section", title=name, count=count))
        shown = 0
        for piece in pieces:
            if not self.add(piece):
                break
            shown += 1
        more = edition.say("left_out", count=f"{count - shown:,}") if shown < count else ""
        self._note(render("more", text=more) if more else "\n")

    def _note(self, piece: str) -> None:
        """Headings and counts always fit: the reserve is theirs."""
        self._pieces.append(piece)

    def text(self) -> str:
        return "".join(self._pieces).rstrip("\n") + "\n"


def _head(report: Report, edition: Edition) -> str:
    counts = tally(report)
    summary = edition.say(
        "md.summary",
        contract=report.contract[:100],
        rounds=f"{len(report.rounds):,}",
        events=f"{sum(one.events for one in report.rounds):,}",
        errors=f"{counts.errors:,}",
        warnings=f"{counts.warnings:,}",
        infos=f"{counts.infos:,}",
        waived=f"{counts.waived:,}",
        undecided=f"{counts.undecided:,}",
        unread=f"{counts.unread:,}",
    )
    values = {"baseline": "", "baseline_file": ""}
    if report.baseline is not None:
        values = {"baseline": compared(report, edition), "baseline_file": report.baseline.file}
    meaning = edition.words[f"exit.{report.exit}"]
    verdict = edition.say("verdict", code=report.exit, meaning=meaning)
    return render("head", icon=_ICONS.get(report.exit, "❗"), verdict=verdict, summary=summary, **values)


def compared(report: Report, edition: Edition) -> str:
    """New, known, fixed and unjudged against the baseline, in one sentence."""
    one = report.baseline
    if one is None:
        return ""
    counts = {"new": one.new, "known": one.known, "fixed": len(one.fixed), "unjudged": one.unjudged}
    return edition.say("baseline", **{name: f"{count:,}" for name, count in counts.items()})


def _matrix(report: Report, edition: Edition) -> str:
    rows = report.matrix[:_ROWS]
    if not rows:
        return ""
    names = ("row", "rounds", "events", "outcomes", "native", "masked", "leaked", "declared", "findings")
    lost = len(report.matrix) - len(rows)
    return render(
        "matrix",
        heads=[edition.words[name] for name in names],
        rows=[_row(one, edition) for one in rows],
        more=edition.say("left_out", count=f"{lost:,}") if lost else "",
    )


def _row(one: Row, edition: Edition) -> list[str]:
    name = cell(one.topology or one.scenario or "?") + (f" ({one.kind})" if one.kind else "")
    outcomes = ", ".join(f"{one.outcomes[name]:,} {name}" for name in OUTCOMES if one.outcomes.get(name))
    counts = {"errors": one.errors, "warnings": one.warnings, "infos": one.infos, "waived": one.waived}
    found = [edition.say(f"{name}_cell", count=f"{count:,}") for name, count in counts.items() if count]
    leaked = f"**{one.leaked:,}**" if one.leaked else "0"
    numbers = [f"{one.native:,}", f"{one.masked:,}", leaked, f"{one.declared:,}"]
    return [name, f"{one.rounds:,}", f"{one.events:,}", outcomes or "-", *numbers, ", ".join(found) or "0"]


def _sections(report: Report, found: Sequence[Entry]) -> dict[str, list[Entry]]:
    told = [entry for entry in found if entry.finding.severity != "info" and not entry.finding.waived]
    if report.baseline is None:
        return {"findings_head": told}
    return {
        "md.new": [entry for entry in told if not entry.finding.known],
        "md.known": [entry for entry in told if entry.finding.known],
    }


def _findings(found: Sequence[Entry], edition: Edition, evidence: Evidence) -> Iterator[str]:
    seen: set[str] = set()
    for entry in found:
        first = entry.finding.rule not in seen
        seen.add(entry.finding.rule)
        yield _finding(entry, edition, evidence, first=first)


def _finding(entry: Entry, edition: Edition, evidence: Evidence, *, first: bool) -> str:
    one = entry.finding
    commands = look(entry)
    return render(
        "finding",
        one=one,
        severity=edition.words[one.severity],
        mark=f"({edition.words['known_mark']})" if one.known else "",
        where=_where(entry, edition),
        times=edition.say("md.times", count=f"{one.times:,}"),
        snippet=evidence(entry.source, one) if entry.source else "",
        why=edition.why(one) if first else "",
        look=commands[0] if commands else "",
    )


def _where(entry: Entry, edition: Edition) -> str:
    """Round, capture, event, pointer, bytes; each thing that was read in a code span of its own."""
    place = entry.finding.place
    parts = [code(title(entry.round), 200)] if entry.round else []
    if entry.round and entry.round.topology:
        parts.append(f"({code(entry.round.topology, 200)})")
    if entry.source:
        parts.append(code(entry.source))
    if place.event is not None:
        parts.append(edition.say("event", number=place.event))
    if place.pointer:
        parts.append(code(place.pointer))
    if place.span is not None:
        parts.append(edition.say("bytes", start=place.span.start, end=place.span.end))
    return " ".join(parts)


def _waived(page: _Page, report: Report, found: Sequence[Entry], edition: Edition) -> None:
    """One entry a waiver: how much it accepts, why, who, until when."""
    counts: dict[str, int] = {}
    for entry in found:
        if entry.finding.waived:
            counts[entry.finding.waived] = counts.get(entry.finding.waived, 0) + 1
    known = {one.id: one for one in report.waivers}
    pieces = [
        render("waiver", waiver=known[name], count=count, issue=edition.words["md.issue"])
        if name in known
        else render("line", place=name, text=str(count))
        for name, count in counts.items()
    ]
    page.section(edition.words["md.waived"], iter(pieces), len(pieces), edition)


def _fixed(page: _Page, report: Report, edition: Edition) -> None:
    fixed = report.baseline.fixed if report.baseline else ()
    pieces = (render("gone", one=one, where=_spot(one.scenario, one.round, one.leg)) for one in fixed)
    page.section(edition.words["md.fixed"], pieces, len(fixed), edition)


def _spot(scenario: str | None, number: int | None, leg: str | None) -> str:
    if scenario is None:
        return ""
    return f"{scenario} r{number}" + ("" if leg == "client" else f" [{leg}]")


def _open(page: _Page, report: Report, edition: Edition) -> None:
    """What could not be decided, read or checked: no pass."""
    rounds = [one for one in report.rounds if undecided(one)]
    lines = [
        (f"{title(one)} {one.source}", edition.say("undecided_round", outcome=one.outcome, ending=one.ending))
        for one in rounds
    ]
    page.section(edition.words["undecided"], _lines(lines), len(lines), edition)
    lost = [(one.source, one.reason) for one in report.unread]
    page.section(edition.words["unread"], _lines(lost), len(lost), edition)
    reasons: dict[str, set[str]] = {}
    lacking = [*report.not_checked, *(each for one in report.rounds for each in one.not_checked)]
    for each in lacking:
        reasons.setdefault(each.reason, set()).add(each.rule)
    unchecked = [(" ".join(sorted(codes)), reason) for reason, codes in reasons.items()]
    page.section(edition.words["not_checked"], _lines(unchecked), len(unchecked), edition)


def _lines(pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    return (render("line", place=place, text=said) for place, said in pairs)


def _infos(found: Sequence[Entry], edition: Edition) -> str:
    counts: dict[str, int] = {}
    for entry in found:
        if entry.finding.severity == "info" and not entry.finding.waived:
            counts[entry.finding.rule] = counts.get(entry.finding.rule, 0) + 1
    if not counts:
        return ""
    rules = ", ".join(f"{rule} x{count:,}" for rule, count in sorted(counts.items()))
    return render("more", text=edition.say("md.infos", count=f"{sum(counts.values()):,}", rules=rules))
