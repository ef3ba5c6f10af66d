"""The HTML report in a real browser: opened from a file, offline, by mouse and by keyboard.

The browser is brought by `sh scripts/setup-browser.sh`, axe by `sh scripts/setup-js.sh`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from harness.cli.outputs import Output, edition, write
from harness.pipeline import Options, check
from tests.e2e.browser import Opened, chromium
from tests.report.html import runs

GOLDEN = "captures/golden/sit-logs"
SCRIPT = (
    '"><script>window.hacked=1</script><img src=x onerror="window.hacked=2"></script><svg onload=alert(1)>'
)
HOSTILE = f"{SCRIPT} a\u202eb\u2066c\u2028d\u200be {{{{7*7}}}} javascript:alert(1) <!-- --> ]]> &lt;b&gt;"
MOST = 5_000_000
"""Bytes of a page, whatever the run."""


def made(folder: Path, *paths: Path | str, lang: str = "en") -> Path:
    """The page of the captures at `paths`."""
    options = Options()
    file = folder / "report.html"
    write(check([str(path) for path in paths], options), Output("html", str(file)), edition(options, lang))
    return file


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    """Two topologies: one leaks, with its remote call and times; one is masked, without times."""
    folder = tmp_path_factory.mktemp("report")
    return made(folder, runs.leaking(folder / "run-1"), runs.asking(folder / "run-2"))


@pytest.fixture
def opened(browser, report) -> Iterator[Opened]:
    one = Opened(browser, report)
    yield one
    one.close()
    assert one.said == []


def finding(report: Path, rule: str, at: int = 0) -> dict:
    """The data of a finding, as the page carries it."""
    text = report.read_text(encoding="utf-8")
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert held
    return [one for one in json.loads(held[1])["findings"] if one["rule"] == rule][at]


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_opens_from_a_file_and_asks_for_nothing(browser, tmp_path, width, lang) -> None:
    one = Opened(browser, made(tmp_path, GOLDEN, lang=lang), width=width)
    page = one.go()
    assert page.locator("tr[data-topology]").count() == 3
    assert page.locator("html").get_attribute("lang") == ("zh-CN" if lang == "zh" else "en")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert one.said == []
    one.close()


def test_from_the_matrix_to_the_bytes(opened, report) -> None:
    page = opened.go()
    page.locator("tr[data-topology=deep-research] td.leaked button").click()
    rows = page.locator("#findings .row")
    expect(rows).to_have_count(2)
    rows.first.locator(".row-head").click()
    hit = page.locator("#findings .frame .line.hit")
    expect(hit.first).to_be_visible()
    assert "a2a_delegate" in "".join(hit.all_text_contents())
    page.locator("#findings .frame button", has_text="bytes").click()
    shown = "".join(page.locator("#findings .hex .line > mark").all_text_contents())
    marked = bytes.fromhex(shown)
    source = (report.parent / "run-1" / "DA-09-A2A_STREAM-r1.client.sse").read_bytes()
    place = finding(report, "LEAK101")["place"]
    assert marked in source[place[2] : place[3]]
    assert json.loads(marked)["payload"]["value"]["toolName"] == "search-agent"


def test_a_pointer_into_a_string_is_followed(opened, report) -> None:
    page = opened.go(f"finding-{finding(report, 'LEAK101', 1)['id']}")
    inner = page.locator("#findings .frame .inner .line.hit")
    expect(inner.first).to_be_visible()
    assert "verify-agent" in "".join(inner.all_text_contents())


def test_the_remote_request_stands_beside_the_leak(opened, report) -> None:
    page = opened.go(f"finding-{finding(report, 'LEAK101')['id']}")
    related = page.locator("#findings .related")
    expect(related).to_contain_text("DA-09 r1 [search-agent]")
    expect(related).to_contain_text(f"c-1_batch_{runs.CALL}")
    related.get_by_role("link").click()
    expect(page.locator("#rounds .inspector")).to_contain_text("search-agent")


def test_filters_narrow_and_are_cleared(opened) -> None:
    page = opened.go()
    page.locator("[data-filter=severity]").select_option("")
    everything = page.locator("#findings .row").count()
    page.locator("[data-filter=rule]").select_option("LEAK101")
    expect(page.locator("#findings .row")).to_have_count(2)
    page.locator("[data-filter=text]").fill("VERIFY-agent")
    expect(page.locator("#findings .row")).to_have_count(1)
    page.locator("[data-filter=exposure]").select_option("masked")
    expect(page.locator("#findings .row")).to_have_count(0)
    expect(page.locator("#findings-list")).to_contain_text("No finding matches")
    page.get_by_role("button", name="Clear filters").click()
    page.locator("[data-filter=severity]").select_option("")
    expect(page.locator("#findings .row")).to_have_count(everything)
    page.locator("[data-filter=topology]").select_option("edpa")
    expect(page.locator("#rounds .row")).to_have_count(1)


def test_links_lead_straight_to_a_finding_or_a_round(opened, report) -> None:
    wanted = finding(report, "ORD501")["id"]
    page = opened.go(f"finding-{wanted}")
    assert page.locator(f"#finding-{wanted} .row-head").get_attribute("aria-expanded") == "true"
    page = opened.go("round-EDPA-03-r1")
    expect(page.locator("[id='round-EDPA-03-r1'] svg.lanes")).to_be_visible()
    page = opened.go("finding-gone")
    assert page.locator("[aria-expanded=true]").count() == 0


def test_a_round_is_drawn_with_its_legs(opened) -> None:
    page = opened.go("round-DA-09-r1")
    names = page.locator("svg.lanes .lane-name").all_text_contents()
    assert names == ["findings", "client", "control channel", "content channel", "search-agent", "model"]
    assert page.locator("svg.lanes .mark.leaked").count() == 2
    assert page.locator("svg.lanes .tie.leaked").count() == 1
    assert page.locator("svg.lanes .mark.end.good").count() == 1
    page.locator("svg.lanes .bar.model").click()
    expect(page.locator(".inspector")).to_contain_text("search-agent")
    page = opened.go("round-EDPA-03-r1")
    expect(page.locator(".swim")).to_contain_text("no times were recorded")
    assert page.locator("svg.lanes .mark.masked").count() == 1


def test_two_topologies_stand_side_by_side(opened) -> None:
    page = opened.go()
    row = page.locator("#compare tr", has_text="delegation")
    expect(row).to_contain_text("leaked 2")
    expect(row).to_contain_text("masked 1")
    expect(row).to_contain_text("differs")
    page.locator("#compare-left").select_option("edpa")
    expect(page.locator("#compare tr", has_text="delegation")).to_contain_text("equal")
    assert page.evaluate("document.activeElement.id") == "compare-left"


def test_their_rounds_stand_next_to_each_other(browser, report) -> None:
    for width in (1280, 400):
        one = Opened(browser, report, width=width)
        page = one.go()
        page.locator("#compare summary").press("Enter")
        lanes = page.locator("#compare svg.lanes")
        expect(lanes).to_have_count(2)
        left, right = (lanes.nth(at).bounding_box() for at in range(2))
        assert (left["x"] < right["x"]) == (width == 1280)
        assert (left["y"] < right["y"]) == (width == 400)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator("#compare .side").first.locator(".mark.leaked").first.press("Enter")
        expect(page.locator("#compare .side").first.locator(".inspector .frame")).to_be_visible()
        assert one.faults() == []
        page.locator("#compare-left").select_option("edpa")
        expect(lanes).to_have_count(2)
        page.get_by_role("button", name="中文").click()
        expect(lanes).to_have_count(2)
        assert one.said == []
        one.close()


def test_all_of_it_by_keyboard(opened) -> None:
    page = opened.go()
    keys = page.keyboard
    keys.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    keys.press("/")
    keys.type("search-agent")
    expect(page.locator("#findings .row").first).to_be_visible()
    keys.press("Escape")
    keys.press("j")
    keys.press("Enter")
    expect(page.locator("#findings .frame")).to_be_visible()
    assert page.evaluate("document.activeElement.className") == "row-head"
    page.locator("#findings button", has_text="Show in the round").press("Enter")
    expect(page.locator("#rounds .inspector .frame")).to_be_visible()
    page.locator("svg.lanes [tabindex='0']").focus()
    keys.press("ArrowDown")
    keys.press("ArrowRight")
    assert "round ended: COMPLETED" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    keys.press("Enter")
    expect(page.locator(".inspector")).to_contain_text("COMPLETED")
    page.locator(".inspector button", has_text="Close").press("Enter")
    assert "round ended" in page.evaluate("document.activeElement.getAttribute('aria-label')")


def test_what_was_captured_obeys_nobody(browser, tmp_path) -> None:
    file = made(tmp_path, runs.leaking(tmp_path / "run-1", HOSTILE))
    one = Opened(browser, file)
    page = one.go()
    for at in range(2):
        page = one.go(f"finding-{finding(file, 'LEAK101', at)['id']}")
        expect(page.locator("#findings .frame")).to_be_visible()
        page.locator("#findings .frame button", has_text="bytes").click()
    page = one.go("round-DA-09-r1")
    for mark in page.locator("svg.lanes [role=button]").all():
        mark.press("Enter")
        expect(page.locator(".inspector")).to_be_visible()
    page.locator(".steps summary").first.click()
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("document.scripts.length") == 2
    assert page.locator("img, iframe, object, embed, [onerror], [onload], a[href^=javascript]").count() == 0
    text = page.evaluate("document.documentElement.textContent")
    assert "⟨U+202E⟩" in text
    assert not re.search("[\u200b\u2028\u202e\u2066]", text)
    assert one.said == []
    one.close()


def test_every_finding_and_every_round_opens(browser, tmp_path) -> None:
    """Of real streams of many forms; a pointer always leads to a value of the frame that is shown."""
    folders = ["sit-logs", "openjiuwen-shape", "openjiuwen-python", "a2a-js-sdk-1.3.0"]
    one = Opened(browser, made(tmp_path, *(f"captures/golden/{name}" for name in folders)))
    page = one.go()
    lost = page.evaluate("""() => FINDINGS.filter((one, at) => {
        openFinding(at);
        const node = document.getElementById(`finding-${one.id}`);
        const missed = node.textContent.includes(t("not_found"));
        const bytes = [...node.querySelectorAll(".frame-head button")].find((each) => each.dataset.act === t("bytes"));
        if (bytes) bytes.click();
        return missed;
    }).map((one) => `${one.source} ${one.place}`)""")
    assert lost == []
    drawn = page.evaluate("""() => ROUNDS.filter((one, at) => {
        openRound(at);
        return document.querySelector(`#body-${state.round} svg.lanes`) !== null;
    }).length""")
    assert drawn > 50
    assert one.said == []
    one.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_nothing(browser, report, scheme, width) -> None:
    one = Opened(browser, report, scheme=scheme, width=width)
    page = one.go(f"finding-{finding(report, 'LEAK101')['id']}")
    assert one.faults() == []
    page = one.go("round-DA-09-r1")
    page.locator("svg.lanes .mark.leaked").first.click()
    page.locator(".steps summary").first.click()
    page.get_by_role("button", name="中文").click()
    assert one.faults() == []
    one.close()


def test_language_and_colours_are_switched_in_the_page(opened) -> None:
    page = opened.go()
    page.get_by_role("button", name="中文").click()
    assert page.title() == "A2A 验收报告"
    assert page.locator("html").get_attribute("lang") == "zh-CN"
    assert page.evaluate("document.activeElement.dataset.act") == "language"
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("[data-act=theme]").click()
    page.locator("[data-act=theme]").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != paper


def test_it_can_be_printed(opened, report) -> None:
    page = opened.go(f"finding-{finding(report, 'LEAK101')['id']}")
    page.emulate_media(media="print")
    expect(page.locator(".filters")).to_be_hidden()
    expect(page.locator("#findings .frame")).to_be_visible()
    assert page.pdf().startswith(b"%PDF")


def test_without_its_script_the_matrix_is_still_there(browser, report) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(report.absolute().as_uri())
    assert page.locator("noscript, body").first.is_visible()
    assert "deep-research" in page.locator("main").inner_text()
    context.close()


@pytest.mark.slow
def test_a_run_of_100k_events_stays_small(browser, tmp_path, no_hang) -> None:
    folder = tmp_path / "run-1"
    folder.mkdir()
    with (folder / "DA-09-A2A_STREAM-r1.sse").open("wb") as file:
        file.write(runs.status("WORKING"))
        for number in range(100_000):
            file.write(
                runs.leak(call=f"call_{number}")
                if number % 400 == 0
                else runs.token(f"word{number} ", number)
            )
        file.write(runs.status("COMPLETED"))
    page_file = made(tmp_path, folder)
    assert page_file.stat().st_size < MOST
    one = Opened(browser, page_file)
    page = one.go("round-DA-09-r1")
    expect(page.locator("svg.lanes .density.content")).to_be_visible()
    assert page.locator("#findings .row").count() > 0
    assert one.said == []
    one.close()
