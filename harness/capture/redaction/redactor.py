"""Redacts what belongs to one exchange: heads, targets, bodies; see `harness.capture.redaction`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable

from harness.capture.redaction.form import Keeps, Name, Secrets
from harness.capture.redaction.hits import hits
from harness.capture.redaction.known import Known
from harness.capture.redaction.plain import plain
from harness.capture.redaction.pseudonym import Pseudonyms
from harness.capture.redaction.stream import Find, StreamRedactor
from harness.capture.redaction.tables import tables
from harness.capture.redaction.values import disguise, is_like, unquoted

_FORM = re.compile(r"[^\s{}\[\]\"<>]*=[^\s{}\"<>]*\Z")
_LONE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_FIELD = re.compile(r"([^&=#;?]*)=([^&#]*)")


class Redactor:
    """Redact one exchange; one run's exchanges share the key, so that equal secrets stay equal.

        run = Redactor(load())                    # with a key of its own
        redactor = run.exchange()
        headers = redactor.headers(headers)       # first: secrets of the head are then known in bodies
        target = redactor.target("/a2a?token=abc")
        body = redactor.text(body)
        stream = redactor.stream()                # feed(), end()

    An exchange knows all secrets of its own heads and the last ones of the run. `known`: those met so far.
    """

    def __init__(self, secrets: Secrets, key: bytes | None = None, known: Known | None = None) -> None:
        self._secrets = secrets
        self._tables = tables(secrets)
        self._key = os.urandom(32) if key is None else key
        self._pseudonyms = Pseudonyms(self._key)
        self.known = Known() if known is None else known
        self.found = 0
        """Secrets found in heads, targets and texts (streams count their own)."""

    @property
    def key_id(self) -> str:
        """Tells keys apart without giving them away."""
        return self._pseudonyms.key_id

    def exchange(self) -> Redactor:
        """The redactor of one exchange of this run."""
        return Redactor(self._secrets, self._key, Known(self.known))

    def headers(self, pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Headers in their order, secrets in the values replaced."""
        listed = tuple(pairs)
        rules = [self._tables.name(name.encode("utf-8", "replace"), "header") for name, _ in listed]
        made = [
            self._value(rule, value) if rule else value
            for rule, (_, value) in zip(rules, listed, strict=True)
        ]
        return tuple(
            (name, value if rule else self._scanned(value))
            for rule, (name, _), value in zip(rules, listed, made, strict=True)
        )

    def header_kind(self, name: str, value: str) -> str | None:
        """What kind of secret the value of a header is, by the header's name; None: none."""
        rule = self._tables.name(name.encode("utf-8", "replace"), "header")
        raw = value.encode("utf-8", "surrogateescape")
        if rule is None or not is_like(rule.takes, raw):
            return None
        return rule.kind if disguise(raw, rule.kind, rule.keeps, self._pseudonyms) else None

    def target(self, target: str) -> str:
        """Path and query (or a whole address), secrets in fields and path replaced."""
        path, mark, query = target.partition("?")
        return self._scanned(path) + mark + (self._scanned(self._fields(query)) if mark else "")

    def text(self, text: str) -> str:
        """A whole body: JSON, a form, or any other text."""
        if "=" in text and _FORM.match(text):
            text = self._fields(text)
        return self._scanned(text)

    def data(self, data: bytes) -> bytes:
        """A whole body as bytes."""
        text = str(data, "utf-8", "surrogateescape")
        return self.text(text).encode("utf-8", "surrogateescape")

    def stream(self, *, frames: bool = True, told: Callable[[Find], None] | None = None) -> StreamRedactor:
        """A redactor of a body that comes in pieces. `frames`: it is SSE, blank lines end frames."""
        return StreamRedactor(self._tables, self._pseudonyms, self.known, frames, told)

    def _scanned(self, text: str) -> str:
        coding = "surrogatepass" if _is_lone(text) else "surrogateescape"
        raw = text.encode("utf-8", coding)
        if not hits(plain(raw, True), raw, self._tables, self.known):
            return text
        stream = self.stream(frames=False)
        made = stream.feed(raw) + stream.end()
        self.found += stream.found
        return str(made, "utf-8", coding) if stream.found else text

    def _value(self, rule: Name, value: str) -> str:
        raw = value.encode("utf-8", "surrogateescape")
        return str(self._disguised(rule, raw, rule.keeps) or raw, "utf-8", "surrogateescape")

    def _disguised(self, rule: Name, value: bytes, keeps: Keeps) -> bytes | None:
        if not is_like(rule.takes, value):
            return None
        made = disguise(value, rule.kind, keeps, self._pseudonyms)
        if made is None:
            return None
        self.found += 1
        for secret in made.secrets:
            self.known.add(secret.kind, secret.value, firm=True)
        return made.text

    def _fields(self, query: str) -> str:
        return _FIELD.sub(self._field, query)

    def _field(self, found: re.Match[str]) -> str:
        name = unquoted(found[1].encode("utf-8", "surrogateescape"), form=True)
        rule = self._tables.name(name, "query")
        if rule is None:
            return found[0]
        value = unquoted(found[2].encode("utf-8", "surrogateescape"), form=True)
        made = self._disguised(rule, value, "nothing")
        return found[0] if made is None else f"{found[1]}={str(made, 'ascii')}"


def _is_lone(text: str) -> bool:
    """Whether a text holds halves of surrogate pairs that stand for no byte."""
    return _LONE.search(text) is not None
