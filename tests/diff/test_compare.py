"""What is told of two rounds beside their events: outcome, status, rules, surface, ending, duration."""

from __future__ import annotations

import pytest

from harness.diff.compare import Reading, compare, only
from harness.diff.form import Volatile
from harness.diff.ids import Ids
from harness.diff.values import Change, Pair, Side, Undecided, exit_code
from harness.model.finding import Finding, NotChecked
from harness.model.interaction import Place
from harness.model.verdict import Round

VOLATILE = Volatile(factor=2.0, least_s=1.0)
ROUND = Round("s", "DA-1", None, "A2A_STREAM", 1, "client", "v1.0", "jsonrpc", 200, 3, "clean", "COMPLETED")
BROKEN = Finding("ORD507", "nothing-after-the-end", "error", "m", "w", Place(3, "/x", None))


def pair(a: dict, b: dict, took: tuple[int | None, int | None] = (None, None)) -> Pair:
    rounds = (ROUND._replace(**a), ROUND._replace(**b))
    readings = [Reading(r, (), Ids(VOLATILE), took_ns=t) for r, t in zip(rounds, took, strict=True)]
    return compare(*readings, VOLATILE)


def told(a: dict, b: dict, **more) -> list[tuple[str, str, str | None, str | None]]:
    return [(c.rank, c.subject, c.before, c.after) for c in pair(a, b, **more).changes]


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        ({}, {}, []),
        ({"outcome": "COMPLETED"}, {"outcome": "FAILED"}, [("contract", "outcome", "COMPLETED", "FAILED")]),
        ({}, {"outcome": "INCONCLUSIVE"}, []),
        ({"outcome": "HTTP_ERROR", "http_status": 404}, {"outcome": "HTTP_ERROR", "http_status": 503}, [("contract", "http_status", "404", "503")]),
        ({}, {"http_status": 202}, [("shape", "http_status", "200", "202")]),
        ({}, {"http_status": None, "dialect": None, "binding": None}, []),
        ({}, {"dialect": "v0.3"}, [("shape", "surface", "v1.0", "v0.3")]),
        ({}, {"ending": "client_left"}, [("timing", "ending", "clean", "client_left")]),
        ({"ending": "timeout"}, {"ending": "client_left"}, []),
        ({"ending": "unknown"}, {"ending": "clean"}, []),
        ({}, {"ending": "upstream_cut"}, [("shape", "ending", "clean", "upstream_cut")]),
        ({}, {"findings": (BROKEN,)}, [("contract", "finding", None, "m")]),
        ({"findings": (BROKEN,)}, {}, [("contract", "finding", "m", None)]),
        ({"findings": (BROKEN,)}, {"findings": (BROKEN, BROKEN)}, []),
        ({}, {"findings": (BROKEN._replace(severity="warning"),)}, []),
        ({}, {"findings": (BROKEN._replace(waived="W1"),)}, []),
        ({"not_checked": (NotChecked("ORD507", "r"),)}, {"findings": (BROKEN,)}, []),
        ({"outcome": "FAILED"}, {"findings": (BROKEN._replace(rule="END502"),)}, [("contract", "outcome", "FAILED", "COMPLETED")]),
    ],
)  # fmt: skip
def test_changes(a: dict, b: dict, wanted: list) -> None:
    assert told(a, b) == wanted


@pytest.mark.parametrize(
    ("took", "wanted"),
    [
        ((10**9, 3 * 10**9), [("timing", "duration", "1.0 s", "3.0 s")]),
        ((10**9, 19 * 10**8), []),
        ((10**8, 10**9), []),
        ((10**9, None), []),
    ],
)
def test_durations(took, wanted) -> None:
    assert told({}, {}, took=took) == wanted


def test_a_round_that_only_one_side_has() -> None:
    (gone,), (new,) = only(ROUND, is_a=True).changes, only(ROUND, is_a=False).changes
    assert (gone.rank, gone.operation, gone.before) == ("contract", "removed", "COMPLETED, 3 events")
    assert (new.operation, new.after, new.name) == ("added", "COMPLETED, 3 events", "DA-1 r1")


def test_undecided_is_told_with_its_side() -> None:
    found = pair({}, {"outcome": "INCONCLUSIVE", "ending": "unsealed"})
    assert found.undecided == ("B: INCONCLUSIVE, ending unsealed, 3 events",)


SIDE = Side("f.sse", "COMPLETED", "clean", 3)
TIMING = Pair("s", 1, "client", None, None, SIDE, SIDE, (Change("timing", "order", "reordered", "x"),))
EQUAL = TIMING._replace(changes=())
OPEN = EQUAL._replace(undecided=("A: INCONCLUSIVE",))
ALONE = TIMING._replace(a=None, changes=(Change("shape", "round", "added", "s r1"),))
BREACH = TIMING._replace(changes=(Change("contract", "outcome", "changed", "x"),))


@pytest.mark.parametrize(
    ("pairs", "undecided", "fail_on", "code"),
    [
        ((EQUAL,), (), "contract", 0),
        ((TIMING,), (), "contract", 0),
        ((TIMING,), (), "text", 0),
        ((TIMING,), (), "timing", 1),
        ((BREACH,), (), "timing", 1),
        ((BREACH, OPEN), (), "contract", 1),
        ((EQUAL, OPEN), (), "contract", 3),
        ((EQUAL,), (Undecided("f", "r"),), "contract", 3),
        ((), (), "contract", 3),
        ((ALONE,), (), "contract", 3),
        ((ALONE,), (), "shape", 1),
        ((ALONE, EQUAL), (), "contract", 0),
    ],
)
def test_exit_code(pairs, undecided, fail_on, code: int) -> None:
    assert exit_code(pairs, undecided, fail_on) == code
