"""What became of each artifact of a stream, without its text.

Memory is bounded: of a text only its length and a running checksum are kept, and at most
`MAX_ARTIFACTS` ids. An artifact that came whole is one small integer; only one that was
appended to has facts of its own. `append` adds to the artifact, its absence replaces it
(v0.2.1 section 7.2.3, v1.0 TaskArtifactUpdateEvent).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

MAX_ARTIFACTS = 250_000
MAX_CHUNKED = 50_000
_OTHERS = (1 << 16) - 1
_DIGEST = (1 << 32) - 1


class ArtifactFacts(NamedTuple):
    """One artifact as assembled so far. Lengths are in characters."""

    length: int = 0
    digest: int = 0
    """Checksum of the assembled text."""
    others: int = 0
    """Parts that are no text."""
    last: bool = False
    """A chunk with `lastChunk: true` was seen."""
    appended: bool = False
    """A chunk with `append: true` was seen."""
    snap_length: int = 0
    snap_digest: int = 0
    """The text, if a chunk that begins with all of it replaces it (cumulative snapshots)."""
    repeats: int = 0
    """Chunks that began with the whole text before them and were longer."""

    def begins(self, text: str) -> bool:
        """Whether `text` begins with the whole (snapshot) text so far."""
        size = self.snap_length
        return 0 < size <= len(text) and digest(text[:size]) == self.snap_digest


def digest(text: str, before: int = 0) -> int:
    """Checksum of `text` after a text whose checksum is `before`."""
    from zlib import crc32

    return crc32(text.encode("utf-8", "surrogatepass"), before)


def content(artifact: Any) -> tuple[str, int]:
    """The text of an artifact object's parts, joined, and the number of its other parts."""
    parts = artifact.get("parts") if type(artifact) is dict else None
    if type(parts) is not list:
        return "", 0
    if len(parts) == 1:
        text = parts[0].get("text") if type(parts[0]) is dict else None
        return (text, 0) if type(text) is str else ("", 1)
    texts = [part["text"] for part in parts if type(part) is dict and type(part.get("text")) is str]
    return "".join(texts), len(parts) - len(texts)


def id_of(artifact: Any) -> str:
    """The artifactId of an artifact object; empty where there is none."""
    name = artifact.get("artifactId") if type(artifact) is dict else None
    return name if type(name) is str else ""


class Artifacts:
    """All artifacts of one stream."""

    __slots__ = ("_chunked", "_whole", "capped")

    def __init__(self) -> None:
        self._whole: dict[str, int] = {}
        self._chunked: dict[str, ArtifactFacts] = {}
        self.capped = False
        """More artifacts than are remembered: what is told of them is not the whole truth."""

    def __len__(self) -> int:
        return len(self._whole) + len(self._chunked)

    def __contains__(self, name: object) -> bool:
        return name in self._whole or name in self._chunked

    def __iter__(self) -> Iterator[str]:
        yield from self._whole
        yield from self._chunked

    def get(self, name: str) -> ArtifactFacts | None:
        """What is known of the artifact `name`."""
        packed = self._whole.get(name)
        return self._chunked.get(name) if packed is None else _unpack(packed)

    def unfinished(self) -> list[str]:
        """Ids of artifacts that came in chunks and had no last one."""
        return [name for name, facts in self._chunked.items() if facts.appended and not facts.last]

    def whole(self, name: str, text: str, others: int = 0, last: bool = False) -> None:
        """An artifact (or its replacement) that came without `append`."""
        if name in self._chunked:
            del self._chunked[name]
        elif name not in self._whole and self._full():
            return
        self._whole[name] = len(text) << 49 | min(others, _OTHERS) << 33 | digest(text) << 1 | last

    def new(self, name: str, text: str, others: int) -> bool:
        """`whole` for an artifact never seen, at little cost; False, and nothing taken, for another."""
        known = self._whole
        if not name or name in known or name in self._chunked:
            return False
        if len(known) + len(self._chunked) >= MAX_ARTIFACTS:
            self.capped = True
        elif text:
            known[name] = len(text) << 49 | others << 33 | digest(text) << 1
        else:
            known[name] = others << 33
        return True

    def more(self, name: str, text: str) -> bool:
        """`chunk` for one more piece of an artifact that grows; False, and nothing taken, for another."""
        facts = self._chunked.get(name)
        if facts is None or facts.last or not facts.appended or facts.begins(text):
            return False
        self.chunk(name, text, 0, False)
        return True

    def chunk(self, name: str, text: str, others: int, last: bool) -> None:
        """A chunk with `append: true`."""
        before = self.get(name)
        if before is None:
            if self._full():
                return
            before = ArtifactFacts()
        if name not in self._chunked and len(self._chunked) >= MAX_CHUNKED:
            self.capped = True
            return
        self._whole.pop(name, None)
        begins = len(text) > before.snap_length and before.begins(text)
        self._chunked[name] = ArtifactFacts(
            before.length + len(text),
            digest(text, before.digest),
            before.others + others,
            before.last or last,
            True,
            len(text) if begins else before.snap_length + len(text),
            digest(text) if begins else digest(text, before.snap_digest),
            before.repeats + begins,
        )

    def snapshot(self, artifact: Any) -> None:
        """An artifact of a Task: its text as the server has it now."""
        name = id_of(artifact)
        if not name:
            return
        text, others = content(artifact)
        facts = self._chunked.get(name)
        if facts is None:
            self.whole(name, text, others, (self._whole.get(name, 0) & 1) == 1)
            return
        size, check = len(text), digest(text)
        self._chunked[name] = facts._replace(
            length=size, digest=check, others=others, snap_length=size, snap_digest=check
        )

    def _full(self) -> bool:
        if len(self) >= MAX_ARTIFACTS:
            self.capped = True
        return self.capped


def _unpack(packed: int) -> ArtifactFacts:
    length, check = packed >> 49, packed >> 1 & _DIGEST
    return ArtifactFacts(length, check, packed >> 33 & _OTHERS, packed & 1 == 1, False, length, check, 0)
