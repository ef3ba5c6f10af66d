"""The JSON Schema of `harness history --json`: every member, none optional, nothing beside them."""

from __future__ import annotations

from typing import Any, get_args

from harness.history.values import Course, State
from harness.model.finding import Severity

_TEXT: dict[str, Any] = {"type": "string"}
_MAYBE: dict[str, Any] = {"type": ["string", "null"]}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_TIME: dict[str, Any] = {"type": "string", "format": "date-time", "description": "UTC"}


def schema() -> dict[str, Any]:
    """The schema as a JSON value (draft 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Answer of harness history",
        **_object(
            history={"const": 1, "description": "version of this format"},
            contract={**_TEXT, "description": "the contract by which the runs were judged"},
            before={**_COUNT, "description": "runs of the contract that are older than the window"},
            runs={**_list(_ref("run")), "description": "the window, the oldest first"},
            rules={**_list(_ref("rule")), "description": "by topology and rule"},
            topologies=_list(_ref("topology")),
            others={**_list(_object(contract=_TEXT, runs=_COUNT)), "description": "runs by other contracts"},
            skipped={**_list(_object(file=_TEXT, reason=_TEXT)), "description": "files that were left out"},
        ),
        "$defs": {
            "run": _run(),
            "rule": _rule(),
            "topology": _topology(),
            "when": _object(run=_TEXT, started=_TIME),
        },
    }


def _run() -> dict[str, Any]:
    return _object(
        run=_TEXT,
        started=_TIME,
        seconds={**_numbers(), "description": "from the run's start to its end; null: not known"},
        version={**_TEXT, "description": "version of the harness that judged"},
        exit={"enum": [0, 1, 2, 3, 4]},
        rounds=_COUNT,
        events=_COUNT,
        errors={**_COUNT, "description": "findings that no waiver accepts, of what was asked for"},
        warnings=_COUNT,
        waived=_COUNT,
    )


def _rule() -> dict[str, Any]:
    when = {"$ref": "#/$defs/when"}
    maybe = {"oneOf": [when, {"type": "null"}]}
    return _object(
        topology=_MAYBE,
        rule=_TEXT,
        slug=_TEXT,
        severity={"enum": list(get_args(Severity.__value__))},
        course={
            "enum": list(get_args(Course.__value__)),
            "description": "how the window's states follow each other",
        },
        now={"enum": _states(), "description": "the last state of the window that is not unknown"},
        first={**when, "description": "the first run of the whole index that shows it"},
        last=when,
        since={**maybe, "description": "where the streak began that stands now; null: it is clean"},
        fixed={**maybe, "description": "the first clean run behind the last that shows it"},
        seen={**_COUNT, "description": "runs of the window that show it, waived or not"},
        known={**_COUNT, "description": "runs of the window that can tell"},
        states={**_list({"enum": _states()}), "description": "one for each run of the window"},
        findings={**_list(_COUNT), "description": "one number for each run of the window, waived ones too"},
    )


def _topology() -> dict[str, Any]:
    whole = {"type": ["integer", "null"], "minimum": 0}
    names = ("rounds", "events", "bytes", "seconds", "leaked", "errors", "warnings")
    members = {name: _list(_numbers() if name == "seconds" else whole) for name in names}
    return _object(
        topology=_MAYBE, runs={**_COUNT, "description": "runs of the window that have it"}, **members
    )


def _states() -> list[str]:
    return list(get_args(State.__value__))


def _numbers() -> dict[str, Any]:
    return {"type": ["number", "null"], "minimum": 0}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _object(**members: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}
