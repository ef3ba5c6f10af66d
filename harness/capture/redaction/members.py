"""A name of a secret in text: is it the name of a member, field or header, and where is its value?

Looks at text without escapes (`plain`), so that JSON, JSON in strings, forms, queries and heads
look alike. Everything it looks at is of bounded length.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from harness.capture.redaction.ends import (
    APOSTROPHE,
    BARE,
    BARE_PERCENT,
    LINE,
    LINE_QUOTED,
    NUMBER,
    PERCENT_STRING,
    End,
    Fixed,
    InString,
)
from harness.capture.redaction.form import Name, Place
from harness.capture.redaction.hit import Judged, Match, Wait, Written
from harness.capture.redaction.plain import Plain
from harness.capture.redaction.tables import Tables

LONGEST = 64
"""Characters of a name."""
_BEFORE = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-. "
"""Bytes that may stand in a name before its word."""
_AFTER = re.compile(rb"[A-Za-z0-9_\-]*+")
_SPACE = rb"(?:[ \t\r]|\n(?:data:)?|\\+[nrt]){0,64}+"
_CLOSE = re.compile(rb"\\{0,64}+[\"']")
_COLON = re.compile(_SPACE + rb":" + _SPACE)
_COMMA = re.compile(_SPACE + rb"," + _SPACE)
_VALUE_MEMBER = re.compile(
    _SPACE + rb"," + _SPACE + rb"\\{0,64}+\"value\\{0,64}+\"" + _SPACE + rb":" + _SPACE
)
_OPEN = re.compile(rb"(\\{0,64}+)([\"'])")
_UNDECIDED = re.compile(rb"[\s\\,:\"'a-z]{0,320}\Z")
_NAMES = re.compile(rb"\"(?:name|key|header|headerName)\\{0,64}\"" + _SPACE + rb":" + _SPACE + rb"\\{0,64}\Z")
_LIST = re.compile(rb"\[" + _SPACE + rb"\\{0,64}\Z")
_SET = re.compile(rb"([ \t]{0,4}+)(=|:)(?![=:>]|//)([ \t]{0,4}+)")
_SET_PART = re.compile(rb"[ \t]{0,4}(?:[=:]/?[ \t]{0,4})?\Z")
_BLANK = re.compile(rb"(?:\r\n|\n|\r)(?:\r\n|\n|\r)")
_COOKIE = re.compile(rb"[!#$%&*+.^_`|~\w-]{1,64}=")
_COOKIE_PART = re.compile(rb"[!#$%&*+.^_`|~\w-]{0,64}\Z")


class Looked(NamedTuple):
    """What is looked at."""

    text: Plain
    raw: bytes
    tables: Tables
    frames: bool
    """A blank line ends all that was open."""
    final: bool
    """No further bytes come."""


def member(at: Looked, hit: int) -> Match | Wait | None:
    """The value whose name holds the word at `hit`."""
    text = at.text.text
    found = _AFTER.match(text, hit)
    stop = found.end() if found else hit
    close = _CLOSE.match(text, stop)
    if close is None and _is_word(at, stop):
        return None
    begin, quoted = _begin(text, hit)
    if stop - begin > LONGEST:
        return None
    if close is None:
        waits = stop + 64 > len(text) and not text[stop:].strip(b"\\")
        if waits and not at.final:
            return Wait()
    elif quoted and text[close.end() - 1] == quoted:
        return _quoted(at, text[begin:stop], begin, close.end())
    return _bare(at, text[_word(text, begin, hit) : stop], stop, text[begin - 1 : begin])


def _is_word(at: Looked, stop: int) -> bool:
    """Whether nothing behind the word makes a name of it, not even what may still come: plain prose."""
    text = at.text.text
    if _SET.match(text, stop):
        return False
    return at.final or not (_SET_PART.match(text, stop) or not text[stop : stop + 64].strip(b"\\"))


def _begin(text: bytes, hit: int) -> tuple[int, int]:
    """Where the name begins, and the quote before it (0: none)."""
    least = max(0, hit - LONGEST)
    begin = least + len(text[least:hit].rstrip(_BEFORE))
    quote = text[begin - 1] if begin else 0
    return begin, quote if quote in b"\"'" else 0


def _word(text: bytes, begin: int, hit: int) -> int:
    """Where the last word of the name begins: `datasource.password` is a password."""
    return begin + max(text.rfind(b" ", begin, hit), text.rfind(b".", begin, hit), begin - 1) - begin + 1


def _quoted(at: Looked, name: bytes, begin: int, stop: int) -> Match | Wait | None:
    text = at.text.text
    colon = _COLON.match(text, stop)
    if colon:
        rule = at.tables.name(name, "member")
        return _value(at, rule, stop, colon.end()) if rule else None
    rule = at.tables.name(name, "header")
    if rule is None:
        rule = at.tables.name(name, "member")
        return Wait() if rule and _open_ended(at, stop) else None
    before = text[max(0, begin - 256) : begin - 1]
    listed = (rule.keeps != "nothing" or b"-" in name) and _LIST.search(before)
    separated = _COMMA if listed else _VALUE_MEMBER if _NAMES.search(before) else None
    after = separated.match(text, stop) if separated else None
    if after:
        return _value(at, rule, stop, after.end())
    return Wait() if _open_ended(at, stop) else None


def _open_ended(at: Looked, stop: int) -> bool:
    """Whether what follows may still become a separator and a value."""
    text = at.text.text
    return not at.final and len(text) - stop <= 320 and _UNDECIDED.match(text, stop) is not None


def _value(at: Looked, rule: Name, name_end: int, begin: int) -> Match | Wait | None:
    """The value that begins at `begin`, behind the separator."""
    text = at.text.text
    if at.frames and _BLANK.search(text, name_end, begin):
        return None
    opened = _OPEN.match(text, begin)
    if opened is None:
        if begin + 64 > len(text) and not text[begin:].strip(b"\\") and not at.final:
            return Wait()
        if text[begin : begin + 1] in (b"[", b"{"):
            return _deep(at, rule, name_end, begin)
        return _number(at, rule, name_end, begin)
    return _string(at, rule, opened, rule.takes)


def _string(at: Looked, rule: Name, opened: re.Match[bytes], judged: Judged) -> Match:
    place, start = at.text.raw(opened.start(2)), at.text.raw(opened.end())
    depth = _depth(len(opened[1]))
    end: End = APOSTROPHE if opened[2] == b"'" else InString(depth)
    written: Written = "json"
    if at.raw[place : place + 1] == b"%":
        end, written = PERCENT_STRING, "percent"
    return Match(start, end, rule.kind, judged, rule.keeps, written, depth + 1)


def _depth(slashes: int) -> int:
    """How many strings there are around one whose quotes have so many backslashes."""
    return (slashes + 1).bit_length() - 1


def _deep(at: Looked, rule: Name, name_end: int, begin: int) -> Match | None:
    """An array of strings, or, of some names, an array or object of whatever depth."""
    text = at.text.text
    start = at.text.raw(begin)
    if at.raw[start : start + 1] == b"%" or (text[begin : begin + 1] == b"{" and not rule.deep):
        return None
    before = text[max(0, name_end - 66) : name_end - 1]
    slashes = len(before) - len(before.rstrip(b"\\"))
    return Match(start, Fixed(start), rule.kind, inside=rule, depth=_depth(slashes))


def _number(at: Looked, rule: Name, name_end: int, begin: int) -> Match | Wait | None:
    text = at.text.text
    if rule.takes != "any" or text[begin : begin + 1] not in b"-0123456789":
        return None
    close = at.text.raw(name_end - 1)
    quote = at.raw[close : at.text.raw(name_end)]
    slashes = at.raw[:close][len(at.raw[:close].rstrip(b"\\")) :] if quote == b'"' else b""
    return Match(at.text.raw(begin), NUMBER, rule.kind, quote=slashes + quote)


def _bare(at: Looked, name: bytes, stop: int, before: bytes) -> Match | Wait | None:
    """`name=value`, `name: value`: a field of a form, a query, a head, a setting."""
    text = at.text.text
    found = _SET.match(text, stop)
    if found is None or found.end() == len(text):
        return Wait() if not at.final and _SET_PART.match(text, stop) else None
    rule = at.tables.name(name, _place(found))
    if rule is None:
        return None
    opened = _OPEN.match(text, found.end())
    tight = found[2] == b"=" and not found[1] and not found[3]
    if opened:
        return _string(at, rule, opened, rule.takes if tight or rule.takes == "word" else "mixed")
    if found[2] == b":" and rule.keeps != "nothing":
        return _line(at, rule, found.end(), before)
    start = at.text.raw(found.end())
    percent = at.raw[at.text.raw(found.start(2)) :][:1] == b"%"
    end = BARE_PERCENT if percent else BARE
    judged: Judged = rule.takes if tight or name[:2].lower() == b"x-" else "mixed"
    return Match(start, end, rule.kind, judged, written="percent" if percent else "form")


def _place(found: re.Match[bytes]) -> Place:
    return "query" if found[2] == b"=" else "member"


def _line(at: Looked, rule: Name, begin: int, before: bytes) -> Match | Wait | None:
    """`Authorization: Bearer ...` in text: to the end of the line. Prose on cookies is none."""
    text = at.text.text
    if rule.keeps != "scheme" and not _COOKIE.match(text, begin):
        return Wait(at.text.raw(begin)) if not at.final and _COOKIE_PART.match(text, begin) else None
    end = LINE_QUOTED if before == b"'" else LINE
    return Match(at.text.raw(begin), end, rule.kind, "any", rule.keeps)
