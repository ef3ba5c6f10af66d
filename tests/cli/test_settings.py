"""Defaults come from harness.toml or pyproject.toml, and only from keys that exist."""

from __future__ import annotations

import subprocess
import sys

import pytest

from harness.cli.settings import KEYS, settings
from harness.errors import UsageError


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_no_file_no_defaults() -> None:
    assert settings() == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("harness.toml", 'contract = "a2a"\nfail-on = "warning"\nmapping = ["m.yaml"]\n'),
        ("pyproject.toml", '[tool.harness]\ncontract = "a2a"\nfail-on = "warning"\nmapping = ["m.yaml"]\n'),
        (
            "pyproject.toml",
            'tool.harness.contract = "a2a"\ntool.harness.fail-on = "warning"\ntool.harness.mapping = ["m.yaml"]\n',
        ),
        (
            "pyproject.toml",
            '[tool]\nharness = {contract = "a2a", fail-on = "warning", mapping = ["m.yaml"]}\n',
        ),
    ],
)
def test_all_ways_to_write_them(folder, name: str, text: str) -> None:
    (folder / name).write_text(text)
    assert settings() == {"contract": "a2a", "fail_on": "warning", "mapping": ["m.yaml"]}


def test_our_own_file_wins(folder) -> None:
    (folder / "harness.toml").write_text('contract = "a2a"\n')
    (folder / "pyproject.toml").write_text('[tool.harness]\ncontract = "unified"\n')
    assert settings() == {"contract": "a2a"}


def test_every_key_is_an_option_of_check() -> None:
    from harness.cli.check import parser

    assert {f"--{key}" for key in KEYS} <= set(parser()._option_string_actions)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "harness.toml",
            "contrac = 'a2a'",
            "harness.toml $.contrac: there is no setting 'contrac'; did you mean 'contract'?",
        ),
        (
            "pyproject.toml",
            "[tool.harness]\nfail_on = 'error'",
            "pyproject.toml $.tool.harness.fail_on: there is no setting 'fail_on'; did you mean 'fail-on'?",
        ),
        ("harness.toml", "jobs = true", "harness.toml $.jobs: must be a whole number"),
        ("harness.toml", "strict = 'yes'", "$.strict: must be true or false"),
        ("harness.toml", "only = 'LEAK'", "$.only: must be a list of strings"),
        ("harness.toml", "= 1", "harness.toml: no TOML: "),
        ("pyproject.toml", "[tool]\nharness = 1", "$.tool.harness: must be a table"),
    ],
)
def test_mistakes(folder, name: str, text: str, told: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(UsageError) as caught:
        settings()
    assert told in str(caught.value)


def test_a_project_that_does_not_speak_of_us_is_not_parsed(folder) -> None:
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "a2a-harness"\n[tool.ruff]\nline-length = 100\n'
    )
    code = "import sys; from harness.cli.settings import settings; assert settings() == {}; assert 'tomllib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
