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
_NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


class Known:
    """The secrets of one exchange, or of a run, by the forms they are looked for in."""

    def __init__(self) -> None:
        self.forms: dict[bytes, tuple[str, bytes]] = {}
        """What to look for: kind and the secret that it stands for."""
        self._firm: dict[bytes, tuple[bytes, ...]] = {}
        self._loose: dict[bytes, tuple[bytes, ...]] = {}

    def add(self, kind: str, secret: bytes, *, firm: bool = False) -> tuple[bytes, ...]:
        """Look for `secret` from now on; the forms that this adds. `firm`: it stood in a head."""
        if len(secret) < SHORTEST or not _telling(secret):
            return ()
        held = self._firm if firm or secret in self._firm else self._loose
        forms = self._firm.pop(secret, None) or self._loose.pop(secret, None)
        if forms:
            held[secret] = forms
            return ()
        fresh = (form for form in dict.fromkeys(_forms(secret)) if form not in self.forms)
        forms = tuple(form for form in fresh if b"\n" not in form and len(form) >= SHORTEST)
        held[secret] = forms
        self.forms.update((form, (kind, secret)) for form in forms)
        if len(held) > (MOST_FIRM if held is self._firm else MOST_LOOSE):
            for form in held.pop(next(iter(held))):
                del self.forms[form]
        return forms


def is_number(secret: bytes) -> bool:
    """Whether a secret may stand in JSON without quotes."""
    return _NUMBER.fullmatch(secret) is not None


def _telling(secret: bytes) -> bool:
    """Whether a value is worth looking for; a pseudonym never is."""
    return len(set(secret)) > 3 and b"<secret:" not in secret


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
