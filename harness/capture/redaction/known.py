"""Secrets that were met by name or shape, and how else they may be written.

A token from a header that comes back in a body, in base64 or URL-encoded, has no name there
and no shape: it is found by its bytes.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

SHORTEST = 8
"""Shorter secrets are not looked for: they would be found everywhere."""
LONGEST = 768
"""Longer ones are looked for in pieces of this length."""
MOST_FIRM = 24
"""So many secrets from heads, and `MOST_LOOSE` from bodies, are looked for: those met last."""
MOST_LOOSE = 16
_DIGIT = re.compile(rb"[0-9]")
_NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


class Known:
    """The secrets of one exchange, by the forms they are looked for in, and the last ones of its run.

    `run`: what is known in the whole run; without it, this is a run's own.
    """

    def __init__(self, run: Known | None = None) -> None:
        self.version = 0
        """Grows with every change."""
        self._run = run
        self._forms: dict[bytes, tuple[str, bytes]] = {}
        self._firm: dict[bytes, tuple[bytes, ...]] = {}
        self._loose: dict[bytes, tuple[bytes, ...]] = {}
        self._merged = self._forms
        self._merged_at = (-1, -1)

    @property
    def forms(self) -> dict[bytes, tuple[str, bytes]]:
        """What to look for: kind and the secret that it stands for."""
        if self._run is None:
            return self._forms
        if self._merged_at != (at := (self.version, self._run.version)):
            self._merged_at, self._merged = at, {**self._run.forms, **self._forms}
        return self._merged

    def add(self, kind: str, secret: bytes, *, firm: bool = False) -> tuple[bytes, ...]:
        """Look for `secret` from now on; the forms that this adds. `firm`: it stood in a head."""
        if len(secret) < SHORTEST or not _is_telling(secret, firm):
            return ()
        if self._run is not None:
            self._run.add(kind, secret, firm=firm)
        held = self._firm if firm or secret in self._firm else self._loose
        forms = self._firm.pop(secret, None) or self._loose.pop(secret, None)
        if forms:
            held[secret] = forms
            return ()
        fresh = (form for form in dict.fromkeys(_forms(secret)) if form not in self._forms)
        forms = tuple(form for form in fresh if b"\n" not in form and len(form) >= SHORTEST)
        held[secret] = forms
        self._forms.update((form, (kind, secret)) for form in forms)
        if len(held) > (MOST_FIRM if held is self._firm else MOST_LOOSE):
            for form in held.pop(next(iter(held))):
                del self._forms[form]
        self.version += 1
        return forms


def is_number(secret: bytes) -> bool:
    """Whether a secret may stand in JSON without quotes."""
    return _NUMBER.fullmatch(secret) is not None


def _is_telling(secret: bytes, firm: bool) -> bool:
    """Whether a value is worth looking for: a word from a body is not, a pseudonym never."""
    if b"<secret:" in secret or len(set(secret)) <= 3:
        return False
    return firm or len(secret) >= 20 or _DIGIT.search(secret) is not None


def _forms(secret: bytes) -> Iterator[bytes]:
    for at in range(0, len(secret), LONGEST):
        piece = secret[at : at + LONGEST] if at else secret[:LONGEST]
        if len(piece) >= SHORTEST:
            yield from _piece(piece)


def _piece(piece: bytes) -> Iterator[bytes]:
    yield piece
    text = str(piece, "utf-8", "surrogateescape")
    yield from _escaped(text)
    for coded in (
        quote(piece, safe=""),
        quote_plus(piece),
        quote(piece),
        quote(quote(piece, safe=""), safe=""),
    ):
        yield coded.encode("ascii")
        yield re.sub("%[0-9A-F]{2}", lambda found: found[0].lower(), coded).encode("ascii")
    yield from _base64(piece)
    yield piece.hex().encode("ascii")
    yield piece.hex().upper().encode("ascii")


def _escaped(text: str) -> Iterator[bytes]:
    """In JSON, and in JSON in strings."""
    for ascii_only in (True, False):
        form = text
        for _ in range(3):
            form = json.dumps(form, ensure_ascii=ascii_only)[1:-1]
            yield form.encode("utf-8", "surrogateescape")
            yield form.replace("/", "\\/").encode("utf-8", "surrogateescape")


def _base64(piece: bytes) -> Iterator[bytes]:
    """The characters that `piece` has for certain inside base64, wherever it begins there."""
    for shift, skipped in ((0, 0), (1, 2), (2, 3)):
        coded = base64.b64encode(b"\0" * shift + piece)
        certain = coded[skipped : (shift + len(piece)) * 8 // 6]
        yield certain
        yield certain.translate(_URL_SAFE)


_URL_SAFE = bytes.maketrans(b"+/", b"-_")
