"""STEER: what reaches the model as a steering message, and what does not (seed 001)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.example import Example, Model, plan, said, status
from harness.rules.legs import LLM, OverLegs
from harness.rules.steering import MARK, interrupt, steerings

if TYPE_CHECKING:
    from harness.llm import ModelCall
    from harness.rules.legs import Conversation, Seen, TellLegs
    from harness.rules.rule import Rule

_DONE = (status("submitted"), status("working"), status("completed"))
_JAVA = "{payload=InteractionOutput{id='call_00_Ex', value=Which city?, metadata={}}, type=__interaction__}"
_PYTHON = "{'result_type': 'interrupt', 'state': [], 'interrupt_ids': ['call_00_Ex']}"


def _asking(text: str, at_ms: tuple[int, int] = (0, 1)) -> Model:
    return Model((said("user", "hello"), said("user", text)), at_ms=at_ms)


class PollutedSteering(OverLegs):
    """An interrupt of the agent's own is put before the model as if the user had said it."""

    code = "STEER101"
    slug = "interrupt-in-steering"
    title = "No structured interrupt is sent to the model as a steering message"
    why = (
        "The model reads the agent's own control data as an order of the user: it may follow it, and each "
        "turn pays for it. Keep frames of type __interaction__ and results of type interrupt out of the "
        "steering queue; explicit texts go on as they are."
    )
    source = "seed 001, sections 1, 3 and 5; openJiuwen facts, section 4"
    PASSES = (
        Example(_DONE, "an explicit text", models=(_asking(f"{MARK} change plan"),)),
        Example(
            _DONE, "a text that speaks of one", models=(_asking(f"{MARK} what is type=__interaction__ for?"),)
        ),
    )
    FAILS = (
        Example(_DONE, "a frame, as Java prints it", models=(_asking(f"{MARK} {_JAVA}"),)),
        Example(_DONE, "a result, as Python prints it", models=(_asking(f"{MARK} {_PYTHON}"),)),
        Example(_DONE, "as JSON", models=(_asking(f'{MARK} {{"payload":{{}},"type":"__interaction__"}}'),)),
    )

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        if reason := talk.no_models() or talk.missing(LLM):
            tell.lacks(None, reason)
        known: set[str] = set()
        for call in talk.models:
            for text in steerings(call.messages):
                form = interrupt(text)
                if form and text not in known:
                    known.add(text)
                    cls._polluted(talk, call, text, form, tell)
            if call.request_flaw:
                tell.lacks(talk.at(call.round), f"{call.source}: {call.request_flaw}")

    @classmethod
    def _polluted(cls, talk: Conversation, call: ModelCall, text: str, form: str, tell: TellLegs) -> None:
        message = f"a structured interrupt ({form}) was sent to the model as a steering message"
        seen = talk.at(call.round) if call.round else None
        tell.breach(seen, message, names=(call.source,), snippet=f"{MARK} {text}", sources=(call.source,))


class LostSteering(OverLegs):
    """What a user said to steer the running task does not reach the model."""

    code = "STEER102"
    slug = "steering-lost"
    title = "An explicit steering text reaches the model"
    why = (
        "The user steers and the agent goes on as before. Filter the steering queue by the fields of a "
        "structured interrupt, and let every text through."
    )
    source = "seed 001, sections 2, 5.2 and 7.2"
    PASSES = (
        Example(
            _DONE,
            at_ms=(0, 1, 9, 9),
            models=(_asking(f"{MARK} change plan", (5, 8)),),
            then=(Example((_DONE[-1],), round=2, at_ms=(3, 3)),),
            plan=plan({}, {"steer": True, "text": "change plan"}),
        ),
    )
    FAILS = (
        Example(
            _DONE,
            at_ms=(0, 1, 9, 9),
            models=(_asking("go on", (5, 8)),),
            then=(Example((_DONE[-1],), round=2, at_ms=(3, 3)),),
            plan=plan({}, {"steer": True, "text": "change plan"}),
        ),
    )

    @classmethod
    def judge(cls, talk: Conversation, tell: TellLegs) -> None:
        if talk.plan is None:
            tell.lacks(None, "no scenario says what was sent to steer")
        for seen in talk.rounds:
            if seen.wanted is not None and seen.wanted.steer:
                cls._steered(talk, seen, tell)

    @classmethod
    def _steered(cls, talk: Conversation, seen: Seen, tell: TellLegs) -> None:
        parts = seen.wanted.parts if seen.wanted else ()
        texts = [_plain(part.text) for part in parts if part.text and part.text.strip()]
        later = [call for call in talk.models if _is_later(call, seen)]
        arrived = {line for call in later for text in steerings(call.messages) for line in _lines(text)}
        missing = [text for text in texts if text not in arrived]
        reason = talk.no_models() or (None if texts else "what the scenario sends to steer has no text")
        reason = reason or next((call.request_flaw for call in later if call.request_flaw and missing), None)
        if reason is None and missing:
            loose = "calls of the model could not be assigned to a round" if LLM in talk.loose else None
            reason = loose or talk.missing(LLM)
        if reason is not None:
            tell.lacks(seen, reason)
            return
        for text in missing:
            message = (
                f"{text[:200]!r} was sent to steer, and none of the {len(later)} later model requests has it"
            )
            tell.breach(seen, message, cause=text, snippet=text)


def _is_later(call: ModelCall, seen: Seen) -> bool:
    """Was the model asked after the round's request was sent? By time, else by the number of the round."""
    if call.began_ns is None or seen.began_ns is None:
        first = (seen.wanted.during if seen.wanted else None) or seen.facts.round
        return call.round >= first
    return call.began_ns >= seen.began_ns


def _lines(text: str) -> set[str]:
    return {_plain(text), *(_plain(line.strip().removeprefix(MARK)) for line in text.split("\n"))}


def _plain(text: str) -> str:
    return " ".join(text.split())


RULES: tuple[type[Rule], ...] = (PollutedSteering, LostSteering)
