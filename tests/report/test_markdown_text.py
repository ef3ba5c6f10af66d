"""Text that Markdown shows and does not obey."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from harness.report.markdown_text import cell, code, prose, render
from tests.report.hostile import TEXTS


@pytest.mark.parametrize("name", TEXTS)
def test_code_is_one_code_span(name: str) -> None:
    [_, inline, _] = MarkdownIt("commonmark").parse(f"x {code(TEXTS[name])}")
    assert [child.type for child in inline.children or ()] == ["text", "code_inline"]


@pytest.mark.parametrize("name", TEXTS)
def test_prose_is_text(name: str) -> None:
    [_, inline, _] = MarkdownIt("commonmark").parse(f"x {prose(TEXTS[name])}")
    assert {child.type for child in inline.children or ()} <= {"text", "text_special", "entity"}


def test_prose_reads_as_it_was_written() -> None:
    said = "Mask a2a_delegate <b> & [x](y) *now* | `z` # ~"
    [_, inline, _] = MarkdownIt("commonmark").parse(prose(said))
    assert "".join(child.content for child in inline.children or ()) == said


def test_nobody_is_mentioned() -> None:
    assert "@team" not in prose("ask @team")
    assert code("@team") == "`@team`", "a code span mentions nobody"


def test_nothing_is_a_dash_and_a_bar_does_not_end_a_cell() -> None:
    assert (code(""), code("  "), cell("a|b")) == ("-", "-", "`a\\|b`")


def test_a_value_is_no_template() -> None:
    assert render("line", place="{{ 7 * 7 }}", text="{% x %}") == "- `{{ 7 * 7 }}` `{% x %}`\n"
