"""The table of seed 000 out of the wire logs: what each topology shows, and what the contracts say of it."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SIT = "captures/golden/sit-logs"
SMALL, DA, EDPA, EXP = (
    f"{SIT}/run-{stamp}"
    for stamp in ("20260811-093000", "20260812-101500", "20260812-112000", "20260812-134500")
)
ROOT = Path(__file__).resolve().parents[2]
NUMBERS = ("rounds", "events", "native", "masked", "leaked", "declared")

type Line = dict[str, Any]


def line(kind: str, rounds: int, events: int, outcomes: dict[str, int], **shown: int) -> Line:
    return (
        dict.fromkeys(NUMBERS, 0)
        | {"kind": kind, "rounds": rounds, "events": events, "outcomes": outcomes}
        | shown
    )


# seed 000 2: the DeepAgent leaks and never asks, the plan agent shows proxies only, the workflow asks itself.
# Events are the distinct raw frames of the logs, counted by hand.
LARGE_LINES = {
    "deep-research": line("deepagent", 2, 24 + 243, {"COMPLETED": 2}, leaked=4),
    "edpa": line("plan-agent", 12, 36 + 53 + 121, {"INTERACTION": 9, "COMPLETED": 3}, masked=9),
    "expense-review": line("workflow", 15, 41 + 41 + 42, {"INTERACTION": 14, "COMPLETED": 1}, native=14),
}
SMALL_LINES = {
    "deep-research": line("deepagent", 2, 8 + 7, {"COMPLETED": 2}, leaked=3),
    "edpa": line("plan-agent", 1, 4, {"INTERACTION": 1}, masked=1),
    "expense-review": line("workflow", 1, 4, {"INTERACTION": 1}, native=1),
}
ALL_LINES = {
    name: one
    | {key: one[key] + LARGE_LINES[name][key] for key in NUMBERS}
    | {"outcomes": dict(Counter(one["outcomes"]) + Counter(LARGE_LINES[name]["outcomes"]))}
    for name, one in SMALL_LINES.items()
}


def matrix(report: dict[str, Any]) -> dict[str, Line]:
    """One line a topology; where it is broken down by scenario, its total or the sum of them."""
    grouped: dict[str, list[Line]] = {}
    for row in report["matrix"]:
        grouped.setdefault(row["topology"], []).append(row)
    lines = {}
    for name, rows in grouped.items():
        rows = [r for r in rows if r["scenario"] is None] or rows
        outcomes: Counter[str] = Counter()
        for row in rows:
            outcomes.update(row["outcomes"])
        lines[name] = {key: sum(r[key] for r in rows) for key in NUMBERS} | {
            "kind": rows[0]["kind"],
            "outcomes": dict(outcomes),
        }
    return lines


def rules(findings: list[dict[str, Any]], *severities: str) -> set[str]:
    return {f["rule"] for f in findings if not severities or f["severity"] in severities}


def errors_of_rounds(report: dict[str, Any]) -> dict[str, set[str]]:
    found = ((r["topology"], rules(r["findings"], "error")) for r in report["rounds"])
    errors: dict[str, set[str]] = {}
    for topology, codes in found:
        errors.setdefault(topology, set()).update(codes)
    return errors


@pytest.mark.parametrize(
    ("paths", "lines"),
    [
        pytest.param((SIT,), ALL_LINES, id="all"),
        pytest.param((DA, EDPA, EXP), LARGE_LINES, id="three-runs"),
        pytest.param((SMALL,), SMALL_LINES, id="small-run"),
        pytest.param((DA,), {"deep-research": LARGE_LINES["deep-research"]}, id="deep-research"),
        pytest.param((EDPA,), {"edpa": LARGE_LINES["edpa"]}, id="edpa"),
        pytest.param((EXP,), {"expense-review": LARGE_LINES["expense-review"]}, id="expense-review"),
    ],
)
@pytest.mark.parametrize("contract", ["masked", "symmetric", "unified", "a2a"])
def test_the_table_of_the_seed(
    paths: tuple[str, ...], lines: dict[str, Line], contract: str, check: Callable[..., Any]
) -> None:
    assert matrix(check("--contract", contract, *paths).report) == lines


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        ((SIT,), 1),
        ((DA, EDPA, EXP), 1),
        ((SMALL,), 1),
        ((DA,), 1),
        ((EDPA,), 0),
        ((EXP,), 0),
        (("--topology", "edpa", SIT), 0),
        (("--topology", "expense-review", SIT), 0),
        (("--topology", "deep-research", SIT), 1),
        (("--contract", "symmetric", DA, EDPA, EXP), 1),
        (
            ("--contract", "symmetric", EDPA),
            0,
        ),  # one topology only: SYM is not checked, never a pass or a breach
        (("--contract", "symmetric", "--topology", "edpa", SIT), 0),
        (("--contract", "unified", EDPA, EXP), 1),
        (("--contract", "unified", EXP), 0),
        (("--contract", "a2a", EDPA), 1),  # +08:00 is an error where the protocol alone is asked
    ],
)
def test_exit_codes(arguments: tuple[str, ...], exit_code: int, check: Callable[..., Any]) -> None:
    assert check(*arguments).exit == exit_code


def test_only_the_deepagent_breaks_the_masked_contract(check: Callable[..., Any]) -> None:
    report = check("--contract", "masked", SIT).report
    assert errors_of_rounds(report) == {"deep-research": {"LEAK101"}, "edpa": set(), "expense-review": set()}
    assert rules(report["findings"]) == set()


@pytest.mark.parametrize("paths", [(SIT,), (DA, EDPA, EXP), (SMALL,)])
@pytest.mark.parametrize(
    ("contract", "codes"), [("symmetric", {"SYM401"}), ("unified", {"SYM401", "SYM402"})]
)
def test_asymmetry_is_a_finding_of_no_single_round(
    paths: tuple[str, ...], contract: str, codes: set[str], check: Callable[..., Any]
) -> None:
    run = check("--contract", contract, *paths)
    assert rules(run.report["findings"], "error") == codes
    assert all(not rules(r["findings"], "error") for r in run.report["rounds"]), (
        "view B judges difference, not leaks"
    )
    leaks = [f for r in run.report["rounds"] for f in r["findings"] if f["rule"] == "LEAK101"]
    assert {f["severity"] for f in leaks} == {"info"}
    assert run.exit == 1


def test_sym401_is_about_delegation_and_names_both_topologies(check: Callable[..., Any]) -> None:
    found = [
        f for f in check("--contract", "symmetric", DA, EDPA, EXP).report["findings"] if f["rule"] == "SYM401"
    ]
    text = " ".join(f["message"] for f in found)
    for word in ("delegation", "deep-research", "edpa"):
        assert word in text
    assert "user_input" not in text  # it occurs in one topology only


def test_one_topology_is_not_checked_for_symmetry(check: Callable[..., Any]) -> None:
    report = check("--contract", "unified", "--topology", "edpa", SIT).report
    assert {r["topology"] for r in report["rounds"]} == {"edpa"}
    assert not rules(report["findings"]) & {"SYM401", "SYM402"}
    assert set(matrix(report)) == {"edpa"}


def test_deep_research_truth_and_the_line_grep(check: Callable[..., Any]) -> None:
    """openjiuwen.md 4: four calls in two mirror frames, where a grep counts 4, 4, 6 and 2."""
    log = f"{DA}/DA-09-A2A_STREAM-r1.log"
    text = (ROOT / log).read_text(encoding="utf-8")
    lines = text.split("\n")
    assert [
        sum(m in line for line in lines) for m in ("__interaction__", "a2a_delegate", '"statusUpdate"')
    ] == [4, 4, 3]
    assert [text.count(f'"toolName":"{a}"') for a in ("search-agent", "verify-agent")] == [6, 2]

    (found,) = check(log).report["rounds"]
    calls = [(i["tool_call_id"], i["tool_name"], i["agent"], i["event"]) for i in found["interactions"]]
    assert sorted(calls) == [
        ("call_00_4e2076fefbb6e21b61", "search-agent", "search-agent", 53),
        ("call_00_f47e911f6d926f3b74", "verify-agent", "verify-agent", 126),
        ("call_01_117f756e140768b437", "search-agent", "search-agent", 53),
        ("call_02_d704d9ba9270dfb1ac", "search-agent", "search-agent", 53),
    ]
    assert found["events"] == 243


def test_expense_review_is_bound_14_of_14(check: Callable[..., Any]) -> None:
    rounds = check(EXP).report["rounds"]
    asked = [i for r in rounds for i in r["interactions"]]
    assert Counter((i["kind"], i["exposure"], i["tool_name"]) for i in asked) == {
        ("user_input", "native", "request_user_input"): 14
    }
    assert not any(f["rule"] == "BIND301" for r in rounds for f in r["findings"])
    (silent,) = [r for r in rounds if not r["interactions"]]
    assert (silent["scenario"], silent["round"], silent["outcome"]) == ("EXP-03", 5, "COMPLETED")


def test_edpa_shows_only_proxies(check: Callable[..., Any]) -> None:
    rounds = check(EDPA).report["rounds"]
    shown = [i for r in rounds for i in r["interactions"]]
    assert Counter((i["kind"], i["channel"], i["exposure"], i["tool_name"]) for i in shown) == {
        ("delegation", "control", "masked", "versatile-adapter"): 9
    }
    assert {i["prompt"] for i in shown} == {"Remote agent requires input"}
    assert {r["scenario"] for r in rounds} == {"EDPA-01", "EDPA-03", "balanceThen"}
    assert {r["protocol"] for r in rounds} == {"A2A_STREAM"}
