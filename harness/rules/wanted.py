"""Interactions that a scenario wants, against those that a round shows. Pure. Rank 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model.interaction import Interaction

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from harness.model.scenario import Wanted


def compare(
    wanted: Sequence[Wanted], shown: Sequence[Interaction], leaks: Container[int] = ()
) -> tuple[list[tuple[Interaction, ...]], list[Interaction]]:
    """For each entry the interactions that it speaks of, and those of which none does.

    `leaks` are indices of interactions that are reported as leaked already: one of them stands for
    a wanted one of another exposure that is missing, and is never one too many. Declared ones ask
    nothing: they count only where an entry speaks of declared ones.
    """
    declared = any(one.exposure == "declared" for one in wanted)
    found: list[list[Interaction]] = [[] for _ in wanted]
    extra: list[Interaction] = []
    order = sorted(range(len(wanted)), key=lambda at: _loose(wanted[at]))
    for number, one in enumerate(shown):
        fits = [at for at in order if _fits(wanted[at], one)]
        at = next((at for at in fits if len(found[at]) < wanted[at].times), fits[0] if fits else None)
        if at is not None:
            found[at].append(one)
        elif number not in leaks and (declared or one.exposure != "declared"):
            extra.append(one)
    for number, one in enumerate(shown):
        if number in leaks and not any(one in each for each in found):
            _stand_in(one, wanted, found, order)
    return [tuple(each) for each in found], extra


def _stand_in(
    leak: Interaction, wanted: Sequence[Wanted], found: Sequence[list[Interaction]], order: Sequence[int]
) -> None:
    for at in order:
        one = wanted[at]
        if len(found[at]) < one.times and _fits(one, leak._replace(exposure=one.exposure)):
            found[at].append(leak)
            return


def _loose(wanted: Wanted) -> int:
    """How little the entry says: those that say more are asked first."""
    return (wanted.channel is None) + (wanted.tool is None)


def _fits(wanted: Wanted, one: Interaction) -> bool:
    return (
        (wanted.kind, wanted.exposure) == (one.kind, one.exposure)
        and wanted.channel in (None, one.channel)
        and wanted.tool in (None, one.tool_name)
    )


def phrase(one: Wanted | Interaction) -> str:
    """What it is, in words: `masked delegation of hotel-agent on the control channel`."""
    tool = one.tool_name if isinstance(one, Interaction) else one.tool
    words = f"{one.exposure} {one.kind}"
    words += f" of {tool}" if tool else ""
    return words + (f" on the {one.channel} channel" if one.channel else "")
