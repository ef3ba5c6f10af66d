"""What all ART rules share: they speak of streams whose artifacts are all remembered."""

from __future__ import annotations

from typing import ClassVar

from harness.rules.rule import Rule


class Assembled(Rule):
    """A rule about the artifacts of a stream."""

    needs = frozenset({"events"})
    listens: ClassVar[tuple[str, ...]] = ("artifact",)

    def missing(self) -> str | None:
        if self.scope.stream.artifacts_capped:
            return "the stream has more artifacts than are remembered"
        return None
