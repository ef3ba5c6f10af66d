"""The facts of a project that is to be written, from flags; what they do not say has a default."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

KINDS = ("deepagent", "plan-agent", "workflow", "react", "agent-invoke", "unknown")
CI = ("github", "gitlab", "jenkins", "none")
PROTOCOLS = ("v1.0", "v0.3", "auto")
SEND = "Hello"
RESERVED = ("client", "llm")
"""Legs of these names mean something else."""
_NAME = re.compile(r"\w[\w.+-]*\Z")
_LONGEST = 40


class Remote(NamedTuple):
    """An agent that the entry agent calls."""

    name: str
    url: str
    listen: int
    """Port on which the recorder listens for it."""


class Project(NamedTuple):
    """Everything that the files are made of."""

    name: str
    """Of the topology and of its entry agent."""
    url: str
    """Where the entry agent takes requests."""
    protocol: str
    kind: str
    remotes: tuple[Remote, ...]
    contract: str
    ci: str
    send: str
    """The text of the first message."""


def url(text: str) -> str:
    """An http or https URL, or one that begins with a variable; raises `UsageError`."""
    if text.startswith("${"):
        return text
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good or re.search(r"\s", text):
        raise UsageError(f"{text!r} is no http or https URL", mend="write http://HOST:PORT/PATH")
    if parts.username is not None:
        raise UsageError("credentials in a URL", mend="add them to sut.yaml as headers, from the environment")
    return text


def name(text: str) -> str:
    """A name of an agent and a topology; raises `UsageError`."""
    if not _NAME.match(text) or text in RESERVED:
        mend = "write letters, digits, and . _ + - between them; not client, not llm"
        raise UsageError(f"{text!r} is no name of an agent", mend=mend)
    return text


def named(*texts: str | None) -> str:
    """The first of `texts` that can be made a name: small letters, digits, hyphens."""
    for text in texts:
        made = re.sub(r"[^\w]+|_", "-", (text or "").lower()).strip("-")[:_LONGEST].strip("-")
        if made and made not in RESERVED:
            return made
    return "agent"


def remotes(texts: Iterable[str], entry: str) -> tuple[Remote, ...]:
    """Remote agents of `NAME=URL`, each with a port of its own; raises `UsageError`."""
    made: list[Remote] = []
    for text in texts:
        called, equals, address = text.partition("=")
        if not equals:
            raise UsageError(f"--remote {text}: no NAME=URL", mend="as in search=http://127.0.0.1:8192/a2a")
        if called == entry or any(called == one.name for one in made):
            raise UsageError(f"two agents are called {called!r}", mend="give one another name")
        made.append(Remote(name(called), url(address), _port(address, {one.listen for one in made})))
    return tuple(made)


def _port(address: str, taken: set[int]) -> int:
    """The agent's port and 1000, as for the legs of a topology; the next free one where that is taken."""
    own = None if address.startswith("${") else urlsplit(address).port
    port = 19_080 if own is None else own + 1000 if own <= 64_000 else own - 1000
    while port in taken:
        port += 1
    return port


def folder_name(folder: str) -> str:
    """What the folder is called."""
    return os.path.basename(os.path.abspath(folder))


def contract(text: str) -> str:
    """A contract that there is; raises `UsageError` and its kin."""
    from harness.rules import contracts

    contracts.load(text)
    return text
