"""The runtime's faults that can be done to the results on their way out; the others stand where they happen.

Each function takes one result and gives what is sent in its place. Names: `harness.testbed.defects`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from harness.testbed.runtime.frames import Place, artifact, artifact_update, new_id, text_part

type Json = dict[str, Any]
type Publish = Callable[[Json], None]

CHANGED = "_x"
"""What `toolcall-changed` puts behind a toolCallId."""


def harmed(publish: Publish, defects: frozenset[str]) -> Publish:
    """`publish`, with the faults that are switched on."""
    stages = [HARMS[name] for name in sorted(defects & HARMS.keys())]
    if "wrong-ids" in defects:
        stages.append(_wrong_id_once())
    if not stages:
        return publish

    def send(result: Json) -> None:
        results = [result]
        for stage in stages:
            results = [sent for one in results for sent in stage(one)]
        for one in results:
            publish(one)

    return send


def _proxy_extra(result: Json) -> list[Json]:
    return _items(result, lambda item: {**item, "priority": 1})


def _masking_off(result: Json) -> list[Json]:
    def unmasked(item: Json) -> Json:
        return {**item, "context": {"_interrupt_kind": "a2a_delegate", "agentName": item["toolName"]}}

    return _items(result, unmasked)


def _toolcall_changed(result: Json) -> list[Json]:
    return _items(result, lambda item: {**item, "toolCallId": item["toolCallId"] + CHANGED})


def _runtime_keys(result: Json) -> list[Json]:
    if not _is_completed(result):
        return [result]
    update = {**result["statusUpdate"], "metadata": {"runtime.remoteBatchId": "batch-7f3a"}}
    return [{"statusUpdate": update}]


def _missing_terminal(result: Json) -> list[Json]:
    return [] if _is_completed(result) else [result]


def _events_after_end(result: Json) -> list[Json]:
    if not _is_completed(result):
        return [result]
    update = result["statusUpdate"]
    place = Place(update["taskId"], update["contextId"])
    return [result, artifact_update(place, artifact([text_part("one more thing")]))]


def _wrong_id_once() -> Callable[[Json], list[Json]]:
    done = False

    def wrong(result: Json) -> list[Json]:
        nonlocal done
        if done or "artifactUpdate" not in result:
            return [result]
        done = True
        return [{"artifactUpdate": {**result["artifactUpdate"], "taskId": new_id()}}]

    return wrong


HARMS: dict[str, Callable[[Json], list[Json]]] = {
    "proxy-extra": _proxy_extra,
    "masking-off": _masking_off,
    "toolcall-changed": _toolcall_changed,
    "runtime-keys": _runtime_keys,
    "missing-terminal": _missing_terminal,
    "events-after-end": _events_after_end,
}


def _is_completed(result: Json) -> bool:
    status = (result.get("statusUpdate") or {}).get("status") or {}
    return bool(status.get("state") == "TASK_STATE_COMPLETED")


def _items(result: Json, change: Callable[[Json], Json]) -> list[Json]:
    """The result with each item of its proxy interrupt changed."""
    status = (result.get("statusUpdate") or {}).get("status") or {}
    interrupt = ((status.get("message") or {}).get("metadata") or {}).get("_interrupt") or {}
    if "items" not in interrupt or "type" in interrupt:
        return [result]
    made = copy.deepcopy(result)
    shown = made["statusUpdate"]["status"]["message"]["metadata"]["_interrupt"]
    shown["items"] = [change(item) for item in shown["items"]]
    return [made]
