"""Every golden capture against expectations.py, by equality, and nothing golden left out of that table."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.golden.expectations import ANY, ROWS, Row

GOLDEN = "captures/golden"
FOLDER = Path(__file__).resolve().parents[2] / GOLDEN
BESIDE = (".body", ".headers", ".rc", ".request.json")  # parts of one capture
RUNS = "openjiuwen-live/"
"""Run folders with all their legs, judged in test_openjiuwen_live.py; the table is of single captures."""
TABLE = {(row.file, row.round): row for row in ROWS}

type Key = tuple[str, int]


def capture_of(path: str) -> str:
    """The name by which the table knows a path: below golden/, without the ending of a part."""
    name = path.removeprefix(GOLDEN + "/")
    return next((name.removesuffix(end) for end in BESIDE if name.endswith(end)), name)


def rounds_of(report: dict[str, Any]) -> dict[Key, dict[str, Any]]:
    return {(capture_of(r["source"]), r["round"]): r for r in report["rounds"]}


def rules_of(found: dict[str, Any], severity: str) -> set[str]:
    return {f["rule"] for f in found["findings"] if f["severity"] == severity and not f["waived"]}


def shown_of(found: dict[str, Any]) -> dict[tuple[str, str, str], list[str | None]]:
    shown: dict[tuple[str, str, str], list[str | None]] = {}
    for i in found["interactions"]:
        shown.setdefault((i["kind"], i["channel"], i["exposure"]), []).append(i["tool_call_id"])
    return {key: sorted(ids, key=str) for key, ids in shown.items()}


def binding_of(found: dict[str, Any]) -> str | None:
    """The report's spelling of a binding is not what is tested here."""
    said = found["binding"]
    if said is None:
        return None
    return "rpc" if "rpc" in said.lower() else "rest"


@pytest.fixture(scope="session")
def masked(check: Callable[..., Any]) -> dict[Key, dict[str, Any]]:
    return rounds_of(check("--contract", "masked", GOLDEN).report)


@pytest.fixture(scope="session")
def a2a(check: Callable[..., Any]) -> dict[Key, dict[str, Any]]:
    return rounds_of(check("--contract", "a2a", GOLDEN).report)


def each_row() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("row", [pytest.param(r, id=f"{r.file}#{r.round}") for r in ROWS])


@each_row()
def test_verdict(row: Row, masked: dict[Key, dict[str, Any]]) -> None:
    found = masked[row.file, row.round]
    facts = {
        "outcome": (found["outcome"], row.outcome),
        "shown": (shown_of(found), {key: sorted(ids, key=str) for key, ids in row.shown.items()}),
        "dialect": (found["dialect"], row.dialect),
        "binding": (binding_of(found), row.binding),
        "ending": (found["ending"] or "unknown", row.ending),
        "http_status": (found["http_status"], row.status),
        "unread": (found["unread"] or 0, row.unread),
        "topology": (found["topology"], row.topology),
        "leg": (found["leg"], "client"),
    }
    compared = {name: pair for name, pair in facts.items() if pair[1] != ANY}
    assert {n: got for n, (got, _) in compared.items()} == {n: want for n, (_, want) in compared.items()}, (
        row.why
    )


@each_row()
def test_errors_under_masked(row: Row, masked: dict[Key, dict[str, Any]]) -> None:
    found = masked[row.file, row.round]
    assert rules_of(found, "error") == row.masked, row.why
    assert row.warns <= rules_of(found, "warning"), row.why


@each_row()
def test_errors_under_a2a(row: Row, a2a: dict[Key, dict[str, Any]]) -> None:
    found = a2a[row.file, row.round]
    assert rules_of(found, "error") == row.a2a, row.why
    assert found["outcome"] == row.outcome, "a contract never changes an outcome"


def test_table_names_each_round_once() -> None:
    assert [key for key, n in Counter((r.file, r.round) for r in ROWS).items() if n > 1] == []


def test_every_capture_is_in_the_table() -> None:
    files = {p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*") if p.is_file()} - {"README.md"}
    assert {capture_of(f) for f in files if not f.startswith(RUNS)} == {r.file for r in ROWS}


@pytest.mark.parametrize("contract", ["masked", "a2a"])
def test_every_round_of_the_report_is_in_the_table(contract: str, check: Callable[..., Any]) -> None:
    report = check("--contract", contract, GOLDEN).report
    named = [(capture_of(r["source"]), r["round"]) for r in report["rounds"]]
    keys = Counter(key for key in named if not key[0].startswith(RUNS))
    assert set(keys) == set(TABLE)
    assert [key for key, n in keys.items() if n > 1] == []
    assert not [r["source"] for r in report["rounds"] if r["source"].startswith("/")], "a path nobody typed"


@pytest.mark.parametrize("contract", ["masked", "a2a", "symmetric", "unified"])
def test_a_proven_breach_beats_an_undecided_round(contract: str, check: Callable[..., Any]) -> None:
    assert check("--contract", contract, GOLDEN).exit == 1  # semantics 6: 1 > 3


def test_inconclusive_rounds_say_why(masked: dict[Key, dict[str, Any]], check: Callable[..., Any]) -> None:
    told = {capture_of(u["source"]) for u in check("--contract", "masked", GOLDEN).report["unread"]}
    for row in ROWS:
        if row.outcome == "INCONCLUSIVE":
            found = masked[row.file, row.round]
            assert found["not_checked"] or row.file in told, row.file


def test_each_leaked_interaction_is_a_finding_of_its_own(masked: dict[Key, dict[str, Any]]) -> None:
    for row in ROWS:  # semantics 5
        found = masked[row.file, row.round]
        counted = Counter(f["rule"] for f in found["findings"])
        for rule, channel in (("LEAK101", "content"), ("LEAK102", "control")):
            assert counted[rule] == len(row.shown.get(("delegation", channel, "leaked"), ())), row.file


@pytest.mark.parametrize(
    ("file", "sightings"),
    [
        ("openjiuwen-python/a2a_stock_delegate3.sse", [2, 2, 2]),  # forms h and i of each call
        (
            "openjiuwen-python/a2a_javalike_delegate3.sse",
            [1, 1, 1, 1, 1, 1],
        ),  # two channels: two interactions
        ("openjiuwen-python/py_deepagent_loop_delegate3.jsonl", [2, 2, 2]),
        ("openjiuwen-python/py_deepagent_noloop_delegate3.jsonl", [1, 1, 1]),
        ("openjiuwen-python/a2a_javalike_ask.sse", [1, 1]),
        ("openjiuwen-python/py_deepagent_loop_ask_user.jsonl", [2]),
    ],
)
def test_sightings(file: str, sightings: list[int], masked: dict[Key, dict[str, Any]]) -> None:
    assert [len(i["sightings"]) for i in masked[file, 1]["interactions"]] == sightings


TWINS = {
    row.file.removeprefix("openjiuwen-on-java-sdk/oj_"): row
    for row in ROWS
    if row.file.startswith("openjiuwen-on-java-sdk/oj_")
}


@pytest.mark.parametrize("name", sorted(TWINS))
def test_java_sdk_streams_judge_as_their_hand_made_twins(
    name: str, masked: dict[Key, dict[str, Any]]
) -> None:
    def judged(found: dict[str, Any]) -> dict[str, Any]:
        rules = {(f["rule"], f["severity"]) for f in found["findings"] if f["severity"] != "info"}
        told = [(i["tool_name"], i["agent"], i["prompt"]) for i in found["interactions"]]
        return {"outcome": found["outcome"], "shown": shown_of(found), "rules": rules, "told": told}

    real, made = masked[TWINS[name].file, 1], masked[f"openjiuwen-shape/{name}.sse", 1]
    assert judged(real) == judged(made)  # SHP409 is info here; `ending` is not compared


def test_wire_logs_prove_nothing_about_ids_and_framing(a2a: dict[Key, dict[str, Any]]) -> None:
    for (file, _), found in a2a.items():  # semantics 1
        if file.startswith("sit-logs/"):
            rules = {f["rule"] for f in found["findings"]}
            assert not {r for r in rules if r == "RPC302" or r.startswith(("SSE", "HTTP"))}, file
            assert "RPC302" in {n["rule"] for n in found["not_checked"]}, file
