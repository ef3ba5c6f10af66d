"""Text as terminal cells: harmless first, then measured, cut, padded and wrapped.

What stood on a wire may hold escape sequences, bidirectional controls or a megabyte of one
letter. `harmless` makes such characters visible instead of effective; everything that comes
from a capture, a path or a peer passes it before it is printed. A cell is one column; wide
East Asian characters take two, combining marks none.
"""

from __future__ import annotations

import re
import unicodedata

UNSAFE = (
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff"
    "\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Characters that would act on the reader or can not be seen, as a pattern."""
_COMMAND = r"(?<![!-~])::(?=[A-Za-z])|##(?=\w*\[)"
"""What a CI server takes for a command at the begin of a line: `::error::`, `##[error]`, `##vso[...]`."""
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\x1b": "\\x1b"}
_WIDE = frozenset("WF")


def harmless(text: str, limit: int = 4096) -> str:
    """`text` in one line, controls and invisible characters spelled out, at most `limit` characters read."""
    if len(text) > limit:
        text = text[:limit] + "…"
    if "::" in text or "##" in text:
        text = re.sub(_COMMAND, lambda match: f"\\x{ord(match[0][0]):02x}{match[0][1:]}", text)
    return text if text.isascii() and text.isprintable() else re.sub(UNSAFE, _spelled, text)


def _spelled(match: re.Match[str]) -> str:
    char = match[0]
    short = _SHORT.get(char)
    if short:
        return short
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cells(text: str) -> int:
    """How many terminal columns `text` takes."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def _cell(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1


def fit(text: str, width: int) -> str:
    """`text` in at most `width` cells; what is cut off is shown as `…`."""
    if len(text) <= width and cells(text) <= width:
        return text
    return _head(text, width - 1) + "…" if width > 0 else ""


def _head(text: str, width: int) -> str:
    taken = 0
    for at, char in enumerate(text):
        taken += _cell(char)
        if taken > width or at > 4 * width:
            return text[:at]
    return text


def pad(text: str, width: int, *, right: bool = False) -> str:
    """`text` filled up to `width` cells, on the left side if it shall stand `right`."""
    fill = " " * max(width - cells(text), 0)
    return fill + text if right else text + fill


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """`text` in lines of at most `width` cells, each but the first begun with `indent`.

    Breaks at blanks, and between wide characters, where Chinese may be broken.
    """
    lines: list[str] = []
    line = ""
    for piece in _pieces(text):
        room = width if not lines else width - cells(indent)
        if line and cells(line + piece.rstrip()) > room:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    lines.append(line.rstrip())
    return [lines[0], *(indent + each for each in lines[1:])]


_WORD = r"\S+\s*|\s+"
_PIECE = (
    "[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef][，。；：、！？）」』》]*\\s*"
    "|[^\\s\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]+\\s*|\\s+"
)


def _pieces(text: str) -> list[str]:
    # patterns are compiled where they are needed: most runs print ASCII only
    return re.findall(_WORD if text.isascii() else _PIECE, text)
