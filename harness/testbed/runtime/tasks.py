"""Tasks and who listens to them.

Every event of a task goes to each listener, framed with that listener's request id. A stream ends
with the turn; one that *stays* ends with the task, as the Java SDK 1.0.0 keeps a stream open after
INPUT_REQUIRED and shows the next turn on it too. A client that leaves takes only its listener away.
"""

from __future__ import annotations

import asyncio
from typing import Any

from harness.testbed.runtime.frames import TERMINAL, Place, new_id, status_update

type Json = dict[str, Any]


class Listener:
    """One open stream of a task."""

    def __init__(self, *, stays: bool) -> None:
        self.stays = stays
        self.events: asyncio.Queue[Json | None] = asyncio.Queue()


class Task:
    """One task: its snapshot, its listeners, its running turn."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.status: Json = status_update(place, "SUBMITTED")["statusUpdate"]["status"]
        self.run: asyncio.Task[None] | None = None
        self._artifacts: dict[str, Json] = {}
        self._history: list[Json] = []
        self._listeners: list[Listener] = []

    @property
    def state(self) -> str:
        """The state without `TASK_STATE_`."""
        return str(self.status["state"]).removeprefix("TASK_STATE_")

    @property
    def is_over(self) -> bool:
        """No further message is accepted."""
        return self.state in TERMINAL

    @property
    def is_working(self) -> bool:
        """A turn runs."""
        return self.run is not None and not self.run.done()

    @property
    def listeners(self) -> int:
        """How many streams are open."""
        return len(self._listeners)

    def snapshot(self) -> Json:
        """The `Task` of GetTask, SendMessage and SubscribeToTask."""
        return {
            "id": self.place.task_id,
            "contextId": self.place.context_id,
            "status": self.status,
            "artifacts": list(self._artifacts.values()),
            "history": list(self._history),
        }

    def publish(self, result: Json) -> None:
        """Keep what `result` says of the task, and tell every listener."""
        if update := result.get("statusUpdate"):
            self._replace_status(update["status"])
        if update := result.get("artifactUpdate"):
            self._keep_artifact(update)
        for listener in self._listeners:
            listener.events.put_nowait(result)

    def end_turn(self) -> None:
        """Close the streams that do not stay; all of them when the task is over."""
        for listener in self._listeners:
            if self.is_over or not listener.stays:
                listener.events.put_nowait(None)

    def cancel(self) -> None:
        """End a task whose turn is over already."""
        self.publish(status_update(self.place, "CANCELED"))
        self.end_turn()

    def listen(self, *, stays: bool = False) -> Listener:
        """From now on, until `leave`."""
        listener = Listener(stays=stays)
        self._listeners.append(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        """Its client is gone, or has all."""
        self._listeners.remove(listener)

    def _replace_status(self, status: Json) -> None:
        if message := self.status.get("message"):
            self._history.append(message)
        self.status = status

    def _keep_artifact(self, update: Json) -> None:
        made = update["artifact"]
        known = self._artifacts.get(made["artifactId"])
        if known and update.get("append"):
            made = {**known, "parts": [*known["parts"], *made["parts"]]}
        self._artifacts[made["artifactId"]] = made


class Tasks:
    """The tasks of one agent, and the steering queue of each of its conversations."""

    def __init__(self) -> None:
        self._tasks: dict[str, Task] = {}
        self._steers: dict[str, asyncio.Queue[str]] = {}

    def get(self, task_id: str) -> Task | None:
        """The task of that id."""
        return self._tasks.get(task_id)

    def all(self) -> list[Task]:
        """All tasks, in the order in which they were opened."""
        return list(self._tasks.values())

    def open(self, context_id: str | None) -> Task:
        """A new task; without a context it gets a new one."""
        task = Task(Place(new_id(), context_id or new_id()))
        self._tasks[task.place.task_id] = task
        return task

    def steer(self, context_id: str) -> asyncio.Queue[str]:
        """Texts for the model that came in while it worked."""
        return self._steers.setdefault(context_id, asyncio.Queue())
