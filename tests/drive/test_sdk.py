"""The official SDK's server understands what the driver sends, in both versions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.drive.conftest import run
from tests.e2e.sdk_server import SdkServer

pytestmark = pytest.mark.usefixtures("no_hang")


@pytest.fixture(scope="module")
def agent() -> Iterator[SdkServer]:
    with SdkServer() as server:
        yield server


@pytest.mark.parametrize("protocol", ["v1.0", "v0.3", "auto"])
def test_a_question_and_its_answer(agent: SdkServer, protocol: str) -> None:
    rounds = (
        "  - {send: ask please, expect: {outcome: INTERACTION}}\n"
        "  - {answer: complete Beijing, expect: {outcome: COMPLETED}}\n"
        "  - {send: [{text: complete}, {data: {a: 1}}]}\n"
    )
    driven = run(agent.url + "/rpc", rounds, protocol=protocol)
    assert [(one.status, one.state) for one in driven.rounds] == [
        (200, "input-required"), (200, "completed"), (200, "completed"),
    ]  # fmt: skip
    tasks = [one.task_id for one in driven.rounds]
    assert tasks[0] == tasks[1] != tasks[2]


@pytest.mark.parametrize("protocol", ["v1.0", "v0.3"])
def test_cancelling(agent: SdkServer, protocol: str) -> None:
    driven = run(agent.url + "/rpc", "  - {send: wait please, cancel_after: 0.01}\n", protocol=protocol)
    assert (driven.rounds[0].end, driven.rounds[0].state) == ("over", "canceled")
