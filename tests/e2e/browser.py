"""A real headless Chromium that opens pages from files, and tells everything that they do."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests import needs

ROOT = Path(__file__).resolve().parent.parent.parent
MEND = "sh scripts/setup-browser.sh"
AXE = ROOT / "tests/e2e/js/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser of this machine; the test is left out where there is none."""
    found = needs.command("chromium", MEND)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


def axe() -> str:
    """The script of axe-core; the test is left out where it can not be had."""
    if not AXE.exists():
        if shutil.which("npm") is None:
            needs.lacking("axe-core", "sh scripts/setup-js.sh")
        subprocess.run(["sh", ROOT / "scripts/setup-js.sh"], check=False, capture_output=True)
    return (
        AXE.read_text(encoding="utf-8")
        if AXE.exists()
        else needs.lacking("axe-core", "sh scripts/setup-js.sh")
    )


class Opened:
    """A page from a file, offline. `said` is what it did that a report must not do."""

    def __init__(self, browser: Browser, path: Path, *, width: int = 1280, scheme: Any = "light") -> None:
        self.path = path
        self.url = path.absolute().as_uri()
        self.said: list[str] = []
        self._context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            offline=True,
            reduced_motion="reduce",
        )
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on("console", lambda one: self.said.append(f"console {one.type}: {one.text}"))
        self.page.on("pageerror", lambda one: self.said.append(f"error: {one}"))
        self.page.on("dialog", lambda one: (self.said.append(f"dialog: {one.message}"), one.dismiss()))
        self.page.on("request", self._requested)

    def _requested(self, request: Any) -> None:
        if request.url.partition("#")[0] != self.url:
            self.said.append(f"request: {request.url}")

    def go(self, fragment: str = "") -> Page:
        """Open the page anew, at a fragment."""
        self.page.goto("about:blank")
        self.said.clear()
        self.page.goto(self.url + (f"#{fragment}" if fragment else ""))
        self.page.wait_for_selector("main > section")
        return self.page

    def faults(self) -> list[str]:
        """What axe finds: rule, and the first element that breaks it."""
        self.page.evaluate(axe())
        found = self.page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
        return [
            f"{one['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
            for one in found["violations"]
            for node in one["nodes"][:3]
        ]

    def close(self) -> None:
        self._context.close()
