"""HAR archives and mitmproxy flow files: told by their content, read whole, their exchanges named.

An archive knows no rounds: they are told as the recorder tells them, by the ids of the
requests and of their answers, in the order of time.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Literal

from harness.capture.adopt import Foreign
from harness.capture.beside import first_bytes, printable
from harness.capture.files import Body
from harness.capture.har_entries import Flawed
from harness.capture.naming import Name, split
from harness.model.capture import Capture, Request, Unread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


type Kind = Literal["har", "flows"]

ENDINGS = (".har", ".mitm")
"""Names of archives in folders; a file that is named itself may have any."""
_LOOKED = 64 << 10
_HAR = re.compile(rb'\A(?:\xef\xbb\xbf)?\s*\{\s*"log"\s*:\s*\{')
_FLOW = re.compile(rb"\A\d{1,12}:\d{1,6}:[a-z_]{1,40}[;,]")


def kind_of(path: str) -> Kind | None:
    """Which archive a file is, by its first bytes; None if it is none or can not be read."""
    try:
        raw = first_bytes(path, _LOOKED).raw
    except OSError:
        return None
    if _HAR.match(raw):
        return "har"
    return "flows" if _FLOW.match(raw) else None


def archives_in(folder: str) -> Iterator[str]:
    """The archives below a folder, in the order of their names."""
    for path, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(path, name) for name in sorted(names) if split(name)[1] in ENDINGS)


def is_archive(path: str) -> bool:
    """Whether a file is an archive by its content, or says so by its name."""
    return kind_of(path) is not None or split(os.path.basename(path))[1] in ENDINGS


def read(path: str, legs: Mapping[str, str], source: str | None = None) -> tuple[list[Foreign], list[Unread]]:
    """The exchanges of an archive with their names, and what of it could not be read."""
    source, kind = source or printable(path), kind_of(path)
    if kind is None:
        return [], [Unread(source, "neither a HAR archive nor a mitmproxy flow file; check how it was saved")]
    found, told = _har(path) if kind == "har" else _flows(path)
    unread = [Unread(source, reason) for reason in told]
    unread += [
        Unread(source, f"entry {one.number}: {one.reason}") for one in found if isinstance(one, Flawed)
    ]
    exchanges = named((one for one in found if isinstance(one, Foreign)), legs)
    return [one._replace(known={**one.known, "imported": source}) for one in exchanges], unread


def _har(path: str) -> tuple[list[Foreign | Flawed], list[str]]:
    from harness.capture import har_entries

    raw, told = _bytes(path)
    found = har_entries.read(str(raw, "utf-8", "replace"))
    return ([], [*told, found]) if isinstance(found, str) else (found, told)


def _flows(path: str) -> tuple[list[Foreign | Flawed], list[str]]:
    import io

    from harness.record.flows import exchanges

    raw, told = _bytes(path)
    return list(exchanges(io.BytesIO(raw))), told


def _bytes(path: str) -> tuple[bytes, list[str]]:
    """A file, decompressed; what could not be read of it is told."""
    body = Body(Capture(source=printable(path), path=path, framing="document"))
    raw = b"".join(body.chunks())
    return raw, [one.reason for one in body.unread]


# which round an exchange is


def named(exchanges: Iterable[Foreign], legs: Mapping[str, str]) -> list[Foreign]:
    """The exchanges with their names; those that have one keep it."""
    exchanges = list(exchanges)
    nameless = [at for at, one in enumerate(exchanges) if not one.name.scenario]
    if nameless:
        names = _names([exchanges[at] for at in nameless], legs)
        for at, name in zip(nameless, names, strict=True):
            exchanges[at] = exchanges[at]._replace(name=name)
    return exchanges


def _names(exchanges: list[Foreign], legs: Mapping[str, str]) -> list[Name]:
    """As the recorder would have named them, had it been there."""
    from harness.a2a.request import asked
    from harness.record.assign import Call, Rounds, traces
    from harness.record.ids import Ids

    rounds, names = Rounds(), [Name("")] * len(exchanges)
    for at, begins in _course(exchanges):
        one = exchanges[at]
        request = one.request or Request()
        if not begins:
            body = b"".join(data for _, data in one.body)
            where = rounds.learn(at, *(Ids().feed(body[:_LOOKED].ljust(_LOOKED)) or (None, None)))
            rounds.end(at)
        else:
            read_as = asked(Capture(source="", path="", framing="none", request=request))
            json = any(name == "content-type" and "json" in value for name, value in request.headers)
            call = Call(_leg(request, legs), request.method or "", request.target or "", read_as,
                        traces(request.headers), json)  # fmt: skip
            where = rounds.begin(at, call)
        if where is not None:
            names[at] = Name(where.scenario, where.protocol, where.round, where.leg)
    return names


def _course(exchanges: list[Foreign]) -> list[tuple[int, bool]]:
    """Beginnings and ends in the order of time; without times one exchange after the other."""
    moments = []
    for at, one in enumerate(exchanges):
        start = one.started_ns
        end = start if one.ended_ns is None else one.ended_ns
        moments += [((start or 0, at, 0), at, True), ((end or 0, at, 1), at, False)]
    return [(at, begins) for _, at, begins in sorted(moments)]


def _leg(request: Request, legs: Mapping[str, str]) -> str:
    """The leg that the user named for the host; else `llm` for a model's paths, else `client`."""
    host = next((value.lower() for name, value in request.headers if name == "host"), "")
    name = host.rpartition(":")[0] or host
    path = (request.target or "").partition("?")[0].rstrip("/")
    model = path.endswith(("/chat/completions", "/completions", "/responses", "/embeddings"))
    return legs.get(host) or legs.get(name) or ("llm" if model else "client")
