"""How tests are run: the long ones first, and how many cases hypothesis makes.

`make test` tries the same generated cases each time, `make soak` many new ones.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import needs

if TYPE_CHECKING:
    from collections.abc import Iterator

settings.register_profile(
    "gate", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "soak", deadline=None, max_examples=5000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("gate")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """After the collection: slow tests first, so that no process waits at the end for one of them."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """At the end of the run, told once for each thing that was lacking."""
    for line in needs.told(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(line, yellow=True)


@pytest.fixture
def no_hang() -> Iterator[None]:
    """Two minutes, then the test fails: for work that must be bounded, however slow the machine."""

    def stop(number: int, frame: object) -> None:
        pytest.fail("the work does not end", pytrace=False)

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
