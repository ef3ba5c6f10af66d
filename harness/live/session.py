"""One run from its first process to its last seal."""

from __future__ import annotations

import os
import re
import secrets
from typing import TYPE_CHECKING, Any

from harness.errors import UsageError
from harness.live.conduct import Conductor
from harness.live.stop import Stop, Stopped
from harness.live.system import System, Talk, system_of
from harness.record import Recorder, Settings
from harness.record.run import new_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.drive import Driven, Step
    from harness.live.order import Order
    from harness.model.scenario import Scenario
    from harness.pipeline import Options

_MOST_OF_NAME = 40


class Session:
    """Starts, records, drives and seals."""

    def __init__(
        self,
        order: Order,
        options: Options,
        on_step: Callable[[Step], None] | None,
        on_note: Callable[[str], None] | None,
        stop: Stop,
    ) -> None:
        self.run_dir = new_run(order.captures)
        self._order = order
        self._options = options
        self._stop = stop
        self._note = on_note or _nowhere
        self._talks = tuple(Talk(one, context_id(one)) for one in order.scenarios)
        self._on_step = on_step
        self._recorder: Recorder | None = None
        self._conductor = Conductor(order.jobs, options.mappings, stop, self._step)
        self._facts: dict[str, Any] = {
            "sut": order.sut.file if order.sut else "testbed",
            "topologies": [one.name for one in order.used],
            "defects": order.set_name,
        }

    @property
    def driven(self) -> tuple[Driven, ...]:
        """What the driver saw, in the order of the scenarios."""
        by_name = {one.scenario: one for one in self._conductor.driven}
        names = [one.scenario.name for one in self._talks]
        return tuple(by_name[name] for name in names if name in by_name)

    def run(self) -> None:
        """All of it; raises `Stopped` when the run was stopped, once all is sealed and ended."""
        self._unless_stopped()
        writable(self._order.captures)
        with system_of(self._order, self._stop) as system:
            self._unless_stopped()
            with self._made(system) as recorder:
                self._recorder, self.run_dir = recorder, recorder.run_dir
                for one in self._talks:
                    recorder.name(one.context_id, one.scenario.name)
                system.begin(recorder.addresses, self._talks)
                self._drive(system, recorder)
            self._unless_stopped()
            self._tell(system, recorder)

    def _made(self, system: System) -> Recorder:
        settings = Settings(
            legs=system.legs(),
            run_dir=self.run_dir,
            own=True,
            topology=self._order.used[0] if len(self._order.used) == 1 else None,
            secrets=system.secrets,
            facts=self._facts,
            contract=self._options.contract,
            may_idle=system.may_idle,
        )
        return Recorder(settings)

    def _step(self, step: Step) -> None:
        if step.what == "again" and self._recorder is not None:
            self._recorder.again(step.context_id)
        if self._on_step is not None:
            self._on_step(step)

    def _drive(self, system: System, recorder: Recorder) -> None:
        if self._stop.number is None:
            targets = [system.target(one.scenario, recorder.addresses) for one in self._talks]
            talks = [one._replace(scenario=system.driven(one.scenario)) for one in self._talks]
            self._conductor.run(list(zip(talks, targets, strict=True)))
        self._facts["conversations"] = {
            one.scenario: {
                "contextId": one.context_id,
                "rounds": [each._replace(questions=())._asdict() for each in one.rounds],
            }
            for one in self.driven
        }

    def _tell(self, system: System, recorder: Recorder) -> None:
        ended = system.noted()
        for text in (*([ended] if ended else []), *recorder.summary.warnings, *recorder.summary.incomplete):
            self._note(text)

    def _unless_stopped(self) -> None:
        if self._stop.number is not None:
            raise Stopped(self._stop.number, self.run_dir if os.path.isdir(self.run_dir) else None)


def writable(folder: str) -> None:
    """Raise `UsageError` before anything is started that could not be recorded."""
    try:
        os.makedirs(folder, exist_ok=True)
        reason = None if os.access(folder, os.W_OK | os.X_OK) else "no permission"
    except OSError as fault:
        reason = fault.strerror
    if reason is not None:
        what = f"no run folder can be made in {folder}: {reason}"
        raise UsageError(what, mend="name another folder with --captures")


def context_id(scenario: Scenario) -> str:
    """A new one: letters, digits and hyphens, since `_` and `:` mark off child contexts."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", scenario.name)[:_MOST_OF_NAME].strip("-")
    return f"{name or 'scenario'}-{secrets.token_hex(6)}".lower()


def _nowhere(text: str) -> None:
    """For those who want no notes."""
