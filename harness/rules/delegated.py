"""Delegations: the tool calls of the model that name a remote agent, and what became of each.

Pure. A delegation is known by its toolCallId, however often later requests repeat it. Rank 3.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from harness import jsontext

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from harness.llm import ModelCall, ToolCall
    from harness.rules.legs import Conversation, RemoteCall

_SHORT = 2
"""Texts of fewer characters prove nothing when they are found in another text."""


class Delegation(NamedTuple):
    """One tool call that names a remote agent."""

    call: str | None
    """Its toolCallId."""
    tool: str
    leg: str
    prompts: tuple[str, ...]
    """The texts of its arguments."""
    round: int


def delegations(talk: Conversation) -> list[Delegation]:
    """Each once, in the order in which the model made them."""
    found: dict[object, Delegation] = {}
    for number, model in enumerate(talk.models):
        said = [call for message in model.messages for call in message.calls]
        for call in said:
            if call.id is not None:
                _add(found, call.id, call, model, talk.tools)
        for at, call in enumerate(model.calls):
            _add(found, call.id or (number, at), call, model, talk.tools)
    return list(found.values())


def _add(
    found: dict[object, Delegation], key: object, call: ToolCall, model: ModelCall, tools: Mapping[str, str]
) -> None:
    leg = tools.get(call.name)
    if leg is not None and key not in found:
        prompts = tuple(text for text in leaves(call.arguments) if text)
        found[key] = Delegation(call.id, call.name, leg, prompts, model.round)


def leaves(text: str) -> Iterator[str]:
    """The texts in a JSON text, strings that are JSON themselves included; the text itself if it is none."""
    stack: list[object] = [text]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            inner = jsontext.read(value) if value.lstrip()[:1] in ("{", "[", '"') else None
            if inner is None or isinstance(inner, jsontext.Flaw):
                yield value
            else:
                stack.append(inner)
        elif isinstance(value, dict):
            stack.extend(reversed(value.values()))
        elif isinstance(value, list):
            stack.extend(reversed(value))


def openings(remotes: Iterable[RemoteCall]) -> list[RemoteCall]:
    """The calls that begin a task; one that reached no agent and was made again counts once."""
    kept: list[RemoteCall] = []
    for one in remotes:
        if not one.opens:
            continue
        again = next((old for old in kept if old.failed and _is_same(old, one)), None)
        if again is not None:
            kept.remove(again)
        kept.append(one)
    return kept


def _is_same(old: RemoteCall, new: RemoteCall) -> bool:
    return (old.leg, old.text, old.asked_context) == (new.leg, new.text, new.asked_context)


def chains(one: Delegation, remotes: Sequence[RemoteCall]) -> list[RemoteCall]:
    """The remote calls that one delegation led to: its request and the answers to what the remote asked.

    By the toolCallId at the end of the child context; without one by a prompt that only one request has.
    """
    own = [call for call in remotes if call.leg == one.leg]
    found = [call for call in own if one.call is not None and call.is_of(one.call)]
    if not found:
        asked = [call for call in own if call.opens and call.text.strip() in map(str.strip, one.prompts)]
        found = asked if len(asked) == 1 else []
    tasks = {call.task_id for call in found if call.task_id}
    return [call for call in own if call in found or call.asked_task in tasks]


def holds(told: str, remote: RemoteCall) -> bool:
    """Is what the model was told the answer of `remote`, whole or as a part of it?"""
    texts = [text.strip() for text in leaves(told)]
    last = remote.last.strip()
    if len(last) >= _SHORT and any(last in text for text in texts):
        return True
    return any(text in shown for text in texts if len(text) >= _SHORT for shown in remote.texts)


def open_at_once(calls: Sequence[RemoteCall]) -> int | None:
    """The most calls that were open at the same time; None where a time is not known."""
    moments: list[tuple[int, int]] = []
    for one in calls:
        if one.began_ns is None or one.ended_ns is None:
            return None
        moments += [(one.began_ns, 1), (one.ended_ns, -1)]
    most = now = 0
    for _, step in sorted(moments):
        now += step
        most = max(most, now)
    return most


def short(text: str) -> str:
    """A text for a sentence."""
    return json.dumps(text if len(text) <= 80 else text[:79] + "…", ensure_ascii=False)
