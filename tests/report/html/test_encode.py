"""Captured text in a page: visible, and unable to end the script that holds it."""

from __future__ import annotations

import json
import re

import pytest

from harness.report.html.encode import json_text, shown
from tests.report.hostile import TEXTS


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("价格 é", "价格 é"),
        ("a\nb\tc\r", "a\nb\tc\r"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("\ud800", "⟨U+D800⟩"),
        ("\u2028\u2029", "⟨U+2028⟩⟨U+2029⟩"),
        ("\x00\x1b", "⟨U+0000⟩⟨U+001B⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
    ],
)
def test_what_is_invisible_is_spelled_out(text: str, seen: str) -> None:
    assert shown(text) == seen


@pytest.mark.parametrize("name", TEXTS)
def test_json_can_stand_in_a_script(name: str) -> None:
    text = json_text({"a": TEXTS[name], TEXTS[name][:50]: [TEXTS[name], 1, None, True]})
    assert not re.search("[<>&\u2028\u2029\u202e\ud800-\udfff]", text)
    assert json.loads(text)["a"] == shown(TEXTS[name])
    text.encode("utf-8")
