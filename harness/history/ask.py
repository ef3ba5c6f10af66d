"""Asks an index: the window of runs, the trend of each rule in each topology, times and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.errors import UsageError
from harness.history.fetch import covered, found, measured, runs_of
from harness.history.folder import folder
from harness.history.read import read
from harness.history.states import Told, course, now, walk
from harness.history.values import History, Others, Run, Sizes, Trend, When
from harness.history.when import moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.history.fetch import Measured, RunRow
    from harness.history.read import Index
    from harness.history.states import Seen, Walk
    from harness.history.values import Question

_GRAVEST = ("error", "warning", "info")


def asked(where: str, question: Question) -> History:
    """The answer of the index in a folder, or at an address."""
    with read(folder(where)) as index:
        return ask(index, question)


def ask(index: Index, question: Question) -> History:
    """The answer; raises `UsageError` for a run, a contract or a topology that the index does not have."""
    database = index.database
    contracts = dict(
        database.execute("SELECT contract, count(*) FROM runs GROUP BY contract ORDER BY contract").fetchall()
    )
    contract = _contract(index, question, contracts)
    runs = runs_of(database, contract)
    begin = _begin(runs, question)
    seen = found(database, contract, question)
    if question.topology is not None:
        _known_topology(index, question.topology)
    covers = covered(database, contract)
    told = [Told(one.rules, covers.get(at, {})) for at, one in enumerate(runs)]
    walked = {key: walk(key[1], of, told) for key, of in seen.items()}
    trends = [_trend(key, seen[key], one, runs, begin) for key, one in walked.items() if _shown(one, begin)]
    sizes = measured(database, contract, question.topology)
    return History(
        contract=contract,
        runs=_window(runs, begin, seen),
        before=begin,
        trends=tuple(sorted(trends, key=_order)),
        topologies=_sizes(sizes, seen, begin, len(runs)),
        others=tuple(Others(name, number) for name, number in contracts.items() if name != contract),
        skipped=index.skipped,
    )


def _contract(index: Index, question: Question, known: Mapping[str, int]) -> str:
    if question.contract is None:
        newest = index.database.execute(
            "SELECT contract FROM runs ORDER BY started DESC, run DESC, contract LIMIT 1"
        ).fetchone()
        return str(newest[0]) if newest else ""
    if known and question.contract not in known:
        what = f"no run was judged by the contract {question.contract!r}"
        raise UsageError(what, mend=f"the index has {', '.join(known)}")
    return question.contract


def _known_topology(index: Index, name: str) -> None:
    rows = index.database.execute(
        "SELECT DISTINCT topology FROM rounds WHERE topology IS NOT NULL ORDER BY 1"
    ).fetchall()
    names = [str(one) for (one,) in rows]
    if names and name not in names:
        raise UsageError(f"no run has a topology {name!r}", mend=f"the index has {', '.join(names[:20])}")


def _begin(runs: Sequence[RunRow], question: Question) -> int:
    """The position of the window's first run."""
    begin = 0
    if question.since is not None:
        begin = _since(runs, question.since)
    return max(begin, len(runs) - question.last)


def _since(runs: Sequence[RunRow], since: str) -> int:
    by_id = [at for at, one in enumerate(runs) if one.run == since]
    if by_id:
        return by_id[-1]
    when = moment(since)
    if when is None:
        mend = "write a date as 2026-08-11, a time as 2026-08-11T09:30, or the id of a run"
        raise UsageError(f"--since {since}: neither a date nor a run of the index", mend=mend)
    return next((at for at, one in enumerate(runs) if one.started >= when), len(runs))


def _trend(
    key: tuple[str | None, str], seen: Mapping[int, Seen], walked: Walk, runs: Sequence[RunRow], begin: int
) -> Trend:
    topology, rule = key
    states = walked.states[begin:]
    graves = [one.severity for at, one in seen.items() if at >= begin] or [
        one.severity for one in seen.values()
    ]
    return Trend(
        topology=topology,
        rule=rule,
        slug=seen[walked.last].slug,
        severity=min(graves, key=_GRAVEST.index),
        course=course(states),
        now=now(states),
        first=_when(runs[walked.first]),
        last=_when(runs[walked.last]),
        since=None if walked.since is None else _when(runs[walked.since]),
        fixed=None if walked.fixed is None else _when(runs[walked.fixed]),
        seen=sum(state in ("broken", "waived") for state in states),
        known=sum(state != "unknown" for state in states),
        states=states,
        findings=walked.findings[begin:],
    )


def _when(row: RunRow) -> When:
    return When(row.run, row.started)


def _shown(one: Walk, begin: int) -> bool:
    """It was seen in the window, still stands, or its fix lies in the window."""
    return one.last >= begin or one.fixed is None or one.fixed >= begin


def _order(one: Trend) -> tuple[bool, str, bool, int, str]:
    return (
        one.topology is None,
        one.topology or "",
        one.now not in ("broken", "waived"),
        _GRAVEST.index(one.severity),
        one.rule,
    )


def _window(
    runs: Sequence[RunRow], begin: int, seen: Mapping[tuple[str | None, str], Mapping[int, Seen]]
) -> tuple[Run, ...]:
    standing = {"error": [0] * len(runs), "warning": [0] * len(runs), "info": [0] * len(runs)}
    waived = [0] * len(runs)
    for of in seen.values():
        for at, one in of.items():
            standing[one.severity][at] += one.standing
            waived[at] += one.findings - one.standing
    return tuple(
        Run(
            one.run,
            one.started,
            one.seconds,
            one.version,
            one.exit,
            one.rounds,
            one.events,
            standing["error"][at],
            standing["warning"][at],
            waived[at],
        )
        for at, one in enumerate(runs)
        if at >= begin
    )


def _sizes(
    sizes: Mapping[str | None, Mapping[int, Measured]],
    seen: Mapping[tuple[str | None, str], Mapping[int, Seen]],
    begin: int,
    end: int,
) -> tuple[Sizes, ...]:
    made = []
    for topology, of in sizes.items():
        rows = [of.get(at) for at in range(begin, end)]
        if not any(rows):
            continue
        made.append(
            Sizes(
                topology,
                sum(one is not None for one in rows),
                tuple(one and one.rounds for one in rows),
                tuple(one and one.events for one in rows),
                tuple(one and one.bytes for one in rows),
                tuple(one and one.seconds for one in rows),
                tuple(one and one.leaked for one in rows),
                _weighed(topology, "error", seen, rows, begin),
                _weighed(topology, "warning", seen, rows, begin),
            )
        )
    return tuple(sorted(made, key=lambda one: (one.topology is None, one.topology or "")))


def _weighed(
    topology: str | None,
    severity: str,
    seen: Mapping[tuple[str | None, str], Mapping[int, Seen]],
    rows: Sequence[Measured | None],
    begin: int,
) -> tuple[int | None, ...]:
    """Standing findings of one severity in each run of the window."""
    counts = [0] * len(rows)
    for (where, _), of in seen.items():
        if where == topology:
            for at, one in of.items():
                if at >= begin and one.severity == severity:
                    counts[at - begin] += one.standing
    return tuple(None if row is None else number for row, number in zip(rows, counts, strict=True))
