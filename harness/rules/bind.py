"""BIND: a question and the tool that asks it (seed 000, section 2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.rules.example import Example, artifact, interrupt, status
from harness.rules.leak import Shown, quoted
from harness.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.model.interaction import Interaction, Place, Sighting

_OPEN = (status("submitted"), status("working"))
_DONE = (artifact("The answer is 42.", id="a-9"), status("completed"))


def _question(tool: str = "request_user_input", message: str = "Which city?") -> dict[str, object]:
    """A native question as the Java core sends it, without an `_interrupt_kind`."""
    head = {"toolCallId": "call_00_Ex", "toolName": tool, "message": message}
    payload = {"id": "call_00_Ex", "value": {**head, "payloadSchema": {}}}
    return {"type": "__interaction__", "index": 0, "payload": payload, **head}


class UndeclaredTool(Shown):
    """A question names a tool that is not on the list of user-input tools."""

    code = "BIND301"
    slug = "question-of-undeclared-tool"
    title = "A native question that names a tool names a declared user-input tool"
    why = (
        "A question is bound to a tool that exists to ask the user; another tool that stops to ask is an "
        "internal call that reached the client. Mend the agent, or add the tool to `user_input_tools` in the "
        "mapping."
    )
    source = "seed 000, section 2.3 (14 of 14 bound to request_user_input); semantics, section 3"
    PASSES = (
        Example((*_OPEN, interrupt(_question(), "Which city?"))),
        Example((*_OPEN, status("input-required", "Which city?")), "a plain A2A question names no tool"),
    )
    FAILS = (Example((*_OPEN, interrupt(_question("lookup_invoice"), "Which city?"))),)

    def missing(self) -> str | None:
        if not self.scope.user_input_tools:
            return "the mapping declares no user-input tools"
        return super().missing()

    def end(self) -> None:
        for interaction in self.scope.interactions:
            tool = interaction.tool_name
            if interaction.kind == "user_input" and tool and tool not in self.scope.user_input_tools:
                self._unbound(interaction, tool)

    def _unbound(self, interaction: Interaction, tool: str) -> None:
        call = interaction.tool_call_id
        asked = quoted(interaction.prompt)
        message = f"the question {asked} comes from {tool!r}, which is no declared user-input tool"
        for sighting in interaction.sightings:
            cause = (interaction.task_id, call or sighting.place, tool)
            self.found(message, sighting.place, cause=cause, names=(tool,))


class ConflictingCall(Shown):
    """One toolCallId stands for different calls."""

    code = "BIND302"
    slug = "one-call-two-contents"
    title = "One toolCallId has one tool and one prompt"
    why = (
        "An answer is sent back by toolCallId alone; where two questions share one, nobody can say which was "
        "answered. Give each call an id of its own."
    )
    source = "openJiuwen facts, section 2 (resume by toolCallId)"
    severity = "warning"
    PASSES = (Example((*_OPEN, interrupt(_question()), interrupt(_question())), "the same call, said twice"),)
    FAILS = (
        Example((*_OPEN, interrupt(_question()), interrupt(_question("ask_user"))), "two tools"),
        Example((*_OPEN, interrupt(_question()), interrupt(_question(message="Which day?"))), "two prompts"),
    )

    def end(self) -> None:
        calls: dict[tuple[str | None, str], list[Sighting]] = {}
        for interaction in self.scope.interactions:
            for sighting in interaction.sightings:
                if sighting.tool_call_id:
                    key = (interaction.task_id, sighting.tool_call_id)
                    calls.setdefault(key, []).append(sighting)
        for (task, call), sightings in calls.items():
            sightings.sort(key=lambda one: (one.place.event or 0, one.place.pointer or ""))
            self._tools(task, call, sightings)
            self._prompts(task, call, sightings)

    def _tools(self, task: str | None, call: str, sightings: list[Sighting]) -> None:
        named = [(one.tool_name, one.place) for one in sightings if one.tool_name]
        self._differ(named, f"the toolCallId {call!r} names the tools", (task, call, "tool"))

    def _prompts(self, task: str | None, call: str, sightings: list[Sighting]) -> None:
        groups: dict[tuple[str, str], list[tuple[str, Place]]] = {}
        for one in sightings:
            prompt = (one.prompt or "").strip()
            if prompt:
                groups.setdefault((one.kind, one.exposure), []).append((prompt, one.place))
        for key, asked in groups.items():
            self._differ(asked, f"the toolCallId {call!r} asks", (task, call, *key))

    def _differ(self, values: Iterable[tuple[str, Place]], what: str, cause: tuple[object, ...]) -> None:
        """A breach at each place whose value is not the first one."""
        first: str | None = None
        for value, place in values:
            first = value if first is None else first
            if value != first:
                self.found(f"{what} {quoted(first)} and {quoted(value)}", place, cause=cause)


RULES: tuple[type[Rule], ...] = (UndeclaredTool, ConflictingCall)
