"""The contract file's language, closed and versioned. Imported only for a YAML file. Rank 3."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from harness import yamltext
from harness.errors import ScenarioError
from harness.rules import registry
from harness.rules.contracts import Contract, Word

_Word = Literal["off", "info", "warning", "error", "table"]
_Tag = Annotated[str, StringConstraints(pattern="^agent-event$")]


def _known(word: str) -> str:
    if word not in registry.FAMILIES and word not in registry.CODES:
        raise ValueError(f"{word!r} is no rule and no family of rules")
    return word


_Name = Annotated[str, AfterValidator(_known)]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Setting(_Closed):
    """A severity, with what a finding of a certain circumstance weighs at most."""

    severity: _Word = Field(description="off, info, warning, error; table: as the rule itself states")
    tags: dict[_Tag, _Word] = Field(default={}, description="Severity of findings with that tag")


class ContractFile(_Closed):
    """A contract: which rules hold, and what a breach of each weighs."""

    contract: Literal[1] = Field(description="Version of this language")
    name: str = Field(min_length=1, description="What reports call it")
    title: str = Field(default="", description="What the contract promises, one line")
    extends: str | None = Field(default=None, description="A shipped contract that this one starts from")
    rules: dict[_Name, _Word | Setting] = Field(
        default={},
        description="By family (LEAK) or rule (LEAK101); the rule wins. What is not named is off, not SCN.",
    )


def compile_contract(text: str, file: str) -> Contract:
    """YAML text as a `Contract`; raises `ScenarioError` with file, line and `$.path`."""
    document = yamltext.read(text, file, ScenarioError)
    try:
        read = ContractFile.model_validate(document.value)
    except ValidationError as fault:
        raise yamltext.refused(fault, document, ScenarioError, "see `harness schema contract`") from None
    words, tags = _start(read.extends, document)
    for name, said in read.rules.items():
        _forget(name, words, tags)
        words[name] = said.severity if isinstance(said, Setting) else said
        if isinstance(said, Setting) and said.tags:
            tags[name] = dict(said.tags)
    return Contract(read.name, read.title, words, tags)


def _start(
    extends: str | None, document: yamltext.Document
) -> tuple[dict[str, Word], dict[str, dict[str, Word]]]:
    if extends is None:
        return {}, {}
    from harness.rules.shipped import CONTRACTS

    base = CONTRACTS.get(extends)
    if base is None:
        raise ScenarioError(
            f"no shipped contract is called {extends!r}",
            file=document.file,
            line=document.line(("extends",)),
            path="$.extends",
            mend=f"use one of {', '.join(CONTRACTS)}",
        )
    return dict(base.words), {code: dict(tags) for code, tags in base.tags.items()}


def _forget(name: str, words: dict[str, Word], tags: dict[str, dict[str, Word]]) -> None:
    """A family named anew replaces what the base said of its rules."""
    for code in registry.FAMILIES[name].codes if name in registry.FAMILIES else ():
        words.pop(code, None)
        tags.pop(code, None)
    tags.pop(name, None)
