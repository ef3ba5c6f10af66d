"""The terminal's form: every line fits, nothing hostile comes through, both languages say the same things."""

from __future__ import annotations

import re
import string

import pytest

from harness.report.cells import cells
from harness.report.diffconsole import console
from harness.report.diffwords import EN, ZH, words
from harness.report.paint import Paint
from harness.report.view import View
from harness.report.words import words as report_words
from tests.report.diffvalues import CHANGES, FULL, difference


def view(width: int = 80, lang: str = "en", **more) -> View:
    return View(width, {**report_words(lang), **words(lang)}, **more)


def _holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_both_tables_have_the_same_keys() -> None:
    assert list(EN) == list(ZH)
    assert {key: _holes(said) for key, said in EN.items()} == {key: _holes(said) for key, said in ZH.items()}
    assert all(re.search("[\u4e00-\u9fff]", said) for said in ZH.values())
    assert not EN.keys() & report_words("en").keys()


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_lines_fit_and_are_harmless(width: int, lang: str) -> None:
    lines = list(console(difference(), view(width, lang)))
    assert max(map(cells, lines)) <= width
    text = "\n".join(lines)
    assert "\x1b" not in text and "\u202e" not in text and "\\x1b[31m" in text


def test_what_is_said() -> None:
    lines = "\n".join(console(difference(), view(120)))
    for said in (
        "~ outcome: COMPLETED -> FAILED",
        "+ interaction: verify-agent: leaked delegation on content",
        "B event 53 /result/y",
        "- event: artifact llm_output x3: Searching.",
        "% order: artifact llm_output (in another order)",
        "~ surface: dialect: v0.3 -> v1.0",
        "B missing",
        "1 rounds are equal by meaning",
        "... 2 equal",
        "b/x.log  no capture",
        "DA-09 r1  B: torn",
        "note: coarse",
        "exit 1: changed, in a rank that fails",
    ):
        assert said in lines, said


def test_chinese() -> None:
    lines = "\n".join(console(difference(), view(120, "zh")))
    assert "+ 交互: verify-agent: 内容通道：泄漏的委派" in lines
    assert "退出码 1：" in lines


def test_caps_and_all() -> None:
    many = FULL._replace(changes=CHANGES[:1] * 30)
    found = difference()._replace(pairs=(many,))
    assert "20 more contract changes" in "\n".join(console(found, view()))
    assert "more contract changes" not in "\n".join(console(found, view(everything=True)))


def test_colours_only_where_asked() -> None:
    assert "\x1b[" in "\n".join(console(difference(), view(paint=Paint(True))))
