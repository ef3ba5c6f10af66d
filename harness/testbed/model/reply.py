"""One step of a script as a reply: token by token, for one request, with nothing remembered."""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple

from harness.testbed.model.scripts import PATIENCE, Call, Fault, Parameters, Step

STEERING = "[STEERING]"
FILLER = (
    "Let ",
    "me ",
    "think",
    ". ",
    "先",
    "看",
    "价格",
    "，",
    "\n\n",
    "| 模型 |",
    ' "',
    "a\\b",
    " token",
    "s",
    " 🙂",
)


class ToolCall(NamedTuple):
    """A tool call of a reply; `arguments` is JSON text."""

    id: str
    name: str
    arguments: str


class Reply(NamedTuple):
    """What the model says to one request."""

    reasoning: tuple[str, ...]
    content: tuple[str, ...]
    calls: tuple[ToolCall, ...]
    fault: Fault | None
    tokens_in: int

    @property
    def tokens_out(self) -> int:
        """Tokens of the reply."""
        return len(self.reasoning) + len(self.content) + len(self.calls)


class Seen(NamedTuple):
    """What a request carries, from the user's last text on."""

    turn: int
    prompt: str
    results: tuple[str, ...]
    steering: tuple[str, ...]

    def fill(self, text: str) -> str:
        """The text with its places filled."""
        return text.format(
            prompt=self.prompt, results="；".join(self.results), steering="；".join(self.steering)
        )


def reply(
    steps: Sequence[Step], given: Parameters, messages: Sequence[Mapping[str, Any]], tools: set[str]
) -> Reply:
    """The step whose turn it is; tools that are not offered are not called."""
    seen = look(messages)
    number = _number(steps, seen)
    step = steps[number]
    calls = tuple(_call(seen, n, call) for n, call in enumerate(c for c in step.calls if c.tool in tools))
    text = seen.fill(step.says)
    if step.calls and not calls:
        text += f"I can not call {', '.join(sorted({call.tool for call in step.calls}))}."
    reasoning, content = _tokens(text, share(given.tokens, len(steps), number), silent=bool(step.fault))
    return Reply(reasoning, content, calls, step.fault, 1 + sum(len(_text(m)) for m in messages) // 3)


def look(messages: Sequence[Mapping[str, Any]]) -> Seen:
    """What the messages say since the user's last text; steering texts are no such text."""
    start = max((n for n, one in enumerate(messages) if _opens(one)), default=0)
    rest = messages[start:]
    return Seen(
        sum(one.get("role") == "assistant" for one in rest),
        _text(rest[0]) if rest else "",
        tuple(_text(one) for one in rest if one.get("role") == "tool"),
        tuple(_text(one).removeprefix(STEERING).strip() for one in rest if _steers(one)),
    )


def share(tokens: int, steps: int, number: int) -> int:
    """How many of a round's tokens fall to one of its steps; the last one has the rest."""
    return tokens // steps + (tokens % steps if number == steps - 1 else 0)


def split(text: str, pieces: int) -> tuple[str, ...]:
    """The text in so many pieces or fewer, none empty, cut behind spaces where it has enough of them."""
    words = [word + " " for word in text.split(" ")]
    words[-1] = words[-1][:-1]
    parts = [word for word in words if word]
    if len(parts) < pieces:
        parts = list(text)
    size = max(1, -(-len(parts) // max(1, pieces)))
    return tuple("".join(parts[n : n + size]) for n in range(0, len(parts), size))


def _number(steps: Sequence[Step], seen: Seen) -> int:
    waiting = [n for n, step in enumerate(steps) if step.until_steered]
    if waiting and not seen.steering and seen.turn <= PATIENCE * len(steps):
        return min(seen.turn, waiting[0])
    return min(seen.turn, len(steps) - 1)


def _tokens(text: str, wanted: int, *, silent: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    content = split(text, max(1, wanted // 2)) if text else ()
    rest = 0 if silent else max(0, wanted - len(content))
    return tuple(islice(cycle(FILLER), rest)), content


def _call(seen: Seen, number: int, call: Call) -> ToolCall:
    arguments = {key: seen.fill(v) if isinstance(v, str) else v for key, v in call.arguments.items()}
    text = json.dumps(arguments, ensure_ascii=False)
    return ToolCall(f"call_{number:02}_{secrets.token_hex(9)}", call.tool, text)


def _opens(message: Mapping[str, Any]) -> bool:
    return message.get("role") == "user" and not _steers(message)


def _steers(message: Mapping[str, Any]) -> bool:
    return message.get("role") == "user" and _text(message).startswith(STEERING)


def _text(message: Mapping[str, Any]) -> str:
    """The text of a message, whose content is a string, a list of parts, or absent."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts: Iterable[Any] = content if isinstance(content, list) else ()
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
