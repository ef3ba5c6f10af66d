"""Which captures are drawn together, and which remote call a leak belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.capture.naming import Name
from harness.pipeline import check
from harness.report.html.calls import Related, model_call, request
from harness.report.html.clock import WIDE
from harness.report.html.sources import sources
from harness.report.html.views import views
from tests.report.html import runs


class Seen:
    """A run folder judged and put together."""

    def __init__(self, *paths: Path) -> None:
        self.report = check([str(path) for path in paths])
        self.sources = sources(self.report)
        drawn = frozenset(one.source for one in self.report.rounds)
        self.views = views(self.report.rounds, self.sources, drawn)
        self.legs = [one.leg for one in self.report.rounds]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return runs.leaking(tmp_path / "run-1")


def test_a_round_comes_with_its_remote_calls_and_model_calls(run: Path) -> None:
    seen = Seen(run)
    (view,) = seen.views
    assert seen.legs[view.client] == "client"
    assert [seen.legs[at] for at in view.remotes] == ["search-agent"]
    assert len(view.models) == 1
    assert view.axis.timed
    assert view.axis.end - view.axis.start == 190 * runs.MS


def test_without_a_journal_the_axis_is_one_of_order(tmp_path: Path) -> None:
    (view,) = Seen(runs.asking(tmp_path / "run-2")).views
    assert view.axis == (0, 2, False)
    assert view.remotes == view.models == ()


def test_a_remote_call_without_its_round_has_a_view_of_its_own(run: Path) -> None:
    for file in run.glob("*client*"):
        file.unlink()
    (view,) = Seen(run).views
    assert view.client == 0


def test_captures_that_are_gone_are_passed_over(run: Path) -> None:
    report = check([str(run)])
    for file in run.glob("*.sse"):
        file.unlink()
    for file in run.glob("*.jsonl"):
        file.unlink()
    assert views(report.rounds, sources(report), frozenset(one.source for one in report.rounds)) == []


def test_standard_input_can_not_be_read_again(run: Path) -> None:
    report = check([str(run)])
    once = report._replace(rounds=tuple(one._replace(source="-") for one in report.rounds))
    assert sources(once).captures == {}


def test_a_model_call_lies_on_the_axis_of_its_round(run: Path) -> None:
    (view,) = Seen(run).views
    call = model_call(view.models[0], view)
    assert call["calls"] == ["search-agent"]
    assert call["x"] == [20 * WIDE // 190, 40 * WIDE // 190]
    assert (call["role"], call["last"], call["flaw"]) == ("user", "price of A", "")


def test_the_remote_call_is_found_by_the_id_of_the_call(run: Path) -> None:
    other = runs.ask("price of A", "c-1_batch_other")
    runs.exchange(
        run, Name("DA-09", "A2A_STREAM", 1, "search-agent"), other, [runs.status("COMPLETED")], 61, 10
    )
    seen = Seen(run)
    related = Related(seen.report.rounds, seen.sources.captures, seen.views)
    client = seen.views[0].client
    by_id, by_name = seen.report.rounds[client].interactions
    (found,) = related(client, by_id)
    sent = request(seen.sources.captures[seen.report.rounds[found].source])
    assert sent is not None
    assert sent["context"] == f"c-1_batch_{runs.CALL}"
    assert related(client, by_name._replace(tool_name="search-agent", prompt="else")) == list(
        seen.views[0].remotes
    )


def test_a_call_that_another_one_claims_is_not_guessed(run: Path) -> None:
    seen = Seen(run)
    related = Related(seen.report.rounds, seen.sources.captures, seen.views)
    client = seen.views[0].client
    assert related(client, seen.report.rounds[client].interactions[1]) == []


def test_a_question_for_the_user_belongs_to_no_remote_call(run: Path) -> None:
    seen = Seen(run)
    related = Related(seen.report.rounds, seen.sources.captures, seen.views)
    client = seen.views[0].client
    asked = seen.report.rounds[client].interactions[0]._replace(kind="user_input")
    assert related(client, asked) == []
