"""Each defect of the table is caught by the rules that it names, no more and no fewer; nothing else is.

One testbed and one recorder for all of them: conversations differ in what the testbed is told to do.
"""

from __future__ import annotations

import itertools

import pytest

from harness import scenario
from harness.rules.registry import CODES
from harness.testbed.defects import DEFECTS
from harness.testbed.plan import GENERATIONS, KINDS
from tests.live.shared import ROOT, Shared, common, found, shared
from tests.live.shared import SCENARIOS as ALL

SCENARIOS = {one.name: one for one in ALL}
CALLS = (1, 3)
PRODUCT = tuple(itertools.product(KINDS, CALLS, GENERATIONS, ("", "mirror-v2")))


def played(name: str, base: str, **play: object) -> scenario.Scenario:
    """The scenario `base` under another name, played in another way."""
    one = SCENARIOS[base]
    return one._replace(name=name, play=tuple({**dict(one.play), **play}.items()), known=())


def research(kind: str, calls: int, generation: str, defect: str) -> scenario.Scenario:
    """DA-09 with so many searches: kind, concurrency and generation vary one at a time."""
    name = f"research.{kind}.{calls}.{generation}.{defect or 'fixed'}"
    one = played(name, "DA-09", kind=kind, calls=calls, generation=generation, defects=defect or "fixed")
    first = one.rounds[0]
    expect = first.expect._replace(
        calls=(*("search-agent",) * calls, "verify-agent"), concurrent=calls, has=first.expect.has[:calls],
        interactions=None,
    )  # fmt: skip
    return one._replace(rounds=(first._replace(expect=expect),))


@pytest.fixture(scope="session")
def once(tmp_path_factory) -> Shared:
    """All defects and all of PRODUCT, run once for all processes of the test session."""
    alone = [played(f"{one.scenario}.{one.name}", one.scenario, defects=one.name) for one in DEFECTS]
    return shared(common(tmp_path_factory), "defects", [*alone, *(research(*each) for each in PRODUCT)])


@pytest.mark.parametrize("one", DEFECTS, ids=lambda one: one.name)
def test_each_defect_alone_gives_exactly_what_its_row_says(once, one):
    assert found(once.report, f"{one.scenario}.{one.name}") == one.found


@pytest.mark.parametrize(("kind", "calls", "generation", "defect"), PRODUCT)
def test_kind_decides_and_concurrency_and_generation_do_not(once, kind, calls, generation, defect):
    """Seed 000, section 7: the task loop mirrors; how many are delegated at once only changes data:[N]."""
    scenario = f"research.{kind}.{calls}.{generation}.{defect or 'fixed'}"
    leaks = defect == "mirror-v2" and kind == "deepagent"
    assert found(once.report, scenario) == ({"LEAK101": calls + 1} if leaks else {})
    (client,) = [one for one in once.report.rounds if (one.scenario, one.leg) == (scenario, "client")]
    assert client.outcome == "COMPLETED"
    frames = [one.sightings[0].place.event for one in client.interactions if one.exposure == "leaked"]
    assert sorted(frames.count(frame) for frame in set(frames)) == ([1, calls] if leaks else [])
    remote = [one.leg for one in once.report.rounds if one.scenario == scenario and one.leg != "client"]
    assert sorted(remote) == [*("search-agent",) * calls, "verify-agent"]


def test_nothing_was_left_undecided(once):
    assert once.report.unread == ()
    assert {one.outcome for one in once.report.rounds} <= {
        "COMPLETED",
        "INTERACTION",
        "FAILED",
        "NO_TERMINAL",
    }


def test_every_rule_of_several_legs_is_bitten_by_a_defect():
    bitten = {rule for one in DEFECTS for rule in one.found}
    assert {code for code in CODES if code.startswith(("STEER", "DEL10"))} - bitten == {"DEL104"}, (
        "DEL104 is evidence, an info"
    )


def test_only_the_testbed_scenarios_and_tests_name_a_defect():
    """What judges must not know what was broken."""
    names = [one.name for one in DEFECTS]
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / "harness").rglob("*.py"))
        if "testbed" not in path.parts
        for name in names
        if name in path.read_text(encoding="utf-8")
    ]
    assert not wrong, "only the testbed, a scenario's `known:` and tests name a defect:\n" + "\n".join(wrong)
