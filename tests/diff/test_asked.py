"""Interactions: what is shown, on which channel, how, and how often, is the contract."""

from __future__ import annotations

from harness.diff.asked import calls, frames, interactions
from harness.model.frame import Span
from harness.model.interaction import Interaction, Place, Sighting


def one(tool: str, exposure: str = "leaked", channel: str = "content", prompt: str = "p", event: int = 1):
    place = Place(event, "/x", Span(0, 1))
    sighting = Sighting("delegation", channel, exposure, place, "s", tool_name=tool)
    return Interaction("delegation", channel, exposure, "c", tool, tool, prompt, "s", "t", (sighting,))


def told(a, b) -> list[tuple[str, str, str | None, str | None]]:
    return [(c.operation, c.name, c.before, c.after) for c in interactions(a, b)]


def test_number_and_not_order() -> None:
    assert told([one("a"), one("b")], [one("b"), one("a", prompt="other")]) == []
    assert told([one("a")], [one("a", event=2), one("b", event=9)]) == [
        ("added", "b", None, "leaked delegation on content")
    ]
    changes = interactions([one("a")], [one("a", event=2), one("b", event=9)])
    assert frames(changes) == (frozenset(), frozenset({9}))


def test_exposure_and_channel_change() -> None:
    assert told([one("a", "masked", "control")], [one("a", "leaked", "control")]) == [
        ("changed", "a", "masked delegation on control", "leaked delegation on control")
    ]
    assert told([one("a")], [one("a", channel="control")]) == [
        ("changed", "a", "leaked delegation on content", "leaked delegation on control")
    ]


def test_the_one_that_was_lost_is_told_by_its_prompt() -> None:
    a = [one("s", prompt="A", event=1), one("s", prompt="B", event=2), one("s", prompt="C", event=3)]
    (change,) = interactions(a, [a[0], a[2]])
    assert change.operation == "removed" and change.a.event == 2


def test_many(no_hang) -> None:
    many = [one(f"t{n % 7}", event=n) for n in range(20_000)]
    assert len(interactions(many, many[:-5])) == 5


def test_calls_that_ask_the_same() -> None:
    a = [one("s", prompt="A")._replace(tool_call_id="a1"), one("s", prompt="B")._replace(tool_call_id="a2")]
    b = [one("s", prompt="B")._replace(tool_call_id="b1"), one("s", prompt="C")._replace(tool_call_id="b2")]
    assert calls(a, b) == [("a2", "b1")]
    assert calls(a, [b[0]._replace(tool_call_id=None)]) == []
