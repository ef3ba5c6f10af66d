"""Pairs of live runs on the testbed, which differ in one thing each: what must be told of it, and no more.

What is expected follows from the row of the defect, the generation or the parameter that was
changed (harness/testbed, openJiuwen facts, semantics.md section 3). A scenario is played under the
case's name in both runs, so that both are two runs for all cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.comparing import Choice, diff
from harness.diff.values import Difference
from harness.kit import Options
from harness.testbed.launch import Testbed
from tests.diff.late import Late, late
from tests.diff.pairs import BY_NAME, CASES, MIRROR_DA_09, Case, Told, in_order, mirrored, told
from tests.live.shared import ROOT, SCENARIOS, common, shared, with_set

GOLDEN = ROOT / "captures" / "golden" / "sit-logs" / "run-20260812-101500"
SEARCHES = ("模型甲", "模型乙", "模型丙")


def between(a: str | Path, b: str | Path, *scenarios: str) -> Difference:
    found = diff(str(a), str(b), Options(), Choice(scenarios=scenarios))
    assert found.undecided == () and not any(pair.undecided or pair.notes for pair in found.pairs)
    return found


@contextmanager
def backwards(mark: str) -> Iterator[None]:
    """Search calls of the conversation `mark` are let through the last one first."""
    serve: Callable[..., None] = Testbed.serve
    order = Late(mark, SEARCHES)
    with pytest.MonkeyPatch.context() as patch:
        open_: list[Any] = []

        def served(self: Testbed, peers: dict[str, str], plans: Any) -> None:
            stand_in = late(peers["search-agent"], order)
            open_.append(stand_in)
            serve(self, {**peers, "search-agent": stand_in.__enter__()}, plans)

        patch.setattr(Testbed, "serve", served)
        try:
            yield
        finally:
            for one in open_:
                one.__exit__(None, None, None)


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """All cases in two runs, made once for all processes of the test session."""
    folder = common(tmp_path_factory)
    before = shared(folder, "pairs-before", [case.played(0) for case in CASES])
    with backwards("da-09-order-"):
        after = shared(folder, "pairs-after", [case.played(1) for case in CASES])
    return before.run_dir, after.run_dir


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_told_of_one_thing(pair: tuple[str, str], case: Case, no_hang: None) -> None:
    found = between(*pair, case.name)
    assert told(found.pairs) == {place: in_order(changes) for place, changes in case.told.items()}
    assert found.exit == int(any("contract" in line for changes in case.told.values() for line in changes))


def test_texts_never_fail_unless_asked(pair: tuple[str, str]) -> None:
    for fail_on, exit in (("contract", 0), ("shape", 0), ("text", 1), ("timing", 1)):
        choice = Choice(scenarios=("DA-09.longer",), fail_on=fail_on)  # type: ignore[arg-type]
        assert diff(*pair, Options(), choice).exit == exit
    choice = Choice(scenarios=("DA-09.order",), fail_on="text")
    assert diff(*pair, Options(), choice).exit == 0


# the repository's scenarios


REPORTED: dict[str, Told] = {
    # a delegation that is mirrored is leaked; a question of the client's own is only shown twice
    "DA-09": {"r1 client": MIRROR_DA_09},
    "DA-one": {"r1 client": mirrored("search-agent: leaked delegation")},
    "DA-ask": {"r1 client": mirrored("ask_user: native user_input")},
    "DA-confirm": {"r1 client": mirrored("delete_file: native confirmation")},
    "deep-review-questions": {"r1 client": mirrored("request_user_input: native user_input")},
    "deep-edpa-balance": {
        f"r{number} client": mirrored("versatile-adapter: leaked delegation") for number in (1, 3, 5)
    },
}
FREE = "DA-steer"
"""Looks again and again until the steering text arrives: so often as that takes."""


@pytest.fixture(scope="session")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> str:
    return with_set(tmp_path_factory, "fixed").run_dir


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> str:
    return with_set(tmp_path_factory, "as-reported").run_dir


@pytest.fixture(scope="session")
def again(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same as `fixed`, another time."""
    return shared(common(tmp_path_factory), "fixed-again", SCENARIOS, set_name="fixed").run_dir


@pytest.mark.parametrize("name", [name for name in BY_NAME if name != FREE])
def test_the_same_run_twice(fixed: str, again: str, name: str, no_hang: None) -> None:
    """Other ids, times, ports, order of calls at the same time: nothing that means anything."""
    found = between(fixed, again, name)
    assert found.pairs and told(found.pairs) == {} and found.exit == 0
    assert all(pair.a and pair.b and pair.a.source != pair.b.source for pair in found.pairs)


@pytest.mark.parametrize("name", BY_NAME)
def test_as_reported_against_fixed(fixed: str, reported: str, name: str, no_hang: None) -> None:
    found, back = between(fixed, reported, name), between(reported, fixed, name)
    wanted = REPORTED.get(name, {})
    if name == FREE:
        assert found.counts()["contract"] == back.counts()["contract"] == 0
        return
    assert told(found.pairs) == wanted
    assert told(back.pairs) == {
        place: [line.replace(" added ", " removed ") for line in changes] for place, changes in wanted.items()
    }
    assert found.exit == back.exit == int(bool(wanted))


# a golden run folder, which is a wire log of the client leg alone


def contract(found: Difference) -> Told:
    graves = {
        place: [line for line in changes if line.startswith("contract")]
        for place, changes in told(found.pairs).items()
    }
    return {place: changes for place, changes in graves.items() if changes}


def test_a_run_against_a_golden_one(fixed: str, reported: str) -> None:
    """Seed 000 recorded the 3 + 1 delegations in two mirror frames; other texts, no other meaning."""
    found = between(GOLDEN, reported, "DA-09")
    assert contract(found) == {} and found.exit == 0
    found = between(GOLDEN, fixed, "DA-09")
    assert contract(found) == {"r1 client": [line.replace(" added ", " removed ") for line in MIRROR_DA_09]}
    assert found.exit == 1


def test_legs_that_a_wire_log_lacks_are_no_calls_that_were_lost(reported: str) -> None:
    found = told(between(GOLDEN, reported, "DA-09").pairs)
    assert found["r1 search-agent"] == ["shape round added DA-09 r1 x3"]
    assert found["r1 verify-agent"] == ["shape round added DA-09 r1"]
