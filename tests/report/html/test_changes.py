"""A diff as a part of the page: all of it where there is room, the gravest where there is not."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from harness.diff.values import Change, Difference, Pair, Row, Side, Undecided
from harness.report.diffjson import pair
from harness.report.html import diff_pieces, pieces
from harness.report.html.changes import BESIDE, changes
from harness.report.html.encode import json_text
from harness.report.html.room import Room
from tests.report.diffvalues import FULL, GONE, SAME, difference
from tests.report.hostile import TEXTS
from tests.report.values import finding, full_report, interaction, report, round_

SIDE = Side("a/x.sse", "COMPLETED", "clean", 9)


def shown(found: Difference, size: int = BESIDE) -> dict[str, Any]:
    return changes(found, Room(size))


def many(number: int, *changes: Change, rows: int = 0) -> tuple[Pair, ...]:
    lines = tuple(Row("changed", "text", "a" * 300, "b" * 300, at, at) for at in range(rows))
    return tuple(Pair(f"S-{at}", 1, "client", None, None, SIDE, SIDE, changes, lines) for at in range(number))


def test_the_pairs_are_those_of_the_json_and_the_gravest_come_first() -> None:
    made = shown(difference())
    assert [one["scenario"] for one in made["pairs"]] == ["DA-09", "EXP-01", "DA-01"]
    full = pair(FULL)
    assert {name: made["pairs"][0][name] for name in full} == full
    assert made["pairs"][0]["counts"] == {"contract": 2, "shape": 2, "text": 1, "timing": 1}
    assert made["pairs"][0]["more"] == [0, 0]
    assert made["pairs"][1]["b"] is None
    assert made["left_out"] == {"pairs": 0, "undecided": 0}
    assert (made["rounds"], made["undecided_count"]) == (3, 2)


def test_what_is_undecided_stands_before_what_is_equal() -> None:
    doubt = SAME._replace(scenario="Z", undecided=("B: torn",))
    made = shown(difference()._replace(pairs=(SAME, doubt, GONE)))
    assert [one["scenario"] for one in made["pairs"]] == ["EXP-01", "Z", "DA-01"]


def test_where_room_is_short_lines_go_before_changes_and_mild_pairs_before_grave_ones() -> None:
    text, grave = (Change(rank, "member", "changed", "m" * 500) for rank in ("text", "contract"))
    pairs = many(40, text, rows=100) + many(1, grave, rows=100)
    made = shown(Difference("1", "masked", "a", "b", 1, pairs), 100_000)
    assert len(json_text(made["pairs"])) <= 100_000
    assert made["pairs"][0]["changes"][0]["rank"] == "contract" and len(made["pairs"][0]["rows"]) > 0
    assert len(made["pairs"]) == 41
    assert made["pairs"][-1]["rows"] == [] and made["pairs"][-1]["more"][1] == 100
    assert made["pairs"][-1]["counts"]["text"] == 1


def test_what_has_no_room_is_counted() -> None:
    one = Change("shape", "member", "added", "m")
    found = Difference("1", "masked", "a", "b", 1, many(400, *(one,) * 400))
    made = shown(found, 100_000)
    assert made["left_out"]["pairs"] == 400 - len(made["pairs"]) > 0
    assert made["rounds"] == 400
    first = made["pairs"][0]
    assert len(first["changes"]) + first["more"][0] == first["counts"]["shape"] == 400


def test_a_page_of_any_diff_stays_below_5_mb() -> None:
    said = Change("contract", "text", "changed", "<" * 900, "&" * 900, "中" * 9000)
    lost = tuple(Undecided(f"{at}" * 900, "no capture") for at in range(9000))
    found = Difference("1", "masked", "a" * 10**6, "b", 1, many(9, *(said,) * 400, rows=500), lost)
    assert sum(len(piece.encode()) for piece in diff_pieces(found)) < 5_000_000


def test_beside_a_report_of_any_size_it_stays_below_5_mb() -> None:
    said = Change("contract", "text", "changed", "<" * 900, "&" * 900, "中" * 9000)
    found = Difference("1", "masked", "a", "b", 1, many(9, *(said,) * 400, rows=500))
    text = TEXTS["long words"]
    one = round_(interactions=(interaction(prompt=text),) * 40, findings=(finding(message=text),) * 20)
    full = report(*(one._replace(source=f"{at}.sse") for at in range(300)))
    assert sum(len(piece.encode()) for piece in pieces(full, diff=found)) < 5_000_000


def test_equal_input_gives_an_equal_page() -> None:
    assert "".join(diff_pieces(difference())) == "".join(diff_pieces(difference()))


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_texts_end_no_script_and_open_no_element(name: str) -> None:
    text = TEXTS[name]
    change = Change("contract", "interaction", "changed", text, text, text)
    row = Row("changed", "contract", text, text, 1, 1)
    side = Side(text, "COMPLETED", "clean", 1)
    one = Pair(text, 1, text, text, text, side, side, (change,), (row,), (text,), (text,))
    made = "".join(
        diff_pieces(Difference("1", "masked", text, text, 1, (one,), (Undecided(text, text),)), "zh")
    )
    assert made.count("<script") == made.count("</script>") == 2
    assert "<img" not in made and "<!--" not in made
    assert not re.search("[\u202e\u2066\u200b\u2028\ufeff\ud800-\udfff\x00\x1b]", made)
    made.encode("utf-8")


def test_it_stands_beside_a_report() -> None:
    made = "".join(pieces(full_report(), diff=difference()))
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', made, re.DOTALL)
    assert held
    value = json.loads(held[1])
    assert value["matrix"] and value["diff"]["counts"]["contract"] == difference().counts()["contract"]
    assert "<title>A2A acceptance report</title>" in made
