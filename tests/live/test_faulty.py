"""A system that refuses, hangs, dies or answers garbage: a finding, or exit 3, within the scenario's time."""

from __future__ import annotations

import pytest

from harness.capture.store import read_run
from tests.drive.test_exchange import breaks, closes, hangs, html, loris, no_http, resets
from tests.e2e.fault_server import FaultServer, Refusing
from tests.live.conftest import written

ROUNDS = (
    "  - {send: hello, expect: {outcome: INTERACTION}}\n  - {answer: more, expect: {outcome: COMPLETED}}\n"
)


def told(ran) -> tuple[int, str, set[str]]:
    rounds = [one for one in ran.report.rounds if one.leg == "client"]
    assert len(rounds) == 1
    red = {each.rule for each in rounds[0].findings if each.severity == "error"}
    red |= {group.finding.rule for group in ran.report.findings if group.finding.severity == "error"}
    return ran.report.exit, rounds[0].outcome, red


@pytest.mark.parametrize(
    ("script", "exit", "outcome", "rule"),
    [
        (hangs, 1, "INCONCLUSIVE", "SCN105"),
        (loris, 1, "INCONCLUSIVE", "SCN105"),
        (closes, 1, "TRANSPORT_ERROR", "SCN105"),
        (breaks, 1, "TRANSPORT_ERROR", "SCN101"),
        (resets, 1, "TRANSPORT_ERROR", "SCN101"),
        (no_http, 1, "TRANSPORT_ERROR", "SCN105"),
        (html, 1, "INCONCLUSIVE", "SCN105"),
    ],
)
def test_each_fault_ends_in_time(go, script, exit: int, outcome: str, rule: str) -> None:
    with FaultServer(script) as agent:
        ran = go(written(ROUNDS, timeout=1), url=agent.url)
    code, seen, red = told(ran)
    assert (code, seen) == (exit, outcome)
    assert rule in red
    assert [one.end for one in ran.driven[0].rounds][1] == "not_sent"
    assert read_run(ran.run_dir)["ended"]


def test_nobody_is_there(go) -> None:
    with Refusing() as agent:
        ran = go(written(ROUNDS, timeout=1), url=agent.url)
    assert [(one.outcome, one.ending) for one in ran.report.rounds] == [("TRANSPORT_ERROR", "refused")]
    assert ran.report.exit == 3


def test_no_card_tells_what_it_speaks(go) -> None:
    with Refusing() as agent:
        ran = go(written(ROUNDS, timeout=1), url=agent.url, protocol="auto")
    assert (ran.report.exit, ran.report.rounds) == (3, ())
    assert "no agent card" in ran.driven[0].rounds[0].text
