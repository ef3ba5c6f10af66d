"""The page docs/real-systems.md: what came out of the last run, with date and versions."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess

import harness
from tests.e2e.openjiuwen.cases import CASES, FAIL, HERE, LOOP, SEARCH, Case
from tests.e2e.openjiuwen.report import Found

PAGE = HERE.parents[2] / "docs/real-systems.md"
PYTHON = HERE.parents[2] / ".openjiuwen/venv/bin/python"
HEAD = (
    "scenario", "task loop", "delegations carried out", "delegations in the first turn", "outcome",
    "leaked on the content channel", "where", "remote calls", "findings", "exit",
)  # fmt: skip
TOP = """# Real systems

What `harness run --sut` found on systems that are not ours. This page is written by `tests/e2e/openjiuwen/run.sh`
(the Makefile's target e2e-openjiuwen), which fails where a result is not the one that is expected.

## openJiuwen, the Python package

The public package `openjiuwen`, unmodified: a DeepAgent with a remote-agent tool behind the package's own A2A
server, two more as remote agents. The testbed's model answers all of them. The recorder stands on every edge:
client, search-agent, verify-agent, model. How it is put together is in `tests/e2e/openjiuwen/agents.py`.

"""
END = """
- *Carried out: no* is the package as it comes: its server publishes what the agent says, the interactions too, and
  calls no remote agent. The client is asked in its place (DEL101).
- *Carried out: yes* puts a coordinator behind the server, as the Java runtime has one. The control channel is clean
  then. With the task loop on, the agent's `controller_output` still mirrors the delegations on the content channel:
  the leak of the DeepAgent. With the loop off nothing leaks, with one delegation and with three.
- The loop mirrors the first turn only. The check that follows the three searches is asked for in a turn that the
  agent resumes without its loop.
- The result of a remote call stays under its own toolCallId in all runs (DEL103), and three searches overlap (DEL102).
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
        "yes" if case.coordinated else "no",
        "-" if case.model == FAIL else "1" if case.model == SEARCH else "3",
        ", ".join(told.outcomes),
        ", ".join(str(one) for one in told.leaked),
        ", ".join(told.seen_in) or "-",
        str(told.calls),
        ", ".join(f"{rule} {times}" for rule, times in sorted(told.findings.items())) or "none",
        str(told.exit),
    )
    return f"| {' | '.join(cells)} |"
