"""The captures of the last run on the real openJiuwen package: judged as when they were made, and counted by hand.

What must come out stands in tests/e2e/openjiuwen/cases.py, with its sources.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.pipeline import Options, check
from harness.report.json import text
from harness.scenario import load
from tests.e2e.openjiuwen.cases import CASES, COORDINATE, KEPT, MIRROR, TASK, TOP, Case
from tests.e2e.openjiuwen.report import differences, found

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "captures/golden/openjiuwen-live"
KEPT_CASES = [case for case in CASES if case.file in KEPT]
DELEGATE = "a2a_delegate"

each_case = pytest.mark.parametrize("case", KEPT_CASES, ids=lambda case: case.file)


def frames(case: Case, leg: str) -> Iterator[dict[str, Any]]:
    """The results of a leg's A2A streams, read without the harness."""
    for path in sorted((GOLDEN / case.file).glob(f"*A2A_STREAM*.{leg}*.sse")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line.startswith("data:"):
                yield json.loads(line[5:]).get("result", {})


def journals(case: Case, what: str) -> list[list[dict[str, Any]]]:
    paths = sorted((GOLDEN / case.file).glob(f"*{what}*.jsonl"))
    return [[json.loads(line) for line in path.read_text(encoding="ascii").splitlines()] for path in paths]


def model_requests(case: Case) -> list[dict[str, Any]]:
    return [json.loads(lines[0]["body"]) for lines in journals(case, ".llm")]


def report_of(case: Case, *, with_scenario: bool = True) -> dict[str, Any]:
    scenarios = (load(str(case.path)),) if with_scenario else ()
    options = Options(scenarios=scenarios, defects="as-reported" if with_scenario else "")
    return json.loads(text(check([str(GOLDEN / case.file)], options)))


def test_the_kept_runs_are_there():
    assert {path.name for path in GOLDEN.iterdir()} == set(KEPT)


@each_case
def test_it_is_judged_as_when_it_ran(case: Case):
    assert differences(case, found(report_of(case))) == []


@each_case
def test_the_contract_does_not_need_the_scenario(case: Case):
    told = found(report_of(case, with_scenario=False)).findings
    assert told == {rule: times for rule, times in case.findings.items() if not rule.startswith("SCN")}


@each_case
def test_delegations_counted_by_hand(case: Case):
    mirrored = top = kept = 0
    for frame in frames(case, "client"):
        kept += json.dumps(frame.get("task", {})).count(DELEGATE)
        shown = json.dumps(frame.get("artifactUpdate", {}))
        mirrored += shown.count(DELEGATE) if "controller_output" in shown else 0
        top += shown.count(DELEGATE) if "controller_output" not in shown else 0
        assert DELEGATE not in json.dumps(frame.get("statusUpdate", {})), "the control channel is clean"
    first = case.leaked[0]
    assert mirrored == (first if MIRROR in case.seen_in else 0)
    assert top == (first if TOP in case.seen_in else 0)
    assert kept == (mirrored + top if TASK in case.seen_in else 0)


@each_case
def test_remote_calls_counted_by_hand(case: Case):
    folder = GOLDEN / case.file
    remote = [
        path for path in folder.glob("*.sse") if re.search(r"\.(search|verify)-agent\.\d+\.sse$", path.name)
    ]
    assert len(remote) == case.calls
    asked = {
        call["id"]
        for request in model_requests(case)
        for message in request["messages"]
        for call in message.get("tool_calls") or ()
    }
    assert len(asked) == (case.calls if case.delivers == COORDINATE else sum(case.leaked[1:]))


def test_three_searches_overlap_and_the_check_follows():
    (case,) = (one for one in CASES if one.file == "coordinated-loop-three")
    spans = {
        leg: [(lines[0]["at_ns"], lines[-1]["at_ns"]) for lines in journals(case, f".{leg}")]
        for leg in ("search-agent", "verify-agent")
    }
    starts, ends = zip(*spans["search-agent"], strict=True)
    assert max(starts) < min(ends)
    assert max(ends) < spans["verify-agent"][0][0]


def test_each_result_goes_back_under_its_own_call():
    (case,) = (one for one in CASES if one.file == "coordinated-loop-three")
    (last,) = (one for one in model_requests(case) if len(one["messages"]) == max(lengths(case)))
    asked = {
        call["id"]: call["function"]["arguments"]
        for one in last["messages"]
        for call in one.get("tool_calls") or ()
    }
    given = {one["tool_call_id"]: one["content"] for one in last["messages"] if one["role"] == "tool"}
    assert given.keys() == asked.keys()
    assert all(f"【{json.loads(asked[call])['remoteInput']}】" in given[call] for call in given)


def lengths(case: Case) -> list[int]:
    return [len(one["messages"]) for one in model_requests(case)]


def test_nothing_of_the_machine_is_in_them():
    told = [
        f"{path.name}: {found[0]}"
        for path in GOLDEN.rglob("*") if path.is_file()
        for found in re.finditer(r"Bearer (?!<|none)\S+|(?<![\w.~/-])/(?:tmp|home|root|work|usr)/[^\s\"]*", path.read_text(encoding="utf-8"))
    ]  # fmt: skip
    assert told == []


def test_the_page_is_of_these_cases():
    page = (ROOT / "docs/real-systems.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.split("\n")
        if line.startswith("| `")
    ]
    assert {row[0].strip("`"): (row[4], row[5], row[7]) for row in rows} == {
        case.file: (", ".join(case.outcomes), ", ".join(map(str, case.leaked)), str(case.calls))
        for case in CASES
    }
    pinned = re.search(r"openjiuwen\[all-a2a\]==(\S+)'", (ROOT / "tests/e2e/openjiuwen/setup.sh").read_text())
    assert pinned is not None
    assert f"; openjiuwen {pinned[1]}, a2a-sdk " in page
