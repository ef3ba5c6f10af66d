"""Interrupts as other places spell them: the Python core's snake_case, and Java's toString."""

from collections.abc import Mapping
from typing import Any

from harness.testbed.core.chunks import INTERACTION, Chunk, interaction
from harness.testbed.core.rails import Interrupt


def spelled(index: int, one: Interrupt, core: str) -> Chunk:
    """The `__interaction__` chunk of an interrupt."""
    return interaction(index, one.id, one.value if core == "java" else python_value(index, one))


def python_value(index: int, one: Interrupt) -> Any:
    """The interrupt request of the Python core; null members are left out, as the Java writer does."""
    if not isinstance(one.value, Mapping):
        return one.value
    extras = {key: one.value[key] for key in ("context", "questions") if key in one.value}
    return {
        "message": one.value["message"],
        "payload_schema": one.value.get("payloadSchema", {}),
        "auto_confirm_key": one.value.get("autoConfirmKey", ""),
        "metadata": {},
        "tool_name": one.call.name,
        "tool_call_id": one.call.id,
        "tool_args": one.call.arguments,
        "index": index,
        **extras,
    }


def printed_interaction(one: Chunk) -> str:
    """An interrupt frame as Java prints it (seed 001, section 1)."""
    return f"{{payload={_printed_payload(one)}, type={INTERACTION}}}"


def printed_result(frames: list[Chunk]) -> str:
    """An interrupt result as Java prints it (seed 001, section 3)."""
    state = ", ".join(
        f"OutputSchema{{type='{INTERACTION}', index={one['index']}, payload={_printed_payload(one)}}}"
        for one in frames
    )
    ids = ", ".join(one["payload"]["id"] for one in frames)
    return f"{{result_type=interrupt, state=[{state}], interrupt_ids=[{ids}]}}"


def printed(value: Any) -> str:
    """Java's String.valueOf of maps, lists and plain values."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case Mapping():
            return "{" + ", ".join(f"{key}={printed(one)}" for key, one in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(printed, value)) + "]"
        case _:
            return str(value)


def _printed_payload(one: Chunk) -> str:
    payload = one["payload"]
    return f"InteractionOutput{{id='{payload['id']}', value={printed(payload['value'])}, metadata={{}}}}"
