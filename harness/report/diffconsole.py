"""A diff for the terminal: each pair that differs with its changes by rank, then both sides side by side."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from harness.diff.values import RANKS
from harness.report.cells import cells, fit, harmless, wrap
from harness.report.difflines import SIGNS, head, places, values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.text import Text

    from harness.diff.values import Change, Difference, Pair, Rank, Row, Side
    from harness.report.view import View

LISTED = 10
"""Changes of one rank that are shown of a pair."""
LINES = 60
"""Lines of the two sides that are shown of a pair."""
_ROLES: dict[Rank, str] = {"contract": "error", "shape": "warning", "text": "info", "timing": "dim"}
_STYLES = {"added": "green", "removed": "red", "changed": "yellow", "reordered": "cyan"}


def console(found: Difference, view: View) -> Iterator[str]:
    """The lines of the whole diff, without line ends."""
    equal = 0
    for pair in found.pairs:
        if pair.changes or pair.undecided:
            yield from _pair(pair, view)
        else:
            equal += 1
            yield from (view.say("diff.note", text=note) for note in pair.notes)
    if equal:
        yield view.say("diff.equal", count=f"{equal:,}")
        yield ""
    yield from _undecided(found, view)
    yield from _summary(found, view)


def _pair(pair: Pair, view: View) -> Iterator[str]:
    name = "  ".join(
        harmless(word) for word in (pair.scenario, f"r{pair.round}", pair.leg, pair.protocol) if word
    )
    yield view.paint("head", fit(name, view.width))
    yield from (
        "  " + line for line in wrap(f"A {_side(pair.a, view)}", view.width - 2, "    ") if pair.a or pair.b
    )
    yield from ("  " + line for line in wrap(f"B {_side(pair.b, view)}", view.width - 2, "    "))
    yield ""
    for rank in RANKS:
        yield from _rank(rank, [one for one in pair.changes if one.rank == rank], view)
    if pair.a and pair.b and any(row.mark not in ("equal", "skipped") for row in pair.rows):
        yield from _sides(pair.rows, view)
        yield ""
    yield from (view.say("diff.note", text=note) for note in pair.notes)


def _side(side: Side | None, view: View) -> str:
    if side is None:
        return view.words["diff.missing"]
    events = f"{view.words['events']}: {side.events:,}"
    return f"{harmless(side.source)}  {side.outcome}  {view.say('ending', ending=side.ending)}  {events}"


def _rank(rank: Rank, changes: list[Change], view: View) -> Iterator[str]:
    if not changes:
        return
    yield "  " + view.paint(_ROLES[rank], f"{view.words[f'diff.{rank}']} ({len(changes)})")
    shown = changes if view.everything else changes[:LISTED]
    for one in shown:
        yield from _change(one, view)
    if len(changes) > len(shown):
        rest = len(changes) - len(shown)
        yield "    " + view.say("diff.more", count=rest, rank=view.words[f"diff.{rank}"])
    yield ""


def _change(one: Change, view: View) -> Iterator[str]:
    before, after = values(one, view)
    lead = f"    {SIGNS[one.operation]} {head(one, view)}"
    where = places(one, view)
    room = view.width
    if before is not None and after is not None:
        short = f"{lead}: {before} -> {after}"
        if len(short) <= room - 2:
            yield fit(short, room)
        else:
            yield fit(lead, room)
            yield fit(f"        - {before}", room)
            yield fit(f"        + {after}", room)
    else:
        value = before or after
        yield fit(f"{lead}: {value}" if value else lead, room)
    if where:
        yield view.paint("dim", f"        {_tail(where, room - 8)}")


def _tail(where: str, room: int) -> str:
    """A place in `room` cells: of a pointer that is too long, its end says most."""
    frames, slash, pointer = where.partition(" /")
    if cells(where) <= room or not slash:
        return fit(where, room)
    left = room - cells(frames) - 2
    while pointer and cells(pointer) > left:
        pointer = pointer[max(1, (cells(pointer) - left) // 2) :]
    return fit(f"{frames} …{pointer}", room)


def _sides(rows: Sequence[Row], view: View) -> Iterator[str]:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0), expand=True, pad_edge=False)
    for title, width in (("", 1), ("A", None), ("", 1), ("B", None)):
        table.add_column(title, width=width, ratio=None if width else 1, overflow="fold")
    shown = rows if view.everything else rows[:LINES]
    for row in shown:
        table.add_row(*_cells(row, view))
    out = io.StringIO()
    on = view.paint.on
    Console(
        file=out, width=view.width, force_terminal=on, color_system="standard" if on else None,
        highlight=False, emoji=False, markup=False, legacy_windows=False, no_color=not on,
    ).print(table)  # fmt: skip
    yield from (line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))
    if len(rows) > len(shown):
        yield "  " + view.say("diff.left_out", count=len(rows) - len(shown))


def _cells(row: Row, view: View) -> list[Text | str]:
    from rich.text import Text

    style = "bold red" if row.rank == "contract" else _STYLES.get(row.mark, "dim")
    if row.mark == "skipped":
        text = f"... {view.say('diff.skipped', count=f'{row.times:,}')}"
        return ["", Text(text, "dim"), "", Text(text, "dim")]
    sign = SIGNS.get(row.mark, "")
    room = 3 * max((view.width - 6) // 2, 12)
    made: list[Text | str] = []
    for number, said in ((row.event_a, row.a), (row.event_b, row.b)):
        line = "" if said is None else fit(f"{number} {harmless(said, 400)}", room)
        made += [Text("" if said is None else sign, style), Text(line, style)]
    return made


def _undecided(found: Difference, view: View) -> Iterator[str]:
    lines = [f"{harmless(one.source)}  {harmless(one.reason, 400)}" for one in found.undecided]
    for pair in found.pairs:
        name = f"{harmless(pair.scenario)} r{pair.round}"
        lines += [f"{name}  {harmless(reason, 400)}" for reason in pair.undecided]
    if not lines:
        return
    yield from (view.paint("warning", part) for part in wrap(view.words["diff.undecided"], view.width))
    for line in lines if view.everything else lines[:LISTED]:
        yield from ("  " + part for part in wrap(line, view.width - 2, "  "))
    if len(lines) > LISTED and not view.everything:
        yield "  " + view.say("diff.left_out", count=len(lines) - LISTED)
    yield ""


def _summary(found: Difference, view: View) -> Iterator[str]:
    counts = found.counts()
    undecided = len(found.undecided) + sum(bool(pair.undecided) for pair in found.pairs)
    text = view.say(
        "diff.summary",
        rounds=f"{len(found.pairs):,}",
        contract=harmless(found.contract, 200),
        c=counts["contract"],
        s=counts["shape"],
        t=counts["text"],
        m=counts["timing"],
        undecided=undecided,
    )
    yield from wrap(text, view.prose)
    verdict = view.say("verdict", code=found.exit, meaning=view.words[f"diff.exit.{found.exit}"])
    yield view.paint({0: "good", 1: "error"}.get(found.exit, "warning"), verdict)
