"""The known faults that the testbed can be told to have: what each breaks, its source, rules that catch it.

Only the testbed, a scenario's `known:` and the tests name a defect. `docs/defects.md` shows this table.
"""

from typing import Literal, NamedTuple

ANY = ("deepagent", "plan-agent", "react", "workflow")
LOOP = ("deepagent",)


class Defect(NamedTuple):
    """One known fault, and how it is caught."""

    name: str
    breaks: str
    """One sentence: what goes wrong."""
    source: str
    """The seed or the facts page that describes it."""
    found: dict[str, int]
    """What must be found in `scenario`: rules and numbers of findings, no more and no fewer."""
    kinds: tuple[str, ...]
    """Kinds of entry agent that can have it."""
    scenario: str
    """The scenario on which it is tried."""
    where: Literal["core", "runtime"]
    """The half of the agent that has it."""
    generations: tuple[str, ...] = ("G1", "G2", "G3")
    """Generations of the chunk mapper in which a client can see it."""


DEFECTS: tuple[Defect, ...] = (
    Defect(
        "mirror-v1",
        "The task loop publishes each delegation in a controller_output frame of its own.",
        "openJiuwen facts, section 3 (task_interaction, V1); seed 000, section 4.3",
        {"LEAK101": 4}, LOOP, "DA-09", "core",
    ),
    Defect(
        "mirror-v2",
        "The task loop publishes all delegations of a turn in one controller_output frame.",
        "seed 000, sections 2.1 and 4.3",
        {"LEAK101": 4}, LOOP, "DA-09", "core",
    ),
    Defect(
        "mirror-final",
        "The executor's last chunk carries the delegations as the state of an interrupt result.",
        "openJiuwen facts, section 2 (form h); seed 000, section 4.3 (executeOnce)",
        {"LEAK101": 4}, LOOP, "DA-09", "core",
    ),
    Defect(
        "mirror-python",
        "The loop of the Python core publishes the delegations as a task_completion frame.",
        "openJiuwen facts, section 7",
        {"LEAK101": 4}, LOOP, "DA-09", "core",
    ),
    Defect(
        "control-leak",
        "The coordinator calls the remote agents and also forwards the delegation on the control channel.",
        "openJiuwen facts, section 7 (no batch coordinator); seed 000, section 8 (view A)",
        {"LEAK102": 3}, ANY, "balanceThen", "runtime",
    ),
    Defect(
        "masking-off",
        "The proxy interrupt keeps the context of the delegation: agent name and interrupt kind.",
        "seed 000, sections 2.2 and 8 (view A)",
        {"LEAK102": 6, "MASK201": 6}, ANY, "balanceThen", "runtime",
    ),
    Defect(
        "proxy-extra",
        "The items of a proxy interrupt have a member besides toolCallId, toolName and message.",
        "openJiuwen facts, section 1 (publicInterrupt)",
        {"MASK201": 6}, ANY, "balanceThen", "runtime",
    ),
    Defect(
        "toolcall-changed",
        "The proxy interrupt names another toolCallId than the forwarded remote output.",
        "seed 000, section 2.2 (the ids are equal)",
        {"MASK202": 6}, ANY, "balanceThen", "runtime", ("G2", "G3"),
    ),
    Defect(
        "runtime-keys",
        "A runtime-internal key reaches the client.",
        "openJiuwen facts, section 2 (reserved keys)",
        {"LEAK103": 1}, ANY, "DA-09", "runtime",
    ),
    Defect(
        "object-as-text",
        "The toString of an interrupt is sent to the client as text.",
        "seed 001, section 1; openJiuwen facts, section 4",
        {"LEAK104": 1}, ANY, "DA-09", "core",
    ),
    Defect(
        "interaction-lost",
        "Of several questions that are asked at once the last one is not shown and taken as answered.",
        "seed 000, section 2.3 (each question is bound)",
        {"SCN102": 1}, ANY, "EXP-batch", "core",
    ),
    Defect(
        "interaction-doubled",
        "A question is shown twice, under two ids.",
        "seed 000, section 2.3 (each question is bound)",
        {"SCN102": 1}, ANY, "EXP-batch", "core",
    ),
    Defect(
        "steering-interaction",
        "An interrupt frame is put into the steering queue and reaches the model as a user message.",
        "seed 001, section 1 (type == __interaction__)",
        {"STEER101": 1}, LOOP, "DA-09", "core",
    ),
    Defect(
        "steering-interrupt",
        "An interrupt result is put into the steering queue and reaches the model as a user message.",
        "seed 001, section 3 (result_type == interrupt)",
        {"STEER101": 1}, LOOP, "DA-09", "core",
    ),
    Defect(
        "steering-dropped",
        "Explicit steering texts are dropped together with the interrupts.",
        "seed 001, section 7.2 (why the queue is not emptied altogether)",
        {"STEER102": 1}, ANY, "DA-steer", "core",
    ),
    Defect(
        "failure-as-answer",
        "The model fails and the task ends COMPLETED.",
        "openJiuwen facts, section 1 (adapter) and section 7",
        {"END503": 1, "SCN101": 1}, ANY, "DA-fail", "core",
    ),
    Defect(
        "missing-terminal",
        "The stream is closed without an end of the task.",
        "openJiuwen facts, section 2 (form k); failures of A2A servers",
        {"END502": 1, "SCN101": 1}, ANY, "DA-09", "runtime",
    ),
    Defect(
        "events-after-end",
        "An event follows the terminal state.",
        "A2A 1.0, streaming (nothing after the terminal event)",
        {"ORD507": 1}, ANY, "DA-09", "runtime",
    ),
    Defect(
        "wrong-ids",
        "An event names another task than the stream it is in.",
        "A2A 1.0, task ids",
        {"IDS601": 1}, ANY, "DA-09", "runtime",
    ),
    Defect(
        "resume-new-task",
        "The answer to a question opens a new task.",
        "openJiuwen facts, section 2 (resume)",
        {"RES601": 14}, ANY, "EXP-01", "runtime",
    ),
    Defect(
        "delegation-order-lost",
        "The turns of a plan are played backwards: what must be verified is called after the verifier.",
        "seed 000, section 6 (search, then verify)",
        {"SCN104": 1}, ANY, "DA-09", "core",
    ),
    Defect(
        "calls-serial",
        "The coordinator waits for one remote agent before it calls the next.",
        "seed 000, section 6.4 (the coordinator submits all members at once)",
        {"DEL102": 1}, ANY, "DA-09", "runtime",
    ),
    Defect(
        "remote-call-missing",
        "One remote agent of a batch is not called, and its result is made up.",
        "seed 000, section 6.5 (a mark is no proof of a call)",
        {"DEL101": 1}, ANY, "DA-09", "runtime",
    ),
    Defect(
        "results-crossed",
        "The results of a batch are fed back under each other's toolCallId.",
        "seed 000, section 6.3 (remoteToolResults by toolCallId)",
        {"DEL103": 3}, ANY, "DA-09", "runtime",
    ),
)  # fmt: skip

SETS: dict[str, frozenset[str]] = {
    "fixed": frozenset(),
    "as-reported": frozenset({"mirror-v2", "steering-interaction", "steering-interrupt"}),
}
"""Named sets: nothing, and what seeds 000 and 001 describe together."""


def named(name: str) -> Defect | None:
    """The defect of that name."""
    return next((one for one in DEFECTS if one.name == name), None)
