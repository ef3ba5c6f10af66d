"""Plain frames: v1.0 JSON-RPC artifact chunks that can break no rule and ask nothing.

Most frames of a stream are token chunks, alike but for one id and a few words. Such a frame
is *plain* if it has exactly the members below, the ids of its stream, an artifactId never
seen (or one more piece of text for an artifact that grows), and (checked by the caller over
whole blocks) none of the mapping's markers, no `\\u00` escape, valid UTF-8. All that is left
of it is that it was there: `Stream.plain`.

Why this is sound, rule by rule: no member that a rule could object to is allowed (RPC, SHP);
ids equal those already judged (RPC302, IDS); the stream is between its opening and its end
(ORD); a new artifact without `append`, or an ordinary piece of an open one, breaks no ART
rule. The laws hold both lanes against each other. msgspec checks the JSON of what it skips,
except for UTF-8 and depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.a2a.stream import Stream

MAX_BYTES = 2048
"""Longer frames are not plain: within this length JSON can not nest too deep to be read."""


class _Part(Struct, forbid_unknown_fields=True, gc=False):
    text: str | UnsetType = UNSET
    data: Raw | UnsetType = UNSET


class _Artifact(Struct, forbid_unknown_fields=True, gc=False):
    artifactId: str
    parts: tuple[_Part]
    name: str | UnsetType = UNSET


class _Update(Struct, forbid_unknown_fields=True, gc=False):
    taskId: str
    artifact: _Artifact
    contextId: str
    append: bool | UnsetType = UNSET


class _Result(Struct, forbid_unknown_fields=True, gc=False):
    artifactUpdate: _Update


class _Frame(Struct, forbid_unknown_fields=True, gc=False):
    jsonrpc: Literal["2.0"]
    id: str
    result: _Result


_decode = msgspec.json.Decoder(_Frame).decode


def take(pieces: Sequence[bytes], first: int, last: int, stream: Stream, rpc_id: str) -> int:
    """Let the plain frames among `pieces[first:last]` into `stream`, up to the first that is not plain.

    A piece is the JSON text of one frame. Gives the index of the piece that stopped it, or `last`.
    """
    if not stream.may_be_plain():
        return first
    stop = _run(pieces, first, last, stream, rpc_id)
    stream.recognised += stop - first
    return stop


def _run(pieces: Sequence[bytes], first: int, last: int, stream: Stream, rpc_id: str) -> int:
    task, context, take_new = stream.task_id, stream.context_id, stream.artifacts.new
    for index in range(first, last):
        piece = pieces[index]
        if len(piece) > MAX_BYTES:
            return index
        try:
            frame = _decode(piece)
        except msgspec.DecodeError:
            return index
        update = frame.result.artifactUpdate
        if update.taskId != task or update.contextId != context or frame.id != rpc_id:
            return index
        artifact = update.artifact
        text, data = artifact.parts[0].text, artifact.parts[0].data
        if (text is UNSET) == (data is UNSET):
            return index
        if update.append is True:
            if text is UNSET or not stream.artifacts.more(artifact.artifactId, text):
                return index
        elif not take_new(artifact.artifactId, "" if text is UNSET else text, int(text is UNSET)):
            return index
    return last
