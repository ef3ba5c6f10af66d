"""The page of a history in a real browser: from a file, offline, asking for nothing, readable by all.

The browser is brought by `sh scripts/setup-browser.sh`, axe by `sh scripts/setup-js.sh`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from harness.report import history_page
from tests.e2e.browser import Opened, chromium
from tests.report.historyvalues import history, hostile

HOSTILE = '"><script>window.hacked=1</script><img src=x onerror="window.hacked=2"><svg onload=alert(1)>'


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def opened(browser: Browser, folder: Path, text: str, **more) -> Opened:
    file = folder / "history.html"
    file.write_text(text, encoding="utf-8")
    one = Opened(browser, file, **more)
    one.page.goto(one.url)
    return one


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_opens_fits_and_can_be_read(browser, tmp_path, width: int, scheme: str, lang: str) -> None:
    one = opened(browser, tmp_path, history_page(history(), lang), width=width, scheme=scheme)
    try:
        assert one.page.evaluate("document.documentElement.scrollWidth") <= width
        assert one.page.locator("svg").count() == 14
        assert one.page.evaluate("getComputedStyle(document.querySelector('.figures')).display") == "grid"
        assert one.said == [], "no console, no request"
        assert one.faults() == []
    finally:
        one.close()


def test_hostile_text_does_nothing(browser, tmp_path) -> None:
    one = opened(browser, tmp_path, history_page(hostile(HOSTILE)))
    try:
        assert one.page.evaluate("window.hacked") is None
        assert one.page.locator("img, script").count() == 0
        assert one.said == []
    finally:
        one.close()
