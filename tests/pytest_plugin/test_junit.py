"""pytest's own JUnit file: properties of each item, and the session's failures too."""

from __future__ import annotations

from xml.etree import ElementTree

from tests.pytest_plugin.material import LEAK, OPEN, capture, scenario

pytest_plugins = ["pytester"]


def cases(folder):
    return {one.get("name"): one for one in ElementTree.parse(folder / "junit.xml").iter("testcase")}


def test_properties_and_failures(folder, judge_both):
    scenario(folder / "scen")
    path = capture(folder / "run", frames=LEAK)
    capture(folder / "run", "DA-7")
    judge_both("--junitxml", "junit.xml")
    found = cases(folder)
    assert set(found) == {"r1", "contract[masked]", "unnamed captures"}
    values = {one.get("name"): one.get("value") for one in found["r1"].iter("property")}
    assert values == {
        "scenario": "DA-1",
        "topology": "deep-research",
        "contract": "masked",
        "outcome": "COMPLETED",
        "source": f"run/{path.name}",
        "errors": "1",
        "warnings": "0",
    }
    failure = found["r1"].find("failure")
    assert failure.get("message") == "LEAK101 delegation-on-content-channel"
    assert "harness explain LEAK101" in failure.text
    assert found["unnamed captures"].find("failure") is not None


def test_hostile_text_is_well_formed(folder, judge):
    from harness.rules.example import status

    scenario(folder / "scen", rounds="  - send: x\n    expect: {outcome: COMPLETED, text: {lacks: [evil]}}\n")
    capture(
        folder / "run", frames=(*OPEN, status("failed", "evil \x00\x1b[31m ]]> <b> \ufffe &amp; \U0001f600"))
    )
    judge("--junitxml", "junit.xml")
    assert "SCN103" in cases(folder)["r1"].find("failure").get("message")
