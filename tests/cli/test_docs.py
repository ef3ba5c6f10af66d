"""Generated pages are fresh, and the check notices when they are not."""

from __future__ import annotations

from harness.cli.docs import PAGES, stale, write


def test_the_pages_of_this_repository_are_fresh() -> None:
    assert stale() == [], "run `make docs`"


def test_written_pages_are_fresh_and_changed_ones_are_not(tmp_path) -> None:
    assert stale(tmp_path) == list(PAGES)
    write(tmp_path)
    assert stale(tmp_path) == []
    (tmp_path / "docs/cli.md").write_text("old")
    assert stale(tmp_path) == ["docs/cli.md"]
