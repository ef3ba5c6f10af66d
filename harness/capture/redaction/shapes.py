"""Secrets that are known by their shape: provider keys, JWTs, private keys, `user:password@`."""

from __future__ import annotations

import base64
import re
from functools import lru_cache

from harness.capture.redaction.ends import PEM, Fixed, run_of
from harness.capture.redaction.form import Shape
from harness.capture.redaction.hit import Match, Wait
from harness.capture.redaction.members import Looked
from harness.capture.redaction.values import user_and_password

LOOKED = 64
"""Characters of a run that are looked at to tell a key from words."""
_WORD = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
_URL_SAFE = re.compile(rb"[A-Za-z0-9_\-]*+")
_JOSE = re.compile(rb'\{\s*"(?:alg|enc|typ|kid|cty|jku|jwk|x5[ctu]|zip|crit)"')
_JOSE_LONGEST = 3000
_JWT_LONGEST = 1000
_TOKEN = re.compile(rb"[A-Za-z0-9._~+/=\-]*+")
_TOKEN_CHARACTERS = r"A-Za-z0-9._~+/=\-"
_BLANKS = re.compile(rb"[ \t]{0,8}+")
_BASIC_LONGEST = 512
_PEM = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY-----")
_PEM_PART = re.compile(rb"-----BEGIN[A-Z0-9 \-]{0,64}\Z")
_USER = re.compile(rb"[^\s/\"@:\\?#<>%]{0,128}:([^\s/\"@\\?#<>]{1,256})@")
_USER_PART = re.compile(rb"[^\s/\"@\\?#<>]{0,400}\Z")
_USER_ENCODED = re.compile(rb"[^\s/\"@:\\?#<>]{0,128}:([^\s/\"@\\?#<>]{1,256})@")


def shaped(at: Looked, shape: Shape, hit: int) -> Match | Wait | None:
    """What a shape turns out to be whose beginning, or something like it, stands at `hit`."""
    return _BUILDS[shape.build](at, shape, hit)


def _run(at: Looked, shape: Shape, hit: int) -> Match | Wait | None:
    text = at.text.text
    length = next((len(one) for one in shape.begins if text.startswith(one.encode("ascii"), hit)), 0)
    if not length or not _starts_word(text, hit):
        return None
    run = _characters(shape.characters).match(text, hit + length)
    seen = run[0][:LOOKED] if run else b""
    short = len(seen) < max(shape.least, LOOKED)
    if short and not at.final and run and run.end() == len(text):
        return Wait(at.text.raw(hit))
    if len(seen) < shape.least and not (at.final and run and run.end() == len(text) and len(seen) > 3):
        return None
    if not _mixed(seen):
        return None
    return Match(at.text.raw(hit), run_of(_all(shape)), shape.kind, "sure")


@lru_cache(maxsize=256)
def _all(shape: Shape) -> str:
    """The characters of the beginning and of what follows, as a class."""
    follows = re.compile(f"[{shape.characters}]")
    chars = {char for char in map(chr, range(33, 127)) if follows.match(char)}
    return "".join(map(re.escape, sorted(chars.union(*shape.begins))))


@lru_cache(maxsize=256)
def _characters(characters: str) -> re.Pattern[bytes]:
    return re.compile(f"[{characters}]{{0,256}}+".encode("ascii"))


def _mixed(run: bytes) -> bool:
    return any(char in b"0123456789" for char in run) or not run.islower()


def _starts_word(text: bytes, at: int) -> bool:
    return not at or text[at - 1] not in _WORD


def _jwt(at: Looked, shape: Shape, hit: int) -> Match | Wait | None:
    text = at.text.text
    if text[hit : hit + 3] != b"eyJ" or not _starts_word(text, hit):
        return None
    found = _URL_SAFE.match(text, hit, hit + _JOSE_LONGEST + 1)
    end = found.end() if found else hit
    match = Match(at.text.raw(hit), run_of(r"A-Za-z0-9_.\-"), shape.kind, "sure")
    if end - hit > _JWT_LONGEST:
        if not _JOSE.match(base64.urlsafe_b64decode(text[hit : hit + LOOKED])):
            return None
        if end - hit > _JOSE_LONGEST:
            return match
    if end == len(text):
        return None if at.final else Wait(match.start)
    return _claims(at, match, end) if text[end : end + 1] == b"." and end - hit >= 10 else None


def _claims(at: Looked, match: Match, dot: int) -> Match | Wait | None:
    """A JWS header alone, without the part behind its dot, is public."""
    text = at.text.text
    found = _URL_SAFE.match(text, dot + 1, dot + 16)
    end = found.end() if found else dot + 1
    if end - dot > 8 or text[end : end + 1] == b".":
        return match
    return Wait(match.start) if end == len(text) and not at.final else None


def _bearer(at: Looked, shape: Shape, hit: int) -> Match | Wait | None:
    text = at.text.text
    begin = _behind_blanks(at, shape.begins[0], hit)
    if not isinstance(begin, int):
        return begin
    found = _TOKEN.match(text, begin)
    end = found.end() if found else begin
    run = text[begin:end][:LOOKED]
    if len(run) < LOOKED and end == len(text) and not at.final:
        return Wait(at.text.raw(begin))
    if len(run) < 20 and (len(run) < 8 or not any(char in b"0123456789" for char in run)):
        return None
    return Match(at.text.raw(begin), run_of(_TOKEN_CHARACTERS), shape.kind, "sure")


def _behind_blanks(at: Looked, scheme: str, hit: int) -> int | Wait | None:
    """Where the token behind a scheme's name begins."""
    text = at.text.text
    end = hit + len(scheme)
    if text[hit:end].lower() != scheme.encode("ascii") or not _starts_word(text, hit):
        return None
    blanks = _BLANKS.match(text, end)
    begin = blanks.end() if blanks else end
    if begin == len(text):
        return None if at.final else Wait()
    return begin if begin > end else None


def _basic(at: Looked, shape: Shape, hit: int) -> Match | Wait | None:
    text = at.text.text
    begin = _behind_blanks(at, shape.begins[0], hit)
    if not isinstance(begin, int):
        return begin
    found = _TOKEN.match(text, begin)
    end = found.end() if found else begin
    if end == len(text) and end - begin < _BASIC_LONGEST and not at.final:
        return Wait(at.text.raw(begin))
    if user_and_password(text[begin : min(end, begin + _BASIC_LONGEST)]) is None:
        return None
    return Match(at.text.raw(begin), run_of(_TOKEN_CHARACTERS), shape.kind, "sure")


def _pem(at: Looked, shape: Shape, hit: int) -> Match | Wait | None:
    text = at.text.text
    found = _PEM.match(text, hit)
    if found is None:
        return Wait() if not at.final and _PEM_PART.match(text, hit) else None
    return Match(at.text.raw(found.end()), PEM, shape.kind, "sure")


def _url(at: Looked, shape: Shape, hit: int) -> Match | Wait | None:
    """`://user:password@`: the password."""
    behind = hit + len(shape.begins[0])
    start = at.text.raw(behind)
    found = _USER_ENCODED.match(at.raw, start, at.text.cut)
    if found:
        return Match(found.start(1), Fixed(found.end(1)), shape.kind, "sure", written="form")
    if not at.final and _USER_PART.match(at.raw, start, at.text.cut):
        return Wait(start)
    found = _USER.match(at.text.text, behind)
    if found:
        return Match(
            at.text.raw(found.start(1)),
            Fixed(at.text.raw(found.end(1))),
            shape.kind,
            "sure",
            written="percent",
        )
    return None


_BUILDS = {"run": _run, "jwt": _jwt, "bearer": _bearer, "basic": _basic, "pem": _pem, "url": _url}
