"""How tests are run: the long ones first, and how many cases hypothesis makes.

`make test` tries the same generated cases each time, `make soak` many new ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    import pytest

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
