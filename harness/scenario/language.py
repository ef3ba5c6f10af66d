"""The scenario file's language, closed and versioned. Imported only for a YAML file. Rank 1."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag

from harness.model.event import Channel
from harness.model.interaction import Exposure, Kind
from harness.model.verdict import Outcome

NAME = r"^\w[\w.+-]*$"
RULE = r"^[A-Z]+[0-9]{3}$"

_Name = Annotated[str, StringConstraints(pattern=NAME)]
_Text = Annotated[str, StringConstraints(min_length=1)]
_Seconds = Annotated[float, Field(gt=0, le=86_400)]
_Rule = Annotated[str, StringConstraints(pattern=RULE)]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ContentEntry(_Closed):
    """What one part says: exactly one of `text`, `data`, `url`."""

    text: str | None = None
    data: Any = Field(default=None, description="Any value; sent as JSON")
    url: str | None = Field(default=None, description="Address of a file")


class PartEntry(ContentEntry):
    """One part of a message."""

    answers: _Text | None = Field(
        default=None,
        description="The question that it answers: a toolCallId, or the one toolName",
    )


def _shape(value: object) -> str:
    return "as text" if isinstance(value, (str, int, float)) else "as parts"


type _Parts = Annotated[
    Annotated[_Text, Tag("as text")] | Annotated[list[PartEntry], Field(min_length=1), Tag("as parts")],
    Discriminator(_shape),
]
type _Answer = Annotated[
    Annotated[str, Tag("as text")] | Annotated[ContentEntry, Tag("as parts")], Discriminator(_shape)
]


class WantedEntry(_Closed):
    """Interactions that the round must show."""

    kind: Kind
    exposure: Exposure
    channel: Channel | None = Field(default=None, description="On whichever, where absent")
    count: Annotated[int, Field(ge=1, le=10_000)] = 1
    tool: _Text | None = Field(default=None, description="toolName")


class TextEntry(_Closed):
    """Texts that the client must or must not be shown."""

    has: list[_Text] = []
    lacks: list[_Text] = Field(default=[], description="On no channel, in no part")


class ExpectEntry(_Closed):
    """The right behaviour in one round; what is absent is not looked at."""

    outcome: Outcome | None = None
    interactions: list[WantedEntry] | None = Field(
        default=None,
        description="All of the round, no more and no fewer; []: none. Declared ones only where one is named",
    )
    text: TextEntry = TextEntry()
    order: list[_Text] = Field(default=[], description="Texts in the order in which they are shown")
    calls: list[_Text] = Field(default=[], description="Remote agents in the order in which they are called")
    concurrent: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        default=None, description="So many remote calls are open at the same time"
    )


class RoundEntry(_Closed):
    """One request and its answer: exactly one of `send`, `answer`, `answers`."""

    send: _Parts | None = None
    answer: _Parts | None = Field(default=None, description="As `send`; continues the task")
    answers: dict[_Text, _Answer] | None = Field(
        default=None, min_length=1, description="Targeted answers, by toolName or toolCallId"
    )
    opens: bool | None = Field(
        default=None,
        description="Opens a task; where absent, round 1 does and each behind a terminal outcome in `expect`",
    )
    during: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Sent while that round is still running, as soon as it shows work"
    )
    steer: bool = Field(default=False, description="A steering text for the running task")
    cancel_after: _Seconds | None = Field(default=None, description="CancelTask after so many seconds")
    timeout: _Seconds | None = Field(default=None, description="Seconds; the scenario's, where absent")
    xfail: _Text | None = Field(
        default=None,
        description="Why the round breaks the contract for now; pytest is red once it no longer does",
    )
    expect: ExpectEntry = ExpectEntry()


class ScenarioFile(_Closed):
    """One scenario: a named conversation, and what must be seen in each of its rounds."""

    version: Literal[1] = Field(description="Version of this language")
    name: _Name | None = Field(default=None, description="The file's stem, where absent")
    title: _Text | None = None
    topology: _Text = Field(description="Name of a topology")
    contract: _Text | None = Field(default=None, description="Name of a contract")
    tags: list[_Name] = []
    timeout: _Seconds = Field(default=60.0, description="Seconds of a round")
    retries: Annotated[int, Field(ge=0, le=20)] = Field(
        default=0, description="For a refused connection and HTTP 429, 502, 503, 504"
    )
    testbed: dict[_Name, str | int | float | bool] | None = Field(
        default=None,
        description="How the testbed plays it (script, generation, ...); no other system reads it",
    )
    rounds: list[RoundEntry] = Field(min_length=1, max_length=1000)
    known: dict[_Text, dict[_Rule, Annotated[int, Field(ge=1)]]] = Field(
        default={},
        description="Findings by rule and number that a set of defects, or defects joined with +, must give",
    )
