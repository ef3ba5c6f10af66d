"""Several mappings as one, and what must hold between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from harness.errors import MappingError
from harness.mapping.form import Combined, Condition, Container, Holds, Mapping

if TYPE_CHECKING:
    from harness.yamltext import Document, Path


def merged(mappings: Sequence[Mapping]) -> Mapping:
    """One mapping of several: clauses one after the other, lists of one name joined."""
    if len(mappings) == 1:
        return mappings[0]
    lists: dict[str, dict[str, None]] = {}
    for mapping in mappings:
        for name, values in mapping.lists:
            lists.setdefault(name, {}).update(dict.fromkeys(values))
    return Mapping(
        tuple(shape for mapping in mappings for shape in mapping.shapes),
        tuple(mark for mapping in mappings for mark in mapping.marks),
        tuple(scope for mapping in mappings for scope in mapping.scopes),
        tuple(channel for mapping in mappings for channel in mapping.channels),
        tuple((name, tuple(values)) for name, values in lists.items()),
    )


class References:
    """Checks a file's ids and references against itself and the mappings beside it."""

    def __init__(self, document: Document, beside: Mapping) -> None:
        self._document = document
        self._beside = beside

    def check(self, mapping: Mapping) -> None:
        """Raise `MappingError` for the first id given twice or reference that leads nowhere."""
        self._ids(mapping)
        containers = [shape.id for part in (self._beside, mapping) for shape in part.shapes if shape.each]
        scopes = [scope.id for part in (self._beside, mapping) for scope in part.scopes]
        lists = [name for part in (self._beside, mapping) for name, _ in part.lists]
        for at, shape in enumerate(mapping.shapes):
            for number, place in enumerate(shape.places):
                if place.kind == "member_of":
                    self._known(
                        place.names, containers, "container", ("shapes", at, "at", number, "member_of")
                    )
            if shape.internal is not None and shape.internal.listed:
                self._known((shape.internal.listed,), lists, "list", ("shapes", at, "internal", "list"))
            conditions = [
                shape.match,
                *(place.when for place in shape.places),
                *(case.when for case in shape.cases),
            ]
            self._known(list(_lists_in(conditions)), lists, "list", ("shapes", at))
        for at, mark in enumerate(mapping.marks):
            self._known(mark.outside, scopes, "scope", ("marks", at, "outside"))
            self._known(list(_lists_in([mark.match])), lists, "list", ("marks", at))

    def _ids(self, mapping: Mapping) -> None:
        for section in ("shapes", "marks", "scopes", "channels"):
            seen = {clause.id for clause in getattr(self._beside, section)}
            for at, clause in enumerate(getattr(mapping, section)):
                if clause.id in seen:
                    raise self._fault(
                        (section, at, "id"), f"the id `{clause.id}` is taken", "choose another id"
                    )
                seen.add(clause.id)

    def _known(self, names: Iterable[str], known: Sequence[str], what: str, where: Path) -> None:
        for name in names:
            if name not in known:
                from difflib import get_close_matches

                close = get_close_matches(name, known, 1, 0.6)
                allowed = f"known: {', '.join(known) or 'none'}"
                mend = f"did you mean `{close[0]}`? {allowed}" if close else allowed
                raise self._fault(where, f"there is no {what} `{name}`", mend)

    def _fault(self, where: Path, what: str, mend: str) -> MappingError:
        from harness.yamltext import dollar

        while where not in self._document.lines:
            where = where[:-1]
        document = self._document
        return MappingError(
            what, file=document.file, line=document.line(where), path=dollar(where), mend=mend
        )


def _lists_in(conditions: Iterable[Condition | None]) -> Iterator[str]:
    waiting = [one for one in conditions if one is not None]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Holds):
            yield from one.test.operand if one.test.word == "in_list" else ()
        elif isinstance(one, Combined):
            waiting += one.parts
        elif isinstance(one, Container):
            waiting.append(one.part)
