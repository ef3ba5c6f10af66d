"""The page docs/real-systems.md: what came out of the last run, with date and versions."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess

import harness
from tests.e2e.openjiuwen.cases import CASES, HERE, LOOP, RESEARCH, SEARCH, Case
from tests.e2e.openjiuwen.report import Found

PAGE = HERE.parents[2] / "docs/real-systems.md"
PYTHON = HERE.parents[2] / ".openjiuwen/venv/bin/python"
HEAD = (
    "scenario", "task loop", "handler", "delegations in the first turn", "outcome",
    "leaked on the content channel", "where", "remote calls", "findings", "exit",
)  # fmt: skip
TOP = """# Real systems

What `harness run --sut` found on systems that are not ours. This page is written by `tests/e2e/openjiuwen/run.sh`
(`make e2e-openjiuwen`), which fails where a result is not the one that is expected.

## openJiuwen, the Python package

The public package `openjiuwen`, unmodified: a DeepAgent with a remote-agent tool behind the package's own A2A
server, two more as remote agents. The testbed's model answers all of them. The recorder stands on every edge:
client, search-agent, verify-agent, model. How it is put together is in `tests/e2e/openjiuwen/agents.py`.

"""
END = """
The package's server publishes what a handler yields, and the handler is the application's:

- *forward* gives each chunk of the agent to the client as it is, the interactions too. Nobody calls the remote agents,
  and the client is asked in their place (DEL101). The leak is there with the task loop and without.
- *coordinate* carries delegations out, as the Java runtime's orchestrator does, and keeps them from the client. The
  control channel is clean then. With the task loop on, the agent's `controller_output` mirrors the delegations on the
  content channel all the same: the leak of the DeepAgent. With the loop off nothing leaks. How many are called at
  once decides nothing.
- *raw* hands the agent's chunks to the server, as the package does where it wires an agent itself (`enable_a2a`).
  They are no results, and the first one ends the stream with an error.

What else was seen:

- The loop mirrors the first turn only. The check that follows the three searches is asked for in a turn that the
  agent resumes without its loop.
- `stock-loop-answered` goes on with the task. Its second round opens with a Task that holds all artifacts so far, and
  so the delegation is leaked once more.
- `failing-loop`: the model's error ends as COMPLETED. `failing-plain`: it ends in an error frame, without a state.

The captures of a run are in `captures/golden/openjiuwen-live` and are judged by the tests.
"""


def page(runs: dict[str, Found]) -> str:
    """The whole page."""
    rows = [_row(case, runs[case.file]) for case in CASES]
    head = [f"| {' | '.join(HEAD)} |", f"|{'---|' * len(HEAD)}"]
    return TOP + _facts() + "\n" + "\n".join([*head, *rows]) + "\n" + END


def _facts() -> str:
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    ask = (
        "import importlib.metadata as m, platform as p;"
        "print(m.version('openjiuwen'), m.version('a2a-sdk'), p.python_version())"
    )
    told = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True, check=True)
    package, sdk, python = told.stdout.split()
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    return (
        f"Last run: {today}; openjiuwen {package}, a2a-sdk {sdk}, Python {python}; "
        f"harness {harness.__version__}, contract masked; {machine}.\n"
    )


def _row(case: Case, told: Found) -> str:
    cells = (
        f"`{case.file}`",
        "on" if case.loop == LOOP else "off",
        case.delivers,
        {SEARCH: "1", RESEARCH: "3"}.get(case.model, "-"),
        ", ".join(told.outcomes),
        ", ".join(str(one) for one in told.leaked),
        ", ".join(told.seen_in) or "-",
        str(told.calls),
        ", ".join(f"{rule} {times}" for rule, times in sorted(told.findings.items())) or "none",
        str(told.exit),
    )
    return f"| {' | '.join(cells)} |"
