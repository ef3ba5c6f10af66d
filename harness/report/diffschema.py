"""The JSON Schema of `harness diff --json`: every member, none optional, nothing beside them."""

from __future__ import annotations

from typing import Any, get_args

from harness.diff.values import RANKS, Mark, Operation, Subject
from harness.model.capture import Ending
from harness.model.verdict import OUTCOMES

_TEXT: dict[str, Any] = {"type": "string"}
_MAYBE: dict[str, Any] = {"type": ["string", "null"]}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 1}
_EVENT: dict[str, Any] = {"type": ["integer", "null"], "description": "frame, from 1 in file order"}


def schema() -> dict[str, Any]:
    """The schema as a JSON value (draft 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Result of harness diff",
        **_object(
            diff={"const": 1, "description": "version of this format"},
            version={**_TEXT, "description": "version of the harness"},
            contract=_TEXT,
            exit={"enum": [0, 1, 3]},
            a={**_TEXT, "description": "the first path, as given"},
            b=_TEXT,
            counts=_object(**{rank: {"type": "integer", "minimum": 0} for rank in RANKS}),
            pairs=_list({"$ref": "#/$defs/pair"}),
            undecided=_list(_object(source=_TEXT, reason=_TEXT)),
        ),
        "$defs": {
            "pair": _pair(),
            "side": _side(),
            "change": _change(),
            "place": _place(),
            "row": _row(),
        },
    }


def _object(**members: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _maybe(name: str) -> dict[str, Any]:
    return {"oneOf": [{"$ref": f"#/$defs/{name}"}, {"type": "null"}]}


def _pair() -> dict[str, Any]:
    return _object(
        scenario=_TEXT,
        round={"type": "integer"},
        leg=_TEXT,
        protocol=_MAYBE,
        topology=_MAYBE,
        a={**_maybe("side"), "description": "null: the round is missing there"},
        b=_maybe("side"),
        changes={**_list({"$ref": "#/$defs/change"}), "description": "the gravest first"},
        rows={**_list({"$ref": "#/$defs/row"}), "description": "both sides, line by line"},
        undecided={**_list(_TEXT), "description": "why it can not be said that both are equal"},
        notes={**_list(_TEXT), "description": "where the comparison was coarser than usual"},
    )


def _side() -> dict[str, Any]:
    events = {"type": "integer", "minimum": 0}
    return _object(
        source=_TEXT, outcome={"enum": list(OUTCOMES)}, ending={"enum": _names(Ending)}, events=events
    )


def _change() -> dict[str, Any]:
    return _object(
        rank={"enum": list(RANKS)},
        subject={"enum": _names(Subject)},
        operation={"enum": _names(Operation)},
        name={**_TEXT, "description": "what changed"},
        before={**_MAYBE, "description": "A's value, cut to where it differs; ids by stable names (call#1)"},
        after=_MAYBE,
        a={"$ref": "#/$defs/place"},
        b={"$ref": "#/$defs/place"},
        count={**_COUNT, "description": "places that show it"},
    )


def _place() -> dict[str, Any]:
    span = {"type": ["array", "null"], "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
    return _object(event=_EVENT, pointer=_MAYBE, span={**span, "description": "bytes [start, end)"})


def _row() -> dict[str, Any]:
    return _object(
        mark={"enum": _names(Mark)},
        rank={"enum": [*RANKS, None]},
        a=_MAYBE,
        b=_MAYBE,
        event_a=_EVENT,
        event_b=_EVENT,
        count={**_COUNT, "description": "of skipped: how many lines are left out"},
    )


def _names(alias: Any) -> list[str]:
    return list(get_args(alias.__value__))
