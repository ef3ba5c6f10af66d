"""JSON text as the Java runtime's serialiser prints it.

Compact; a null member is dropped, a null in a list is kept; HTML characters stay raw; U+2028 and
U+2029 are escaped; a lone surrogate is `?`; doubles in Java's notation (`7.0`, `1.0E21`).
Source: captures/golden/openjiuwen-on-java-sdk.
"""

from __future__ import annotations

import json
import re
from typing import Any

_quote = json.JSONEncoder(ensure_ascii=False).encode
_LONE = re.compile("[\ud800-\udfff]")
_SEPARATORS = {"\u2028": "\\u2028", "\u2029": "\\u2029"}
_ODD = re.compile("[\ud800-\udfff\u2028\u2029]")


def text_of(value: Any) -> str:
    """One line of JSON text."""
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float):
        return double(value)
    if isinstance(value, dict):
        return "{" + ",".join(_string(k) + ":" + text_of(v) for k, v in value.items() if v is not None) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(text_of, value)) + "]"
    return str(int(value))


def double(value: float) -> str:
    """A double as Java prints it: plain from 0.001 to below 10^7, else with a capital E and no plus."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    mantissa, exponent = _shortest(value).split("e")
    return f"{mantissa}E{int(exponent)}"


def _shortest(value: float) -> str:
    forms = (f"{value:.{places}e}" for places in range(1, 18))
    return next(form for form in forms if float(form) == value)


def _string(value: str) -> str:
    if not _ODD.search(value):
        return _quote(value)
    text = _quote(_LONE.sub("?", value))
    for raw, escaped in _SEPARATORS.items():
        text = text.replace(raw, escaped)
    return text
