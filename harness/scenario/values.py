"""A scenario file's text becomes a `Scenario`; what its schema can not say is checked here. Rank 1."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from pydantic import ValidationError

from harness import yamltext
from harness.errors import ScenarioError
from harness.model.scenario import Expect, Known, Part, Scenario, ScenarioRound, Wanted
from harness.scenario.language import ScenarioFile

if TYPE_CHECKING:
    from harness.scenario.language import ContentEntry, ExpectEntry, RoundEntry

PLAIN = "plain"
"""The script of a scenario that names none: a `play` that is empty is none for the testbed."""
SEE = "see `harness schema scenario`"
_TERMINAL = ("COMPLETED", "FAILED", "CANCELED", "REJECTED")
_WAYS = ("send", "answer", "answers")


def scenario(text: str, file: str) -> Scenario:
    """YAML text as a scenario; raises `ScenarioError` with file, line and `$.path`."""
    document = yamltext.read(text, file, ScenarioError)
    try:
        read = ScenarioFile.model_validate(document.value)
    except ValidationError as fault:
        raise yamltext.refused(fault, document, ScenarioError, SEE) from None
    return _Made(document).scenario(read)


class _Made:
    """Makes the values of one document."""

    def __init__(self, document: yamltext.Document) -> None:
        self._document = document

    def scenario(self, read: ScenarioFile) -> Scenario:
        return Scenario(
            name=read.name or self._stem(),
            file=self._document.file,
            line=self._document.line(("name",)) or 1,
            topology=read.topology,
            rounds=self._rounds(read.rounds),
            contract=read.contract,
            tags=tuple(read.tags),
            timeout_s=read.timeout,
            retries=read.retries,
            known=self._known(read.known),
            play=() if read.testbed is None else tuple({"script": PLAIN, **read.testbed}.items()),
        )

    def _stem(self) -> str:
        return os.path.basename(self._document.file).removesuffix(".yaml").removesuffix(".scenario")

    def _rounds(self, entries: list[RoundEntry]) -> tuple[ScenarioRound, ...]:
        made: list[ScenarioRound] = []
        main: ScenarioRound | None = None
        for at, entry in enumerate(entries):
            one = self._round(entry, at, main)
            made.append(one)
            if one.during is None:
                main = one
        return tuple(made)

    def _round(self, entry: RoundEntry, at: int, main: ScenarioRound | None) -> ScenarioRound:
        path = ("rounds", at)
        ways = [name for name in _WAYS if getattr(entry, name) is not None]
        if len(ways) != 1:
            what = "neither send, answer nor answers" if not ways else f"{' and '.join(ways)} together"
            raise self._no(what, path, "write one of send, answer, answers")
        self._timing(entry, path, main)
        opens = self._opens(entry, path, main)
        return ScenarioRound(
            number=at + 1,
            parts=self._parts(entry, (*path, ways[0]), opens=opens),
            opens=opens,
            during=entry.during,
            steer=entry.steer,
            cancel_after_s=entry.cancel_after,
            timeout_s=entry.timeout,
            expect=_expect(entry.expect),
            xfail=entry.xfail,
        )

    def _timing(self, entry: RoundEntry, path: yamltext.Path, main: ScenarioRound | None) -> None:
        if entry.during is not None and (main is None or entry.during != main.number):
            running = "no round runs then" if main is None else f"only round {main.number} can still run then"
            what = f"during {entry.during}: {running}"
            raise self._no(what, (*path, "during"), "name the last round without `during`")
        if entry.steer and entry.during is None:
            raise self._no("steering needs a running task", (*path, "steer"), "add `during: N`")
        if entry.steer and entry.opens:
            raise self._no("a steering text opens no task", (*path, "opens"), "leave it out")

    def _opens(self, entry: RoundEntry, path: yamltext.Path, main: ScenarioRound | None) -> bool:
        if entry.send is None:
            if main is None:
                raise self._no("there is nothing to answer yet", path, "begin with `send`")
            if entry.opens:
                raise self._no("an answer opens no task", (*path, "opens"), "use `send`")
            return False
        if entry.opens is not None:
            if main is None and not entry.opens:
                raise self._no("there is no task to continue yet", (*path, "opens"), "leave it out")
            return entry.opens
        return main is None or (entry.during is None and main.expect.outcome in _TERMINAL)

    def _parts(self, entry: RoundEntry, path: yamltext.Path, *, opens: bool) -> tuple[Part, ...]:
        if entry.answers is not None:
            return tuple(self._targeted(key, one, (*path, key)) for key, one in entry.answers.items())
        said = entry.send if entry.send is not None else entry.answer
        if isinstance(said, str):
            return (Part(text=said),)
        assert said is not None
        for at, one in enumerate(said):
            if one.answers is not None and opens:
                mend = "leave it out, or add `opens: false`"
                raise self._no("nothing was asked yet", (*path, at, "answers"), mend)
        return tuple(self._part(one, (*path, at), one.answers) for at, one in enumerate(said))

    def _targeted(self, key: str, answer: str | ContentEntry, path: yamltext.Path) -> Part:
        if isinstance(answer, str):
            return Part(text=answer, answers=key)
        return self._part(answer, path, key)

    def _part(self, entry: ContentEntry, path: yamltext.Path, answers: str | None) -> Part:
        if len(entry.model_fields_set & {"text", "data", "url"}) != 1:
            raise self._no("a part is one text, data or url", path, "write exactly one of them")
        data = json.dumps(entry.data, ensure_ascii=False) if "data" in entry.model_fields_set else None
        return Part(entry.text, data, entry.url, answers)

    def _known(self, entries: dict[str, dict[str, int]]) -> tuple[Known, ...]:
        made: dict[str, Known] = {}
        for name, findings in entries.items():
            parts = sorted(part.strip() for part in name.split("+"))
            key = "+".join(parts)
            if not all(parts) or len(set(parts)) != len(parts):
                raise self._no(f"{name!r} names no defects", ("known", name), "join different names with +")
            if key in made:
                raise self._no(f"{key!r} stands twice", ("known", name), "keep one of them")
            made[key] = Known(key, tuple(sorted(findings.items())))
        return tuple(made.values())

    def _no(self, what: str, path: yamltext.Path, mend: str) -> ScenarioError:
        file, line = self._document.file, self._document.line(path)
        return ScenarioError(what, file=file, line=line, path=yamltext.dollar(path), mend=mend)


def _expect(entry: ExpectEntry) -> Expect:
    wanted = entry.interactions
    return Expect(
        outcome=entry.outcome,
        interactions=None
        if wanted is None
        else tuple(Wanted(one.kind, one.exposure, one.count, one.channel, one.tool) for one in wanted),
        has=tuple(entry.text.has),
        lacks=tuple(entry.text.lacks),
        order=tuple(entry.order),
        calls=tuple(entry.calls),
        concurrent=entry.concurrent,
    )
