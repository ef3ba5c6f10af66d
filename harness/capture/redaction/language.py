"""The language of `secrets.yaml`, version 1, as pydantic models.

Imported only where a YAML file is read or its schema is printed.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

_WORDS = re.compile(r"(?:\* )?[a-z0-9]+(?: [a-z0-9]+)*")
_KIND = r"^[a-z0-9]+(-[a-z0-9]+)*$"


def _many(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


type Words = Annotated[list[str], BeforeValidator(_many)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Named(_Strict):
    """Names whose values are secret."""

    kind: str = Field(pattern=_KIND, max_length=32, description="what pseudonyms call it")
    named: Words = Field(
        min_length=1, description="`api key` is apiKey, api_key, API-KEY; `* token` any such end"
    )
    excepted: Words = Field(default=[], alias="except", description="names that do not count")
    places: list[Literal["header", "member", "query"]] = Field(
        default=["header", "member", "query"], alias="in", min_length=1, description="where the name counts"
    )
    takes: Literal["any", "word", "mixed"] = Field(
        default="any",
        description="word: no white space, no number; mixed: 6 characters or more, a digit",
    )
    keeps: Literal["nothing", "scheme", "cookies", "set-cookie"] = Field(
        default="nothing", description="what of the value is no secret"
    )
    deep: bool = Field(default=False, description="all strings in arrays and objects of this name are secret")

    @field_validator("named", "excepted")
    @classmethod
    def _words(cls, value: list[str]) -> list[str]:
        for one in value:
            if not _WORDS.fullmatch(one):
                raise ValueError(f"`{one}` is no name: write lower-case words with blanks between, `*` first")
        return value


class Shaped(_Strict):
    """What is a secret wherever it stands."""

    kind: str = Field(pattern=_KIND, max_length=32, description="what pseudonyms call it")
    build: Literal["run", "jwt", "pem", "url", "bearer", "basic"] = Field(
        default="run", description="run: a beginning and a run of characters; others are built in"
    )
    begins: Words = Field(default=[], description="how it begins: three characters at least, as written")
    then: str = Field(
        default="", description="the characters that follow, as in a regular expression's [...]"
    )
    least: int = Field(default=0, ge=0, le=64, description="how many of them at least")

    @model_validator(mode="after")
    def _whole(self) -> Shaped:
        if self.build != "run":
            if self.begins or self.then or self.least:
                raise ValueError(f"{self.build} is built in: it takes neither begins, then nor least")
            return self
        if not self.begins or not self.then or self.least < 8:
            raise ValueError("a run needs begins, then, and least of 8 or more")
        if any(
            len(one) < 3 or len(one) > 32 or not one.isascii() or not one.isprintable() for one in self.begins
        ):
            raise ValueError("begins: 3 to 32 printable ASCII characters")
        return self

    @field_validator("then")
    @classmethod
    def _characters(cls, value: str) -> str:
        if value and not re.fullmatch(r"[A-Za-z0-9_.~+/=\-]+", value):
            raise ValueError("then: letters, digits and _ . ~ + / = - only, ranges like A-Z")
        try:
            re.compile(f"[{value}]" if value else "")
        except re.error as error:
            raise ValueError(f"then: {error}") from None
        return value


class File(_Strict):
    """One file: what is secret."""

    secrets: Literal[1]
    names: list[Named] = []
    shapes: list[Shaped] = []


def schema() -> dict[str, Any]:
    """The JSON Schema of a `secrets.yaml`."""
    return File.model_json_schema(by_alias=True)
