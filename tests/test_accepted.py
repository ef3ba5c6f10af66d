"""Waivers and baseline in the whole flow, on the golden runs of seed 000 (7 leaks in topology deep-research)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import pipeline, waivers
from harness.errors import UsageError
from harness.model.verdict import Report
from harness.pipeline import Options
from harness.report.json import text

ROOT = Path(__file__).parents[1]
GOLDEN = str(ROOT / "captures/golden/sit-logs")
EXAMPLE = str(ROOT / "scenarios/examples/waivers.yaml")
TODAY = "2026-08-11"


def check(*paths: str, **chosen: object) -> Report:
    return pipeline.check(paths or (GOLDEN,), Options(**{"today": TODAY, **chosen}))  # type: ignore[arg-type]


def found(report: Report, rule: str) -> list[tuple[str | None, bool]]:
    return [(f.waived, f.known) for r in report.rounds for f in r.findings if f.rule == rule]


def own(report: Report) -> list[str]:
    return [group.finding.rule for group in report.findings if group.finding.rule.startswith("WAIV")]


def file(
    folder: Path, rule: str = "LEAK101", scope: str = "{topology: deep-research}", expires: str = "2026-12-31"
) -> str:
    path = folder / "w.yaml"
    path.write_text(
        f"version: 1\nwaivers:\n  - id: W-1\n    rule: {rule}\n    scope: {scope}\n    reason: r\n"
        f"    issue: https://t.example/1\n    owner: o\n    expires: {expires}\n"
    )
    return str(path)


def test_the_shipped_example_accepts_seed_000() -> None:
    report = check(waivers=EXAMPLE)
    assert report.exit == 0
    assert found(report, "LEAK101") == [("mirror-of-delegations", False)] * 7
    assert sum(row.waived for row in report.matrix) == 7
    assert sum(row.errors for row in report.matrix) == 0
    assert own(report) == []


def test_the_shipped_example_names_the_open_issue_and_has_an_end() -> None:
    [one] = waivers.load(EXAMPLE)
    assert one.issue.endswith("/agent-runtime-java/issues/85")
    assert TODAY < one.expires < "2028"


def test_nothing_is_read_that_was_not_named() -> None:
    report = check()
    assert (report.exit, report.waivers) == (1, ())
    assert found(report, "LEAK101") == [(None, False)] * 7


def test_an_expired_waiver(tmp_path: Path) -> None:
    report = check(waivers=file(tmp_path, expires="2026-08-10"))
    assert report.exit == 1
    assert found(report, "LEAK101") == [(None, False)] * 7
    [group] = report.findings
    assert (group.finding.rule, group.finding.severity, len(group.rounds)) == ("WAIV101", "warning", 2)
    assert "w.yaml:3: the waiver 'W-1' of 'o' held until 2026-08-10" in group.finding.message


def test_a_stale_waiver_breaks_with_strict_only(tmp_path: Path) -> None:
    run = f"{GOLDEN}/run-20260812-112000"
    path = file(tmp_path, scope="{topology: edpa}")
    assert (check(run, waivers=path).exit, own(check(run, waivers=path))) == (0, ["WAIV102"])
    assert check(run, waivers=path, strict=True).exit == 1
    assert check(run, waivers=path, strict=True, skip=("WAIV",)).exit == 3, "rules that were not checked"


def test_an_unknown_rule_breaks(tmp_path: Path) -> None:
    run = f"{GOLDEN}/run-20260812-112000"
    assert (check(run).exit, check(run, waivers=file(tmp_path, rule="LEAK999")).exit) == (0, 1)


def test_a_run_of_one_scenario_does_not_call_the_others_stale() -> None:
    assert own(check(f"{GOLDEN}/run-20260812-112000", waivers=EXAMPLE)) == []


def test_other_rules_chosen_say_nothing_of_it(tmp_path: Path) -> None:
    assert own(check(waivers=file(tmp_path, expires="2026-01-01"), only=("END",))) == []


def test_a_contract_weighs_what_is_wrong_with_waivers(tmp_path: Path) -> None:
    contract = tmp_path / "c.yaml"
    contract.write_text("contract: 1\nname: c\nextends: masked\nrules: {WAIV: error}\n")
    run = f"{GOLDEN}/run-20260812-112000"
    path = file(tmp_path, scope="{topology: edpa}")
    assert check(run, waivers=path, contract=str(contract)).exit == 1


def test_the_report_holds_no_day_of_today() -> None:
    """Equal input, another day: equal bytes, as long as no waiver ends in between."""
    first, later = (check(waivers=EXAMPLE, today=day) for day in ("2026-08-11", "2026-09-30"))
    assert text(first) == text(later)
    assert "2026-09-30" not in text(later)


def test_processes_give_the_same_report() -> None:
    assert text(check(waivers=EXAMPLE, jobs=2)) == text(check(waivers=EXAMPLE))


@pytest.fixture
def baseline(tmp_path: Path) -> str:
    path = tmp_path / "old.json"
    path.write_text(text(check()), encoding="utf-8")
    return str(path)


def test_a_baseline_lets_pass_what_it_has(baseline: str) -> None:
    report = check(baseline=baseline)
    assert report.exit == 0
    assert found(report, "LEAK101") == [(None, True)] * 7, "still there, and marked"
    assert sum(row.errors for row in report.matrix) == 7
    assert report.baseline is not None
    assert report.baseline[1:] == (0, 7, (), 0)


def test_the_same_defect_of_another_day_is_known(tmp_path: Path) -> None:
    """The two golden runs of DA-09 differ in ids, prompts, bytes and folder."""
    path = tmp_path / "old.json"
    path.write_text(text(check(f"{GOLDEN}/run-20260812-101500")), encoding="utf-8")
    report = check(f"{GOLDEN}/run-20260811-093000", baseline=str(path))
    assert report.exit == 0
    assert report.baseline is not None
    assert (report.baseline.new, report.baseline.known) == (0, 3)
    assert [one.message.split("'")[1] for one in report.baseline.fixed] == ["verify-agent"]


def test_what_is_new_breaks(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(text(check(f"{GOLDEN}/run-20260811-093000")), encoding="utf-8")
    report = check(f"{GOLDEN}/run-20260812-101500", baseline=str(path))
    assert report.exit == 1
    assert report.baseline is not None
    assert (report.baseline.new, report.baseline.known) == (1, 3), "the leak to verify-agent"


def test_a_baseline_does_not_decide_what_is_undecided(tmp_path: Path) -> None:
    capture = tmp_path / "s.sse"
    capture.write_bytes(b"data: nothing that is known\n\n")
    path = tmp_path / "old.json"
    path.write_text(text(check(str(capture))), encoding="utf-8")
    assert check(str(capture), baseline=str(path)).exit == 3


def test_a_baseline_of_another_contract_is_refused(baseline: str) -> None:
    with pytest.raises(UsageError, match="was judged by the contract 'masked', this run by 'a2a'"):
        check(baseline=baseline, contract="a2a")


def test_waivers_come_before_the_baseline(baseline: str) -> None:
    report = check(baseline=baseline, waivers=EXAMPLE)
    assert report.baseline is not None
    assert report.baseline[1:3] == (0, 0)
    assert [mark for mark, _ in found(report, "LEAK101")] == ["mirror-of-delegations"] * 7


LIVE = str(ROOT / "captures/golden/openjiuwen-live")


def test_rules_over_several_legs_can_be_stale_and_fixed(tmp_path) -> None:
    """DEL101 was found in the stock system and not in the coordinated one, whose legs were recorded as well."""
    waived = file(tmp_path, "DEL101", "{leg: client}")
    assert own(check(f"{LIVE}/stock-plain-one", waivers=waived)) == []
    assert own(check(f"{LIVE}/coordinated-plain-one", waivers=waived)) == ["WAIV102"]
    before = json.loads(text(check(f"{LIVE}/stock-plain-one")))
    for one in before["rounds"]:
        one["scenario"] = "openjiuwen-coordinated-plain-one"
    path = tmp_path / "before.json"
    path.write_text(json.dumps(before))
    found_again = check(f"{LIVE}/coordinated-plain-one", baseline=str(path)).baseline
    assert found_again is not None
    assert "DEL101" in {one.rule for one in found_again.fixed}
