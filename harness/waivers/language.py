"""The waivers file's language, closed and versioned. Imported only for a YAML file. Rank 3."""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from harness import yamltext
from harness.errors import ScenarioError
from harness.model.interaction import Kind
from harness.model.waiver import Scope, Waiver
from harness.waivers import TODO

DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
LINK = r"""^https?://[^\s<>()\[\]{}"'`|\\^]+$"""


def _decided(text: str) -> str:
    if text.strip().upper().startswith(TODO):
        raise ValueError(f"is still a draft: {TODO} must be replaced")
    return text


def _day(text: str) -> str:
    from datetime import date

    if not re.fullmatch(DATE, text):
        raise ValueError("is no day: write YYYY-MM-DD")
    try:
        date.fromisoformat(text)
    except ValueError as fault:
        raise ValueError(f"is no day: {fault}") from None
    return text


def _link(text: str) -> str:
    if not re.fullmatch(LINK, text):
        raise ValueError("is no link: write http://... or https://..., without blanks, brackets or quotes")
    return text


def _no_own(code: str) -> str:
    if code.startswith("WAIV"):
        raise ValueError("findings about waivers can not be waived")
    return code


_Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S"), AfterValidator(_decided)]
_Name = Annotated[str, StringConstraints(min_length=1)]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ScopeEntry(_Closed):
    """Where the waiver holds: at least one member; all of them must fit."""

    topology: _Name | None = None
    scenario: _Name | None = None
    round: Annotated[int, Field(ge=0)] | None = Field(default=None, description="Number of the round")
    leg: _Name | None = Field(default=None, description="client, or the name of an agent's leg")
    kind: Literal[get_args(Kind.__value__)] | None = Field(  # type: ignore[valid-type]
        default=None, description="Kind of the interaction in which the finding stands"
    )
    shape: _Name | None = Field(default=None, description="Mapping clause that read the interaction")
    agent: _Name | None = Field(default=None, description="Agent that the interaction names")


class WaiverEntry(_Closed):
    """One accepted finding. Every member is needed: a waiver without an owner or an end is a hole."""

    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")] = Field(
        description="What reports call it"
    )
    rule: Annotated[str, StringConstraints(pattern=r"^[A-Z]+[0-9]{3}$"), AfterValidator(_no_own)] = Field(
        description="Code of one rule, such as LEAK101"
    )
    scope: ScopeEntry
    reason: _Text = Field(description="Why it is accepted for now")
    issue: Annotated[str, AfterValidator(_decided), AfterValidator(_link)] = Field(
        description="Link to the issue that will end it"
    )
    owner: _Text = Field(description="Who answers for it")
    expires: Annotated[str, AfterValidator(_decided), AfterValidator(_day)] = Field(
        description="The last day on which it holds (UTC), YYYY-MM-DD"
    )


class WaiversFile(_Closed):
    """All waivers of a project."""

    version: Literal[1] = Field(description="Version of this language")
    waivers: list[WaiverEntry] = Field(description="May be empty")


def compile_waivers(text: str, file: str) -> tuple[Waiver, ...]:
    """YAML text as waivers; raises `ScenarioError` with file, line and `$.path`."""
    document = yamltext.read(text, file, ScenarioError)
    try:
        read = WaiversFile.model_validate(document.value)
    except ValidationError as fault:
        raise yamltext.refused(fault, document, ScenarioError, "see `harness schema waivers`") from None
    made = tuple(_compiled(entry, document, at) for at, entry in enumerate(read.waivers))
    for at, one in enumerate(made):
        if any(other.id == one.id for other in made[:at]):
            raise _no(document, (at, "id"), f"{one.id!r} stands twice", "give each its own id")
        if one.scope == Scope():
            raise _no(document, (at, "scope"), "says nothing", "name at least a topology or a scenario")
    return made


def _compiled(entry: WaiverEntry, document: yamltext.Document, at: int) -> Waiver:
    line = document.line(("waivers", at)) or 1
    return Waiver(
        entry.id, entry.rule, Scope(**entry.scope.model_dump()), entry.reason, entry.issue,
        entry.owner, entry.expires, document.file, line,
    )  # fmt: skip


def _no(document: yamltext.Document, path: tuple[int | str, ...], what: str, mend: str) -> ScenarioError:
    whole = ("waivers", *path)
    line = document.line(whole)
    return ScenarioError(what, file=document.file, line=line, path=yamltext.dollar(whole), mend=mend)
