"""MASK: proxy interrupts, the masked form of a delegation (seed 000, section 2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.compare import Comparison, Tell, scenarios
from harness.rules.example import Example, artifact, interrupt, status
from harness.rules.leak import Shown
from harness.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.model.interaction import Interaction, Sighting
    from harness.rules.facts import Remote, RoundFacts

_OPEN = (status("submitted"), status("working"))


def _proxy(**more: object) -> dict[str, object]:
    """A proxy interrupt of one item with `more` members; None leaves one out."""
    item = {"toolCallId": "call_00_Ex", "toolName": "hotel-agent", "message": "Which city?", **more}
    kept = {name: value for name, value in item.items() if value is not None}
    return {"message": "Which city?", "items": [kept]}


def _remote(call: str = "call_00_Ex", target: str = "hotel-agent") -> object:
    """A chunk that a remote agent wrote, forwarded with the mark of generation G2."""
    mark = {"kind": "remote_agent_output", "batchId": "b-1", "toolCallId": call, "target": target}
    return artifact({"text": "Searching", "metadata": {"_remote_invocation": mark}}, id=f"a-{call}")


class ProxyMembers(Shown):
    """An item of a proxy interrupt has other members than the three of the masked form."""

    code = "MASK201"
    slug = "proxy-members"
    title = "A proxy item has toolCallId, toolName and message, and nothing else"
    why = (
        "The three members are all a client needs to answer; one more may tell what the mask hides, and "
        "without one the answer can not be sent back to the right call. Build the items anew in place of "
        "copying them."
    )
    source = "openJiuwen facts, section 1 (publicInterrupt) and section 2, form c"
    PASSES = (
        Example((*_OPEN, interrupt(_proxy()))),
        Example((*_OPEN, interrupt(_proxy(message="Remote agent requires input"))), "the default text"),
    )
    FAILS = (
        Example((*_OPEN, interrupt(_proxy(priority=1))), "one member more"),
        Example((*_OPEN, interrupt(_proxy(toolCallId=None))), "one member less"),
    )

    def end(self) -> None:
        for number, interaction in enumerate(self.scope.interactions):
            for sighting in interaction.sightings:
                if sighting.extra or sighting.missing:
                    self._other(number, interaction, sighting)

    def _other(self, number: int, interaction: Interaction, sighting: Sighting) -> None:
        said = [f"has {', '.join(map(repr, sighting.extra))} too"] if sighting.extra else []
        said += [f"lacks {', '.join(map(repr, sighting.missing))}"] if sighting.missing else []
        who = interaction.tool_name or interaction.tool_call_id or "of no name"
        message = f"the proxy item {who!r} {' and '.join(said)}"
        self.found(message, sighting.place, cause=number, names=(*sighting.extra, *sighting.missing))


class ProxyCall(Comparison):
    """A proxy speaks for another call than the remote output of its task shows."""

    code = "MASK202"
    slug = "proxy-call-contradicted"
    title = "A proxy's toolCallId is that of the remote call which it stands for"
    why = (
        "The client answers under the proxy's toolCallId; if the remote agent was called under another one, "
        "the answer goes astray. Carry the call's own id through to the proxy."
    )
    source = "seed 000, section 2.2 (the toolCallId agrees with _remote_invocation)"
    marks = frozenset({"remote-output", "remote-call"})
    PASSES = (
        Example((*_OPEN, _remote(), interrupt(_proxy())), "the same id"),
        Example((*_OPEN, interrupt(_proxy())), "no remote output: nothing contradicts"),
        Example((*_OPEN, _remote("call_00_Ex", "hotel-agent"), _remote("call_01_Ex", "train-agent"),
                 interrupt(_proxy())), "two calls"),
    )  # fmt: skip
    FAILS = (
        Example((*_OPEN, _remote("call_07_Ex"), interrupt(_proxy())), "another id of the same agent"),
        Example((*_OPEN, _remote(target="train-agent"), interrupt(_proxy())), "the id of another agent"),
    )

    @classmethod
    def compare(cls, facts: Sequence[RoundFacts], tell: Tell) -> None:
        for rounds in scenarios(facts):
            seen: dict[str | None, list[Remote]] = {}
            for index in rounds:
                one = facts[index]
                begun = bool(one.opened) or one.task_id in seen
                for remote in one.remotes:
                    seen.setdefault(remote.task_id or one.task_id, []).append(remote)
                cls._round(index, one, seen.setdefault(one.task_id, []), begun, tell)

    @classmethod
    def _round(cls, index: int, one: RoundFacts, remotes: Sequence[Remote], begun: bool, tell: Tell) -> None:
        for proxy in _proxies(one.interactions):
            other = _other_target(proxy, remotes)
            if other is not None:
                cls._tell(index, proxy, f"is that of a call to {other!r}", tell)
                continue
            calls = [r.tool_call_id for r in remotes if r.target == proxy.tool_name and r.tool_call_id]
            if proxy.tool_call_id in calls:
                continue
            if not begun and (one.opened is False or one.round > 1):
                tell.lacks(index, "the round continues a task whose earlier rounds are not there")
            elif calls:
                known = ", ".join(repr(call) for call in dict.fromkeys(calls))
                cls._tell(index, proxy, f"is none of its calls in this task ({known})", tell)

    @classmethod
    def _tell(cls, index: int, proxy: Interaction, what: str, tell: Tell) -> None:
        message = f"the toolCallId {proxy.tool_call_id!r} of the proxy for {proxy.tool_name!r} {what}"
        cause = (proxy.task_id, proxy.tool_call_id)
        for sighting in proxy.sightings:
            tell.breach(index, message, sighting.place, cause=cause, names=(proxy.tool_call_id or "",))


def _proxies(interactions: Iterable[Interaction]) -> Iterable[Interaction]:
    for interaction in interactions:
        masked = interaction.kind == "delegation" and interaction.exposure == "masked"
        if masked and interaction.tool_call_id and interaction.tool_name:
            yield interaction


def _other_target(proxy: Interaction, remotes: Iterable[Remote]) -> str | None:
    """The agent that the proxy's call goes to by the remote output, where that is another one."""
    targets = [r.target for r in remotes if r.tool_call_id == proxy.tool_call_id and r.target]
    return targets[0] if targets and proxy.tool_name not in targets else None


RULES: tuple[type[Rule], ...] = (ProxyMembers, ProxyCall)
