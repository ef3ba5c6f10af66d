"""Steering messages (seed 001): a structured interrupt by its structure, in every spelling; a text is none."""

from __future__ import annotations

import pytest

from harness.llm import Message
from harness.rules.steering import interrupt, steerings

INTERACTION = "type=__interaction__"
RESULT = "result_type=interrupt"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        # the very text of seed 001, section 1, and with the members the other way round
        (
            "{payload=InteractionOutput{id='ask-user-call', value=..., metadata={}}, type=__interaction__}",
            INTERACTION,
        ),
        ("{type=__interaction__, payload=InteractionOutput{id='c', value=..., metadata={}}}", INTERACTION),
        ("{payload={a=1}, type=__interaction__, index=0}", INTERACTION),
        # seed 001, section 3: the final result of an interrupt
        ("{result_type=interrupt, message=approval required}", RESULT),
        ("{message=approval required, result_type=interrupt, interrupt_ids=[call_00, call_01]}", RESULT),
        # Java prints texts as they are: quotes and brackets in them need not match
        (
            "{type=__interaction__, payload=InteractionOutput{id='c', value=What's up?, metadata={}}}",
            INTERACTION,
        ),
        ("{payload=InteractionOutput{value=a) and ] b}, type=__interaction__}", INTERACTION),
        ("{payload=Output{value={half, type=__interaction__}", INTERACTION),
        # Python: str(dict), objects inside of it, and the frame around it
        ("{'type': '__interaction__', 'payload': InteractionOutput(id='x', value='it\\'s {')}", INTERACTION),
        ("{'result_type': 'interrupt', 'state': [{'type': 'x'}], 'interrupt_ids': ['c']}", RESULT),
        ("type='json' data={'result_type': 'interrupt', 'state': []}", RESULT),
        ("JsonDataFrame(type='json', data={'type': '__interaction__'})", INTERACTION),
        ("OutputSchema(type='__interaction__', index=0, payload=X(a=1))", INTERACTION),
        # JSON
        ('{"payload":{"id":"x"},"type":"__interaction__"}', INTERACTION),
        ('  {"result_type": "interrupt"}\n', RESULT),
    ],
)
def test_structured_interrupts(text: str, form: str) -> None:
    assert interrupt(text) == form


@pytest.mark.parametrize(
    "text",
    [
        "change plan",
        "",
        "{",
        "{}",
        "what does type=__interaction__ mean?",
        "why do I see {type=__interaction__, payload=x} in the log?",
        "{the type=__interaction__ thing}",
        '"type":"__interaction__"',
        # other frames of the loop go on as they always did (seed 001, section 6)
        "{output=done, result_type=answer}",
        "{mode=fast, hint=type=__interaction__}",
        "{note={type=__interaction__, x=1}, y=2}",
        '{"note":{"type":"__interaction__"}}',
        '{"type":"answer","text":"type=__interaction__"}',
        "{'note': \"'type': '__interaction__'\"}",
        "[{type=__interaction__}",
    ],
)
def test_what_is_none(text: str) -> None:
    assert interrupt(text) is None


def test_a_long_text_of_openings_ends_soon(no_hang: None) -> None:
    assert interrupt("{" * 100_000 + "}") is None
    assert interrupt("{a=" + "'" * 100_000 + "}") is None


def test_steering_messages_are_those_of_the_user_that_begin_with_the_mark() -> None:
    messages = (
        Message("user", "[STEERING] change plan"),
        Message("user", "  [STEERING]be quick\n"),
        Message("user", "see [STEERING] there"),
        Message("system", "[STEERING] x"),
        Message("tool", "[STEERING] x", "call_00"),
    )
    assert list(steerings(messages)) == ["change plan", "be quick"]
