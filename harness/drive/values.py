"""What the driver is told, and what it tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

type End = Literal["over", "left", "cut", "timeout", "refused", "error", "not_sent"]
"""`over`: the answer's bytes ended; `left`: we left a stream that stayed open behind a question or the
task's end; `cut`: the connection broke within the answer; `timeout`: our limit; `refused`: no connection,
or no answer on it; `error`: an answer that HTTP does not allow; `not_sent`: nothing could be sent."""


class Target(NamedTuple):
    """Where the entry agent takes requests, and what it speaks."""

    url: str
    protocol: str = "v1.0"
    """`v1.0`, `v0.3`, or `auto`: as the agent card says."""
    headers: tuple[tuple[str, str], ...] = ()


class Question(NamedTuple):
    """Something that was asked, as far as an answer needs it."""

    call: str | None
    """toolCallId."""
    tool: str | None
    """toolName, or the agent's name."""


class DrivenRound(NamedTuple):
    """What became of one round on the driver's side."""

    number: int
    end: End
    status: int | None = None
    """HTTP status of the last attempt."""
    state: str | None = None
    """The last task state that was seen."""
    task_id: str | None = None
    attempts: int = 0
    questions: tuple[Question, ...] = ()
    text: str = ""
    """Why, where it is not plain from `end`."""


class Driven(NamedTuple):
    """What became of one conversation; for progress, nothing is judged from it."""

    scenario: str
    context_id: str
    rounds: tuple[DrivenRound, ...]


type What = Literal["sent", "again", "canceled", "ended"]
"""`again`: is about to be sent again, `text` says why."""


class Step(NamedTuple):
    """One thing worth a line while a conversation runs."""

    scenario: str
    context_id: str
    """Of the requests now: a system may have given the conversation another one."""
    round: int
    what: What
    driven: DrivenRound | None = None
    """For `ended`."""
    text: str = ""


type OnProgress = Callable[[Step], None]
