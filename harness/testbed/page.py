"""The table of defects as a page, docs/defects.md; what it says is found is what the tests find. Rank 5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.testbed.defects import DEFECTS, SETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.testbed.defects import Defect

_HEAD = """# Defects of the testbed

`harness run --defect NAME` starts the testbed with one known fault, `--set NAME` with a named set of them.
`make test` runs each row alone, on its scenario, and finds exactly the errors and warnings that it names,
under the contract `masked`; `make soak` runs each in every kind of agent and generation of the wire in which
it exists. Without a defect (`--set fixed`, the default) there is no error and no warning.
"""


def page() -> str:
    """Markdown."""
    return "\n".join([_HEAD, *_sets(), "", *_table(), "", *_sources()]) + "\n"


def _sets() -> Iterator[str]:
    yield "| set | defects |"
    yield "|---|---|"
    for name, members in SETS.items():
        yield f"| `{name}` | {', '.join(f'`{one}`' for one in sorted(members)) or 'none'} |"


def _table() -> Iterator[str]:
    yield "| defect | what it breaks | found | on | entry agents | generations |"
    yield "|---|---|---|---|---|---|"
    for one in DEFECTS:
        found = ", ".join(f"[{rule}](rules.md) x{number}" for rule, number in one.found.items())
        kinds, generations = ", ".join(one.kinds), " ".join(one.generations)
        yield f"| `{one.name}` | {one.breaks} | {found} | {one.scenario} | {kinds} | {generations} |"


def _sources() -> Iterator[str]:
    yield "Who described them:"
    yield ""
    described: dict[str, list[Defect]] = {}
    for one in DEFECTS:
        described.setdefault(one.source, []).append(one)
    for source, those in described.items():
        yield f"- {', '.join(f'`{one.name}`' for one in those)}: {source}"
