"""Which declaration holds for a member, by its name and the names around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.diff.form import folded

if TYPE_CHECKING:
    from harness.diff.form import Steps, Volatile

_CACHED = 20_000


class Action(NamedTuple):
    """What is done with a value: `id` (of the class `name`), `time`, `text`, `tree`."""

    what: str
    name: str = ""


TIME, TEXT, TREE = Action("time"), Action("text"), Action("tree")


class Members:
    """Looks declarations up; `path` is a tuple of folded names, `depth` of them."""

    def __init__(self, volatile: Volatile) -> None:
        rules: list[tuple[Steps, Action]] = [(one.steps, Action("id", one.name)) for one in volatile.ids]
        rules += [(steps, TIME) for steps in volatile.times]
        rules += [(steps, TREE) for steps in volatile.trees]
        rules += [(steps, TEXT) for steps in volatile.texts]
        rules.sort(key=lambda rule: -len(rule[0]))
        self.depth = max([4, *(len(steps) for steps, _ in rules)])
        self._rules: dict[str, list[tuple[Steps, Action]]] = {}
        for steps, action in rules:
            self._rules.setdefault(steps[-1], []).append((steps, action))
        self._found: dict[Steps, Action | None] = {}
        self._names: dict[str, str] = {}

    def root(self, pointer: str) -> Steps:
        """The path of the value at `pointer` in a frame."""
        steps = [self.folded(step) for step in pointer.split("/")[1:] if not step.isdecimal()]
        return (*([""] * self.depth), *steps)[-self.depth :]

    def below(self, path: Steps, name: str) -> Steps:
        """The path of the member `name`."""
        return (*path[1:], self.folded(name))

    def folded(self, name: str) -> str:
        """`harness.diff.form.folded`, remembered."""
        known = self._names.get(name)
        if known is None:
            if len(self._names) > _CACHED:
                self._names.clear()
            known = self._names[name] = folded(name)
        return known

    def action(self, path: Steps) -> Action | None:
        """What is declared for the member at `path`."""
        if path in self._found:
            return self._found[path]
        if len(self._found) > _CACHED:
            self._found.clear()
        candidates = [*self._rules.get(path[-1], ()), *self._rules.get("*", ())]
        found = next((action for steps, action in candidates if _fits(steps, path)), None)
        self._found[path] = found
        return found


def _fits(steps: Steps, path: Steps) -> bool:
    tail = path[-len(steps) :]
    return all(step in ("*", name) for step, name in zip(steps, tail, strict=False))
