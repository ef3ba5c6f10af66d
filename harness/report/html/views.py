"""Which captures are drawn together: a client's round with the remote calls and model calls of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from harness.report.html.clock import Axis, lasting

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.model.capture import Capture
    from harness.model.verdict import Round
    from harness.report.html.clock import Lasting
    from harness.report.html.sources import Sources

type _Key = tuple[str, str, int]
"""Run folder, scenario, round."""


class Model(NamedTuple):
    """One call of the model."""

    capture: Capture
    lasting: Lasting


class View(NamedTuple):
    """One round as swim lanes. Numbers are positions in the report's rounds."""

    client: int
    remotes: tuple[int, ...] = ()
    models: tuple[Model, ...] = ()
    axis: Axis = Axis(0, 1, False)


def views(rounds: Sequence[Round], found: Sources, drawn: frozenset[str]) -> list[View]:
    """A view for each client's round that is drawn; a remote call without one has a view of its own."""
    return _Views(rounds, found, drawn).made()


class _Views:
    def __init__(self, rounds: Sequence[Round], found: Sources, drawn: frozenset[str]) -> None:
        self._rounds = rounds
        self._found = found
        self._drawn = drawn
        self._lasting: dict[str, Lasting | None] = {}

    def made(self) -> list[View]:
        main: dict[_Key, int] = {}
        alone: list[int] = []
        for at, one in self._each(client=True):
            key = self._key(one)
            other = main.get(key)
            if other is None or one.events > self._rounds[other].events:
                main[key] = at
                alone += [] if other is None else [other]
            else:
                alone.append(at)
        remotes: dict[int, list[int]] = {}
        for at, one in self._each(client=False):
            home = main.get(self._key(one))
            if home is None:
                alone.append(at)
            else:
                remotes.setdefault(home, []).append(at)
        made = [self._view(at, remotes.get(at, ()), self._models(key)) for key, at in main.items()]
        return sorted([*made, *(self._view(at, (), ()) for at in alone)], key=lambda view: view.client)

    def _each(self, *, client: bool) -> Iterable[tuple[int, Round]]:
        for at, one in enumerate(self._rounds):
            is_seen = one.source in self._drawn and one.source in self._found.captures
            if is_seen and (one.leg == "client") == client:
                yield at, one

    def _key(self, one: Round) -> _Key:
        return os.path.dirname(one.source), one.scenario, one.round

    def _models(self, key: _Key) -> list[Model]:
        found = []
        for capture in self._found.models:
            if (os.path.dirname(capture.source), capture.scenario, capture.round) == key:
                took = lasting(capture)
                if took:
                    found.append(Model(capture, took))
        return sorted(found, key=lambda one: (one.lasting.began_ns, one.capture.source))

    def _view(self, client: int, remotes: Iterable[int], models: Iterable[Model]) -> View:
        remotes, models = tuple(remotes), tuple(models)
        one = self._rounds[client]
        times = [self.took(self._rounds[at].source) for at in (client, *remotes)]
        times += [model.lasting for model in models]
        known = [each for each in times if each is not None]
        if times[0] is None or not known:
            return View(client, remotes, (), Axis(0, max(one.events, 1), False))
        start, end = min(each.began_ns for each in known), max(each.ended_ns for each in known)
        ordered = tuple(sorted(remotes, key=self._began))
        return View(client, ordered, models, Axis(start, end, True))

    def _began(self, at: int) -> tuple[int, int]:
        took = self.took(self._rounds[at].source)
        return (took.began_ns if took else 0), at

    def took(self, source: str) -> Lasting | None:
        """When the capture's exchange began and ended."""
        if source not in self._lasting:
            self._lasting[source] = lasting(self._found.captures[source])
        return self._lasting[source]
