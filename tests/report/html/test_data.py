"""The page's data: everything that a report says, in bounded size, the same for equal input."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.pipeline import Options, check
from harness.report.entries import entries, tally
from harness.report.html.data import data
from harness.report.html.encode import json_text
from harness.report.html.plan import ROUNDS
from harness.report.html.surface import surface
from harness.wire import MAX_LINE
from tests.report.hostile import TEXTS, hostile
from tests.report.html import runs
from tests.report.values import clean_round, finding, full_report, interaction, place, report, round_, row

MOST = 5_000_000


@pytest.fixture
def leaking(tmp_path: Path) -> Path:
    return runs.leaking(tmp_path / "run-1")


def test_equal_input_gives_equal_data(leaking: Path) -> None:
    first, second = (json_text(data(check([str(leaking)]), MAX_LINE)) for _ in range(2))
    assert first == second


def test_processes_do_not_change_it(leaking: Path, tmp_path: Path) -> None:
    paths = [str(leaking), str(runs.asking(tmp_path / "run-2"))]
    one, two = (data(check(paths, Options(jobs=jobs)), MAX_LINE) for jobs in (1, 2))
    assert one == two


def test_the_numbers_are_those_of_the_report() -> None:
    found = full_report()
    made = data(found, MAX_LINE)
    assert made["exit"] == found.exit
    assert made["counts"]["errors"] == tally(found).errors
    assert len(made["findings"]) == len(entries(found))
    assert len(made["rounds"]) == len(found.rounds)
    assert len({one["id"] for one in made["findings"]}) == len(made["findings"])


def test_a_finding_knows_its_round_its_interaction_and_the_remote_call(leaking: Path) -> None:
    made = data(check([str(leaking)]), MAX_LINE)
    one = next(each for each in made["findings"] if each["rule"] == "LEAK101")
    home = made["rounds"][one["round"]]
    assert home["leg"] == "client"
    assert one["asked"] == ["leaked", "delegation", "content"]
    assert one["topologies"] == ["deep-research"]
    assert [made["rounds"][at]["leg"] for at in one["related"]] == ["search-agent"]
    assert one["place"][0] in [frame["n"] for frame in home["track"]["frames"]]


def test_why_is_told_in_both_languages(leaking: Path) -> None:
    rule = data(check([str(leaking)]), MAX_LINE)["rules"]["LEAK101"]
    assert rule["en"].startswith("The client sees")
    assert "客户端" in rule["zh"]


def test_a_capture_that_changed_or_is_gone_is_told_without_a_drawing(leaking: Path) -> None:
    found = check([str(leaking)])
    for file in leaking.iterdir():
        file.unlink()
    made = data(found, MAX_LINE)
    assert made["views"] == []
    assert all("track" not in one for one in made["rounds"])
    assert made["findings"]


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_texts_are_data(name: str) -> None:
    json_text(data(hostile(TEXTS[name]), MAX_LINE)).encode()


def test_a_report_of_any_size_stays_small() -> None:
    text = "<é\u202e>" * 300
    found = tuple(finding(message=f"at {at}", names=(text,) * 20, place=place(at)) for at in range(10))
    asked = tuple(interaction(prompt=text, tool_call_id=f"{at}", tool_name=text) for at in range(50))
    rounds = [
        round_(f"run-1/DA-{at}-r1.sse", scenario=f"DA-{at}", findings=found, interactions=asked)
        for at in range(100)
    ]
    rounds += [clean_round(f"run-1/EDPA-{at}-r1.sse", interactions=()) for at in range(2000)]
    made = data(report(*rounds, matrix=tuple(row(topology=f"{at}{text}") for at in range(3000))), MAX_LINE)
    assert len(json_text(made).encode()) < MOST
    assert made["left_out"]["findings"] == 100 * 10 - len(made["findings"])
    assert made["left_out"]["rounds"] == 2100 - ROUNDS
    assert made["left_out"]["rows"] == 3000 - len(made["matrix"])
    assert len(made["findings"]) > 40 and len(made["matrix"]) > 100


def test_frames_of_any_form_stay_small(tmp_path: Path) -> None:
    folder = tmp_path / "run-1"
    folder.mkdir()
    for at in range(60):
        body = b"".join(runs.leak("<&\u202e>" * 1000, f"call_{at}_{number}") for number in range(40))
        (folder / f"DA-{at}-A2A_STREAM-r1.sse").write_bytes(body + runs.status("COMPLETED"))
    made = data(check([str(folder)]), MAX_LINE)
    assert len(json_text(made).encode()) < MOST
    assert sum(len(one["track"]["frames"]) for one in made["rounds"] if "track" in one) > 20


def test_topologies_are_compared_by_kind_channel_and_exposure() -> None:
    leaked, masked = surface(
        report(round_("a"), round_("b"), clean_round("c"), round_("d", leg="search-agent"))
    )
    assert leaked["name"] == "deep-research"
    assert leaked["cells"] == [["delegation", "content", [["leaked", 2]]]]
    assert leaked["outcomes"] == [["COMPLETED", 2]]
    assert masked["cells"] == [["delegation", "control", [["masked", 1]]]]
