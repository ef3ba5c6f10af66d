"""Fingerprints: stable over runs and versions of Python, unique within a report."""

from __future__ import annotations

import re

from harness.report.entries import entries
from harness.report.fingerprint import fingerprint, fingerprints
from tests.report.values import finding, report, round_


def test_equal_ones_are_numbered_and_the_first_keeps_its_own() -> None:
    one = list(fingerprints(entries(report(round_(findings=(finding(),))))))
    two = list(fingerprints(entries(report(round_(findings=(finding(), finding()))))))
    assert two[0] == one[0]
    assert len(set(two)) == 2


def test_a_published_one_does_not_change() -> None:
    """Whoever stores fingerprints relies on it: a change makes every alert new again."""
    wanted = "ccadb1fc"
    assert fingerprint(("LEAK101", ("deep-research", "DA-09", 1, "client"), ("x", None)))[:8] == wanted


def test_any_text_has_one() -> None:
    assert re.fullmatch("[0-9a-f]{64}", fingerprint(("\ud800", "\x00", None, ("a", 1))))
