"""The native store: a run folder with a body and a journal for each exchange.

    run-20260811-093000/
      run.json
      DA-09-A2A_STREAM-r1.client.sse      the response body, appended as it arrives
      DA-09-A2A_STREAM-r1.client.jsonl    the journal

Body first, journal line behind it, both unbuffered: a kill loses nothing, and what the journal
tells is on disk. Reading is `harness.capture.find`, as for every other kind of capture.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Self

from harness.capture.journal import VERSION
from harness.capture.naming import Name
from harness.errors import CaptureError
from harness.jsontext import Flaw, read
from harness.model.capture import Ending, Head, Request

_CHUNK = b'{"kind":"chunk","at_ns":%d,"offset":%d,"length":%d}\n'
_LONGEST = 60
"""Bytes of one part of a file name: three of them, numbers and endings stay under 255."""
_TEXT = 2000
"""Characters of an ending's text."""


def safe(part: str) -> str:
    """`part` as part of a file name: no separator, no leading dot, not empty, not too long."""
    kept = "".join(c if c.isalnum() or c in "._-" else "-" for c in part).lstrip(".")
    raw = kept.encode("utf-8", "replace")[:_LONGEST]
    return str(raw, "utf-8", "ignore") or "-"


def file_stem(name: Name, call: int = 1) -> str:
    """`<scenario>-<PROTOCOL>-r<N>.<leg>[.<call>]`, safe to be a file name.

    The client's leg counts its calls from the second on, other legs from the first.
    """
    protocol = f"-{safe(name.protocol)}" if name.protocol else ""
    leg = safe(name.leg).replace(".", "-")
    count = f".{call}" if call > 1 or leg != "client" else ""
    return f"{safe(name.scenario)}{protocol}-r{name.round}.{leg}{count}"


def is_stream(headers: Iterable[tuple[str, str]]) -> bool:
    """Whether a response head says that an event stream follows."""
    kinds = (value.partition(";")[0].strip().lower() for name, value in headers if name == "content-type")
    return "text/event-stream" in kinds


class Writer:
    """Write one capture as it happens. Times are nanoseconds of one clock of the recorder.

        with Writer(folder, Name("DA-09", "A2A_STREAM"), request, at_ns) as writer:
            writer.response(Head(200, (("content-type", "text/event-stream"),)), at_ns)
            writer.chunk(at_ns, data)
            writer.seal("clean", at_ns)

    `call` is the first number to try for a name that other exchanges have too. `known` are further
    members of the request line (`client`, `upstream`). A writer that is
    closed without `seal` leaves an unsealed capture, which is the truth. Raises OSError where
    the disk does, and CaptureError for calls out of order.
    """

    def __init__(
        self, folder: str, name: Name, request: Request, at_ns: int, *, call: int = 1, **known: str
    ) -> None:
        self.folder = folder
        self.call, journal = _reserve(folder, name, call)
        self.stem = file_stem(name, self.call)
        self._journal: int | None = journal
        self._body: int | None = None
        self._extension = ""
        self._renamed: dict[str, Any] = {}
        self._offset = 0
        self._sealed = False
        try:
            self._begin(name, request, at_ns, known)
        except OSError:
            self.close()
            os.unlink(os.path.join(folder, self.stem + ".jsonl"))
            raise

    def _begin(self, name: Name, request: Request, at_ns: int, known: dict[str, str]) -> None:
        self._line(
            capture=VERSION,
            kind="request",
            at_ns=at_ns,
            scenario=name.scenario,
            protocol=name.protocol,
            round=name.round,
            leg=name.leg,
            method=request.method,
            target=request.target,
            headers=request.headers,
            body=request.body,
            **known,
        )

    @property
    def has_body(self) -> bool:
        """Chunks can be written: a response began and did not end."""
        return self._body is not None

    def response(self, head: Head, at_ns: int) -> None:
        """The response head arrived; its content type decides between `.sse` and `.body`."""
        if self._body is not None or self._sealed:
            raise CaptureError("a capture has one response head, before its chunks", file=self.stem)
        self._extension = ".sse" if is_stream(head.headers) else ".body"
        self._body = _create(os.path.join(self.folder, self.stem + self._extension))
        self._line(kind="response", at_ns=at_ns, status=head.status, headers=head.headers)

    def chunk(self, at_ns: int, data: bytes) -> None:
        """Bytes of the body arrived."""
        if self._body is None or self._sealed:
            raise CaptureError("chunks come behind the response head and before the ending", file=self.stem)
        length = len(data)
        _write(self._body, data)
        _write(self._journal, _CHUNK % (at_ns, self._offset, length))
        self._offset += length

    def chunks(self, at_ns: int, data: bytes, pieces: Sequence[bytes]) -> None:
        """Several chunks, `data` together, arrived in one read."""
        if self._body is None or self._sealed:
            raise CaptureError("chunks come behind the response head and before the ending", file=self.stem)
        _write(self._body, data)
        lines = []
        for piece in pieces:
            length = len(piece)
            lines.append(_CHUNK % (at_ns, self._offset, length))
            self._offset += length
        _write(self._journal, b"".join(lines))

    def note(self, what: str, **members: Any) -> None:
        """A fact about the exchange that is neither bytes nor ending."""
        self._line(kind="note", what=what, **members)

    def rename(self, name: Name) -> None:
        """The exchange's true name became known: files and journal take it, if it is free."""
        old, stem = self.stem, file_stem(name)
        ends = [end for end in (".jsonl", self._extension) if end]
        if any(os.path.exists(os.path.join(self.folder, stem + end)) for end in (".jsonl", ".sse", ".body")):
            return
        self._renamed = name._asdict()
        self.note("named", **self._renamed)
        for end in ends:
            os.rename(os.path.join(self.folder, old + end), os.path.join(self.folder, stem + end))
        self.stem = stem

    def seal(self, ending: Ending, at_ns: int, text: str = "") -> None:
        """The exchange ended; the capture is whole."""
        if self._sealed:
            raise CaptureError("the capture is sealed already", file=self.stem)
        self._line(kind="ending", at_ns=at_ns, ending=ending, text=text[:_TEXT], **self._renamed)
        self._sealed = True
        self.close()

    def close(self) -> None:
        """Close the files; without `seal` before, the capture stays unsealed."""
        for fd in (self._body, self._journal):
            if fd is not None:
                os.close(fd)
        self._body = self._journal = None
        self._sealed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _line(self, **members: Any) -> None:
        if self._journal is not None:
            _write(self._journal, _dumped(members) + b"\n")


def _dumped(value: Any) -> bytes:
    import json

    return json.dumps(value, separators=(",", ":")).encode("ascii")


def _reserve(folder: str, name: Name, call: int) -> tuple[int, int]:
    """The first number from `call` on that nobody has, and its new journal."""
    while True:
        path = os.path.join(folder, file_stem(name, call))
        if not os.path.lexists(path + ".sse") and not os.path.lexists(path + ".body"):
            try:
                return call, _create(path + ".jsonl")
            except FileExistsError:
                pass
        call += 1


def _create(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o644)


def _write(fd: int | None, data: bytes) -> None:
    assert fd is not None
    done = os.write(fd, data)
    while done < len(data):
        done += os.write(fd, memoryview(data)[done:])


def write_run(folder: str, facts: dict[str, Any]) -> None:
    """Write `run.json` whole or not at all: run id, when, version, topologies, legs, ..."""
    import json

    path = os.path.join(folder, "run.json")
    text = json.dumps({"run": VERSION, **facts}, ensure_ascii=False, indent=2, sort_keys=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text + "\n")
    os.replace(path + ".new", path)


def read_run(folder: str) -> dict[str, Any] | None:
    """What `run.json` of a run folder says; None where there is none.

    Raises CaptureError if it can not be read as such.
    """
    path = os.path.join(folder, "run.json")
    try:
        with open(path, encoding="utf-8") as file:
            value = read(file.read(16 << 20))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no UTF-8"
        raise CaptureError(f"can not be read: {why}", file=path, mend="restore it or delete it") from None
    if isinstance(value, Flaw) or not isinstance(value, dict) or value.get("run") != VERSION:
        raise CaptureError(f"is no run.json of version {VERSION}", file=path, mend="restore it or delete it")
    return {key: member for key, member in value.items() if key != "run"}
