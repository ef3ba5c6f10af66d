"""What changed in the events of two rounds, once their units are matched."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from harness.diff import members
from harness.diff.alike import alike
from harness.diff.carrier import unpacked
from harness.diff.marks import ID
from harness.diff.match import Matches, match, placed
from harness.diff.naming import Names, linked, names
from harness.diff.text import around
from harness.diff.values import Change, Operation, Rank, Subject
from harness.diff.votes import called, votes

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from harness.diff.ids import Ids
    from harness.diff.units import Unit

type Frames = tuple[frozenset[int], frozenset[int]]

MAX_DETAILED = 1000
"""Changed units whose members are looked at; of the others it is only told that they changed."""


class Events:
    """The events of A and B. `changes` and `ranks` (of pairs of units) are what came out."""

    def __init__(
        self,
        a: Sequence[Unit],
        b: Sequence[Unit],
        ids: tuple[Ids, Ids],
        asking: Frames,
        same_calls: Sequence[tuple[str, str]] = (),
        *,
        repacked: bool = False,
    ) -> None:
        self.a, self.b = a, b
        self._repacked = repacked
        self._asking = asking
        self.matches: Matches = match(a, b)
        self.names: Names = names(*ids, votes(a, b, self.matches, called(ids, same_calls)))
        self._linked = linked(a, self.names.a) | linked(b, self.names.b)
        self.changes: list[Change] = []
        self.ranks: dict[tuple[int | None, int | None], Rank] = {}
        """The gravest change of each unit that is not equal."""
        self.moved: set[tuple[int, int]] = set()
        steady = [(i, j) for i, j in self.matches.equal if a[i].steady]
        self._steady_a, self._steady_b = [i for i, _ in steady], [j for _, j in steady]
        self._detailed = 0
        self._mixed = self._only_mixed()
        self._compare()

    @property
    def coarse(self) -> bool:
        """More units changed than were looked at in detail."""
        return self._detailed > MAX_DETAILED

    def _compare(self) -> None:
        found, odd = self._settled()
        self.matches = found
        for i, j in odd:
            self._other_ids(i, j)
        for i, j in found.moved:
            if (i, j) not in odd:
                self._reordered(i, j)
        for i, j in found.changed:
            self._changed(i, j)
        for i in found.removed:
            self._one_sided(i, None)
        for j in found.added:
            self._one_sided(None, j)

    def _tell(self, change: Change, i: int | None, j: int | None) -> None:
        self.changes.append(change)
        before = self.ranks.get((i, j), change.rank)
        self.ranks[i, j] = min(before, change.rank, key=_ORDER.__getitem__)

    def _settled(self) -> tuple[Matches, frozenset[tuple[int, int]]]:
        """The matches, units that name other ids matched anew; those that name others for all that."""
        found = self.matches
        pairs = (*found.equal, *found.moved)
        left = [i for i, j in pairs if self._ids_a(i) != self._ids_b(j)]
        right = [j for i, j in pairs if self._ids_a(i) != self._ids_b(j)]
        if not left:
            return found, frozenset()
        gone = set(left)
        named = alike(left, right, self._named_a, self._named_b)
        others = alike(left, right, lambda i: self.a[i].full, lambda j: self.b[j].full)
        equal, late = placed([pair for pair in found.equal if pair[0] not in gone], sorted([*named, *others]))
        moved = [pair for pair in found.moved if pair[0] not in gone]
        return found._replace(equal=equal, moved=[*moved, *late]), frozenset(others)

    def _named_a(self, i: int) -> Hashable:
        return self.a[i].full, self._ids_a(i)

    def _named_b(self, j: int) -> Hashable:
        return self.b[j].full, self._ids_b(j)

    def _ids_a(self, i: int) -> tuple[str, ...]:
        return tuple(self._told(self.names.a[number]) for number in self.a[i].ids)

    def _ids_b(self, j: int) -> tuple[str, ...]:
        return tuple(self._told(self.names.b[number]) for number in self.b[j].ids)

    def _told(self, name: str) -> str:
        """What an id says by its name: nothing where it stands in one place alone."""
        return name if name in self._linked else ""

    def _other_ids(self, i: int, j: int) -> None:
        one, other = self.a[i], self.b[j]
        names_a, names_b = (
            [names[at] for at in ids] for names, ids in ((self.names.a, one.ids), (self.names.b, other.ids))
        )
        for before, after in dict.fromkeys(zip(names_a, names_b, strict=False)):
            if self._told(before) != self._told(after):
                self._tell(_change("shape", "identity", "changed", one, other, before, after), i, j)

    def _reordered(self, i: int, j: int) -> None:
        self.moved.add((i, j))
        one, other = self.a[i], self.b[j]
        rank: Rank = "timing" if not one.steady and self._passed_none(i, j) else "shape"
        name = _title(one)
        self._tell(Change(rank, "order", "reordered", name, None, None, one.place, other.place), i, j)

    def _passed_none(self, i: int, j: int) -> bool:
        """Between the two places no state of the task was passed."""
        return bisect_left(self._steady_a, i) == bisect_left(self._steady_b, j)

    def _changed(self, i: int, j: int) -> None:
        one, other = self.a[i], self.b[j]
        if (one.said is not None and other.said is not None and one.said != other.said) or (
            one.said is not None and one.form == other.form and one.ids == other.ids
        ):
            if one.shape in self._mixed:
                self._tell(_change("timing", "order", "reordered", one, other), i, j)
            else:
                before, after = around(one.said or "", other.said or "")
                self._tell(_change("text", "text", "changed", one, other, before, after), i, j)
        self._detailed += 1
        if one.form is None or other.form is None or self._detailed > MAX_DETAILED:
            if one.said is None or one.shape != other.shape:
                rank: Rank = "text" if one.shape == other.shape else "shape"
                self._tell(_change(rank, "event", "changed", one, other), i, j)
            return
        self._members(i, j, one.form, other.form)

    def _members(self, i: int, j: int, form: str, other_form: str) -> None:
        one, other = self.a[i], self.b[j]
        left = members.named(form, one.ids, self.names.a)
        right = members.named(other_form, other.ids, self.names.b)
        if self._repacked:
            left, right = unpacked(left), unpacked(right)
        if left != right and members.reordered(left, right):
            self._tell(_change("timing", "order", "reordered", one, other), i, j)
            return
        found = members.differences(left, right, one.place.pointer or "")
        for member in found[: members.MAX_TOLD]:
            rank: Rank = "text" if member.subject == "text" else "shape"
            before, after = member.before, member.after
            if before is not None and after is not None:
                before, after = around(before, after)
            a, b = (place._replace(pointer=member.pointer) for place in (one.place, other.place))
            name = f"{_title(one)} {member.pointer.rpartition('/')[2]}"
            self._tell(Change(rank, member.subject, "changed", name, before, after, a, b), i, j)
        if len(found) > members.MAX_TOLD:
            more = len(found) - members.MAX_TOLD
            self._tell(_change("shape", "event", "changed", one, other)._replace(times=more), i, j)

    def _one_sided(self, i: int | None, j: int | None) -> None:
        unit, frames = (self.a[i], self._asking[0]) if i is not None else (self.b[j or 0], self._asking[1])
        if unit.shape in self._mixed:
            rank, subject = "timing", "order"
        elif unit.place.event in frames:
            rank, subject = "contract", "frame"
        else:
            rank, subject = "shape", "event"
        place, said = unit.place, excerpt(unit)
        change = (
            Change(rank, subject, "removed", _title(unit), said, None, a=place)  # type: ignore[arg-type]
            if i is not None
            else Change(rank, subject, "added", _title(unit), None, said, b=place)  # type: ignore[arg-type]
        )
        self._tell(change, i, j)

    def _only_mixed(self) -> frozenset[int]:
        """Shapes of token runs whose texts are equal as a whole: they were only cut at other events."""
        changed = {self.a[i].shape for i, _ in self.matches.changed}
        texts_a, texts_b = _texts(self.a, changed), _texts(self.b, changed)
        return frozenset(shape for shape, text in texts_a.items() if text and text == texts_b.get(shape))


_ORDER: dict[Rank, int] = {"contract": 0, "shape": 1, "text": 2, "timing": 3}


def _texts(units: Sequence[Unit], shapes: set[int]) -> dict[int, str]:
    """The whole text of each shape of token run; none of those that were not kept whole."""
    pieces: dict[int, list[str]] = {}
    cut = set()
    for unit in units:
        if unit.said is not None and unit.shape in shapes:
            pieces.setdefault(unit.shape, []).append(unit.said)
            if len(unit.said) < unit.chars // 2 or unit.chars > 1 << 16:
                cut.add(unit.shape)
    return {shape: "".join(said) for shape, said in pieces.items() if shape not in cut}


def _title(unit: Unit) -> str:
    return f"{unit.kind} {unit.label}".strip()


def excerpt(unit: Unit, room: int = 120) -> str:
    """What a unit says, shortly."""
    text = unit.said if unit.said is not None else ""
    return text[:room].replace(ID, "(id)") + ("…" if len(text) > room else "")


def _change(
    rank: Rank,
    subject: Subject,
    operation: Operation,
    one: Unit,
    other: Unit,
    before: str | None = None,
    after: str | None = None,
) -> Change:
    return Change(rank, subject, operation, _title(one), before, after, one.place, other.place)
