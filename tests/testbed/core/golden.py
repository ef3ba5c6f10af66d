"""What the golden captures hold of the core: chunks and interrupts, as the Java SDK wrote them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CAPTURES = Path(__file__).resolve().parents[3] / "captures" / "golden" / "openjiuwen-on-java-sdk"


def frames(case: str) -> list[dict[str, Any]]:
    """The results of the frames of a capture."""
    lines = (CAPTURES / f"{case}.body").read_text(encoding="utf-8").split("\n")
    return [json.loads(line.removeprefix("data:"))["result"] for line in lines if line.startswith("data:")]


def chunks(case: str) -> list[dict[str, Any]]:
    """The chunks in the content channel of a capture."""
    parts = [
        part
        for one in frames(case)
        for part in one.get("artifactUpdate", {}).get("artifact", {}).get("parts", ())
    ]
    return [part["data"] for part in parts if "data" in part]


def interrupts(case: str) -> list[dict[str, Any]]:
    """The interrupts on the control channel of a capture, as the core gave them: type, index, payload."""
    status = frames(case)[-1]["statusUpdate"]["status"]
    told = status["message"]["metadata"]["_interrupt"]
    items = told.get("items", [told])
    return [{key: one[key] for key in ("type", "index", "payload")} for one in items]


def text(value: object) -> str:
    """JSON text with the order of members kept."""
    return json.dumps(value, ensure_ascii=False)
