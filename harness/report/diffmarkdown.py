"""A diff as Markdown for a pull request: the table of rounds, contract changes, the rest folded away.

What an agent, a file or a peer named stands in code spans only: there it is no mark-up, no
link and no mention.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.diff.values import RANKS
from harness.report.cells import harmless
from harness.report.difflines import SIGNS, head, places, values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.diff.values import Change, Difference, Pair
    from harness.report.view import View

LISTED = 20
"""Changes of one rank, and rounds, that are written out."""


def markdown(found: Difference, view: View) -> Iterator[str]:
    """The lines of the page, without line ends."""
    say = view.words
    yield f"## {say['diff.title']}"
    yield ""
    yield f"A: {code(found.a)}  "
    yield f"B: {code(found.b)}"
    yield ""
    verdict = view.say("verdict", code=found.exit, meaning=say[f"diff.exit.{found.exit}"])
    yield f"**{verdict}**"
    yield ""
    yield from _table(found, view)
    shown = [pair for pair in found.pairs if pair.changes or pair.undecided]
    for pair in shown[: len(shown) if view.everything else LISTED]:
        yield from _pair(pair, view)
    if found.undecided:
        yield f"### {say['diff.undecided']}"
        yield ""
        yield from (f"- {code(one.source)} {code(one.reason)}" for one in found.undecided[:LISTED])
        yield ""


def _table(found: Difference, view: View) -> Iterator[str]:
    say = view.words
    heads = [say["diff.scenario"], say["diff.round"], say["diff.leg"], "A", "B"]
    heads += [say[f"diff.{rank}"] for rank in RANKS]
    yield "| " + " | ".join(heads) + " |"
    yield "|---|---:|---|---|---|---:|---:|---:|---:|"
    different = [pair for pair in found.pairs if pair.changes or pair.undecided]
    for pair in different:
        sides = [side.outcome if side else say["diff.missing"] for side in (pair.a, pair.b)]
        counts = [str(sum(one.rank == rank for one in pair.changes)) for rank in RANKS]
        cells = [
            code(pair.scenario, table=True),
            str(pair.round),
            code(pair.leg, table=True),
            *sides,
            *counts,
        ]
        yield "| " + " | ".join(cells) + " |"
    yield ""
    equal = len(found.pairs) - len(different)
    if equal:
        yield view.say("diff.equal", count=f"{equal:,}")
        yield ""


def _pair(pair: Pair, view: View) -> Iterator[str]:
    yield f"### {code(pair.scenario)} r{pair.round} {code(pair.leg)}"
    yield ""
    for reason in pair.undecided:
        yield f"- {view.words['diff.undecided']}: {code(reason)}"
    for rank in RANKS:
        changes = [one for one in pair.changes if one.rank == rank]
        if not changes:
            continue
        title = f"{view.words[f'diff.{rank}']} ({len(changes)})"
        folded = rank != "contract"
        yield f"<details><summary>{title}</summary>" if folded else f"**{title}**"
        yield ""
        shown = changes if view.everything else changes[:LISTED]
        yield from (_change(one, view) for one in shown)
        if len(changes) > len(shown):
            rest = len(changes) - len(shown)
            yield "- " + view.say("diff.more", count=rest, rank=view.words[f"diff.{rank}"])
        yield ""
        if folded:
            yield "</details>"
            yield ""


def _change(one: Change, view: View) -> str:
    before, after = values(one, view)
    parts = [f"- {code(SIGNS[one.operation])} {code(head(one, view))}"]
    said = [code(value) for value in (before, after) if value]
    parts += [" → ".join(said)] if said else []
    where = places(one, view)
    return " ".join([*parts, f"({code(where)})" if where else ""]).rstrip()


def code(text: str, *, table: bool = False) -> str:
    """`text` as a code span that nothing in it can end."""
    shown = harmless(text, 400)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    space = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    if table:
        shown = shown.replace("|", "\\|")
    return f"{fence}{space}{shown}{space}{fence}"
