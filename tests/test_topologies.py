"""Topologies: the shipped file, prefixes of scenarios, and what the language refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness import topologies
from harness.errors import ScenarioError
from harness.model.topology import Agent, Edge, Topology
from harness.topologies import shipped

ROOT = Path(__file__).resolve().parents[1]


def test_the_shipped_file_begins_with_the_three_topologies_of_seed_000() -> None:
    known = topologies.load()[:3]
    assert [(t.name, t.kind, t.scenarios) for t in known] == [
        ("deep-research", "deepagent", ("DA",)),
        ("edpa", "plan-agent", ("EDPA", "balanceThen")),
        ("expense-review", "workflow", ("EXP",)),
    ]
    assert [[(e.source, e.target, e.leg) for e in t.edges if e.source != "client"] for t in known] == [
        [
            ("deep-research", "search-agent", "search-agent"),
            ("deep-research", "verify-agent", "verify-agent"),
        ],
        [("edpa-plan-agent", "versatile-adapter", "versatile-adapter")],
        [("expense-review-main", "expense-review-workflow", "expense-review-workflow")],
    ]
    assert all(t.edges[0] == Edge("client", t.entry, "client") for t in known)
    urls = [agent.url for t in known for agent in t.agents]
    assert all(urls)
    assert len(set(urls)) == len(urls)


def test_the_other_topologies_are_those_with_the_entry_kind_swapped() -> None:
    """Kind and concurrency vary one at a time (seed 000, section 7)."""
    base = {tuple(e.target for e in t.edges[1:]): t.kind for t in topologies.load()[:2]}
    swapped = topologies.load()[3:]
    assert [(t.name, t.kind) for t in swapped] == [
        ("plan-research", "plan-agent"),
        ("react-research", "react"),
        ("deep-edpa", "deepagent"),
        ("react-edpa", "react"),
        ("deep-review", "deepagent"),
        ("react-review", "react"),
    ]
    assert all(t.scenarios == (t.name,) for t in swapped), "no prefix that a user's scenario may have"
    for one in swapped[:4]:
        assert base[tuple(e.target for e in one.edges[1:])] != one.kind


def test_the_shipped_literal_is_what_the_file_says() -> None:
    text = (ROOT / "scenarios/topologies.yaml").read_text(encoding="utf-8")
    assert text == shipped.SOURCE
    assert topologies.parse(text, "t.yaml") == shipped.TOPOLOGIES


@pytest.mark.parametrize(
    ("scenario", "topology"),
    [
        ("DA-09", "deep-research"),
        ("DA-01", "deep-research"),
        ("DA", "deep-research"),
        ("DA_1", "deep-research"),
        ("DA.x", "deep-research"),
        ("DATA-1", None),
        ("DA9", None),
        ("EDPA-03", "edpa"),
        ("balanceThen", "edpa"),
        ("balanceThen-2", "edpa"),
        ("balanceThenMore", None),
        ("EXP-01", "expense-review"),
        ("EXPENSE-1", None),
        ("da-09", None),
        ("X-DA-09", None),
        ("", None),
    ],
)
def test_a_scenario_belongs_to_the_topology_of_its_prefix(scenario: str, topology: str | None) -> None:
    found = topologies.of_scenario(topologies.load(), scenario)
    assert (found.name if found else None) == topology


def test_the_longest_prefix_wins_in_whatever_order() -> None:
    short = Topology("short", "a", (Agent("a"),), (), ("DA",))
    long = Topology("long", "a", (Agent("a"),), (), ("DA-09", "DA-"))
    for known in ((short, long), (long, short)):
        assert [getattr(topologies.of_scenario(known, s), "name", None) for s in ("DA-09-x", "DA-1", "DA", "DA_1")] == [
            "long", "long", "short", "short",
        ]  # fmt: skip


def test_a_topology_by_name() -> None:
    assert topologies.named(topologies.load(), "edpa") == topologies.load()[1]
    assert topologies.named(topologies.load(), "none") is None


MINIMAL = "version: 1\ntopologies:\n  - name: t\n    entry: a\n    agents:\n      - {name: a}\n"


def test_the_least_that_can_be_written() -> None:
    assert topologies.parse(MINIMAL, "t.yaml") == (
        Topology("t", "a", (Agent("a"),), (Edge("client", "a", "client"),), ()),
    )


def test_edges_name_their_leg_or_take_the_targets_name() -> None:
    text = (
        MINIMAL
        + "      - {name: b}\n    edges:\n      - {from: a, to: b}\n      - {from: b, to: a, leg: back}\n"
    )
    (made,) = topologies.parse(text, "t.yaml")
    assert made.edges == (Edge("client", "a", "client"), Edge("a", "b", "b"), Edge("b", "a", "back"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version: 2\ntopologies: []\n", "t.yaml:1 $.version: Input should be 1"),
        ("version: 1\ntopologies: []\n", "t.yaml:2 $.topologies: List should have at least 1 item"),
        (
            MINIMAL.replace("entry: a", "entry: b"),
            "t.yaml:4 $.topologies[0].entry: the entry 'b' is none of its agents",
        ),
        (
            MINIMAL.replace("{name: a}", "{name: a, kind: robot}"),
            "t.yaml:6 $.topologies[0].agents[0].kind: Input should",
        ),
        (
            MINIMAL.replace("{name: a}", "{name: a, url: here}"),
            "t.yaml:6 $.topologies[0].agents[0].url: String should",
        ),
        (
            MINIMAL.replace("{name: a}", "{name: a, port: 1}"),
            "t.yaml:6 $.topologies[0].agents[0].port: 'port' is no word",
        ),
        (MINIMAL.replace("{name: a}", "{}"), "t.yaml:6 $.topologies[0].agents[0]: 'name': Field required"),
        (MINIMAL + "      - {name: a}\n", "t.yaml:7 $.topologies[0].agents[1].name: 'a' stands twice"),
        (
            MINIMAL + "  - name: t\n    entry: a\n    agents: [{name: a}]\n",
            "t.yaml:7 $.topologies[1].name: 't' stands twice",
        ),
        (
            MINIMAL + "    edges: [{from: x, to: a}]\n",
            "t.yaml:7 $.topologies[0].edges[0].from: 'x' is none of its agents",
        ),
        (
            MINIMAL + "    edges: [{from: a, to: x}]\n",
            "t.yaml:7 $.topologies[0].edges[0].to: 'x' is none of its agents",
        ),
        (
            MINIMAL + "      - {name: b}\n    edges: [{from: client, to: b}]\n",
            "t.yaml:8 $.topologies[0].edges[0].to: a client calls the entry 'a' only",
        ),
        (
            MINIMAL + "    edges: [{from: client, to: a, leg: x}]\n",
            "t.yaml:7 $.topologies[0].edges[0].leg: the client's leg is called 'client'",
        ),
        (
            MINIMAL + "    scenarios: [A]\n  - {name: u, entry: a, agents: [{name: a}], scenarios: [B, A]}\n",
            "t.yaml:8 $.topologies[1].scenarios[1]: the prefix 'A' belongs to 't' already",
        ),
        (MINIMAL + "    scenarios: ['']\n", "t.yaml:7 $.topologies[0].scenarios[0]: String should"),
    ],
)
def test_errors_name_file_line_path_and_the_mend(text: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        topologies.parse(text, "t.yaml")
    assert str(caught.value).startswith(said)
    assert ";" in str(caught.value)


def test_a_file_of_the_users_own(tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text(MINIMAL, encoding="utf-8")
    assert [t.name for t in topologies.load(str(file))] == ["t"]
    with pytest.raises(ScenarioError, match="can not be read"):
        topologies.load(str(tmp_path / "none.yaml"))


def test_the_schema_knows_the_language() -> None:
    from jsonschema import Draft202012Validator, ValidationError

    validator: Any = Draft202012Validator(json.loads(json.dumps(topologies.schema())))
    entry = {"name": "t", "entry": "a", "agents": [{"name": "a"}], "edges": [{"from": "a", "to": "a"}]}
    validator.validate({"version": 1, "topologies": [entry]})
    with pytest.raises(ValidationError):
        validator.validate({"version": 1, "topologies": [{**entry, "edges": [{"source": "a", "to": "a"}]}]})
