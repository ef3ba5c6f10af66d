"""Fuzz the mapper: interactions planted at random depth must be found, no more and no fewer.

    python -m tests.fuzz.fuzz_mapping --seconds 60 --seed 1

The generator prints its own JSON (random escapes, white space, member order, string levels,
prose around) and shares nothing with the engine. It knows the pointer of all it planted.
Each planted frame must also hold a marker, or an escape that may hide one.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from typing import Any, NamedTuple

from harness.mapping.engine import Mapper
from harness.mapping.load import load
from harness.model.event import Event, Region
from harness.model.frame import Frame, Span

NAMES = [
    "data",
    "payload",
    "note",
    "meta",
    "list",
    "content",
    "a/b",
    "c~d",
    "é",
    "",
    "#",
    "0",
    "toolArgs",
    "parts",
    "text",
]
WORDS = [
    "the tool",
    "request_user_input",
    "42",
    "a2a_delegate",
    "{not json",
    "}",
    "\\u0041",
    "\\",
    "数据",
    "😀",
    "\u2028",
    "\t",
]
TALK = ["It printed ", "data: ", "```json\n", "see: ", "event:x\ndata:", "结果 "]
ENDS = ["", "\n```", "\n\n", " and so on", "。"]


class Truth(NamedTuple):
    """What the mapper must say of one planted thing."""

    pointer: str
    what: str
    call: str | None


class Planted(NamedTuple):
    """A value, and what was planted in it; `whole`: it may stand in prose."""

    value: Any
    truths: list[Truth]


class Generator:
    """Random frames with known truths."""

    def __init__(self, pick: random.Random) -> None:
        self.pick = pick
        self.calls = 0

    def frame(self) -> tuple[str, list[Truth]]:
        """The text of one frame and its truths."""
        self.calls = 0
        hosts = [
            self.wrapped(self.plant(), self.pick.randrange(7))
            for _ in range(self.pick.choice((1, 1, 1, 2, 3)))
        ]
        parts: list[Planted] = [*hosts, *(Planted(self.noise(2), []) for _ in range(self.pick.randrange(3)))]
        self.pick.shuffle(parts)
        truths = [
            moved(truth, f"/result/parts/{at}") for at, part in enumerate(parts) for truth in part.truths
        ]
        return self.printed({"jsonrpc": "2.0", "result": {"parts": [part.value for part in parts]}}), truths

    # what is planted

    def plant(self) -> Planted:
        kinds = (
            self.leaf, self.leaf, self.leaf, self.leaf, self.batch, self.result, self.proxies, self.no_form, self.handover,
            self.agent_event, self.mark, self.mirror,
        )  # fmt: skip
        return self.pick.choice(kinds)()

    def call(self) -> str:
        self.calls += 1
        return f"call_{self.calls:02}_{self.pick.choice(('x', 'é', 'q/'))}"

    def leaf(self) -> Planted:
        """One interrupt in its envelope."""
        call = self.call()
        request, what = self.request(call)
        payload: dict[str, Any] = {"id": call, "value": request}
        value = {
            "type": "__interaction__",
            "index": self.pick.choice((0, 1.0)),
            "payload": self.maybe_text(payload),
        }
        return Planted(self.mixed(value), [Truth("", what, call)])

    def request(self, call: str) -> tuple[dict[str, Any], str]:
        """An interrupt request and what it is."""
        one, two = self.pick.choice((("toolCallId", "toolName"), ("tool_call_id", "tool_name")))
        request: dict[str, Any] = {
            one: call,
            two: "agent-x",
            "message": self.pick.choice(("m", "Which?", "")),
        }
        extras, what = self.extras()
        where = self.pick.choice(("context", "extraFields", "metadata", ""))
        if not where:
            request.update(extras)
        elif extras:
            request[where] = self.maybe_text(self.mixed(extras))
        if what == "confirmation native":
            request[self.pick.choice(("payloadSchema", "payload_schema"))] = {
                "properties": {"approved": {"type": "boolean"}}
            }
        request["note"] = self.noise(1)
        return self.mixed(request), what

    def extras(self) -> tuple[dict[str, Any], str]:
        kind = self.pick.choice(("_interrupt_kind", "_interruptKind"))
        return self.pick.choice(
            (
                ({kind: "a2a_delegate", "agentName": "agent-x"}, "delegation leaked"),
                ({kind: "a2a_delegate"}, "delegation leaked"),
                ({kind: "ask_user"}, "user_input native"),
                ({kind: "client_tool", "arguments": {"a": 1}}, "client_tool native"),
                ({kind: "teleport"}, "unknown native"),
                ({}, "user_input native"),
                ({}, "confirmation native"),
            )
        )

    def batch(self) -> Planted:
        """Several in one envelope."""
        return self.container({"type": "__interaction__", "message": "several"}, "items")

    def result(self) -> Planted:
        """The executor's last chunk."""
        name = self.pick.choice(("result_type", "resultType"))
        return self.container({name: "interrupt", "interrupt_ids": []}, "state")

    def container(self, value: dict[str, Any], name: str) -> Planted:
        members = [self.leaf() for _ in range(self.pick.randrange(1, 4))]
        truths = []
        texts = []
        for at, member in enumerate(members):
            text = self.pick.randrange(4) == 0
            texts.append(self.printed(member.value) if text else member.value)
            truths += [moved(truth, f"/{name}/{at}" + "#" * text) for truth in member.truths]
        return Planted(self.mixed({**value, name: texts}), truths)

    def mirror(self) -> Planted:
        inner = self.leaf()
        value = {
            "type": "controller_output",
            "payload": {"type": "task_interaction", "data": [{"data": inner.value}]},
        }
        return Planted(value, [moved(truth, "/payload/data/0/data") for truth in inner.truths])

    def proxies(self) -> Planted:
        items, truths = [], []
        for at in range(self.pick.randrange(1, 4)):
            call = self.call()
            item: dict[str, Any] = {"toolCallId": call, "toolName": "agent-x", "message": "Which hotel?"}
            if self.pick.randrange(2):
                item = {"tool_call_id": call, "tool_name": "agent-x", "message": "Which hotel?"}
            what = "delegation masked"
            if self.pick.randrange(4) == 0:
                item["agentName"], what = "agent-x", "delegation leaked"
            items.append(self.mixed(item))
            truths.append(Truth(f"/_interrupt/items/{at}", what, call))
        return Planted({"_interrupt": self.mixed({"message": "m", "items": items})}, truths)

    def no_form(self) -> Planted:
        value = self.pick.choice(({"question": "Which?"}, {"x": {"y": [1]}}, "please say", [1, "a"]))
        return Planted({"_interrupt": value}, [Truth("/_interrupt", "user_input native", None)])

    def handover(self) -> Planted:
        value = {"message": "over", "_interrupt": {"targetAgentId": "agent-y", "remoteTaskId": "r"}}
        return Planted(self.mixed(value), [Truth("/_interrupt", "delegation leaked", None)])

    def agent_event(self) -> Planted:
        call = self.call()
        name = self.pick.choice(("agentEvent", "agent_event"))
        value = {name: {"type": "delegation", "toolCallId": call, "target": {"agentId": "agent-x"}}}
        where = f"/{name}"
        return Planted(value, [Truth(where, "delegation declared", call), Truth(where, "remote-call", call)])

    def mark(self) -> Planted:
        call = self.call()
        return self.pick.choice(
            (
                Planted(
                    {"_remote_invocation": {"toolCallId": call}},
                    [Truth("/_remote_invocation", "remote-output", call)],
                ),
                Planted(
                    {"runtime.remoteBatchId": 1}, [Truth("/runtime.remoteBatchId", "internal-key", None)]
                ),
                Planted({"_streamMode": "sse"}, [Truth("/_streamMode", "internal-key", None)]),
                Planted(["versatile-delegate-1"], [Truth("/0", "internal-key", None)]),
                Planted({"q": "x InteractionOutput{id='1'}"}, [Truth("/q", "printed-object", None)]),
            )
        )

    # what it is planted in

    def wrapped(self, planted: Planted, levels: int) -> Planted:
        for _ in range(levels):
            planted = self.pick.choice((self.in_object, self.in_array, self.in_text, self.in_text))(planted)
        return planted

    def in_object(self, planted: Planted) -> Planted:
        name = self.pick.choice(NAMES)
        value = {other: self.noise(1) for other in self.pick.sample(NAMES, self.pick.randrange(3))}
        value[name] = planted.value
        step = "/" + name.replace("~", "~0").replace("/", "~1")
        return Planted(self.mixed(value), [moved(truth, step) for truth in planted.truths])

    def in_array(self, planted: Planted) -> Planted:
        before = [self.noise(1) for _ in range(self.pick.randrange(3))]
        return Planted(
            [*before, planted.value, self.noise(0)],
            [moved(truth, f"/{len(before)}") for truth in planted.truths],
        )

    def in_text(self, planted: Planted) -> Planted:
        text = self.printed(planted.value)
        prose = isinstance(planted.value, (dict, list)) and self.pick.randrange(4) == 0
        # an array of plain texts is no embedded value, and printed objects are told of the prose itself
        prose = (
            prose
            and text.lstrip()[:1] == "{"
            and not any(truth.what == "printed-object" for truth in planted.truths)
        )
        if prose:
            text = self.pick.choice(TALK) + text + self.pick.choice(ENDS)
        else:
            text = self.pick.choice(("", " ", "\n\t")) + text + self.pick.choice(("", "\n"))
        return Planted(text, [moved(truth, "#") for truth in planted.truths])

    def noise(self, levels: int) -> Any:
        """A value in which nothing is to be found."""
        if not levels or self.pick.randrange(2):
            words = self.pick.sample(WORDS, self.pick.randrange(1, 4))
            return self.pick.choice((None, True, 3, -1.5, " ".join(words), "".join(words), "", [], {}))
        if self.pick.randrange(2):
            return [self.noise(levels - 1) for _ in range(self.pick.randrange(3))]
        return {name: self.noise(levels - 1) for name in self.pick.sample(NAMES, self.pick.randrange(4))}

    # how it is printed

    def mixed(self, value: dict[str, Any]) -> dict[str, Any]:
        """The object with its members in another order."""
        return dict(self.pick.sample(list(value.items()), len(value)))

    def maybe_text(self, value: Any) -> Any:
        return self.printed(value) if self.pick.randrange(6) == 0 else value

    def printed(self, value: Any) -> str:
        """JSON text of the value, printed oddly."""
        # escapes of escapes grow sixfold a level
        rate = self.pick.choice((0.0, 0.0, 0.02, 0.5, 1.0) if len(repr(value)) < 800 else (0.0, 0.0, 0.005))
        space = self.pick.choice(("", "", " ", "\n  "))
        return self._print(value, rate, space)

    def _print(self, value: Any, rate: float, space: str) -> str:
        if isinstance(value, str):
            return '"' + "".join(self._sign(sign, rate) for sign in value) + '"'
        if isinstance(value, dict):
            members = (
                f"{self._print(name, rate, space)}{space}:{space}{self._print(held, rate, space)}"
                for name, held in value.items()
            )
            return "{" + space + f"{space},{space}".join(members) + space + "}"
        if isinstance(value, list):
            return "[" + space + f"{space},".join(self._print(held, rate, space) for held in value) + "]"
        return json.dumps(value)

    def _sign(self, sign: str, rate: float) -> str:
        if rate and self.pick.random() < rate:
            units = sign.encode("utf-16-be")
            form = self.pick.choice(("\\u{:04x}", "\\u{:04X}"))
            return "".join(form.format(units[at] << 8 | units[at + 1]) for at in range(0, len(units), 2))
        if sign in '"\\' or (sign == "/" and self.pick.randrange(8) == 0):
            return "\\" + sign
        return {"\n": "\\n", "\t": "\\t"}.get(sign, sign)


def moved(truth: Truth, step: str) -> Truth:
    """The truth, one step further in."""
    return truth._replace(pointer=step + truth.pointer)


def told(mapper: Mapper, text: str) -> list[Truth]:
    """What the mapper says of a frame, in the terms of `Truth`."""
    whole = json.loads(text)
    frame = Frame(1, Span(0, len(text)), text)
    event = Event(
        frame,
        "artifact",
        whole,
        whole["result"],
        "/result",
        regions=(Region("content", "/result", whole["result"]),),
    )
    sightings, marks = mapper.read(event)
    found = [
        Truth(str(one.place.pointer), f"{one.kind} {one.exposure}", one.tool_call_id or one.interrupt_id)
        for one in sightings
    ]
    found += [Truth(str(one.place.pointer), one.name, one.tool_call_id) for one in marks]
    return sorted(found, key=repr)


def differs(mapper: Mapper, text: str, truths: list[Truth]) -> str | None:
    """How the mapper is wrong about a frame, or None."""
    found, wanted = told(mapper, text), sorted(truths, key=repr)
    if found != wanted:
        missed = [truth for truth in wanted if truth not in found]
        return f"missed {missed}, added {[truth for truth in found if truth not in wanted]}"
    markers = mapper.markers
    if (
        wanted
        and markers is not None
        and "\\u00" not in text
        and not any(one.decode() in text for one in markers)
    ):
        return "no marker stands in the frame"
    return None


class Fault(NamedTuple):
    """A frame that shows a fault."""

    text: str
    what: str
    tries: int


def hunt(mapper: Mapper, seconds: float, seed: int = 0) -> Fault | int:
    """The first fault met within `seconds`, else the number of frames tried."""
    generator = Generator(random.Random(seed))
    end = time.monotonic() + seconds
    tries = 0
    while time.monotonic() < end:
        tries += 1
        text, truths = generator.frame()
        what = differs(mapper, text, truths)
        if what is not None:
            return Fault(text, what, tries)
    return tries


def main() -> int:
    parser = argparse.ArgumentParser(description="fuzz the mapper")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    asked = parser.parse_args()
    found = hunt(Mapper(load()), asked.seconds, asked.seed)
    if isinstance(found, int):
        print(f"{found} frames, no fault (seed {asked.seed})")
        return 0
    print(f"fault after {found.tries} frames (seed {asked.seed}): {found.what}\n{found.text}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
