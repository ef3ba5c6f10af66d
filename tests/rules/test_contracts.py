"""Contracts: the table of semantics section 4, the language, and that what is shipped is fresh."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ScenarioError
from harness.rules import contracts, generate, registry, shipped

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("masked", "symmetric", "unified", "a2a")
PROTOCOL = ("HTTP", "SSE", "RPC", "SHP", "ORD", "IDS", "ART", "MUL", "NEG")

EXPECTED = registry.FAMILIES["SCN"].codes

# rows of semantics section 4, columns masked, symmetric, unified, a2a
TABLE: dict[str, tuple[str, str, str, str]] = {
    "LEAK101": ("error", "info", "info", "off"),
    "LEAK102": ("error", "info", "info", "off"),
    **dict.fromkeys(
        ("LEAK103", "LEAK104", "MASK201", "MASK202", "BIND301"), ("error", "error", "error", "off")
    ),
    **dict.fromkeys(("LEAK105", "BIND302"), ("warning", "warning", "warning", "off")),
    "SYM401": ("off", "error", "error", "off"),
    "SYM402": ("off", "off", "error", "off"),
    **dict.fromkeys(("END501", "END502", "END503", "END504", "END505", "RES601", "RES602"), ("error",) * 4),
    **dict.fromkeys(
        ("STEER101", "STEER102", "DEL101", "DEL102", "DEL103"), ("error", "error", "error", "off")
    ),
    "DEL104": ("info", "info", "info", "off"),  # the evidence of a leak, no breach of its own
    **dict.fromkeys((f"SCN10{number}" for number in range(1, 7)), ("error",) * 4),
    "ORD501": ("info", "info", "info", "table"),
    "SHP409": ("info", "info", "info", "table"),
}


@pytest.mark.parametrize("code", registry.CODES)
def test_the_table_of_severities(code: str) -> None:
    said = TABLE.get(code, ("table",) * 4)
    assert tuple(contracts.load(name).word(code) for name in NAMES) == said


def test_remote_artifacts_of_g3_weigh_less_except_in_the_protocols_own_contract() -> None:
    mild = {"ART701": {"agent-event": "info"}, "ART704": {"agent-event": "info"}}
    assert [contracts.load(name).tags for name in NAMES] == [mild, mild, mild, {}]


def test_the_default_is_masked_and_all_four_are_shipped() -> None:
    assert contracts.load() == contracts.load("masked")
    assert tuple(shipped.CONTRACTS) == NAMES
    assert contracts.load("a2a").codes() == tuple(
        code for code in registry.CODES if registry.family(code) in (*PROTOCOL, "END", "RES", "SCN", "WAIV")
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_ones_are_what_their_files_say(name: str) -> None:
    text = (ROOT / f"scenarios/contracts/{name}.yaml").read_text(encoding="utf-8")
    assert shipped.SOURCES[name] == text
    assert shipped.CONTRACTS[name] == contracts.parse(text, name)
    assert pickle.loads(pickle.dumps(shipped.CONTRACTS[name])) == shipped.CONTRACTS[name]


def test_the_generated_files_are_fresh() -> None:
    assert generate.main(["--check"]) == 0, "run `python -m harness.rules.generate`"


def test_a_stale_file_is_told_and_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (
        "scenarios/topologies.yaml",
        "pyproject.toml",
        *(f"scenarios/contracts/{n}.yaml" for n in NAMES),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text((ROOT / path).read_text(encoding="utf-8"), encoding="utf-8")
    for folder in ("harness/rules", "harness/topologies"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    masked = tmp_path / "scenarios/contracts/masked.yaml"
    masked.write_text(masked.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert generate.main(["--check"]) == 1
    assert "harness/rules/shipped.py is stale" in capsys.readouterr().err


def test_a_users_file_may_start_from_a_shipped_one(tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text(
        "contract: 1\nname: ours\nextends: masked\nrules:\n  LEAK102: off\n  ART: warning\n  END502: info\n",
        encoding="utf-8",
    )
    ours = contracts.load(str(file))
    assert ours.name == "ours"
    assert [ours.word(code) for code in ("LEAK101", "LEAK102", "ART704", "END501", "END502")] == [
        "error", "off", "warning", "error", "info",
    ]  # fmt: skip
    assert ours.tags == {}, "a family named anew replaces what the base says of its rules"
    assert contracts.load("masked").word("LEAK102") == "error"


def test_what_is_not_named_is_off() -> None:
    bare = contracts.parse("contract: 1\nname: bare\nrules: {LEAK101: table}\n", "b.yaml")
    assert bare.codes() == ("LEAK101", *EXPECTED)
    assert contracts.parse("contract: 1\nname: bare\n", "b.yaml").codes() == EXPECTED


def test_what_a_scenario_expects_is_off_only_where_a_contract_says_so() -> None:
    said = contracts.parse("contract: 1\nname: x\nrules: {SCN: off, SCN101: warning}\n", "x.yaml")
    assert said.codes() == ("SCN101",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("contract: 2\nname: x\n", "c.yaml:1 $.contract: Input should be 1; see"),
        ("contract: 1\n", "c.yaml:1 $: 'name': Field required; see"),
        (
            "contract: 1\nname: x\nseverity: {}\n",
            "c.yaml:3 $.severity: 'severity' is no word of this file; see",
        ),
        (
            "contract: 1\nname: x\nrules:\n  LEAK101: fatal\n",
            "c.yaml:4 $.rules.LEAK101: Input should be 'off'",
        ),
        (
            "contract: 1\nname: x\nrules:\n  LEAK: off\n  T01: error\n",
            "c.yaml:5 $.rules.T01: 'T01' is no rule",
        ),
        (
            "contract: 1\nname: x\nextends: mask\n",
            "c.yaml:3 $.extends: no shipped contract is called 'mask'; use one",
        ),
        (
            "contract: 1\nname: x\nrules: {LEAK: off, LEAK: off}\n",
            "c.yaml:3 $.rules.LEAK: the key 'LEAK' stands twice",
        ),
        (
            "contract: 1\nname: x\nrules: {ART701: {severity: table, tags: {agent: info}}}\n",
            "c.yaml:3 $.rules.ART701",
        ),
        ("contract: 1\nname: x\nrules: [LEAK]\n", "c.yaml:3 $.rules: words with values are expected here"),
        ("- 1\n", "c.yaml:1 $: words with values are expected here"),
    ],
)
def test_errors_name_file_line_path_and_the_mend(text: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        contracts.parse(text, "c.yaml")
    assert str(caught.value).startswith(said)
    assert ";" in str(caught.value)


def test_a_name_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(
        ScenarioError, match="no contract is called 'maksed'; name a file, or one of masked, symm"
    ):
        contracts.load("maksed")
    with pytest.raises(ScenarioError, match="can not be read"):
        contracts.load(str(tmp_path))
    (tmp_path / "b.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(ScenarioError, match="can not be read"):
        contracts.load(str(tmp_path / "b.yaml"))


def test_the_schema_knows_the_language() -> None:
    from jsonschema import Draft202012Validator, ValidationError

    validator: Any = Draft202012Validator(json.loads(json.dumps(contracts.schema())))
    validator.validate(
        {"contract": 1, "name": "x", "rules": {"LEAK": "off", "ART701": {"severity": "table"}}}
    )
    with pytest.raises(ValidationError):
        validator.validate({"contract": 1, "name": "x", "other": 1})
