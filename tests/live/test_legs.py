"""Which edges are recorded, and what callers are told of them."""

from __future__ import annotations

import pytest

from harness import topologies
from harness.errors import ScenarioError
from harness.live.legs import legs_of, peers_of, through
from harness.record import Leg

FREE = ("127.0.0.1", 0)
TEXT = """\
version: 1
topologies:
  - name: one
    entry: a
    agents: [{name: a}, {name: b}, {name: c}]
    edges: [{from: client, to: a}, {from: a, to: b, leg: bee}, {from: b, to: c}]
  - name: two
    entry: b
    agents: [{name: b}, {name: c}]
    edges: [{from: client, to: b}, {from: b, to: c}]
"""
URLS = {"a": "http://h:1/a2a", "b": "http://h:2/a2a", "c": "http://h:3/a2a"}
BOTH = topologies.parse(TEXT, "t.yaml")


def test_clients_by_their_agent_and_agents_by_their_leg() -> None:
    assert legs_of(BOTH, URLS.get) == (
        Leg("client", "http://h:1/a2a", FREE, "a"),
        Leg("bee", "http://h:2/a2a", FREE),
        Leg("c", "http://h:3/a2a", FREE),
        Leg("client", "http://h:2/a2a", FREE, "b"),
    )


def test_agents_without_an_address_are_not_recorded() -> None:
    assert [leg.key for leg in legs_of(BOTH, {"a": "http://h:1"}.get)] == ["client:a"]


def test_the_listening_place_is_for_those_who_call_an_agent() -> None:
    """`b` is an entry and is called by `a`: its place is that of the leg between them."""
    places = {"a": ("127.0.0.1", 11), "b": ("127.0.0.1", 12)}
    found = {leg.key: leg.listen for leg in legs_of(BOTH, URLS.get, places.get)}
    assert found == {"client:a": places["a"], "bee": places["b"], "c": FREE, "client:b": FREE}


def test_one_name_for_two_agents_is_refused() -> None:
    text = TEXT.replace("{from: b, to: c}", "{from: b, to: c, leg: bee}", 1)
    with pytest.raises(
        ScenarioError, match="two agents are recorded as leg 'bee': http://h:2/a2a and http://h:3"
    ):
        legs_of(topologies.parse(text, "t.yaml"), URLS.get)


def test_agents_call_the_recorder() -> None:
    legs = (*legs_of(BOTH, URLS.get), Leg("llm", "http://h:4/v1", FREE))
    addresses = {leg.key: f"http://r:{at}" for at, leg in enumerate(legs)}
    assert peers_of(BOTH, legs, addresses) == {
        "b": "http://r:1/a2a", "c": "http://r:2/a2a", "llm": "http://r:4/v1",
    }  # fmt: skip


def test_the_listener_has_the_upstreams_path() -> None:
    assert through("http://r:1", "http://h/x/y?z=1") == "http://r:1/x/y?z=1"
    assert through("http://r:1", "http://h") == "http://r:1"
