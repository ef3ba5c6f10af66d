"""Every rule by name: code > family > module. Nothing is found by magic.

Importing this module imports no rule: a family is loaded when one of its rules is chosen, so
that `--only LEAK,MASK,BIND` pays for three small files. Rank 3.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.rules.rule import Rule


class Family(NamedTuple):
    """Where a family's rules stand, and their codes in order."""

    module: str
    codes: tuple[str, ...]


FAMILIES: dict[str, Family] = {
    "LEAK": Family("harness.rules.leak", ("LEAK101", "LEAK102", "LEAK103", "LEAK104", "LEAK105")),
    "MASK": Family("harness.rules.mask", ("MASK201", "MASK202")),
    "BIND": Family("harness.rules.bind", ("BIND301", "BIND302")),
    "SYM": Family("harness.rules.symmetry", ("SYM401", "SYM402")),
    "END": Family("harness.rules.ending", ("END501", "END502", "END503", "END504", "END505")),
    "RES": Family("harness.rules.resume", ("RES601", "RES602")),
    "STEER": Family("harness.rules.steer", ("STEER101", "STEER102")),
    "DEL": Family("harness.rules.delegation", ("DEL101", "DEL102", "DEL103", "DEL104")),
    "SCN": Family("harness.rules.expect", ("SCN101", "SCN102", "SCN103", "SCN104", "SCN105", "SCN106")),
    "HTTP": Family("harness.rules.http", ("HTTP101", "HTTP102", "HTTP103", "HTTP104", "HTTP106")),
    "SSE": Family("harness.rules.sse", ("SSE201", "SSE202", "SSE203", "SSE204", "SSE205")),
    "RPC": Family("harness.rules.rpc", ("RPC301", "RPC302", "RPC303", "RPC304", "RPC305", "RPC306")),
    "SHP": Family(
        "harness.rules.shape",
        (
            "SHP401", "SHP402", "SHP403", "SHP404", "SHP405", "SHP406", "SHP407", "SHP408", "SHP409",
            "SHP411",
        ),
    ),
    "ORD": Family(
        "harness.rules.order",
        (
            "ORD501", "ORD502", "ORD503", "ORD504", "ORD505", "ORD506", "ORD507", "ORD508", "ORD509",
            "ORD510", "ORD511", "ORD512",
        ),
    ),
    "IDS": Family("harness.rules.ids", ("IDS601", "IDS602", "IDS603", "IDS604")),
    "ART": Family(
        "harness.rules.artifact",
        ("ART701", "ART702", "ART703", "ART704", "ART705", "ART706", "ART707"),
    ),
    "MUL": Family("harness.rules.multi", ("MUL801", "MUL802", "MUL803")),
    "NEG": Family("harness.rules.negotiate", ("NEG901", "NEG902", "NEG903", "NEG904", "NEG905", "NEG906")),
    "WAIV": Family("harness.rules.waived", ("WAIV101", "WAIV102", "WAIV103")),
}  # fmt: skip

CODES: tuple[str, ...] = tuple(code for family in FAMILIES.values() for code in family.codes)

CLIENT_LEG: frozenset[str] = frozenset({"LEAK", "MASK", "BIND", "SYM", "END", "RES"})
"""Families that speak of what a client sees; the others hold on every A2A leg."""

ACROSS: frozenset[str] = frozenset(
    {"MASK202", "SYM401", "SYM402", "RES601", "IDS604", "MUL801", "MUL802", "MUL803", "NEG903"}
)
"""Rules that compare rounds: `harness.rules.across` judges them, the engine of a round does not."""

BOTH: frozenset[str] = frozenset({"ART707"})
"""Rules that a round may show alone, and that compare rounds as well."""

OWN: frozenset[str] = frozenset({"WAIV101", "WAIV102", "WAIV103"})
"""Rules about this project's own files, which no stream shows: `harness.accepted` judges them."""

LEGS: frozenset[str] = frozenset(code for name in ("STEER", "DEL", "SCN") for code in FAMILIES[name].codes)
"""Rules over the legs of a conversation: `harness.rules.over` judges them, the engine of a round does not."""

SHADOWS: tuple[tuple[str, str], ...] = (
    ("END502", "ORD506"),
    ("RES601", "IDS603"),
    ("END505", "HTTP103"),
)
"""A contract rule and the protocol rule that states the same breach: the first is reported."""


def family(code: str) -> str:
    """`LEAK101` is of family `LEAK`."""
    return code.rstrip("0123456789")


def rules(codes: Iterable[str]) -> tuple[type[Rule], ...]:
    """The rule classes of `codes`, in the registry's order; imports what they need."""
    wanted = set(codes)
    found: list[type[Rule]] = []
    for one in FAMILIES.values():
        if wanted.isdisjoint(one.codes):
            continue
        classes = {rule.code: rule for rule in import_module(one.module).RULES}
        found.extend(classes[code] for code in one.codes if code in wanted)
    return tuple(found)


def rule(code: str) -> type[Rule]:
    """The class of one rule; `UsageError` where there is none of that code."""
    known = expand((code,))
    if len(known) != 1 or known != (code,):
        raise UsageError(f"{code} is no rule", mend=f"rules are {CODES[0]} to {CODES[-1]}; see docs/rules")
    return rules(known)[0]


def expand(words: Iterable[str]) -> tuple[str, ...]:
    """Families and codes, in any case, as codes in the registry's order."""
    chosen: set[str] = set()
    for word in words:
        name = word.strip().upper()
        if name in FAMILIES:
            chosen.update(FAMILIES[name].codes)
        elif name in CODES:
            chosen.add(name)
        else:
            raise UsageError(
                f"{word!r} is no rule and no family of rules", mend=f"families are {', '.join(FAMILIES)}"
            )
    return tuple(code for code in CODES if code in chosen)
