"""`harness check --watch`: judged again at each change, and what changed is told."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cli import again, terminal

ROOT = Path(__file__).resolve().parents[2]
SHAPES = ROOT / "captures/golden/openjiuwen-shape"
LEAK, PLAIN = SHAPES / "leak_controller_output_v2.sse", SHAPES / "plain.sse"
NAME = "DA-09-A2A_STREAM-r1.sse"
WAIVERS = """version: 1
waivers:
  - {id: W-1, rule: LEAK101, scope: {scenario: DA-09}, reason: r, issue: "https://t.example/1", owner: o, expires: 2999-12-31}
"""

pytestmark = pytest.mark.usefixtures("no_hang")


class Watching:
    """The command as a process, and all that it printed so far, both outputs in one."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "harness", "check", "--watch", *arguments],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.text = ""
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._more:
                self.text += line
                self._more.notify_all()
        with self._more:
            self.text += "\n(ended)\n"
            self._more.notify_all()

    def until(self, told: str) -> str:
        """What was printed up to `told`, which is waited for; it is then forgotten."""
        with self._more:
            self._more.wait_for(lambda: told in self.text or "(ended)" in self.text)
            before, found, self.text = self.text.partition(told)
            assert found, f"{told!r} was not printed:\n{before}"
            return before

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        code = self.process.wait()
        self._reader.join()
        return code


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[list[Watching]]:
    started: list[Watching] = []
    yield started
    for one in started:
        if one.process.poll() is None:
            one.end(signal.SIGKILL)
        assert one.process.stdout is not None
        one.process.stdout.close()


def run_folder(folder: Path, name: str, source: Path) -> Path:
    made = folder / "captures" / name
    made.mkdir(parents=True)
    shutil.copy(source, made / NAME)
    return made


def test_new_fixed_waived_and_new_runs(tmp_path: Path, watching: list[Watching]) -> None:
    one = Watching(tmp_path)
    watching.append(one)
    assert "there is no run yet" in one.until("\n")
    run_folder(tmp_path, "run-20260811-093000", PLAIN)
    assert "since the last judgement" not in one.until("watching captures/run-20260811-093000; Ctrl-C ends")
    run_folder(tmp_path, "run-20260812-093000", LEAK)
    one.until("since the last judgement: 3 new, 0 fixed, 0 newly waived; exit 0 -> 1\n")
    told = one.until("watching captures/run-20260812")
    assert "\x1b" not in told
    assert told.count("  new  LEAK101 DA-09 r1 client: ") == 3
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios/waivers.yaml").write_text("version: 1\nwaivers: 7\n")
    one.until("waiting for a change: scenarios/waivers.yaml:2 $.waivers")
    (tmp_path / "scenarios/waivers.yaml").write_text(WAIVERS)
    one.until("since the last judgement: 0 new, 0 fixed, 3 newly waived; exit 1 -> 0\n")
    one.until("Ctrl-C ends\n")
    assert one.end() == 0
    assert one.text == "no longer watching\n\n(ended)\n"


def test_a_stream_that_grows_and_reports(tmp_path: Path, watching: list[Watching]) -> None:
    """Cut short it has no end; whole it leaks. The report in the same folder is no change."""
    whole = LEAK.read_bytes()
    path = tmp_path / NAME
    path.write_bytes(whole[:300])
    one = Watching(tmp_path, ".", "-o", "report.json")
    watching.append(one)
    one.until("watching .; Ctrl-C ends\n")
    with path.open("ab") as file:
        file.write(whole[300:])
    one.until("since the last judgement: 3 new, ")
    assert "  fixed  END502 DA-09 r1 client: " in one.until("watching .; Ctrl-C ends\n")
    assert '"LEAK101"' in (tmp_path / "report.json").read_text()
    time.sleep(4 * again.EVERY_S)
    assert one.end() == 0
    assert one.text == "no longer watching\n\n(ended)\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["x.sse", "--json"], "--watch with --json"),
        (["x.sse", "--github"], "--watch with --github"),
        (["x.sse", "--write-waivers"], "--watch with --write-waivers"),
        (["x.sse", "--history"], "--watch with --history"),
        (["-"], "--watch of standard input"),
        (["x.sse", "--contract", "nowhere"], "nowhere"),
        (["x.sse", "-o", "report.nothing"], "no report is known"),
    ],
)
def test_what_can_not_be_watched_is_refused(harness, tmp_path, monkeypatch, arguments, told: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.sse").write_bytes(PLAIN.read_bytes())
    said = harness("check", "--watch", *arguments)
    assert said.code == 2
    assert told in said.err


@pytest.mark.parametrize(("tty", "term", "cleared"), [(True, "xterm", True), (True, "dumb", False), (False, "xterm", False)])  # fmt: skip
def test_only_a_terminal_is_cleared(monkeypatch, capfdbinary, tty: bool, term: str, cleared: bool) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: tty, raising=False)
    monkeypatch.setenv("TERM", term)
    terminal.clear()
    assert bool(capfdbinary.readouterr().out) is cleared
