"""Where scenarios come from when nothing is named: the folder, else what the package brings."""

from __future__ import annotations

import pytest

from harness.cli.chosen import chosen, known, shipped
from harness.errors import ScenarioError, UsageError
from tests.live.conftest import written

TEXT = "version: 1\ntopology: t\nrounds: [{send: x}]\n"


def test_an_empty_folder_gets_the_shipped_ones(tmp_path, monkeypatch) -> None:
    """Seed 000 names the three."""
    monkeypatch.chdir(tmp_path)
    names = {one.name for one in known(())}
    assert {"DA-09", "balanceThen", "EXP-01"} <= names
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "topologies.yaml").write_text("", encoding="utf-8")
    assert {one.name for one in known(())} == names


def test_scenarios_of_the_folder_come_first(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "mine.scenario.yaml").write_text(TEXT, encoding="utf-8")
    assert [one.name for one in known(())] == ["mine"]
    assert [one.name for one in known((shipped()[-1],))] != ["mine"]


def test_nowhere(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harness.cli.chosen.shipped", lambda: ())
    with pytest.raises(UsageError, match="there are no scenarios here"):
        known(())


def test_what_the_system_can_not_run_is_left_out_or_refused(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "harness.cli.chosen.known", lambda paths: tuple(written("  - send: x", name=n) for n in "ab")
    )
    assert [one.name for one in chosen((), (), lambda one: "no" if one.name == "a" else None)] == ["b"]
    with pytest.raises(UsageError, match="there is no scenario for this system"):
        chosen((), (), lambda one: "no")
    with pytest.raises(ScenarioError, match=r"a.scenario.yaml:2: it can not; choose another"):
        chosen(("a",), (), lambda one: "it can not")


def test_two_of_one_name(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        (tmp_path / f"{name}.yaml").write_text("name: same\n" + TEXT, encoding="utf-8")
    with pytest.raises(UsageError, match=r"two scenarios are called 'same': a.yaml and b.yaml"):
        chosen(("a.yaml", "b.yaml"), (), lambda one: None)
    assert len(chosen(("a.yaml", "a.yaml"), (), lambda one: None)) == 1
