"""A history as a page: well formed, offline, without a script, whatever others named."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from harness.report import history_page
from tests.report.historyvalues import EMPTY, history, hostile
from tests.report.hostile import TEXTS

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """Elements, attributes and texts of a page; every element is closed in its place."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_what_is_on_it() -> None:
    page = Page(history_page(history()))
    text = " ".join(page.texts)
    assert page.open == []
    for part in ("deep-research", "edpa", "LEAK101", "flaky", "fixed", "run-20260813-093000", "notes.txt"):
        assert part in text
    pictures = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert len(pictures) == 3 + 6 + 5, "a strip a rule; six sizes, of which edpa lacks one"
    assert all(one["role"] == "img" and one["aria-label"] for one in pictures)
    assert "run-20260811-093000 (2026-08-11T09:30:00Z): broken, 4 findings" in page.texts


def test_nothing_is_asked_for_and_nothing_runs() -> None:
    text = history_page(history())
    page = Page(text)
    assert {tag for tag, _ in page.tags}.isdisjoint(
        {"script", "link", "img", "iframe", "object", "base", "form"}
    )
    for _, attrs in page.tags:
        assert not {
            name for name in attrs if name in ("src", "href", "style", "srcset") or name.startswith("on")
        }
    policy = next(attrs["content"] for tag, attrs in page.tags if attrs.get("http-equiv"))
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert policy and style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")
    assert "url(" not in style[1] and "@import" not in style[1]


MARKUP = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style>",
    "' onload='x",
    "&lt;b&gt;",
)


@pytest.mark.parametrize("text", [*MARKUP, *TEXTS.values()], ids=[*"abcde", *TEXTS])
def test_hostile_text_is_text(text: str) -> None:
    """The page has the same elements and attributes as with a plain name."""
    plain, page = Page(history_page(hostile("plain"))), Page(history_page(hostile(text)))
    assert [(tag, sorted(attrs)) for tag, attrs in page.tags] == [
        (tag, sorted(attrs)) for tag, attrs in plain.tags
    ]
    assert page.open == []


@pytest.mark.parametrize("text", MARKUP)
def test_hostile_text_can_be_read(text: str) -> None:
    assert text in Page(history_page(hostile(text))).texts


def test_languages() -> None:
    page = history_page(history(), "zh")
    assert '<html lang="zh">' in page and "时有时无" in page
    assert '<html lang="en">' in history_page(history())


def test_an_empty_window() -> None:
    assert "Contract masked: no run in this window" in Page(history_page(EMPTY)).texts


def test_equal_input_equal_bytes() -> None:
    assert history_page(history()) == history_page(history())
