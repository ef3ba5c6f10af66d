"""Rounds one by one: how each ended and who asked for what on which channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.cells import fit, harmless, wrap
from harness.report.table import Cell, Column, table, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.model.interaction import Interaction
    from harness.model.verdict import Round
    from harness.report.view import View

LISTED = 40
"""Rounds that are listed one by one."""
_WIDE = 100
"""Cells from which on there is room for one more column."""
_OUTCOME_ROLE = {"COMPLETED": "good", "INTERACTION": "native", "INCONCLUSIVE": "warning"}


def rounds(listed: Sequence[Round], view: View) -> Iterator[str]:
    """A line a round, in the order of the conversations; from the `LISTED`th on they are counted."""
    ordered = sorted(listed, key=_order)
    shown = ordered if view.everything else ordered[:LISTED]
    columns = [Column(view.words["scenario"]), Column(view.words["number"], right=True)]
    columns += [Column(view.words["topology"]), Column(view.words["outcome"])]
    if view.width >= _WIDE:
        columns.append(Column(view.words["events"], right=True))
    body = [_row(one, view)[: len(columns)] for one in shown]
    room = max(view.width - width(columns, body, 2) - 2, 12)
    full = [*columns, Column(view.words["asked"])]
    asked = [[*row, _asked(one.interactions, room, view)] for row, one in zip(body, shown, strict=True)]
    yield view.head("rounds_head")
    yield from table(full, asked, 2, view.paint, _folders(shown))
    if len(listed) > len(shown):
        yield view.say("more_rounds_listed", count=f"{len(listed) - len(shown):,}")


def _order(one: Round) -> tuple[str, str, int, bool, str, str]:
    """Round 2 before round 10, and the client's before what happened behind it."""
    folder = one.source.rpartition("/")[0]
    return folder, one.scenario, one.round, one.leg != "client", one.leg, one.source


def _folders(shown: Sequence[Round]) -> dict[int, str]:
    """Where the sources stand, before the first round of each folder; nothing where it is one folder."""
    folders = [one.source.rpartition("/")[0] for one in shown]
    if len(set(folders)) < 2:
        return {}
    before = [None, *folders]
    return {at: harmless(name or ".", 400) for at, name in enumerate(folders) if name != before[at]}


def _row(one: Round, view: View) -> list[Cell]:
    leg = "" if one.leg == "client" else f" [{harmless(one.leg, 40)}]"
    return [
        Cell((fit(harmless(one.scenario, 80) + leg, min(view.width // 5, 40)),)),
        Cell((str(one.round),)),
        Cell((fit(harmless(one.topology or "-", 80), min(view.width // 5, 24)),)),
        Cell((one.outcome,), _OUTCOME_ROLE.get(one.outcome, "error")),
        Cell((f"{one.events:,}",)),
    ]


def _asked(asked: Sequence[Interaction], room: int, view: View) -> Cell:
    counts: dict[str, int] = {}
    for one in asked:
        said = view.say(
            "shown",
            exposure=view.words[one.exposure],
            kind=view.words[one.kind],
            channel=view.words[one.channel],
        )
        counts[said] = counts.get(said, 0) + 1
    lines = [said if count == 1 else f"{said} x{count:,}" for said, count in counts.items()]
    leaked = any(one.exposure == "leaked" for one in asked)
    return Cell(
        tuple(part for line in lines for part in wrap(line, room, "  ")) or ("-",), "leaked" if leaked else ""
    )
