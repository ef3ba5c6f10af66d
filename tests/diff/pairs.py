"""The cases of test_testbed_pairs: scenarios played in two ways, and what must be told of each.

What is expected follows from the row of the defect, the generation or the parameter that was
changed (harness/testbed, openJiuwen facts, semantics.md section 3).
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from harness.diff.values import RANKS, Change, Pair
from harness.model.scenario import Part, Scenario
from tests.live.shared import SCENARIOS

BY_NAME = {one.name: one for one in SCENARIOS}

type Told = dict[str, list[str]]
"""By round and leg: its changes, the gravest first, equal ones as one with their number."""


class Case(NamedTuple):
    """One scenario, played in two ways."""

    name: str
    scenario: str
    before: dict[str, Any]
    after: dict[str, Any]
    told: Told
    answer: str = ""
    """What the client answers in place of the scenario's own words, in the second run."""

    def played(self, number: int) -> Scenario:
        one = BY_NAME[self.scenario]
        play = {**dict(one.play), **(self.before, self.after)[number]}
        rounds = one.rounds
        if self.answer and number:
            rounds = (*rounds[:-1], rounds[-1]._replace(parts=(Part(text=self.answer),)))
        bare = tuple(each._replace(expect=each.expect._replace(interactions=None)) for each in rounds)
        return one._replace(name=self.name, play=tuple(play.items()), rounds=bare, known=())


def said(change: Change) -> str:
    what = f"{change.rank} {change.subject} {change.operation} {change.name}"
    shown = change.subject in ("interaction", "outcome", "surface", "ending")
    return f"{what}: {' > '.join(x for x in (change.before, change.after) if x)}" if shown else what


def told(pairs: tuple[Pair, ...]) -> Told:
    """What a diff says, without places and times."""
    found: dict[str, Counter[str]] = {}
    for pair in pairs:
        assert [RANKS.index(one.rank) for one in pair.changes] == sorted(
            RANKS.index(one.rank) for one in pair.changes
        ), "the gravest first"
        for one in pair.changes:
            if one.subject == "duration":
                continue  # how long a round took is the machine's business
            found.setdefault(f"r{pair.round} {pair.leg}", Counter())[said(one)] += one.times
    return {place: lines(counts) for place, counts in found.items()}


def lines(counts: Counter[str]) -> list[str]:
    return in_order([f"{line} x{times}" if times > 1 else line for line, times in counts.items()])


def in_order(changes: list[str]) -> list[str]:
    """The gravest first, else by name."""
    return sorted(changes, key=lambda line: ([*RANKS].index(line.partition(" ")[0]), line))  # type: ignore[arg-type]


# what is told of each thing that can change

MIRROR = "artifact controller_output task_interaction"
FRAME = f"contract frame added {MIRROR}"


def mirrored(interaction: str) -> list[str]:
    """One mirror frame more, with what it shows (defect mirror-v2)."""
    return [FRAME, f"contract interaction added {interaction} on content"]


def declared(agents: dict[str, int]) -> list[str]:
    """G3 says openly whom it asks: an interaction more for each call, of exposure `declared`."""
    frames = Counter({"contract frame added artifact agentEvent delegation": sum(agents.values())})
    shown = {
        f"contract interaction added {name}: declared delegation on content": n for name, n in agents.items()
    }
    return lines(frames + Counter(shown))


CARRIER = "shape surface changed chunks: JSON text > data"
ANSWER = ["shape event added artifact text", "shape event removed artifact answer"]
"""G1 sends the answer's envelope as every other chunk; G2 its text alone."""
MIRROR_DA_09 = [
    f"{FRAME} x2",
    "contract interaction added search-agent: leaked delegation on content x3",
    "contract interaction added verify-agent: leaked delegation on content",
]
DECLARED_DA_09 = declared({"search-agent": 3, "verify-agent": 1})
FORWARDED_DA_09 = [
    "shape event added artifact agentEvent output x4",
    "shape event added artifact agentEvent status x4",
]
REMOTE_DA_09 = {
    # three searches on one leg
    "r1 search-agent": [f"{ANSWER[0]} x3", f"{ANSWER[1]} x3", f"{CARRIER} x3"],
    "r1 verify-agent": [*ANSWER, CARRIER],
}
ASK_AS_TWO = ["text text changed artifact llm_output", "text text changed artifact text"]
"""What a model says comes twice: as tokens, and as the answer."""


def balance_g1_g2() -> Told:
    """Two questions a call, three calls: what the adapter says is passed on as a chunk, then as marked text."""
    found: Told = {}
    for number in range(1, 8):
        opens, ends, last = number in (1, 3, 5), number in (3, 5, 7), number == 7
        times = " x2" if opens and ends else ""
        passed = [
            f"shape event added artifact remote output{times}",
            f"shape event removed artifact remote_agent_output{times}",
        ]
        # between two questions of the adapter the entry agent says nothing of its own
        own = [CARRIER] if opens or last else []
        answer = ANSWER if last else []
        found[f"r{number} client"] = sorted([*passed, *own, *answer])
        found[f"r{number} versatile-adapter"] = sorted(
            [*(ANSWER if ends else []), CARRIER + (" x2" if opens and ends else "")]
        )
    return found


def balance_g2_g3() -> Told:
    found: Told = {}
    for number in range(1, 8):
        opens, ends = number in (1, 3, 5), number in (3, 5, 7)
        times = " x2" if opens and ends else ""
        found[f"r{number} client"] = [
            *(declared({"versatile-adapter": 1}) if opens else []),
            f"shape event added artifact agentEvent output{times}",
            f"shape event added artifact agentEvent status{times}",
            f"shape event removed artifact remote output{times}",
        ]
    return found


def moved(*kinds: str) -> list[str]:
    """Three calls backwards: the middle one stays, two move."""
    return [f"timing order reordered artifact agentEvent {kind} x2" for kind in kinds]


SLOW = {"calls": 8, "tokens": 160, "pace": 0.02}
"""The steering text comes before the looks that are made in any case are over: as many each time."""

CASES = (
    Case("DA-steer.slow", "DA-steer", SLOW, SLOW, {}),
    Case("DA-09.declared", "DA-09", {"generation": "G3", "calls": 1}, {"generation": "G3", "calls": 1}, {}),
    # concurrency
    Case("DA-09.serial", "DA-09", {}, {"defects": "calls-serial"}, {}),
    Case("DA-09.order", "DA-09", {"generation": "G3", "defects": "calls-serial"}, {"generation": "G3"},
         {"r1 client": moved("delegation", "output", "status")}),
    # texts
    Case("DA-09.longer", "DA-09", {}, {"tokens": 40},
         {"r1 client": ["text text changed artifact llm_reasoning x3"]}),
    Case("DA-ask.answer", "DA-ask", {}, {}, {"r2 client": ASK_AS_TWO}, answer="Shanghai"),
    Case("DA-09.longer-leak", "DA-09", {}, {"tokens": 40, "defects": "mirror-v2"},
         {"r1 client": [*MIRROR_DA_09, "text text changed artifact llm_reasoning x3"]}),
    Case("DA-09.crossed", "DA-09", {}, {"defects": "results-crossed"}, {"r1 client": ASK_AS_TWO}),
    # interactions: the batch form becomes the single one (openJiuwen facts 2, forms b and a), or longer
    Case("EXP-batch.lost", "EXP-batch", {}, {"defects": "interaction-lost"}, {"r1 client": [
        "contract interaction removed request_user_input: native user_input on control",
        *(f"shape member changed status input-required {name}"
          for name in ("index", "items", "payload", "toolCallId", "toolName")),
        *(f"text text changed status input-required {name}" for name in ("message", "text"))]}),
    Case("EXP-batch.doubled", "EXP-batch", {}, {"defects": "interaction-doubled"}, {"r1 client": [
        "contract interaction added request_user_input: native user_input on control x2",
        "shape member changed status input-required items"]}),
    # the mirror in its other form, one frame a call: the same is shown, in other frames (facts 3)
    Case("DA-09.mirror-v1", "DA-09", {"defects": "mirror-v2"}, {"defects": "mirror-v1"}, {"r1 client": [
        f"shape event added {MIRROR} x2",
        *(f"shape member changed {MIRROR} {name}" for name in ("data", "index")),
        f"shape member changed {MIRROR} stream_kind x2"]}),
    # a call less: its leg has a round less
    Case("DA-09.uncalled", "DA-09", {}, {"defects": "remote-call-missing"},
         {"r1 verify-agent": ["contract round removed DA-09.uncalled r1"]}),
    # how a round ends
    Case("DA-09.no-end", "DA-09", {}, {"defects": "missing-terminal"}, {"r1 client": [
        "contract outcome changed outcome: COMPLETED > NO_TERMINAL",
        "shape event removed status completed"]}),
    Case("DA-ask.open", "DA-ask", {}, {"keep_open": True},
         {"r1 client": ["timing ending changed ending: clean > client_left"]}),
    # generations
    Case("DA-09.G1-G2", "DA-09", {"generation": "G1"}, {"generation": "G2"},
         {"r1 client": [*ANSWER, CARRIER], **REMOTE_DA_09}),
    Case("DA-09.G2-G3", "DA-09", {"generation": "G2"}, {"generation": "G3"},
         {"r1 client": [*DECLARED_DA_09, *FORWARDED_DA_09]}),
    Case("DA-09.G1-G3", "DA-09", {"generation": "G1"}, {"generation": "G3"},
         {"r1 client": [*DECLARED_DA_09, *FORWARDED_DA_09, *ANSWER, CARRIER], **REMOTE_DA_09}),
    Case("DA-ask.G1-G3", "DA-ask", {"generation": "G1"}, {"generation": "G3"},
         {"r1 client": [CARRIER], "r2 client": [*ANSWER, CARRIER]}),
    Case("EXP-batch.G1-G3", "EXP-batch", {"generation": "G1"}, {"generation": "G3"},
         {"r1 client": [CARRIER]}),
    Case("balanceThen.G1-G2", "balanceThen", {"generation": "G1"}, {"generation": "G2"}, balance_g1_g2()),
    Case("balanceThen.G2-G3", "balanceThen", {"generation": "G2"}, {"generation": "G3"}, balance_g2_g3()),
)  # fmt: skip
