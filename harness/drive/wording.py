"""Requests of a client in JSON-RPC, v1.0 and v0.3 (A2A 1.0 section 9, 0.3 section 7). Pure."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.model.scenario import Part

VERSION_HEADER = "A2A-Version"


class Version(NamedTuple):
    """How one protocol version says things."""

    stream: str
    send: str
    cancel: str
    role: str
    headers: tuple[tuple[str, str], ...] = ()


VERSIONS: dict[str, Version] = {
    "v1.0": Version(
        "SendStreamingMessage", "SendMessage", "CancelTask", "ROLE_USER", ((VERSION_HEADER, "1.0"),)
    ),
    "v0.3": Version("message/stream", "message/send", "tasks/cancel", "user"),
}


class Wording:
    """The words of one version."""

    def __init__(self, protocol: str) -> None:
        self._old = protocol == "v0.3"
        self.version = VERSIONS[protocol]

    def message(
        self,
        rpc_id: str,
        parts: Iterable[tuple[Part, str | None]],
        *,
        context_id: str,
        task_id: str | None,
        steer: bool = False,
    ) -> str:
        """A request that sends parts, each with the toolCallId that it answers, if any."""
        head: dict[str, Any] = {"kind": "message"} if self._old else {}
        head |= {"messageId": secrets.token_hex(16), "role": self.version.role, "contextId": context_id}
        if task_id is not None:
            head["taskId"] = task_id
        if steer:
            head["metadata"] = {"steer": True}
        written = ",".join(self._part(part, call) for part, call in parts)
        method = self.version.send if steer else self.version.stream
        return self._request(rpc_id, method, f'{{"message":{_text(head)[:-1]},"parts":[{written}]}}}}')

    def cancel(self, rpc_id: str, task_id: str) -> str:
        """A request that cancels a task."""
        return self._request(rpc_id, self.version.cancel, _text({"id": task_id}))

    def _request(self, rpc_id: str, method: str, params: str) -> str:
        return f'{_text({"jsonrpc": "2.0", "id": rpc_id, "method": method})[:-1]},"params":{params}}}'

    def _part(self, part: Part, call: str | None) -> str:
        """JSON text, so that data goes out digit by digit as the scenario says it."""
        if part.data is not None:
            kind, member = "data", f'"data":{part.data}'
        elif part.url is not None:
            kind, member = (
                "file",
                f'"file":{_text({"uri": part.url})}' if self._old else f'"url":{_text(part.url)}',
            )
        else:
            kind, member = "text", f'"text":{_text(part.text or "")}'
        members = [f'"kind":"{kind}"'] if self._old else []
        members.append(member)
        if call is not None:
            members.append(f'"metadata":{_text({"toolCallId": call})}')
        return "{" + ",".join(members) + "}"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def traceparent() -> str:
    """A W3C trace header of a new trace."""
    return f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"
