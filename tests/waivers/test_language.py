"""The waivers file: what it may say, and what is told with file, line and path where it may not."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from harness import waivers, yamltext
from harness.errors import ScenarioError
from harness.model.waiver import Scope

ENTRY = {
    "id": "W-1",
    "rule": "LEAK101",
    "scope": "{topology: deep-research}",
    "reason": "mended with the next release",
    "issue": "https://tracker.example/issues/85",
    "owner": "runtime team",
    "expires": "2027-06-30",
}


def file(*entries: dict[str, str | None]) -> str:
    lines = ["version: 1", "waivers:"]
    for changes in entries:
        said = {name: value for name, value in {**ENTRY, **changes}.items() if value is not None}
        lines += [
            ("  - " if at == 0 else "    ") + f"{name}: {value}"
            for at, (name, value) in enumerate(said.items())
        ]
    return "\n".join(lines) + "\n"


def test_a_whole_entry() -> None:
    [one] = waivers.parse(file({}), "w.yaml")
    assert one[:2] == ("W-1", "LEAK101")
    assert one.scope == Scope(topology="deep-research")
    assert (one.owner, one.expires, one.file, one.line) == ("runtime team", "2027-06-30", "w.yaml", 3)


def test_all_members_of_a_scope() -> None:
    said = "{topology: t, scenario: s, round: 2, leg: client, kind: delegation, shape: interaction, agent: a}"
    [one] = waivers.parse(file({"scope": said}), "w.yaml")
    assert one.scope == Scope("t", "s", 2, "client", "delegation", "interaction", "a")


def test_a_file_may_hold_none() -> None:
    assert waivers.parse("version: 1\nwaivers: []\n", "w.yaml") == ()


@pytest.mark.parametrize("name", ENTRY)
def test_every_member_is_needed(name: str) -> None:
    with pytest.raises(ScenarioError, match=rf"w.yaml:3 \$.waivers\[0\].*'{name}': Field required"):
        waivers.parse(file({name: None} if name != "id" else {"id": None}), "w.yaml")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"reason": "TODO why"}, "w.yaml:6 $.waivers[0].reason: is still a draft: TODO must be replaced"),
        ({"owner": "todo"}, "w.yaml:8 $.waivers[0].owner: is still a draft"),
        ({"issue": "TODO link"}, "w.yaml:7 $.waivers[0].issue: is still a draft"),
        ({"expires": "TODO"}, "w.yaml:9 $.waivers[0].expires: is still a draft"),
        ({"issue": "javascript:alert(1)"}, "w.yaml:7 $.waivers[0].issue: is no link"),
        ({"issue": "'https://a b'"}, "is no link"),
        ({"issue": "'https://a)b'"}, "is no link"),
        ({"expires": "2027-02-30"}, "w.yaml:9 $.waivers[0].expires: is no day"),
        ({"expires": "30.06.2027"}, "is no day: write YYYY-MM-DD"),
        ({"rule": "LEAK"}, "w.yaml:4 $.waivers[0].rule"),
        ({"rule": "WAIV101"}, "findings about waivers can not be waived"),
        (
            {"scope": "{}"},
            "w.yaml:5 $.waivers[0].scope: says nothing; name at least a topology or a scenario",
        ),
        ({"scope": "{topologie: x}"}, "'topologie' is no word of this file"),
        ({"scope": "{round: first}"}, "$.waivers[0].scope.round"),
        ({"scope": "{kind: leak}"}, "$.waivers[0].scope.kind"),
        ({"id": "'a b'"}, "w.yaml:3 $.waivers[0].id"),
        ({"reason": "''"}, "$.waivers[0].reason"),
        ({"until": "2027-01-01"}, "'until' is no word of this file"),
    ],
)
def test_mistakes(change: dict[str, str | None], told: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        waivers.parse(file(change), "w.yaml")
    assert told in str(caught.value)
    assert caught.value.mend


def test_ids_are_told_apart() -> None:
    with pytest.raises(ScenarioError, match=r"w.yaml:10 \$.waivers\[1\].id: 'W-1' stands twice"):
        waivers.parse(file({}, {}), "w.yaml")


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(ScenarioError, match=r"nowhere\.yaml: can not be read"):
        waivers.load("nowhere.yaml")


def test_the_schema_takes_the_example_and_refuses_what_it_does_not_know() -> None:
    path = Path(__file__).parents[2] / "scenarios/examples/waivers.yaml"
    value = yamltext.read(path.read_text(encoding="utf-8"), str(path), ScenarioError).value
    jsonschema.validate(value, waivers.schema())
    value["waivers"][0]["until"] = "x"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, waivers.schema())
