"""Text is harmless, measured in cells and never wider than asked."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.report.cells import cells, fit, harmless, pad, wrap


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x9b2J", "\\x9b2J"),
        ("abc\u202eexe.txt", "abc\\u202eexe.txt"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("lone \ud800", "lone \\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("line\u2028sep", "line\\u2028sep"),
        ("出差 ü 😀", "出差 ü 😀"),
        ("\ufffe\uffff", "\\ufffe\\uffff"),
        ("::error::x", "\\x3a:error::x"),
        ("a ::set-output name=x::y", "a \\x3a:set-output name=x::y"),
        ("中::error::x", "中\\x3a:error::x"),
        ("##[error]x ##vso[x]", "\\x23#[error]x \\x23#vso[x]"),
        ("std::string [::1] ## heading", "std::string [::1] ## heading"),
    ],
)
def test_controls_are_spelled_out(text: str, shown: str) -> None:
    assert harmless(text) == shown


@given(st.text(alphabet=st.characters()))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = harmless(text)
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not [
        c
        for c in shown
        if unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    ]
    shown.encode()


def test_a_megabyte_is_cut_before_it_is_read() -> None:
    assert harmless("x" * 1_000_000, 10) == "x" * 10 + "…"


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("出差", 4), ("e\u0301", 1), ("", 0)])
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


@given(st.text(alphabet="ab出差é e\u0301", max_size=40), st.integers(1, 30))
def test_fit_is_never_wider(text: str, width: int) -> None:
    assert cells(fit(text, width)) <= width


def test_pad_counts_wide_characters_twice() -> None:
    assert pad("出差", 6) == "出差  "
    assert pad("7", 3, right=True) == "  7"


def test_wrap_breaks_at_blanks_and_between_wide_characters() -> None:
    assert wrap("one two three", 8, "  ") == ["one two", "  three"]
    assert wrap("契约不成立。请看", 8) == ["契约不成", "立。请看"]


def test_a_line_never_begins_with_punctuation() -> None:
    assert wrap("契约不成，立", 8) == ["契约不", "成，立"]


def test_wrap_keeps_a_long_word_whole() -> None:
    assert wrap("see /a/very/long/path now", 8) == ["see", "/a/very/long/path", "now"]
