"""Identity of interactions: semantics section 3."""

from __future__ import annotations

from typing import Any

from harness.mapping.collect import collect
from harness.model.interaction import Place, Sighting


def sighting(event: int, **more: Any) -> Sighting:
    values: dict[str, Any] = {
        "kind": "delegation", "channel": "content", "exposure": "leaked", "place": Place(event, "/a", (0, 1)),
        "shape": "s", "tool_call_id": "c1", "task_id": "t",
    }  # fmt: skip
    return Sighting(**{**values, **more})


def sizes(*sightings: Sighting) -> list[int]:
    return [len(one.sightings) for one in collect(sightings)]


def test_the_same_call_again_is_one_more_sighting() -> None:
    assert sizes(sighting(1), sighting(2), sighting(3, tool_call_id="c2")) == [2, 1]


def test_channel_exposure_and_task_tell_interactions_apart() -> None:
    assert sizes(
        sighting(1), sighting(2, channel="control"), sighting(3, exposure="masked"), sighting(4, task_id="u")
    ) == [1, 1, 1, 1]


def test_without_a_call_the_id_counts_then_the_place() -> None:
    anonymous = {"tool_call_id": None}
    assert sizes(sighting(1, **anonymous, interrupt_id="q"), sighting(2, **anonymous, interrupt_id="q")) == [
        2
    ]
    assert sizes(sighting(1, **anonymous), sighting(2, **anonymous)) == [1, 1]
    assert sizes(sighting(1), sighting(2, **anonymous, interrupt_id="c1")) == [2]


def test_what_the_first_sighting_lacks_a_later_one_gives() -> None:
    [one] = collect([sighting(1), sighting(2, tool_name="x", agent="a", prompt="p", shape="later")])
    assert (one.tool_name, one.agent, one.prompt, one.shape) == ("x", "a", "p", "s")


def test_plain_questions_count_only_alone_and_as_one() -> None:
    plain = {
        "kind": "user_input",
        "exposure": "native",
        "tool_call_id": None,
        "fallback": True,
        "channel": "control",
    }
    assert sizes(sighting(1, **plain), sighting(2, **plain)) == [2]
    assert [one.kind for one in collect([sighting(1, **plain), sighting(2)])] == ["delegation"]
    assert collect([]) == ()
