"""The JSON Schema of the JSON report: every member, none optional, nothing beside them."""

from __future__ import annotations

from typing import Any, get_args

from harness.model.capture import Ending
from harness.model.event import Binding, Channel, Dialect
from harness.model.finding import Severity
from harness.model.interaction import Exposure, Kind
from harness.model.verdict import OUTCOMES


def schema() -> dict[str, Any]:
    """The schema as a JSON value (draft 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Report of harness check",
        **_object(
            report={"const": 1, "description": "version of this format"},
            version={"type": "string", "description": "version of the harness"},
            contract={"type": "string"},
            exit={"enum": [0, 1, 2, 3, 4]},
            rounds=_list(_ref("round")),
            findings=_list(_ref("group")),
            unread=_list(_ref("unread")),
            matrix=_list(_ref("row")),
        ),
        "$defs": {
            "span": _span(),
            "place": _object(**_place()),
            "round": _round(),
            "interaction": _interaction(),
            "finding": _object(**_finding()),
            "group": _object(**_finding(), rounds=_list(_TEXT, "sources of the rounds that are compared")),
            "unread": _object(source=_TEXT, reason=_TEXT, span=_ref("span")),
            "row": _row(),
        },
    }


_TEXT: dict[str, Any] = {"type": "string"}
_MAYBE: dict[str, Any] = {"type": ["string", "null"]}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}


def _object(**members: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any], description: str | None = None) -> dict[str, Any]:
    value: dict[str, Any] = {"type": "array", "items": items}
    return value if description is None else {**value, "description": description}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _names(alias: Any, *, maybe: bool = False) -> dict[str, Any]:
    names: list[str | None] = list(get_args(alias.__value__))
    return {"enum": [*names, None] if maybe else names}


def _span() -> dict[str, Any]:
    return {
        "description": "bytes [start, end) of the decompressed file; null: unknown",
        "type": ["array", "null"],
        "items": _COUNT,
        "minItems": 2,
        "maxItems": 2,
    }


def _place() -> dict[str, Any]:
    return {
        "event": {"type": ["integer", "null"], "minimum": 0, "description": "frame, from 1 in file order"},
        "pointer": {
            **_MAYBE,
            "description": "RFC 6901 in the frame; # steps into a JSON text held by a string",
        },
        "span": _ref("span"),
    }


def _round() -> dict[str, Any]:
    return _object(
        source=_TEXT,
        scenario=_TEXT,
        topology=_MAYBE,
        protocol=_MAYBE,
        round={"type": "integer"},
        leg=_TEXT,
        dialect=_names(Dialect, maybe=True),
        binding=_names(Binding, maybe=True),
        http_status={"type": ["integer", "null"]},
        events=_COUNT,
        ending=_names(Ending),
        outcome={"enum": list(OUTCOMES)},
        unread={**_COUNT, "description": "records of the round that could not be read"},
        interactions=_list(_ref("interaction")),
        findings=_list(_ref("finding")),
        not_checked=_list(_object(rule=_TEXT, reason=_TEXT)),
    )


def _interaction() -> dict[str, Any]:
    return _object(
        kind=_names(Kind),
        channel=_names(Channel),
        exposure=_names(Exposure),
        tool_call_id=_MAYBE,
        tool_name=_MAYBE,
        agent=_MAYBE,
        prompt=_MAYBE,
        shape={**_TEXT, "description": "id of the mapping clause that read it"},
        **_place(),
        sightings=_list(_ref("place")),
    )


def _finding() -> dict[str, Any]:
    return {
        "rule": _TEXT,
        "slug": _TEXT,
        "severity": _names(Severity),
        "message": _TEXT,
        "count": {"type": "integer", "minimum": 1, "description": "places that show it"},
        **_place(),
        "also": {**_list(_ref("place")), "maxItems": 2},
        "names": _list(_TEXT),
        "waived": {**_MAYBE, "description": "id of the waiver that accepts it"},
    }


def _row() -> dict[str, Any]:
    outcomes = {
        "type": "object",
        "propertyNames": {"enum": list(OUTCOMES)},
        "additionalProperties": {"type": "integer", "minimum": 1},
    }
    return _object(
        topology=_MAYBE,
        kind=_MAYBE,
        scenario=_MAYBE,
        rounds=_COUNT,
        events=_COUNT,
        outcomes=outcomes,
        native=_COUNT,
        masked=_COUNT,
        leaked=_COUNT,
        declared=_COUNT,
        errors=_COUNT,
        warnings=_COUNT,
        infos=_COUNT,
        waived=_COUNT,
    )
