"""The official JavaScript SDK's client with the recorder between it and the Python SDK's server.

The client is brought by `sh scripts/setup-js.sh`; where node is at hand these tests do that themselves.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
from pathlib import Path

import pytest

from tests import needs
from tests.e2e import recording
from tests.e2e.conversations import CASES, WAYS, Way, compared
from tests.e2e.sdk_server import WELL_KNOWN, SdkServer
from tests.e2e.test_sdk_python import EXCHANGES

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = Path(__file__).with_name("js")
MEND = "sh scripts/setup-js.sh"
PATH = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


@pytest.fixture(scope="module")
def node() -> str:
    """node with the SDK beside the script; one of several test processes installs it."""
    found = needs.command("node", MEND, PATH)
    with (FOLDER / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (FOLDER / "node_modules" / ".package-lock.json").exists():
            done = subprocess.run(
                ["sh", ROOT / "scripts" / "setup-js.sh"], capture_output=True, text=True, check=False
            )
            if done.returncode:
                needs.lacking("@a2a-js/sdk", f"{MEND} ({done.stderr.strip().splitlines()[-1]})")
    return found


def talk(
    node: str, base: str, way: Way, agent: SdkServer, *cases: str, keep: Path | None = None
) -> dict[str, list]:
    """The events of each case, as the JavaScript client yields them; `keep` gets what it received."""
    arguments = [
        node,
        FOLDER / "client.mjs",
        base + way.path + WELL_KNOWN,
        way.binding,
        way.name,
        agent.url,
        *cases,
    ]
    env = {**os.environ, **({"KEEP": str(keep)} if keep else {})}
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False, env=env)
    assert done.returncode == 0, done.stderr
    return {case: compared(events) for case, events in json.loads(done.stdout).items()}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_the_client_yields_the_same_and_the_captures_judge_the_same(way, node, agent, tmp_path):
    direct, run_dir = tmp_path / "direct", tmp_path / "run"
    direct.mkdir()
    expected = talk(node, agent.url, way, agent, *CASES, keep=direct)
    with recording.recorder(run_dir, {"client": agent.url}) as recorder:
        seen = talk(node, recorder.addresses["client"], way, agent, *CASES)
    for case in CASES:
        assert seen[case] == expected[case], case
    summary = recorder.summary
    assert (summary.incomplete, summary.sealed) == ((), summary.exchanges)
    assert recording.verdicts(run_dir) == recording.verdicts(direct)
    rounds = recording.judged(run_dir)[1]
    for case in CASES:
        told = [one.outcome for one in rounds if one.scenario.startswith(f"{case}-{way.name}")]
        assert len(told) == EXCHANGES.get(case, 1), case
        assert set(told) <= OUTCOMES[case], case


ERRORS = {"PROTOCOL_ERROR", "HTTP_ERROR", "TRANSPORT_ERROR"}
OUTCOMES = {
    "complete": {"COMPLETED"}, "fail": {"FAILED"}, "reject": {"REJECTED"}, "raise": ERRORS, "raise0": ERRORS,
    "drop": {"NO_TERMINAL"}, "msg": {"COMPLETED"}, "ask": {"INTERACTION", "COMPLETED"}, "cancel": {"CANCELED"},
    "subscribe": {"COMPLETED"}, "parallel": {"COMPLETED"},
}  # fmt: skip
