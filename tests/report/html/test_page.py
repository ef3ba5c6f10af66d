"""The page around the data: one file that allows nothing but itself."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from pathlib import Path

import pytest

from harness.report.html import pieces
from harness.report.html.page import SCRIPTS, page
from tests.report.hostile import TEXTS, hostile
from tests.report.values import full_report

ASSETS = Path("harness/report/html/assets")


def text(lang: str = "en") -> str:
    return "".join(pieces(full_report(), lang))


def hashed(held: str) -> str:
    return f"sha256-{str(b64encode(hashlib.sha256(held.encode()).digest()), 'ascii')}"


def test_the_policy_allows_this_script_and_this_style_only() -> None:
    made = text()
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', made)
    style = re.search(r"<style>(.*?)</style>", made, re.DOTALL)
    script = re.search(r"<script>(.*?)</script>", made, re.DOTALL)
    assert policy and style and script
    assert "default-src &#39;none&#39;" in policy[1]
    assert f"script-src &#39;{hashed(script[1])}&#39;" in policy[1]
    assert f"style-src &#39;{hashed(style[1])}&#39;" in policy[1]
    assert "unsafe" not in policy[1]
    assert made.index("Content-Security-Policy") < made.index("<style>")


def test_nothing_is_fetched_and_nothing_is_inline() -> None:
    made = text()
    shell = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", made, flags=re.DOTALL)
    assert not re.search(r"\b(src|srcset|href|action)\s*=\s*\"(?!#)", shell)
    assert not re.search(r"\son\w+\s*=|\sstyle\s*=|javascript:", shell)
    style = (ASSETS / "page.css").read_text("utf-8")
    assert "url(" not in style and "@import" not in style


def test_the_script_makes_elements_and_never_parses_markup() -> None:
    assert sorted(SCRIPTS) == sorted(path.name for path in ASSETS.glob("*.js"))
    for name in SCRIPTS:
        held = (ASSETS / name).read_text("utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|fetch\(|XMLHttp", held
        )
        assert not re.search(r"localStorage|sessionStorage|</script", held)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_data_is_whole_and_the_language_is_that_of_the_reader(lang: str) -> None:
    made = text(lang)
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', made, re.DOTALL)
    assert held
    value = json.loads(held[1])
    assert value["lang"] == lang
    assert set(value["words"]) == {"en", "zh"}
    assert f'<html lang="{"zh-CN" if lang == "zh" else "en"}">' in made


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_texts_end_no_script_and_open_no_element(name: str) -> None:
    made = "".join(pieces(hostile(TEXTS[name])))
    assert made.count("<script") == 2
    assert made.count("</script>") == 2
    assert "<img" not in made and "<!--" not in made
    assert not re.search("[\u202e\u2066\u200b\u2028\ufeff\ud800-\udfff\x00\x1b]", made)
    made.encode("utf-8")


def test_equal_input_gives_an_equal_page() -> None:
    assert text() == text()


def test_parts_that_nobody_knows_are_passed_over() -> None:
    made = "".join(page({"version": "1", "diff": {"pairs": []}}))
    assert '"diff":{"pairs":[]}' in made
