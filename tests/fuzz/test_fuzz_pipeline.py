"""The fuzz target of the whole flow: it finds nothing, and finds a planted fault."""

from __future__ import annotations

import pytest

from harness import rounds
from tests.fuzz.fuzz_pipeline import Fault, hunt


@pytest.mark.slow
def test_half_a_minute_finds_nothing() -> None:
    found = hunt(30, seed=3)
    assert not isinstance(found, Fault), (found.source, found.tries)
    assert found > 200


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A skip lane that starts before the stream's ids are known loses an id that a later frame tells."""

    def hasty(judge: rounds.RoundJudge) -> bool:
        return judge.events > 0

    monkeypatch.setattr(rounds.RoundJudge, "may_skip", hasty)
    assert isinstance(hunt(60, seed=1), Fault)
