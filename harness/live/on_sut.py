"""A run on a system under test: one that runs already, or one that is started."""

from __future__ import annotations

import json
import os
import re
import tempfile
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from harness.drive import Target
from harness.errors import ScenarioError
from harness.live.legs import legs_of, through
from harness.live.process import SutProcess
from harness.live.ready import Ready
from harness.live.system import LOOPBACK, MODEL
from harness.record import Leg
from harness.scenario.sut import check_against, filled
from harness.testbed.launch import Testbed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.live.order import Order
    from harness.live.stop import Stop
    from harness.live.system import Talk
    from harness.model.scenario import Scenario
    from harness.scenario.sut import Sut, SutAgent

MODEL_URL = "HARNESS_MODEL_URL"


class OnSut:
    """The system of a `--sut` file."""

    may_idle = False

    def __init__(self, order: Order, sut: Sut, stop: Stop) -> None:
        self._order = order
        self._sut = sut
        self._stop = stop
        self._process = SutProcess(sut)
        self.secrets: str | None = None
        self._model: Testbed | None = None
        self._stack = ExitStack()
        check_against(sut, order.used)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            if self._sut.model is not None and self._sut.model.url is None:
                self._model = stack.enter_context(Testbed([]))
            stack.enter_context(self._process)
            self.secrets = _secrets(self._sut, stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def legs(self) -> tuple[Leg, ...]:
        """All edges whose target has an address, and the model."""
        found = legs_of(self._order.used, self._url, self._listen)
        if self._sut.model is None:
            return found
        return (*found, Leg(MODEL, self._model_url(), self._sut.model.listen or LOOPBACK))

    def _url(self, name: str) -> str | None:
        one = self._sut.agent(name)
        return None if one is None else one.url

    def _listen(self, name: str) -> tuple[str, int] | None:
        one = self._sut.agent(name)
        return None if one is None else one.listen

    def _model_url(self) -> str:
        assert self._sut.model is not None
        return self._sut.model.url or (self._model.addresses[MODEL] if self._model is not None else "")

    def begin(self, addresses: Mapping[str, str], talks: tuple[Talk, ...]) -> None:
        """Start the model, then the system, and wait until it can be used."""
        if self._model is not None:
            self._model.serve({}, {})
        if not self._sut.start:
            return
        told = self._told(addresses)
        environment = {**os.environ, **told}
        for name, value in self._sut.env:
            environment[name] = self._filled(value, told, f"$.env.{name}")
        command = [self._filled(one, told, f"$.start[{at}]") for at, one in enumerate(self._sut.start)]
        self._process.start(command, environment)
        self._process.wait_ready(Ready(self._sut), lambda: self._stop.number is not None)

    def _told(self, addresses: Mapping[str, str]) -> dict[str, str]:
        """The recorder's addresses as variables of the environment."""
        told = {"HARNESS_LEG_" + re.sub(r"\W", "_", key).upper(): url for key, url in addresses.items()}
        if MODEL in addresses:
            told[MODEL_URL] = through(addresses[MODEL], self._model_url())
        return told

    def _filled(self, text: str, told: Mapping[str, str], path: str) -> str:
        def lacks(name: str) -> ScenarioError:
            mend = f"there are {', '.join(sorted(told))}"
            return ScenarioError(f"{name} is not known", file=self._sut.file, path=path, mend=mend)

        return filled(text, told, lacks, ours=True)

    def target(self, scenario: Scenario, addresses: Mapping[str, str]) -> Target:
        """The recorder's address of the scenario's entry agent, and what is to be sent along."""
        entry = self._entry(scenario)
        url = through(addresses[f"client:{entry.name}"], entry.url)
        return Target(url, entry.protocol, entry.headers)

    def _entry(self, scenario: Scenario) -> SutAgent:
        found = self._sut.agent(self._order.topology(scenario).entry)
        assert found is not None
        return found

    def driven(self, scenario: Scenario) -> Scenario:
        """The scenario as it is to be driven."""
        return scenario

    def noted(self) -> str | None:
        """How the started system ended, if it did."""
        ended = self._process.ended()
        return None if ended is None else f"the system under test ended during the run, {ended}"


def _secrets(sut: Sut, stack: ExitStack) -> str | None:
    """A file that names the headers whose values came from the environment."""
    found = sorted({_words(name) for agent in sut.agents for name in agent.secret})
    if not found:
        return None
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="harness-sut-"))
    path = os.path.join(folder, "secrets.yaml")
    with open(path, "w", encoding="utf-8") as file:
        names = [{"kind": "sut-header", "named": found, "in": ["header"]}]
        json.dump({"secrets": 1, "names": names}, file)
    return path


def _words(name: str) -> str:
    """A header's name as the language of secrets writes it: `X-Auth` is `x auth`."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return " ".join(re.findall("[a-z0-9]+", apart.lower())) or "x"
