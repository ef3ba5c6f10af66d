"""The JSON report has the members that are promised, in order, and is always valid."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.capture import Unread
from harness.report.json import pieces, text
from harness.report.schema import schema
from tests.report.values import finding, full_report, interaction, place, report, round_, row

ROUND = [
    "source", "scenario", "topology", "protocol", "round", "leg", "dialect", "binding", "http_status", "events",
    "ending", "outcome", "unread", "interactions", "findings", "not_checked",
]  # fmt: skip
INTERACTION = [
    "kind", "channel", "exposure", "tool_call_id", "tool_name", "agent", "prompt", "shape", "event", "pointer", "span",
    "sightings",
]  # fmt: skip
FINDING = [
    "rule",
    "slug",
    "severity",
    "message",
    "count",
    "event",
    "pointer",
    "span",
    "also",
    "names",
    "waived",
]
ROW = [
    "topology", "kind", "scenario", "rounds", "events", "outcomes", "native", "masked", "leaked", "declared", "errors",
    "warnings", "infos", "waived",
]  # fmt: skip


def test_members_and_their_order() -> None:
    value = json.loads(text(full_report()))
    assert list(value) == ["report", "version", "contract", "exit", "rounds", "findings", "unread", "matrix"]
    assert list(value["rounds"][0]) == ROUND
    assert list(value["rounds"][0]["interactions"][0]) == INTERACTION
    assert list(value["rounds"][0]["interactions"][0]["sightings"][0]) == ["event", "pointer", "span"]
    assert list(value["rounds"][0]["findings"][0]) == FINDING
    assert list(value["rounds"][0]["not_checked"][0]) == ["rule", "reason"]
    assert list(value["findings"][0]) == [*FINDING, "rounds"]
    assert list(value["unread"][0]) == ["source", "reason", "span"]
    assert list(value["matrix"][0]) == ROW


def test_values() -> None:
    value = json.loads(text(full_report()))
    one = value["rounds"][0]
    assert one["unread"] == 1
    assert one["interactions"][0]["event"] == 4
    assert one["interactions"][0]["span"] == [1200, 2400]
    assert [seen["event"] for seen in one["interactions"][0]["sightings"]] == [4, 5]
    assert one["findings"][1]["count"] == 7
    assert one["findings"][1]["also"][1] == {"event": 6, "pointer": None, "span": None}
    assert one["findings"][1]["waived"] == "W-1"
    assert value["findings"][0]["rounds"] == [
        "run-1/DA-09-A2A_STREAM-r1.log",
        "run-1/EDPA-03-A2A_STREAM-r1.log",
    ]
    assert value["unread"][1] == {"source": "notes.txt", "reason": "not a capture", "span": None}


def test_it_is_as_the_schema_says() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(json.loads(text(full_report())), schema())


@pytest.mark.parametrize(
    "spoil", [lambda r: r.pop("waived"), lambda r: r.update(extra=1), lambda r: r.update(rule=7)]
)
def test_the_schema_refuses_what_differs(spoil: object) -> None:
    value = json.loads(text(full_report()))
    spoil(value["rounds"][0]["findings"][0])  # type: ignore[operator]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, schema())


def test_equal_reports_are_equal_bytes() -> None:
    assert text(full_report()).encode() == text(full_report()).encode()
    assert "".join(pieces(full_report())) == text(full_report())


def test_outcomes_stand_in_one_order() -> None:
    first = text(report(matrix=(row(outcomes={"COMPLETED": 1, "INTERACTION": 2}),)))
    second = text(report(matrix=(row(outcomes={"INTERACTION": 2, "COMPLETED": 1, "FAILED": 0}),)))
    assert first == second


def test_one_line_a_round() -> None:
    lines = text(report(round_(), round_())).splitlines()
    assert sum(line.startswith('{"source"') for line in lines) == 2


def test_empty_lists() -> None:
    value = json.loads(text(report()._replace(rounds=(), matrix=())))
    assert value["rounds"] == value["matrix"] == value["unread"] == []


@given(st.text(alphabet=st.characters()))
def test_odd_text_stays_valid_and_readable(odd: str) -> None:
    one = round_(
        odd,
        interactions=(interaction(prompt=odd),),
        findings=(finding(message=odd, place=place(pointer="/" + odd), names=(odd,)),),
    )
    written = text(report(one, unread=(Unread(odd, odd, None),)))
    raw = written.encode()
    assert not any(c in written for c in "\x1b\x7f\x9b\u202e\u2028\u2029\ufeff")
    value = json.loads(raw)
    kept = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in odd)
    assert value["rounds"][0]["findings"][0]["message"] == kept
    assert value["rounds"][0]["source"] == kept
