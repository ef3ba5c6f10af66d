"""A live run of the command line: signals, and a line on standard error for what happens."""

from __future__ import annotations

import signal
import sys
import time
from typing import TYPE_CHECKING

from harness.cli.record import said
from harness.cli.terminal import aside
from harness.live import Stop, run

if TYPE_CHECKING:
    from types import FrameType

    from harness.drive import DrivenRound, Step
    from harness.live import Order, Ran
    from harness.pipeline import Options

_WIPE = "\r\x1b[K"
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


_ENDS = {
    "cut": "run.cut",
    "timeout": "run.timeout",
    "refused": "run.refused",
    "error": "run.error",
    "not_sent": "run.not_sent",
}
"""What is said of a round that was not answered to its end."""
_STEPS = {"again": "run.again", "canceled": "run.canceled"}


class Running:
    """Runs one order from start to report."""

    def __init__(self, lang: str, *, quiet: bool) -> None:
        self._lang = lang
        self._quiet = quiet
        self._is_terminal = sys.stderr.isatty()
        self._stop = Stop()
        self._sent: dict[tuple[str, int], float] = {}

    def run(self, order: Order, options: Options) -> Ran:
        """Run it; raises `Stopped` after a signal, when all is sealed."""
        before = {one: signal.signal(one, self._told) for one in _SIGNALS}
        try:
            self._say("run.begins", scenarios=len(order.scenarios), system=_system(order))
            return run(order, options, self._step, self._note, self._stop)
        finally:
            self._wipe()
            for one, handler in before.items():
                signal.signal(one, handler)

    def _told(self, number: int, frame: FrameType | None) -> None:
        """A signal: the run ends and is sealed. While it is judged, nothing is left to be sealed."""
        if self._stop.is_heard:
            self._stop.tell(number)
        elif number == signal.SIGINT:
            raise KeyboardInterrupt
        else:
            raise SystemExit(128 + number)

    def _step(self, step: Step) -> None:
        key = step.scenario, step.round
        if step.what == "sent":
            self._sent[key] = time.monotonic()
            self._running(step)
        elif step.driven is not None:
            now = time.monotonic()
            self._ended(step, step.driven, now - self._sent.get(key, now))
        else:
            self._say(_STEPS[step.what], scenario=step.scenario, round=step.round, text=step.text)

    def _ended(self, step: Step, driven: DrivenRound, seconds: float) -> None:
        state = driven.state or (f"HTTP {driven.status}" if driven.status not in (None, 200) else "-")
        end = self._word(_ENDS[driven.end]) if driven.end in _ENDS else ""
        text = ": ".join(one for one in (end, driven.text) if one)
        self._say(
            "run.ended",
            scenario=step.scenario,
            round=step.round,
            state=state,
            seconds=f"{seconds:.1f}",
            text=f"  {text}" if text else "",
        )

    def _running(self, step: Step) -> None:
        """What runs now, on a terminal: a line that the next one takes the place of."""
        if self._is_terminal and not self._quiet:
            from harness.report.cells import harmless

            text = self._word("run.sent").format(scenario=step.scenario, round=step.round)
            aside(_WIPE + harmless(text))

    def _wipe(self) -> None:
        if self._is_terminal:
            aside(_WIPE)

    def _note(self, text: str) -> None:
        self._wipe()
        said(self._lang, "record.warning", text=text)

    def _word(self, key: str) -> str:
        from harness.cli.words import words

        return words(self._lang)[key]

    def _say(self, key: str, **values: object) -> None:
        if not self._quiet:
            self._wipe()
            said(self._lang, key, **values)


def _system(order: Order) -> str:
    """The system as a user calls it, and the defects that it was told to have."""
    system = order.sut.file if order.sut else "testbed"
    return f"{system}, {order.set_name}" if order.set_name else system
