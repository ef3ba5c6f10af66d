"""What the command line and the settings file say together: the pipeline's options."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from harness.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from harness.pipeline import Options

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def options(args: Namespace, defaults: dict[str, Any]) -> Options:
    """What the command line says, else the settings file, else the default."""
    said = {
        name: getattr(args, name)
        for name in ("contract", "topologies", "topology", "fail_on", "strict", "jobs")
    }
    for name in ("waivers", "baseline"):
        said[name] = getattr(args, name, None)
    said["mappings"] = args.mapping if args.mapping is not None else defaults.get("mapping")
    for name in ("only", "skip"):
        asked = getattr(args, name)
        said[name] = _listed(asked if asked is not None else defaults.get(name, ()))
    longest = args.max_line or defaults.get("max_line")
    said["max_line"] = None if longest is None else size(str(longest))
    values = {name: defaults.get(name) if value is None else value for name, value in said.items()}
    values["mappings"] = tuple(values["mappings"] or ())
    values["waivers"] = values["waivers"] or _waivers_here()
    _known(values)
    from harness.pipeline import Options

    return Options(**{name: value for name, value in values.items() if value is not None})


def _waivers_here() -> str | None:
    """The project's own file of waivers, where there is one."""
    from harness.waivers import DEFAULT

    return DEFAULT if os.path.isfile(DEFAULT) else None


def _known(values: dict[str, Any]) -> None:
    """Refuse what argparse has not seen: the values of a settings file."""
    if values["fail_on"] not in (None, "error", "warning"):
        raise UsageError(f"fail-on is {values['fail_on']!r}", mend="write error or warning")
    if values["jobs"] is not None and values["jobs"] < 1:
        raise UsageError(f"jobs is {values['jobs']}", mend="write a number from 1 on")
    if values["only"] or values["skip"]:
        from harness.rules.registry import expand

        expand((*values["only"], *values["skip"]))


def _listed(asked: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.strip() for one in asked for word in one.split(",") if word.strip())


def count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--jobs {text}: no number of processes", mend="write a number from 1 on")
    return int(text)


def last(text: str) -> int:
    """How many runs are looked at, the newest."""
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--last {text}: no number of runs", mend="write a number from 1 on")
    return int(text)


def size(text: str) -> int:
    number = text.lower().removesuffix("ib").removesuffix("b")
    unit = number[-1:] if number[-1:] in ("k", "m", "g") else ""
    digits = number.removesuffix(unit) if unit else number
    if not digits.isdecimal() or int(digits) < 1:
        raise UsageError(f"--max-line {text}: no size", mend="write bytes, or 64k, 16M, 1G")
    return int(digits) * _UNITS[unit]
