"""Scenario files and small captures for the plugin's tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.rules.example import artifact, interrupt, status, task
from harness.rules.waived import _LEAK

LOGS = Path(__file__).parents[2] / "captures" / "golden" / "sit-logs" / "run-20260811-093000"
OPEN = (task(), status("working"))
GREEN = (*OPEN, artifact("The answer is 42."), status("completed"))
LEAK = (*OPEN, _LEAK, artifact("The answer is 42."), status("completed"))
ASKS = (
    *OPEN,
    interrupt(
        {
            "message": "Which hotel?",
            "items": [{"toolCallId": "call_00_Ex", "toolName": "hotel-agent", "message": "Which hotel?"}],
        },
        "Which hotel?",
    ),
)
UNKNOWN = ('{"hello": 1}',)
"""Nothing is recognised."""
WARNS = (*OPEN, artifact("x", append=True), status("completed"))


def scenario(folder: Path, name: str = "DA-1", rounds: str = "  - send: Compare\n", **members: Any) -> Path:
    """A scenario file; `rounds` as YAML, other members as JSON."""
    values = {"topology": "deep-research", **members}
    lines = ["version: 1", f"name: {name}", *(f"{key}: {json.dumps(value)}" for key, value in values.items())]
    path = folder / f"{name.lower()}.scenario.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\nrounds:\n" + rounds, encoding="utf-8")
    return path


def capture(
    folder: Path, name: str = "DA-1", frames: tuple[Any, ...] = GREEN, round: int = 1, leg: str = "client"
) -> Path:
    """A recorded stream of one round."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-A2A_STREAM-r{round}.{leg}.sse"
    texts = (one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in frames)
    path.write_text(
        "".join(f"data: {text}\n\n" for text in texts), encoding="utf-8", errors="surrogateescape"
    )
    return path


def torn(folder: Path, name: str = "DA-1", leg: str = "client") -> Path:
    """A wire log of which one record was cut off."""
    lines = (LOGS / "DA-09-A2A_STREAM-r1.log").read_text(encoding="utf-8").replace("DA-09", name).split("\n")
    cut = [line[:420] + " … <truncated>" if "controller_output" in line else line for line in lines]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-A2A_STREAM-r1{'' if leg == 'client' else '.' + leg}.log"
    path.write_text("\n".join(cut), encoding="utf-8")
    return path


def waivers(
    folder: Path, rule: str = "LEAK101", scope: str = "{scenario: DA-1}", expires: str = "2099-12-31"
) -> Path:
    """A file of one waiver, W-1."""
    path = folder / "waivers.yaml"
    path.write_text(
        "version: 1\nwaivers:\n"
        f"  - id: W-1\n    rule: {rule}\n    scope: {scope}\n    reason: mended with the next release\n"
        f"    issue: https://tracker.example/1\n    owner: runtime team\n    expires: {expires}\n",
        encoding="utf-8",
    )
    return path
