"""Both languages say the same things, and all of them are used."""

from __future__ import annotations

import re
import string
from pathlib import Path

from harness.pytest_plugin import words


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_both_tables_have_the_same_keys_and_placeholders():
    assert list(words.EN) == list(words.ZH)
    assert {key: holes(text) for key, text in words.EN.items()} == {
        key: holes(text) for key, text in words.ZH.items()
    }


def test_chinese_is_chinese():
    assert [key for key, text in words.ZH.items() if not re.search("[\u4e00-\u9fff]", text)] == []
    assert [key for key, text in words.EN.items() if not text.isascii()] == []


def test_no_key_is_left_over():
    source = "".join(
        path.read_text() for path in Path(words.__file__).parent.glob("*.py") if path.name != "words.py"
    )
    assert [key for key in words.EN if f'"{key}"' not in source] == []
