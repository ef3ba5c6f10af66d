"""Reports built by hand, as small as a test needs them."""

from __future__ import annotations

from typing import Any

from harness.model.capture import Unread
from harness.model.finding import Finding, NotChecked
from harness.model.frame import Span
from harness.model.interaction import Interaction, Place, Sighting
from harness.model.verdict import Group, Report, Round, Row

DA09 = "run-1/DA-09-A2A_STREAM-r1.log"
POINTER = "/result/artifactUpdate/artifact/parts/0/data/payload/data/0"


def place(
    event: int | None = 4, pointer: str | None = POINTER, span: tuple[int, int] | None = (1200, 2400)
) -> Place:
    return Place(event, pointer, None if span is None else Span(*span))


def finding(rule: str = "LEAK101", severity: str = "error", **more: Any) -> Finding:
    values: dict[str, Any] = {
        "rule": rule,
        "slug": "delegation-on-content",
        "severity": severity,
        "message": "delegation to search-agent is visible on the content channel",
        "why": "A client must not learn which internal agents work for it. Mask the frame.",
        "place": place(),
        "snippet": '{"toolName":"search-agent","context":{"_interrupt_kind":"a2a_delegate"}}',
    }
    return Finding(**{**values, **more})


def interaction(exposure: str = "leaked", kind: str = "delegation", **more: Any) -> Interaction:
    values: dict[str, Any] = {
        "kind": kind,
        "channel": "content",
        "exposure": exposure,
        "tool_call_id": "call_00_Zx0AbC",
        "tool_name": "search-agent",
        "agent": "search-agent",
        "prompt": "price of A",
        "shape": "core-interrupt",
        "task_id": "t-1",
        **more,
    }
    if "sightings" not in values:
        seen = Sighting(values["kind"], values["channel"], values["exposure"], place(), values["shape"])
        values["sightings"] = (seen, seen._replace(place=place(5)))
    return Interaction(**values)


def round_(source: str = DA09, **more: Any) -> Round:
    values: dict[str, Any] = {
        "scenario": "DA-09",
        "topology": "deep-research",
        "protocol": "A2A_STREAM",
        "round": 1,
        "leg": "client",
        "dialect": "v1.0",
        "binding": "jsonrpc",
        "http_status": None,
        "events": 7,
        "ending": "unknown",
        "outcome": "COMPLETED",
        "interactions": (interaction(),),
        "findings": (finding(),),
        "not_checked": (NotChecked("RPC302", "frames were rebuilt by the log"),),
    }
    return Round(source, **{**values, **more})


def row(**more: Any) -> Row:
    values: dict[str, Any] = {
        "topology": "deep-research",
        "kind": "deepagent",
        "scenario": None,
        "rounds": 1,
        "events": 7,
        "outcomes": {"COMPLETED": 1},
        "native": 0,
        "masked": 0,
        "leaked": 1,
        "declared": 0,
        "errors": 1,
        "warnings": 0,
        "infos": 0,
        "waived": 0,
    }
    return Row(**{**values, **more})


def clean_round(source: str = "run-1/EDPA-03-A2A_STREAM-r1.log", **more: Any) -> Round:
    values: dict[str, Any] = {
        "scenario": "EDPA-03",
        "topology": "edpa",
        "outcome": "INTERACTION",
        "interactions": (interaction("masked", channel="control"),),
        "findings": (),
    }
    return round_(source, **{**values, **more})


def group() -> Group:
    found = finding(
        "SYM401",
        message="delegation is leaked in deep-research, masked in edpa",
        place=place(None, None, None),
    )
    return Group(found, (DA09, "run-1/EDPA-03-A2A_STREAM-r1.log"))


def report(*rounds: Round, **more: Any) -> Report:
    values: dict[str, Any] = {
        "version": "0.1.0",
        "contract": "masked",
        "exit": 1,
        "rounds": rounds or (round_(),),
        "findings": (),
        "not_checked": (),
        "unread": (),
        "matrix": (row(),),
    }
    return Report(**{**values, **more})


def full_report() -> Report:
    """Every member of every value is filled somewhere."""
    lost = Unread(DA09, "raw JSON is truncated", Span(5, 9))
    also = finding(also=(place(5), place(6, None, None)), times=7, names=("search-agent",), waived="W-1")
    return report(
        round_(unread=(lost,), findings=(finding(), also, finding("ART701", "warning", snippet=""))),
        clean_round(),
        findings=(group(),),
        not_checked=(NotChecked("RES601", "one round only"),),
        unread=(lost, Unread("notes.txt", "not a capture", None)),
        matrix=(
            row(),
            row(
                topology="edpa", kind="plan-agent", leaked=0, masked=1, errors=0, outcomes={"INTERACTION": 1}
            ),
        ),
        not_captures=2,
    )
