"""Both spellings of a member name: camelCase as Java prints it, snake_case as Python does."""

from __future__ import annotations

import re

_WORD = r"_*[A-Za-z][A-Za-z0-9_]*\Z"
_HUMP = r"(?<=[a-z0-9])(?=[A-Z])"


def spellings(name: str) -> tuple[str, ...]:
    """`name` first, then its other spelling if it has one; leading underscores stay.

    >>> spellings("toolCallId"), spellings("_interrupt_kind"), spellings("id")
    (('toolCallId', 'tool_call_id'), ('_interrupt_kind', '_interruptKind'), ('id',))
    """
    if not re.match(_WORD, name):
        return (name,)
    bare = name.lstrip("_")
    lead = name[: len(name) - len(bare)]
    snake = re.sub(_HUMP, "_", bare).lower() if not bare.isupper() else bare
    first, *rest = [word for word in bare.split("_") if word]
    camel = first + "".join(word[0].upper() + word[1:] for word in rest)
    return tuple(dict.fromkeys((name, lead + snake, lead + camel)))
