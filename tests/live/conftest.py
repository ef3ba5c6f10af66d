"""Live runs in this process: scenarios as text, systems as peers of the test, and nothing left behind."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import scenario as scenarios
from harness import topologies
from harness.live import Order, Ran, run
from harness.model.scenario import Scenario
from harness.model.topology import Topology
from harness.pipeline import Options
from harness.scenario.sut import Sut, SutAgent

TOPOLOGY = """\
version: 1
topologies:
  - name: one
    entry: entry
    agents: [{name: entry}, {name: remote}]
    edges: [{from: client, to: entry}, {from: entry, to: remote}]
"""


def processes() -> set[int]:
    """Our children, and their children, zombies included."""
    found: set[int] = set()
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(name)] = int(fields[1])
    todo = [os.getpid()]
    while todo:
        parent = todo.pop()
        children = {pid for pid, of in parents.items() if of == parent} - found
        found |= children
        todo += children
    return found


@pytest.fixture(autouse=True)
def _nothing_left(no_hang: None) -> Iterator[None]:
    threads, children = set(threading.enumerate()), processes()
    yield
    left = [one.name for one in threading.enumerate() if one not in threads and one.is_alive()]
    assert left == []
    assert processes() - children == set()


def written(text: str, name: str = "S", topology: str = "one", **head: Any) -> Scenario:
    """A scenario of the rounds in `text`, a YAML list."""
    lines = [f"{key}: {value}" for key, value in {"name": name, "topology": topology, **head}.items()]
    return scenarios.parse("\n".join(["version: 1", *lines, "rounds:", text]), f"{name}.scenario.yaml")


@pytest.fixture
def one() -> tuple[Topology, ...]:
    return topologies.parse(TOPOLOGY, "t.yaml")


@pytest.fixture
def go(tmp_path: Path, one: tuple[Topology, ...]) -> Callable[..., Ran]:
    """Run scenarios on an agent at a URL, or on whatever `order` members say."""

    def call(*told: Scenario, url: str = "", options: Options | None = None, **order: Any) -> Ran:
        order.setdefault("topologies", one)
        if url:
            order["sut"] = Sut("sut.yaml", (SutAgent("entry", url, protocol=order.pop("protocol", "v1.0")),))
        calls = {name: order.pop(name) for name in ("on_step", "on_note", "stop") if name in order}
        order.setdefault("captures", str(tmp_path / "captures"))
        made = Order(scenarios=told, **order)
        return run(made, options or Options(), **calls)

    return call
