"""Both languages say the same things, and all of them are used."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import harness.cli.words as cli_words
import harness.report.words as report_words

TABLES = [(report_words, "report"), (cli_words, "cli")]


def _holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize(("module", "folder"), TABLES)
def test_both_tables_have_the_same_keys_and_placeholders(module, folder: str) -> None:
    assert list(module.EN) == list(module.ZH)
    assert {key: _holes(text) for key, text in module.EN.items()} == {
        key: _holes(text) for key, text in module.ZH.items()
    }


@pytest.mark.parametrize(("module", "folder"), TABLES)
def test_chinese_is_chinese(module, folder: str) -> None:
    assert [key for key, text in module.ZH.items() if not re.search("[\u4e00-\u9fff]", text)] == []
    assert [key for key, text in module.EN.items() if not text.isascii()] == []


@pytest.mark.parametrize(("module", "folder"), TABLES)
def test_no_key_is_left_over(module, folder: str) -> None:
    root = Path(report_words.__file__).parents[1]
    source = "".join(
        path.read_text()
        for name in ("report", "cli")
        for path in (root / name).rglob("*.py")
        if path.name != "words.py"
    )
    spoken = {
        "exit",
        "inspect",
        "explain",
        "clients",
        "declared_short",
        "findings_short",
        "native",
        "masked",
        "leaked",
        "declared",
    }
    spoken |= {"error", "warning", "info", "control", "content"}
    spoken |= {"user_input", "confirmation", "client_tool", "delegation", "unknown"}
    spoken |= {"errors_cell", "warnings_cell", "infos_cell", "waived_cell"}
    unused = [
        key
        for key in module.EN
        if not re.search(f"[\"']{re.escape(key)}[\"']", source)
        and key not in spoken
        and key.split(".")[0] not in spoken
        and not re.search(f"[\"']{re.escape(key.rpartition('.')[0])}\\.{{", source)
    ]
    assert unused == []
