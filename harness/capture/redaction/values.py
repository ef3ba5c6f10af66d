"""From a secret as it stands to what is written in its place."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import NamedTuple

from harness.capture.redaction.form import Keeps
from harness.capture.redaction.hit import Judged, Match
from harness.capture.redaction.pseudonym import LONGEST, PSEUDONYM, Pseudonyms

_SCHEMES = rb"bearer|basic|digest|token|apikey|api-key|negotiate|ntlm|hmac|hawk|dpop|bot|key|aws4-hmac-sha256"
_SCHEME = re.compile(rb"((?:" + _SCHEMES + rb")[ \t]+)(.+)\Z", re.IGNORECASE | re.DOTALL)
_PAIR = re.compile(rb"(\s*)([^=;]*)(=?)([^;]*)(;|\Z)")
_INERT = re.compile(rb"[!#$&*+.^_`|~\w-]+\Z", re.ASCII)
_NO_SECRET = re.compile(
    rb"|\*+|-+|\.{3}|[xX]{3,}|\[?<?(?:redacted|filtered|masked|hidden|removed)>?\]?|null|none|undefined|nil|true|false"
    rb"|\$\{[\w.:-]*\}|\{\{[ \w.]*\}\}|\$[A-Z_]{1,64}|<[\w. -]{0,64}>",
    re.IGNORECASE | re.ASCII,
)
_JSON_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_PERCENT = re.compile(rb"%([0-9a-fA-F]{2})")
_CONTROLS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


class Secret(NamedTuple):
    """A secret without what stands around it."""

    kind: str
    value: bytes


class Disguised(NamedTuple):
    """What is written in place of a value, and the secrets that it held."""

    text: bytes
    secrets: tuple[Secret, ...]


def disguise(value: bytes, kind: str, keeps: Keeps, pseudonyms: Pseudonyms) -> Disguised | None:
    """What is written in place of `value`; None where it holds no secret (any more)."""
    secrets = tuple(_secrets(value[:LONGEST], kind, keeps))
    if not secrets:
        return None
    if keeps in ("cookies", "set-cookie"):
        return Disguised(_cookies(value[:LONGEST], kind, keeps, pseudonyms), secrets)
    scheme = _SCHEME.match(value) if keeps == "scheme" else None
    return Disguised((scheme[1] if scheme else b"") + pseudonyms.of(kind, secrets[0].value), secrets)


def is_secret(value: bytes) -> bool:
    """Whether a value under a secret name may be one: no pseudonym, no mask, no placeholder."""
    return not PSEUDONYM.match(value) and not _NO_SECRET.fullmatch(value)


def _secrets(value: bytes, kind: str, keeps: Keeps) -> Iterator[Secret]:
    if keeps in ("cookies", "set-cookie"):
        pairs = [_cookie(found) for found in _pairs(value)]
        for _, held in pairs[:1] if keeps == "set-cookie" else pairs:
            if is_secret(held):
                yield Secret(kind, held)
        return
    scheme = _SCHEME.match(value) if keeps == "scheme" else None
    held = scheme[2] if scheme else value
    if is_secret(held):
        yield Secret(kind, held)
        if scheme and scheme[1].strip().lower() == b"basic" and (credentials := user_and_password(held)):
            yield Secret(kind, credentials)
            yield Secret(kind, credentials.partition(b":")[2])


def user_and_password(token: bytes) -> bytes | None:
    """`user:password` out of base64; None if it is no such thing."""
    whole = token.rstrip(b"=").translate(_URL_SAFE)
    if len(whole) < 4 or not _BASE64.fullmatch(whole):
        return None
    text = base64.urlsafe_b64decode(whole[: len(whole) - (len(whole) % 4 == 1)] + b"==")
    return text if b":" in text and all(char > 31 for char in text) else None


_BASE64 = re.compile(rb"[A-Za-z0-9_\-]+")
_URL_SAFE = bytes.maketrans(b"+/", b"-_")


def _pairs(value: bytes) -> Iterator[re.Match[bytes]]:
    return (found for found in _PAIR.finditer(value) if found[0])


def _cookie(found: re.Match[bytes]) -> tuple[bytes, bytes]:
    """Name and value of a pair; what can be no name is part of the value."""
    name, held = found[2].strip(), found[4].strip()
    if found[3] and held.strip(b"=") and _INERT.match(name):
        return name + b"=", held
    return b"", (found[2] + found[3] + found[4]).strip()


def _cookies(value: bytes, kind: str, keeps: Keeps, pseudonyms: Pseudonyms) -> bytes:
    made = bytearray()
    for index, found in enumerate(_pairs(value)):
        if index and keeps == "set-cookie":
            made += found[0] if _harmless(found[0]) else b""
            continue
        name, held = _cookie(found)
        made += (b" " if found[1] else b"") + name
        made += pseudonyms.of(kind, held) if is_secret(held) else held
        made += found[5]
    return bytes(made)


def _harmless(text: bytes) -> bool:
    """Whether text means nothing inside JSON or JSON in strings."""
    return not any(char < 32 or char in b'"\\' for char in text)


def unescaped(value: bytes, depth: int) -> bytes:
    """A value from `depth` JSON strings, without their escapes."""
    for _ in range(depth):
        if b"\\" not in value:
            break
        value = _JSON_ESCAPE.sub(_char, value)
    return value


def _char(found: re.Match[bytes]) -> bytes:
    if found[1]:
        return chr(int(found[1], 16)).encode("utf-8", "surrogatepass")
    return _CONTROLS.get(found[2], found[2])


def unquoted(value: bytes, form: bool) -> bytes:
    """A URL-encoded value, decoded once; in a form `+` is a blank."""
    if form:
        value = value.replace(b"+", b" ")
    return _PERCENT.sub(lambda found: bytes((int(found[1], 16),)), value)


_DIGIT = re.compile(rb"[0-9]")
_WORD = re.compile(rb"[\x21-\x7e]+")
_ODD = re.compile(rb"(?=[^0-9]*[0-9])[^\x00-\x20\x7f]{16,}")
"""Words of other scripts are shorter, or hold no digit."""
_COMMON = re.compile(rb"[0-9]{1,10}|[^A-Za-z0-9]*")
"""Counts and marks."""


def is_like(judged: Judged, value: bytes) -> bool:
    """Whether a decoded value is like what its place asks for."""
    if judged in ("any", "sure"):
        return True
    if _COMMON.fullmatch(value) or not (_WORD.fullmatch(value) or _ODD.fullmatch(value)):
        return False
    return judged == "word" or (len(value) >= 6 and _DIGIT.search(value[:64]) is not None)


def decoded(match: Match, value: bytes) -> bytes:
    """The characters of a value as it stands."""
    if match.written == "json":
        return unescaped(value, match.depth)
    if match.written in ("percent", "form"):
        return unquoted(value, form=False)
    return value
