"""Fixtures for tests that are written by hand: record, read, judge, and agents to talk to."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from harness.errors import HarnessError, UsageError
from harness.pytest_plugin.session import of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from harness.kit import Options
    from harness.pytest_plugin.seen import Recorded, RunVerdict, Verdict
    from harness.record import Recorder
    from harness.testbed.launch import Testbed
    from harness.testbed.plan import Plan

type Path_ = str | os.PathLike[str]


class MakesRecorder(Protocol):
    """`recorder(client=URL, ...)`."""

    def __call__(self, scenario: str | None = None, **legs: str) -> Recorder: ...


class ReadsCapture(Protocol):
    """`capture(PATH)`."""

    def __call__(self, path: Path_, **options: Any) -> Recorded | list[Recorded]: ...


class Judges(Protocol):
    """`verdict(PATH, contract=...)`."""

    def __call__(self, path: Path_, contract: str | None = None, **options: Any) -> Verdict | RunVerdict: ...


class Asserts(Protocol):
    """`assert_contract(PATH, contract=...)`."""

    def __call__(self, path: Path_, contract: str | None = None, **options: Any) -> None: ...


class StartsTestbed(Protocol):
    """`testbed(TOPOLOGY, plans={contextId: {...}})`."""

    def __call__(
        self, topology: str, plans: Mapping[str, Plan | Mapping[str, object]] | None = None
    ) -> Testbed: ...


def _without_stack[**P, T](function: Callable[P, T]) -> Callable[P, T]:
    """An error of ours is told at the line of the test, without a stack of ours."""

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> T:
        __tracebackhide__ = True
        try:
            return function(*arguments, **named)
        except HarnessError as error:
            raise error.with_traceback(None) from None

    return call


@pytest.fixture
def recorder(request: pytest.FixtureRequest, tmp_path: Path) -> MakesRecorder:
    """Makes recorders: `with recorder(client="http://...") as it: ... it.addresses["client"], it.run_dir`.

    The run folder is made below `--captures` where that is given, else below `tmp_path`.
    """

    @_without_stack
    def make(scenario: str | None = None, **legs: str) -> Recorder:
        from harness.record import Leg, Recorder, Settings
        from harness.record.run import new_run

        asked = request.config.getoption("harness_captures") or str(tmp_path / "captures")
        made = tuple(Leg(name, url, ("127.0.0.1", 0)) for name, url in legs.items())
        return Recorder(Settings(legs=made, run_dir=new_run(asked), scenario=scenario))

    return make


@pytest.fixture
def capture(request: pytest.FixtureRequest) -> ReadsCapture:
    """Reads captures: one for a file, a list for a folder; `.events`, `.text`, `.interactions`."""

    @_without_stack
    def read(path: Path_, **options: Any) -> Recorded | list[Recorded]:
        from harness.capture import find
        from harness.capture.naming import BESIDE
        from harness.pytest_plugin.seen import Recorded

        chosen = _options(request, None, options)
        found = [one for one in find([os.fspath(path)]).captures if one.protocol not in BESIDE]
        made = [Recorded(one, chosen) for one in found]
        return made if os.path.isdir(path) or len(made) != 1 else made[0]

    return read


@pytest.fixture
def verdict(request: pytest.FixtureRequest) -> Judges:
    """Judges captures: `.outcome`, `.interactions`, `.asked`, `.rules` of one; `.of(...)` of several."""

    @_without_stack
    def judge(path: Path_, contract: str | None = None, **options: Any) -> Verdict | RunVerdict:
        from harness.pipeline import check
        from harness.pytest_plugin.seen import RunVerdict, Verdict

        report = check([os.fspath(path)], _options(request, contract, options))
        return Verdict(report.rounds[0], report) if len(report.rounds) == 1 else RunVerdict(report)

    return judge


@pytest.fixture
def assert_contract(request: pytest.FixtureRequest) -> Asserts:
    """Fails with a whole report where the contract is broken, or where it could not be decided."""

    @_without_stack
    def hold(path: Path_, contract: str | None = None, **options: Any) -> None:
        __tracebackhide__ = True
        from harness.pipeline import check
        from harness.pytest_plugin import failure

        chosen = _options(request, contract, options)
        failure.demand(check([os.fspath(path)], chosen), _breaking(request, chosen))

    return hold


@pytest.fixture
def testbed(request: pytest.FixtureRequest) -> Iterator[StartsTestbed]:
    """Starts the reference agents of a topology: `.addresses[name]`; they end with the test.

    With `plans` they serve at once. Without, nothing is served before `.serve(peers, plans)`, so that
    the agents can be told to call each other through a recorder.
    """
    with ExitStack() as stack:

        @_without_stack
        def start(topology: str, plans: Mapping[str, Plan | Mapping[str, object]] | None = None) -> Testbed:
            from harness import topologies
            from harness.testbed.launch import Testbed
            from harness.testbed.plan import Plan

            known = topologies.named(of(request).topologies, topology)
            if known is None:
                names = ", ".join(one.name for one in of(request).topologies)
                raise UsageError(f"no topology is called {topology!r}", mend=f"known are {names}")
            made = stack.enter_context(Testbed(known.agents, edges=known.edges))
            if plans is not None:
                read = {key: one if isinstance(one, Plan) else Plan.of(one) for key, one in plans.items()}
                made.serve({}, read)
            return made

        yield start


def _breaking(request: pytest.FixtureRequest, options: Options) -> frozenset[str]:
    asked = options.strict or options.fail_on == "warning"
    return frozenset({"error", "warning"}) if asked else of(request).choices.breaking


def _options(request: pytest.FixtureRequest, contract: str | None, options: dict[str, Any]) -> Options:
    """The options of a check: as the test says, else as pytest was told."""
    from harness.kit import Options

    for name in options:
        if name not in Options._fields:
            raise UsageError(f"no option is called {name!r}", mend=f"known are {', '.join(Options._fields)}")
    choices = of(request).choices
    asked = {"contract": contract or choices.contract, "topologies": choices.topologies}
    given = {name: value for name, value in asked.items() if value is not None}
    return Options(**{"mappings": choices.mapping, **given, **options})
