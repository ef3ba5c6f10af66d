"""The language of the file of `--sut`, closed and versioned. Imported only for a YAML file. Rank 1."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

_Name = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(.*\S)?$")]
_Text = Annotated[str, StringConstraints(min_length=1)]
_Header = Annotated[str, StringConstraints(pattern=r"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")]
_Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
_Seconds = Annotated[float, Field(gt=0, le=86_400)]
_Listen = Annotated[
    int | str | None, Field(description="[HOST:]PORT of the recorder's listener; a free one if absent")
]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class AgentEntry(_Closed):
    """One agent of the system."""

    url: _Text = Field(description="Where it takes A2A requests")
    headers: dict[_Header, str] = Field(default={}, description="Sent to it; secrets as ${NAME}")
    listen: _Listen = None
    protocol: Literal["v1.0", "v0.3", "auto"] = Field(
        default="v1.0", description="auto: as the agent card says"
    )


class ModelEntry(_Closed):
    """The model: an address, or the testbed's."""

    url: _Text | None = None
    testbed: bool = False
    listen: _Listen = None


class ReadyEntry(_Closed):
    """When the started system can be used."""

    url: _Text | None = Field(
        default=None, description="Answers then; where absent, the agents' ports accept"
    )
    timeout: _Seconds = 60.0


class StopEntry(_Closed):
    """How the started system is stopped."""

    timeout: _Seconds = Field(default=10.0, description="Seconds between SIGTERM and SIGKILL")


class SutFile(_Closed):
    """A system under test. ${NAME} is the value of an environment variable."""

    version: Literal[1] = Field(description="Version of this language")
    agents: dict[_Name, AgentEntry] = Field(min_length=1, description="By the names of the topologies")
    model: ModelEntry | None = None
    start: list[_Text] = Field(
        default=[], description="Command with arguments; it finds HARNESS_LEG_<NAME> and HARNESS_MODEL_URL"
    )
    env: dict[_Variable, str] = Field(default={}, description="More environment of the command")
    ready: ReadyEntry = ReadyEntry()
    stop: StopEntry = StopEntry()
    log: _Text | None = Field(default=None, description="File that gets what the command prints")
