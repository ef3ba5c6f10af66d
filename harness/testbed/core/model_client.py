"""The model as an agent calls it: one streamed chat completion over HTTP."""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Literal, NamedTuple

import httpx

TIMEOUT_S = 120.0


class ToolCall(NamedTuple):
    """A tool call of the model; `arguments` is JSON text."""

    id: str
    name: str
    arguments: str

    @property
    def given(self) -> dict[str, Any]:
        """The arguments, read; empty where they are no JSON object."""
        try:
            values = json.loads(self.arguments)
        except ValueError:
            return {}
        return values if isinstance(values, dict) else {}


class Piece(NamedTuple):
    """A piece of the model's text as it comes in."""

    kind: Literal["llm_reasoning", "llm_output"]
    text: str


class Said(NamedTuple):
    """A whole reply of the model."""

    content: str
    reasoning: str
    calls: tuple[ToolCall, ...]
    tokens: tuple[int, int] | None
    """Tokens in and out, where the server told them."""

    @property
    def message(self) -> dict[str, Any]:
        """The reply as a message of the next request."""
        told: dict[str, Any] = {"role": "assistant", "content": self.content}
        if self.calls:
            told["tool_calls"] = [
                {"id": one.id, "type": "function", "function": {"name": one.name, "arguments": one.arguments}}
                for one in self.calls
            ]
        if self.reasoning:
            told["reasoning_content"] = self.reasoning
        return told


class ModelError(Exception):
    """The model did not answer, or answered with an error or with what is no completion."""


class ModelClient:
    """Calls the model at `url` (ends with /v1)."""

    def __init__(self, url: str) -> None:
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._http: httpx.AsyncClient | None = None

    async def stream(
        self,
        model: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Any],
        headers: Mapping[str, str],
    ) -> AsyncGenerator[Piece | Said]:
        """The pieces of the reply, and last the whole of it; raises ModelError."""
        asked = {"model": model, "messages": messages, "tools": tools, "stream": True}
        body = json.dumps(asked | {"stream_options": {"include_usage": True}}, ensure_ascii=False)
        sent = {**headers, "content-type": "application/json", "accept": "text/event-stream"}
        gathered = _Gathered()
        try:
            async with self._client().stream(
                "POST", self._url, content=body.encode(), headers=sent
            ) as answer:
                if answer.status_code != httpx.codes.OK:
                    raise ModelError(f"Error code: {answer.status_code} - {await _reason(answer)}")
                async with aclosing(_events(answer)) as events:
                    async for data in events:
                        for piece in gathered.take(data):
                            yield piece
        except httpx.HTTPError as fault:
            raise ModelError(f"{type(fault).__name__}: {fault}") from fault
        yield gathered.whole()

    async def close(self) -> None:
        """Close the connections."""
        if self._http:
            await self._http.aclose()
            self._http = None

    def _client(self) -> httpx.AsyncClient:
        """The connections, opened in the loop that uses them; no proxy and no certificate is looked for."""
        if self._http is None:
            self._http = httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False, verify=False)
        return self._http


async def _events(answer: httpx.Response) -> AsyncGenerator[str]:
    """The data of each SSE event before `[DONE]`; a stream without that end is an error."""
    rest, data = b"", ""
    async for read in answer.aiter_bytes():
        *events, rest = (rest + read).split(b"\n\n")
        for event in events:
            data = event.decode().removeprefix("data:").strip()
            if data != "[DONE]":
                yield data
    if data != "[DONE]":
        raise ModelError("the stream ended early")


async def _reason(answer: httpx.Response) -> str:
    text = (await answer.aread()).decode(errors="replace")
    try:
        return str(json.loads(text)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return text[:200]


class _Gathered:
    """A reply while it comes in."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {"llm_reasoning": [], "llm_output": []}
        self._calls: dict[int, list[str]] = {}
        self._tokens: tuple[int, int] | None = None

    def take(self, data: str) -> list[Piece]:
        """One chunk of the stream; its pieces of text."""
        try:
            told = json.loads(data)
            if "error" in told:
                raise ModelError(str(told["error"]["message"]))
            if usage := told.get("usage"):
                self._tokens = (usage["prompt_tokens"], usage["completion_tokens"])
            deltas = [choice["delta"] for choice in told["choices"]]
        except (ValueError, KeyError, TypeError) as fault:
            raise ModelError(f"no completion chunk: {data[:200]}") from fault
        return [piece for delta in deltas for piece in self._delta(delta)]

    def whole(self) -> Said:
        """The reply, once all is in."""
        content, reasoning = ("".join(self._texts[kind]) for kind in ("llm_output", "llm_reasoning"))
        calls = tuple(ToolCall(*parts) for _, parts in sorted(self._calls.items()))
        return Said(content, reasoning, calls, self._tokens)

    def _delta(self, delta: Mapping[str, Any]) -> list[Piece]:
        for part in delta.get("tool_calls") or ():
            call = self._calls.setdefault(part["index"], ["", "", ""])
            function = part.get("function", {})
            call[0] += part.get("id") or ""
            call[1] += function.get("name") or ""
            call[2] += function.get("arguments") or ""
        return [
            *self._text("llm_reasoning", delta.get("reasoning_content")),
            *self._text("llm_output", delta.get("content")),
        ]

    def _text(self, kind: Literal["llm_reasoning", "llm_output"], text: str | None) -> list[Piece]:
        if not text:
            return []
        self._texts[kind].append(text)
        return [Piece(kind, text)]
