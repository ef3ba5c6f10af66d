"""Every defect in every kind of agent, generation of the wire and concurrency in which it exists: `make soak`.

Prints a line a defect and ends with 1 where a rule is missing or one too many.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from pathlib import Path

from harness import scenario, topologies
from harness.live import Order, run
from harness.model.scenario import Scenario
from harness.pipeline import Options
from harness.testbed.defects import DEFECTS, Defect
from tests.live.shared import found

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = {one.name: one for one in scenario.load_all(str(ROOT / "scenarios"))}
TAKES_TWO = {
    "DEL101": "a batch of more than one, since a batch of one is left out whole",
    "DEL102": "two calls that could overlap",
    "DEL103": "two results that could be crossed",
}
"""What a rule needs that one delegation in a turn does not give."""


def variants(one: Defect) -> list[Scenario]:
    """The defect's scenario, played in all ways in which the defect exists."""
    base = SCENARIOS[one.scenario]
    calls = (1, 3) if dict(base.play).get("script") == "research" else (None,)
    if set(one.found) & set(TAKES_TWO):
        calls = (3,)
    made = []
    for kind, number, generation in itertools.product(one.kinds, calls, one.generations):
        play = {**dict(base.play), "kind": kind, "generation": generation, "defects": one.name}
        expect = {}
        if number is not None:
            play["calls"] = number
            wanted = base.rounds[0].expect
            expect = {"has": wanted.has[:number], "calls": (*("search-agent",) * number, "verify-agent")}
            expect["concurrent"] = number
        rounds = tuple(each._replace(expect=each.expect._replace(**expect)) for each in base.rounds)
        name = f"{base.name}.{one.name}.{kind}.{number or ''}.{generation}"
        made.append(base._replace(name=name, play=tuple(play.items()), rounds=rounds, known=()))
    return made


def main() -> int:
    """Run them, one testbed a defect."""
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        for one in DEFECTS:
            played = tuple(variants(one))
            ran = run(Order(played, topologies.load(), jobs=4, captures=folder), Options(scenarios=played))
            bad = [
                f"  {each.name}: {rules or 'nothing'}"
                for each in played
                if set(rules := found(ran.report, each.name)) != set(one.found)
            ]
            print(
                f"{one.name}: {len(played)} ways, {', '.join(one.found)}" + (", WRONG:" if bad else ""),
                flush=True,
            )
            print("\n".join(bad), end="\n" if bad else "", flush=True)
            wrong += len(bad)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
