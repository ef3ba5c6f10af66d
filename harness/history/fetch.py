"""The few queries behind an answer. Runs are numbered by time, from 0; all else points at that number."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.history.states import Seen

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from harness.history.values import Question

_ISO = "strftime({}, '%Y-%m-%dT%H:%M:%SZ')"
_SPOT = "{scenario} || ' r' || {round} || ' ' || {leg}"


class RunRow(NamedTuple):
    """One run of the contract."""

    run: str
    started: str
    seconds: float | None
    version: str
    exit: int
    rounds: int
    events: int
    rules: frozenset[str]
    """Rules that were applied, among those that any run found."""


class Measured(NamedTuple):
    """What one topology measured in one run."""

    rounds: int
    events: int
    bytes: int | None
    seconds: float | None
    leaked: int


def spot(scenario: str, round: int, leg: str) -> str:
    """A round as every run calls it."""
    return f"{scenario} r{round} {leg}"


def runs_of(database: DuckDBPyConnection, contract: str) -> list[RunRow]:
    """All runs of a contract, the oldest first; makes the table `numbered` for the other queries.

    Of runs of one name that began in the same second, the one that was added first is the older.
    """
    database.execute(
        "CREATE OR REPLACE TEMP TABLE numbered AS SELECT key, "
        "row_number() OVER (ORDER BY started, run, rowid) - 1 AS at FROM runs WHERE contract = ?",
        [contract],
    )
    rows = database.execute(
        f"""SELECT r.run, {_ISO.format("r.started")}, r.seconds, r.version, r.exit, r.rounds,
            coalesce(e.events, 0),
            list_intersect(r.rules, (SELECT coalesce(list(DISTINCT rule), []) FROM findings))
        FROM runs r JOIN numbered n USING (key)
        LEFT JOIN (SELECT key, sum(events)::BIGINT AS events FROM rounds WHERE contract = ?
            GROUP BY ALL) e USING (key)
        WHERE r.contract = ? ORDER BY n.at""",
        [contract, contract],
    ).fetchall()
    return [
        RunRow(row[0], row[1], row[2], row[3], row[4], row[5], row[6], frozenset(row[7] or ()))
        for row in rows
    ]


def found(
    database: DuckDBPyConnection, contract: str, question: Question
) -> dict[tuple[str | None, str], dict[int, Seen]]:
    """By topology and rule, by run: what was found. What is wrong with waivers is told by each run anew."""
    rows = database.execute(
        """SELECT topology, rule, n.at, max(slug),
            arg_min(severity, list_position(['error', 'warning', 'info'], severity)), count(*),
            count(*) FILTER (waived IS NULL), list_distinct(flatten(list(spots)))
        FROM findings JOIN numbered n USING (key)
        WHERE contract = $contract AND rule NOT LIKE 'WAIV%' AND ($infos OR severity != 'info')
            AND ($topology IS NULL OR topology = $topology)
            AND (len($rules) = 0 OR list_contains($rules, rule))
        GROUP BY topology, rule, n.at ORDER BY topology NULLS LAST, rule, n.at""",
        {
            "contract": contract,
            "infos": question.infos,
            "topology": question.topology,
            "rules": list(question.rules),
        },
    ).fetchall()
    made: dict[tuple[str | None, str], dict[int, Seen]] = {}
    for topology, rule, at, slug, severity, findings, standing, spots in rows:
        seen = Seen(slug, severity, findings, standing, frozenset(spots))
        made.setdefault((topology, rule), {})[at] = seen
    return made


def covered(database: DuckDBPyConnection, contract: str) -> dict[int, dict[str, frozenset[str] | None]]:
    """By run, by spot that ever had a finding: the rules that could not be checked; None: not decided."""
    place = _SPOT.format(scenario="scenario", round="round", leg="leg")
    rows = database.execute(
        f"""WITH spots AS (SELECT DISTINCT unnest(spots) AS spot FROM findings WHERE contract = $contract),
            codes AS (SELECT coalesce(list(DISTINCT rule), []) AS found FROM findings)
        SELECT n.at, spot, bool_or(outcome = 'INCONCLUSIVE' OR unread > 0),
            list_intersect(flatten(list(not_checked)), (SELECT found FROM codes))
        FROM (SELECT *, {place} AS spot FROM rounds WHERE contract = $contract) JOIN spots USING (spot)
            JOIN numbered n USING (key)
        GROUP BY n.at, spot""",
        {"contract": contract},
    ).fetchall()
    made: dict[int, dict[str, frozenset[str] | None]] = {}
    for at, where, undecided, lacking in rows:
        made.setdefault(at, {})[where] = None if undecided else frozenset(lacking or ())
    return made


def measured(
    database: DuckDBPyConnection, contract: str, topology: str | None
) -> dict[str | None, dict[int, Measured]]:
    """By topology, by run: rounds, events, bytes, seconds, leaked interactions."""
    rows = database.execute(
        """SELECT topology, n.at, count(*), sum(events)::BIGINT, sum(bytes)::BIGINT, round(sum(seconds), 3),
            sum(leaked)::BIGINT
        FROM rounds JOIN numbered n USING (key)
        WHERE contract = $contract AND ($topology IS NULL OR topology = $topology)
        GROUP BY topology, n.at ORDER BY topology NULLS LAST, n.at""",
        {"contract": contract, "topology": topology},
    ).fetchall()
    made: dict[str | None, dict[int, Measured]] = {}
    for name, at, *numbers in rows:
        made.setdefault(name, {})[at] = Measured(*numbers)
    return made
