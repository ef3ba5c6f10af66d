"""A report as the data of its page: everything that the page shows, in one JSON value.

Numbers in `round`, `compares`, `related` are positions in `rounds`. A part that the page may
show beside these (`diff`, `history`) is one more member; the page passes over what it does not
know. Neither time nor host stands in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.report.entries import entries, tally
from harness.report.fingerprint import fingerprints
from harness.report.html.calls import Related, model_call, request
from harness.report.html.clock import WIDE, lasting
from harness.report.html.plan import ASKED, FINDINGS, ROOM, plan
from harness.report.html.room import Rooms
from harness.report.html.sources import sources
from harness.report.html.surface import surface
from harness.report.html.track import Order
from harness.report.html.tracks import Wants, tracks
from harness.report.html.values import (
    baseline,
    called,
    cut,
    finding,
    interaction,
    not_checked,
    round_,
    row,
    rules,
    unread,
    waiver,
)
from harness.report.html.views import views

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.model.interaction import Interaction, Place
    from harness.model.verdict import Report
    from harness.report.entries import Entry
    from harness.report.html.views import View

UNREAD = 200
"""Places that could not be read, listed one by one."""
MODELS = 200
"""Model calls of one round that are drawn."""
FORM = 1
"""Version of this form."""


def data(report: Report, max_line: int, beside: int = 0) -> dict[str, Any]:
    """The page's data. Reads the captures of the report once more; memory does not grow with their size.

    `beside`: bytes of the page that are left to something else.
    """
    return _Data(report, max_line, beside).value()


class _Data:
    def __init__(self, report: Report, max_line: int, beside: int) -> None:
        self._report = report
        self._max_line = max_line
        found = entries(report)
        self._marks = list(fingerprints(found))
        self._all = len(found)
        self._found = found[:FINDINGS]
        self._plan = plan(report, self._found)
        self._sources = sources(report)
        self._views = views(report.rounds, self._sources, self._plan.drawn)
        self._related = Related(report.rounds, self._sources.captures, self._views)
        self._rooms = Rooms(beside)
        self._numbers = {at: number for number, at in enumerate(self._plan.rounds)}
        self._places: dict[int, dict[Place, Interaction]] = {}
        self._by_source: dict[str, list[int]] = {}
        for at, one in enumerate(report.rounds):
            self._by_source.setdefault(one.source, []).append(at)

    def value(self) -> dict[str, Any]:
        report = self._report
        drawn = self._tracks()
        rest = self._rooms.rest
        rounds = [self._round(at, drawn.get(at)) for at in self._plan.rounds]
        findings = [self._finding(at, entry) for at, entry in enumerate(self._found)]
        findings = self._rooms.findings.fitting(findings)
        matrix = rest.fitting(row(one) for one in report.matrix)
        return {
            "form": FORM,
            "version": report.version,
            "contract": report.contract,
            "exit": report.exit,
            "counts": self._counts(),
            "matrix": matrix,
            "surface": rest.fitting(surface(report)),
            "rules": rules(each.finding for each in self._found),
            "findings": findings,
            "rounds": rounds,
            "views": [self._view(view) for view in self._views if view.client in self._numbers],
            "unread": rest.fitting(unread(one) for one in report.unread[:UNREAD]),
            "not_checked": rest.fitting(not_checked(report)),
            "waivers": rest.fitting(waiver(one) for one in report.waivers),
            "baseline": baseline(report),
            "left_out": {
                "findings": self._all - len(findings),
                "rows": len(report.matrix) - len(matrix),
                "rounds": len(report.rounds) - len(self._plan.rounds),
                "drawings": len(self._by_source) - len(self._plan.drawn),
                "unread": max(len(report.unread) - UNREAD, 0),
            },
        }

    def _counts(self) -> dict[str, int]:
        report = self._report
        return {
            "rounds": len(report.rounds),
            "events": sum(one.events for one in report.rounds),
            "others": report.not_captures,
            **tally(report)._asdict(),
        }

    def _tracks(self) -> dict[int, dict[str, Any]]:
        axes = {at: view.axis for view in self._views for at in (view.client, *view.remotes)}
        made: dict[int, dict[str, Any]] = {}
        for source, positions in self._by_source.items():
            known = [at for at in positions if at in axes]
            capture = self._sources.captures.get(source)
            if capture is None or known != positions:
                continue
            wanted = self._plan.frames.get(source, frozenset[int]())
            wants = Wants(wanted, ROOM, self._plan.steps, self._rooms, self._max_line)
            orders = [Order(self._report.rounds[at], axes[at]) for at in positions]
            for at, track in zip(positions, tracks(capture, orders, wants), strict=True):
                made[at] = track.value(self._rooms.steps)
        return made

    def _round(self, at: int, track: dict[str, Any] | None) -> dict[str, Any]:
        one = self._report.rounds[at]
        value = round_(one)
        if not self._rooms.rounds.takes(value):
            value |= {"source": cut(one.source, 60), "scenario": cut(one.scenario, 30)}
        value["asked"] = self._rooms.asked.fitting(
            self._interaction(at, each) for each in one.interactions[:ASKED]
        )
        value["asked_more"] = len(one.interactions) - len(value["asked"])
        if track is not None:
            value["track"] = track
            asked = request(self._sources.captures[one.source])
            if asked and self._rooms.spare.takes(asked):
                value["request"] = asked
        return value

    def _interaction(self, at: int, one: Interaction) -> dict[str, Any]:
        return interaction(one) | {"related": self._numbered(self._related(at, one))}

    def _numbered(self, positions: Iterable[int]) -> list[int]:
        """Numbers in the page's `rounds`; rounds that have no place there are left out."""
        return [self._numbers[at] for at in positions if at in self._numbers]

    def _finding(self, at: int, entry: Entry) -> dict[str, Any]:
        home = self._home(entry)
        value = finding(entry, self._marks[at])
        compares = [at for source in entry.compares[:20] for at in self._by_source.get(source, ())]
        value["compares"] = self._numbered(compares)
        value["topologies"] = self._topologies(home, compares)
        value["round"] = None if home is None else self._numbers.get(home)
        asked = None if home is None else self._asked_at(home).get(entry.finding.place)
        if asked is not None and home is not None:
            value["asked"] = [asked.exposure, asked.kind, asked.channel]
            value["related"] = self._numbered(self._related(home, asked))
        return value

    def _home(self, entry: Entry) -> int | None:
        positions = self._by_source.get(entry.source, [])
        if entry.round is None:
            return positions[0] if positions else None
        return next((at for at in positions if self._report.rounds[at] is entry.round), None)

    def _asked_at(self, at: int) -> dict[Place, Interaction]:
        if at not in self._places:
            self._places[at] = self._report.rounds[at].asked_at()
        return self._places[at]

    def _topologies(self, home: int | None, compares: list[int]) -> list[str]:
        """Rows of the matrix to which the finding belongs."""
        rounds = [self._report.rounds[at] for at in ([] if home is None else [home]) + compares]
        return sorted({called(one.topology or one.scenario) for one in rounds})

    def _view(self, view: View) -> dict[str, Any]:
        took = view.axis.end - view.axis.start
        return {
            "round": self._numbers.get(view.client),
            "at": self._lies(view.client, view),
            "remotes": [
                [self._numbers[at], *self._lies(at, view)] for at in view.remotes if at in self._numbers
            ],
            "models": self._rooms.rest.fitting(model_call(one, view) for one in view.models[:MODELS]),
            "us": took // 1000 if view.axis.timed else None,
        }

    def _lies(self, at: int, view: View) -> list[int]:
        """From where to where a round lies on the axis."""
        took = lasting(self._sources.captures[self._report.rounds[at].source]) if view.axis.timed else None
        return [view.axis.place(took.began_ns), view.axis.place(took.ended_ns)] if took else [0, WIDE]
