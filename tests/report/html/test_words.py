"""Words of the page: both languages complete, each word used, each used word there."""

from __future__ import annotations

import re
from pathlib import Path

from harness.report.html.page import SCRIPTS
from harness.report.html.words import EN, SHARED, ZH, tables

ASSETS = Path("harness/report/html/assets")


def script() -> str:
    return "".join((ASSETS / name).read_text("utf-8") for name in (*SCRIPTS, "page.html.j2"))


def test_both_languages_say_the_same() -> None:
    assert EN.keys() == ZH.keys()
    for key, text in EN.items():
        assert sorted(re.findall(r"{(\w+)}", text)) == sorted(re.findall(r"{(\w+)}", ZH[key])), key


def test_each_word_that_the_script_names_is_there() -> None:
    known = tables()["en"].keys()
    assert tables()["zh"].keys() == known
    assert sorted(key for key in re.findall(r'\bt\("([\w.]+)"', script()) if key not in known) == []


def test_each_word_is_used() -> None:
    held = script()
    families = ("theme.", "exit.", "left_out.", "compare_", "lane.")
    kinds = ("user_input", "confirmation", "client_tool", "delegation", "unknown")
    unused = [
        key
        for key in (*EN, *SHARED)
        if f'"{key}"' not in held
        and f"words.{key}" not in held
        and not key.startswith(families)
        and key not in kinds
    ]
    assert unused == []
