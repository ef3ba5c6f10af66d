"""One model server for all tests of the agent cores: it keeps nothing between requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.testbed.core import playing
from tests.testbed.model.serving import model_server

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session", autouse=True)
def _model() -> Iterator[None]:
    with model_server() as model:
        playing.MODEL.append(model)
        yield
        playing.MODEL.clear()
