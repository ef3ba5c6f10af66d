"""Which recorded exchange answers a request: method, path, JSON-RPC method, then the conversation.

Within a conversation (one context) the same question gets its own answer; where the words
differ, rounds come in their recorded order, and after the last one from the first again. What is only
read (GET, GetTask) stays at its last answer instead. A context that was never recorded is a
client's own: it is bound to the next recorded conversation that begins like it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.replay.known import Key, Known

_READS = frozenset({"GetTask", "tasks/get", "ListTasks", "tasks/list", "GetExtendedAgentCard"})
_BOUND = 10_000
"""Contexts of clients that are remembered."""


class Chooser:
    """Remembers what was served; one for all connections of a server."""

    def __init__(self, known: tuple[Known, ...]) -> None:
        self._known = known
        self._served = [0] * len(known)
        self._bound: dict[str, tuple[str, ...]] = {}
        self._conversations = {one.conversation for one in known}

    def choose(self, key: Key) -> Known | None:
        """The exchange that answers; None where nothing that was recorded fits."""
        fitting = self._fitting(key)
        if not fitting:
            return None
        conversation = self._conversation(key, fitting)
        pool = [at for at in fitting if self._known[at].conversation == conversation]
        chosen = self._pick(key, pool or fitting, new=not pool)
        self._served[chosen] += 1
        if key.context and not pool:
            self._bind(key.context, self._known[chosen].conversation)
        return self._known[chosen]

    def _fitting(self, key: Key) -> list[int]:
        found = [at for at, one in enumerate(self._known) if fits(one, key)]
        if not found and key.method == "HEAD":
            return self._fitting(key._replace(method="GET"))
        exact = [at for at in found if self._known[at].key.path is not None and self._known[at].has_request]
        return exact or found

    def _conversation(self, key: Key, fitting: list[int]) -> tuple[str, ...] | None:
        if key.context:
            if key.context in self._bound:
                return self._bound[key.context]
            if (key.context,) in self._conversations:
                return (key.context,)
        if key.task:
            holders = (self._known[at] for at in fitting if key.task in self._known[at].ids)
            return next((one.conversation for one in holders), None)
        return None

    def _pick(self, key: Key, pool: list[int], *, new: bool) -> int:
        """Same words first, then what was served least, then the recorded order."""
        if new:
            pool = self._openings(key, pool)
        same = [at for at in pool if self._known[at].key.content == key.content]
        pool = same or pool
        if _reads(key) and all(self._served[at] for at in pool):
            return max(pool, key=lambda at: self._known[at].order)
        return min(pool, key=lambda at: (self._served[at], *self._sequence(at, new)))

    def _openings(self, key: Key, pool: list[int]) -> list[int]:
        """What can begin a conversation: requests without ids, else of each conversation its first."""
        opening = [at for at in pool if self._known[at].opens]
        if opening and not key.context and not key.task:
            return opening
        first: dict[tuple[str, ...], int] = {}
        for at in sorted(pool, key=lambda at: self._known[at].order):
            first.setdefault(self._known[at].conversation, at)
        return list(first.values())

    def _sequence(self, at: int, new: bool) -> tuple[int, ...]:
        round_, time, place = self._known[at].order
        return (time, place) if new else (round_, time, place)

    def _bind(self, context: str, conversation: tuple[str, ...]) -> None:
        if len(self._bound) >= _BOUND:
            self._bound.pop(next(iter(self._bound)))
        self._bound[context] = conversation


def fits(one: Known, key: Key) -> bool:
    """Whether the exchange answers such a request, whatever the conversation."""
    kept = one.key
    if kept.method != key.method and not (kept.method is None and key.method == "POST"):
        return False
    if kept.path is not None and kept.path != key.path:
        return False
    return not one.has_request or kept.rpc == key.rpc


def _reads(key: Key) -> bool:
    return key.method in ("GET", "HEAD") or key.rpc in _READS
