"""One strict reader of JSON text, used wherever wire text is read.

RFC 8259 as JavaScript's parser has it: no NaN, no Infinity, no trailing text; integers
keep every digit. What can not be read is a `Flaw`, never an exception: it is the peer's
fault, and the evidence after it is needed. Knows no file and no dialect. Rank 0.
"""

import json
import re
from functools import cache
from typing import Any, NamedTuple, NoReturn

MAX_DEPTH = 1000
"""Deeper values are not read: Python's own reader gives up at a depth that depends on its version."""


TOO_DEEP = f"nested deeper than {MAX_DEPTH}"
"""The reason of a `Flaw` that is our limit, no fault of the text."""


class Flaw(NamedTuple):
    """Why a text is no JSON value, and at which character (from 0) it was noticed."""

    reason: str
    at: int


class _BadConstant(ValueError):
    pass


def _refuse(name: str) -> NoReturn:
    raise _BadConstant(name)


_decode = json.JSONDecoder(parse_constant=_refuse).decode
_BRACKET = r'(?s)"[^"\\]*(?:\\.[^"\\]*)*"|([\[{])|([\]}])'


@cache
def _decode_wide() -> Any:
    from decimal import Decimal

    return json.JSONDecoder(parse_constant=_refuse, parse_int=Decimal, parse_float=Decimal).decode


def read(text: str) -> Any:
    """The JSON value of `text`, or a `Flaw`. Numbers of over 4,300 digits become Decimal."""
    return _read(text, _decode)


def read_exact(text: str) -> Any:
    """Like `read`, but every number is a Decimal with all its digits."""
    return _read(text, _decode_wide())


def _read(text: str, decode: Any) -> Any:
    if text.count("[") + text.count("{") > MAX_DEPTH and (at := _too_deep(text)) >= 0:
        return Flaw(TOO_DEEP, at)
    try:
        return decode(text)
    except json.JSONDecodeError as error:
        return Flaw(error.msg, error.pos)
    except _BadConstant as error:
        return Flaw(f"{error} is no JSON value", max(text.find(str(error)), 0))
    except ValueError:
        return _read(text, _decode_wide())


def _too_deep(text: str) -> int:
    depth = 0
    for found in re.finditer(_BRACKET, text):
        if found[1]:
            depth += 1
            if depth > MAX_DEPTH:
                return found.start()
        elif found[2]:
            depth -= 1
    return -1
