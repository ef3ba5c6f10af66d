"""The page of a diff in a real browser: from a file, offline, by mouse and by keyboard.

The browser is brought by `sh scripts/setup-browser.sh`, axe by `sh scripts/setup-js.sh`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from harness.cli.main import main
from harness.report.html import diff_pieces
from tests.e2e.browser import Opened, chromium
from tests.report.diffvalues import HOSTILE, difference

SIT = Path("captures/golden/sit-logs")
FIRST, SECOND = SIT / "run-20260811-093000", SIT / "run-20260812-101500"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page_file(tmp_path_factory) -> Path:
    """The page of the two run folders."""
    file = tmp_path_factory.mktemp("diff") / "diff.html"
    assert main(["diff", str(FIRST), str(SECOND), "-o", str(file), "--lang", "en"]) == 1
    return file


@pytest.fixture
def opened(browser, page_file) -> Iterator[Opened]:
    one = Opened(browser, page_file)
    yield one
    one.close()
    assert one.said == []


def test_the_gravest_come_first_and_open_to_both_sides(opened) -> None:
    page = opened.go()
    expect(page.locator("h1")).to_have_text("A2A differences")
    expect(page.locator(".verdict")).to_contain_text("exit 1")
    rows = page.locator("#pairs-list .row")
    expect(rows).to_have_count(4)
    assert rows.last.get_attribute("aria-label") == "DA-01 r1", "the one without a contract change"
    rows.first.locator(".row-head").click()
    expect(rows.first.locator(".ranked.contract li").first).to_contain_text("leaked delegation on content")
    lines = rows.first.locator("table.lines")
    expect(lines.locator("tr.removed")).to_contain_text('"Searching."')
    expect(lines.locator("tr.changed mark").first).to_have_text("Done.")
    assert page.url.endswith("#pair-DA-09-r1")


def test_filters(opened) -> None:
    page = opened.go()
    page.locator("[data-pick=rank]").select_option("shape")
    expect(page.locator("#pairs-list .row")).to_have_count(2)
    page.locator("[data-pick=rank]").select_option("equal")
    expect(page.locator("#pairs-list")).to_contain_text("No round matches")
    page.locator("[data-pick=rank]").select_option("")
    page.locator("[data-pick=text]").fill("VERIFY-agent")
    expect(page.locator("#pairs-list .row")).to_have_count(1)


def test_links_and_keys(opened) -> None:
    page = opened.go("pair-EXP-01-r1")
    expect(page.locator("#pairs-list [aria-expanded=true]")).to_contain_text("missing")
    keys = page.keyboard
    keys.press("/")
    assert page.evaluate("document.activeElement.dataset.pick") == "text"
    keys.press("Escape")
    keys.press("j")
    keys.press("Enter")
    expect(page.locator("table.lines")).to_be_visible()
    keys.press("Enter")
    expect(page.locator("table.lines")).to_have_count(0)
    assert page.evaluate("document.activeElement.className") == "row-head"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_it_fits_and_axe_finds_nothing(browser, page_file, scheme, width) -> None:
    one = Opened(browser, page_file, scheme=scheme, width=width)
    page = one.go("pair-DA-09-r1")
    assert one.faults() == []
    page.get_by_role("button", name="中文").click()
    expect(page.locator("h1")).to_have_text("A2A 差异报告")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert one.faults() == []
    assert one.said == []
    one.close()


def test_it_can_be_printed(opened) -> None:
    page = opened.go("pair-DA-09-r1")
    page.emulate_media(media="print")
    expect(page.locator(".filters")).to_be_hidden()
    expect(page.locator("table.lines")).to_be_visible()
    assert page.pdf().startswith(b"%PDF")


def test_what_was_captured_obeys_nobody(browser, tmp_path) -> None:
    script = '"><script>window.hacked=1</script><img src=x onerror="window.hacked=2">' + HOSTILE
    found = difference()
    bad = [
        one._replace(
            scenario=script,
            topology=script,
            notes=(script,),
            undecided=(script,),
            changes=tuple(each._replace(name=script, before=script, after=script) for each in one.changes),
        )
        for one in found.pairs
    ]
    file = tmp_path / "diff.html"
    file.write_text("".join(diff_pieces(found._replace(a=script, pairs=tuple(bad)))), encoding="utf-8")
    one = Opened(browser, file)
    page = one.go()
    for at in range(3):
        page.locator("#pairs-list .row-head").nth(at).click()
        expect(page.locator("#pairs-list .row").nth(at).locator(".body")).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img, [onerror], a[href^=javascript]").count() == 0
    assert one.said == []
    one.close()


def test_in_a_report_it_leads_to_the_round(browser, tmp_path) -> None:
    file = tmp_path / "report.html"
    assert main(["report", str(SECOND), "--against", str(FIRST), "-o", str(file), "--lang", "en"]) == 0
    one = Opened(browser, file)
    page = one.go("pair-DA-09-r1")
    page.locator("#changes").get_by_role("link", name="Show the round: DA-09 r1").click()
    expect(page.locator("[id='round-DA-09-r1'] svg.lanes")).to_be_visible()
    assert one.faults() == []
    assert one.said == []
    one.close()
