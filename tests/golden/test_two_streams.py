"""Recorded streams of one task side by side, and a recorded GetTask: compared, and nothing found.

Expectations are those of java-sdk.md (1.2: a second turn appears on the first stream as well; 4:
snapshot and next chunk follow without gap or duplicate) and of a2a.md M03.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GOLDEN = "captures/golden"
JAVA, OJ, PY = "a2a-java-sdk-1.0.0", "openjiuwen-on-java-sdk", "a2a-sdk-1.3.0"
CODES = ("MUL801", "MUL802", "MUL803", "ART707")


@pytest.fixture(scope="session")
def rounds(check: Callable[..., Any]) -> dict[str, Any]:
    report = check("--contract", "a2a", GOLDEN).report
    return {str(Path(r["source"]).relative_to(GOLDEN).with_suffix("")): r for r in report["rounds"]}


def lacking(found: dict[str, Any]) -> set[str]:
    return {entry["rule"] for entry in found["not_checked"]} & set(CODES)


@pytest.mark.parametrize(
    ("name", "checked"),
    [
        (f"{JAVA}/y_v1_slow", "MUL801 MUL803"),
        (f"{JAVA}/y_v1_slow_resub", "MUL801 MUL803"),
        (f"{OJ}/y_v1_slow", "MUL801 MUL803"),
        (f"{OJ}/y_v1_slow_resub", "MUL801 MUL803"),
        (f"{JAVA}/x_v1_ask_turn1_open", "MUL801 MUL803"),
        (f"{JAVA}/x_v1_ask_turn2", "MUL801"),
        (f"{JAVA}/x_v1_sub_interrupted", "MUL801 MUL803"),
        (f"{OJ}/x_v1_ask_turn1_open", "MUL801 MUL803"),
        (f"{OJ}/x_v1_ask_turn2", "MUL801"),
        (f"{OJ}/x_v1_sub_interrupted", "MUL801 MUL803"),
        (f"{PY}/y_v1_slow_resub", "MUL801 MUL803"),
        (f"{PY}/y_v1_slow_resub_rest", "MUL801 MUL803"),
        (f"{JAVA}/x_v1_raise_state", "ART707"),
        (f"{JAVA}/x_v1_get_after_raise", "ART707"),
    ],
)
def test_compared(name: str, checked: str, rounds: dict[str, Any]) -> None:
    assert not set(checked.split()) & lacking(rounds[name])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (f"{PY}/y_v1_slow_cut", "it broke off after s4, and the subscriptions join at s5"),
        (f"{PY}/x_v1_ask_turn2", "the first turn's stream was closed at its question"),
        (f"{PY}/v1_rpc_complete", "nobody subscribed to its task"),
        (f"{JAVA}/x_v1_get_after_drop", "the Task is WORKING: it may go on"),
    ],
)
def test_not_compared(name: str, why: str, rounds: dict[str, Any]) -> None:
    assert set(CODES) <= lacking(rounds[name]), why


def test_nothing_is_found(rounds: dict[str, Any]) -> None:
    found = {(name, f["rule"]) for name, one in rounds.items() for f in one["findings"]}
    assert not {(name, rule) for name, rule in found if rule in CODES}
