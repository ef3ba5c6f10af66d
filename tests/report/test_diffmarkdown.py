"""The Markdown form: what others wrote stands in code spans that it can not end."""

from __future__ import annotations

import pytest

from harness.report.diffmarkdown import code, markdown
from harness.report.diffwords import words
from harness.report.view import View
from harness.report.words import words as report_words
from tests.report.diffvalues import difference

VIEW = View(80, {**report_words("en"), **words("en")})


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("plain", "`plain`"),
        ("a `b` c", "``a `b` c``"),
        ("`", "`` ` ``"),
        ("a\nb", "`a\\nb`"),
        ("", "`  `"),
        ("<b>", "`<b>`"),
    ],
)
def test_code(text: str, span: str) -> None:
    assert code(text) == span


def test_a_page() -> None:
    page = "\n".join(markdown(difference(), VIEW))
    assert "| `DA-09` | 1 | `client` | COMPLETED | FAILED | 2 | 2 | 1 | 1 |" in page
    assert "**contract (2)**" in page and "<details><summary>shape (2)</summary>" in page
    assert page.count("<details>") == page.count("</details>") == 3
    assert "- `+` `interaction: verify-agent` `leaked delegation on content`" in page
    assert "@all" not in page.replace("``` </code> `` @all", "") or "```" in page
    assert "1 rounds are equal by meaning" in page


def test_nothing_hostile_outside_of_code() -> None:
    import re

    page = "\n".join(markdown(difference(), VIEW))
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", page)
    assert "@all" not in outside and "javascript" not in outside and "</code>" not in outside
