"""`harness check`: options, defaults, reports, exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import jsonschema
import pytest

from harness.cli import check, options
from harness.report.schema import schema
from tests.cli.conftest import STREAM
from tests.report.values import full_report

SIT = "captures/golden/sit-logs/run-20260811-093000"


@pytest.fixture
def judged(monkeypatch):
    """The pipeline is not run; what it was called with is kept."""
    calls = []

    def instead(paths, chosen, lang):
        calls.append((list(paths), chosen, lang))
        return full_report()

    monkeypatch.setattr(check, "judged", instead)
    return calls


def test_options_reach_the_pipeline(harness, judged, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    args = "a b --contract a2a --mapping m.yaml --mapping n.yaml --topologies t.yaml --only LEAK,mask201 --only END --skip ORD"
    more = "--topology edpa --fail-on warning --strict --jobs 2 --max-line 64k"
    assert harness("check", *args.split(), *more.split(), "--json").code == 1
    ((paths, chosen, _),) = judged
    assert paths == ["a", "b"]
    assert chosen._replace(lanes=True) == type(chosen)(
        contract="a2a",
        mappings=("m.yaml", "n.yaml"),
        topologies="t.yaml",
        only=("LEAK", "mask201", "END"),
        skip=("ORD",),
        topology="edpa",
        fail_on="warning",
        strict=True,
        jobs=2,
        max_line=64 << 10,
    )


def test_without_options_the_defaults_of_the_pipeline_hold(harness, judged, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    harness("check", "a")
    assert judged[0][1] == type(judged[0][1])()


def test_settings_are_defaults_and_the_command_line_wins(harness, judged, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "harness.toml").write_text('contract = "unified"\njobs = 2\nonly = ["LEAK"]\nlang = "zh"\n')
    said = harness("check", "a", "--contract", "masked")
    assert (judged[0][1].contract, judged[0][1].jobs, judged[0][1].only) == ("masked", 2, ("LEAK",))
    assert "违反契约" in said.out
    assert "the contract is broken" in harness("check", "a", "--lang", "en").out


@pytest.mark.parametrize("text", ['fail-on = "info"', "jobs = 0", 'only = ["LEEK"]', 'max-line = "x"'])
def test_settings_that_mean_nothing(harness, judged, tmp_path, monkeypatch, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "harness.toml").write_text(text)
    assert harness("check", "a").code == 2


def test_no_path_takes_the_newest_run(harness, judged, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = harness("check")
    assert said.code == 2
    assert "no PATH was given" in said.err
    for name in ("run-20260811-093000", "run-20260812-101500", "golden"):
        (tmp_path / "captures" / name).mkdir(parents=True)
    (tmp_path / "captures" / "run-z.txt").touch()
    said = harness("check")
    assert judged[0][0] == ["captures/run-20260812-101500"]
    assert "captures/run-20260812-101500" in said.err


def test_json_alone_on_standard_output(harness, judged, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = harness("check", "a", "--json", "-o", "r.json")
    jsonschema.validate(json.loads(said.out), schema())
    assert (tmp_path / "r.json").read_text() == said.out


def test_reports_are_written_and_told(harness, judged, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = harness("check", "a", "-o", "r.json", "-o", "json=r.txt")
    assert said.err == "wrote r.json\nwrote r.txt\n"
    assert (tmp_path / "r.txt").read_bytes() == (tmp_path / "r.json").read_bytes()
    assert said.out.splitlines()[-1] == "exit 1: the contract is broken"


def test_an_unknown_ending_stops_before_anything_is_judged(harness, judged) -> None:
    assert harness("check", "a", "-o", "r.htm").code == 2
    assert judged == []


@pytest.mark.parametrize(
    ("text", "size"), [("1", 1), ("64k", 65536), ("16M", 16 << 20), ("16MiB", 16 << 20), ("1Gb", 1 << 30)]
)
def test_sizes(text: str, size: int) -> None:
    assert options.size(text) == size


def test_a_leak_is_found_and_the_report_is_valid(harness) -> None:
    said = harness("check", SIT, "--json")
    assert said.code == 1
    value = json.loads(said.out)
    jsonschema.validate(value, schema())
    assert {one["scenario"]: one["outcome"] for one in value["rounds"]}["DA-09"] == "COMPLETED"
    assert "error LEAK101" in harness("check", SIT).out


def test_standard_input(process) -> None:
    said = process("check", "-", input=STREAM)
    assert said.returncode == 0, said.stdout + said.stderr
    assert b"exit 0: the contract holds" in said.stdout


def test_nothing_recognised_is_exit_3(harness, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.sse").write_text("data: {}\n\n")
    assert harness("check", "x.sse").code == 3
    assert harness("check", "missing.sse").code == 3


def test_hostile_names_and_bytes_are_harmless(harness, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "a\x1b]0;owned\x07\u202e.sse"
    (tmp_path / name).write_bytes(
        STREAM.replace(b"COMPLETED", b"\xff\x1b[2J") + b"data: \x1b[31m\xc2\x9b\n\n\x00"
    )
    for args in ((), ("--all",), ("--lang", "zh"), ("--json",)):
        said = harness("check", name, "--only", "LEAK,END", *args)
        assert not set(said.out + said.err) & set("\x1b\x07\x9b\u202e\x00")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo terminal")
def test_a_terminal_gets_colours_and_no_color_takes_them_away(tmp_path) -> None:
    def shown(**env: str) -> bytes:
        ours, theirs = os.openpty()
        clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
        subprocess.run(
            [sys.executable, "-m", "harness", "check", SIT, "--only", "LEAK"],
            stdout=theirs,
            env={**clean, "TERM": "xterm", **env},
            check=False,
            timeout=60,
        )
        os.close(theirs)
        out = b""
        try:
            while piece := os.read(ours, 65536):
                out += piece
        except OSError:
            pass
        os.close(ours)
        return out

    assert b"\x1b[1;31merror" in shown()
    assert b"\x1b" not in shown(NO_COLOR="1")


def test_all_reports_in_one_run(harness, tmp_path) -> None:
    wanted = {"x.xml": "<?xml", "x.sarif": "{", "x.md": "## ", "x.json": '{"report"', "cq.json": "["}
    paths = [f"gitlab={tmp_path}/cq.json" if name == "cq.json" else f"{tmp_path}/{name}" for name in wanted]
    said = harness("check", SIT, *(word for path in paths for word in ("-o", path)))
    assert said.code == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(wanted)
    for name, begin in wanted.items():
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)


def test_two_reports_can_not_share_a_file(harness, tmp_path) -> None:
    path = f"{tmp_path}/x.json"
    said = harness("check", SIT, "-o", path, "-o", f"gitlab={path}")
    assert said.code == 2
    assert "stands twice" in said.err


def test_the_projects_own_waivers_are_read(harness, judged, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios/waivers.yaml").write_text("version: 1\nwaivers: []\n")
    harness("check", "a")
    harness("check", "a", "--waivers", "mine.yaml", "--baseline", "old.json")
    (tmp_path / "harness.toml").write_text('waivers = "ours.yaml"\nbaseline = "main.json"\n')
    harness("check", "a")
    chosen = [(options.waivers, options.baseline) for _, options, _ in judged]
    assert chosen == [("scenarios/waivers.yaml", None), ("mine.yaml", "old.json"), ("ours.yaml", "main.json")]


def test_waived_and_known_are_shown(harness, tmp_path) -> None:
    waived = harness("check", SIT, "--waivers", "scenarios/examples/waivers.yaml")
    assert waived.code == 0
    assert waived.out.count("waived as mirror-of-delegations") == 3
    assert "Waived: 3, by mirror-of-delegations." in waived.out
    assert "No errors and no warnings." not in waived.out
    path = f"{tmp_path}/old.json"
    assert harness("check", SIT, "-o", path).code == 1
    known = harness("check", SIT, "--baseline", path)
    assert known.code == 0
    assert known.out.count("known: the baseline has it as well") == 3
    assert "Against the baseline: 0 new, 3 known, 0 fixed" in known.out
    assert "errors 3" in known.out


HOSTILE = (
    "\x1b[31m]]> <script>x</script> %0A @all `x` | \u202e \n::error::owned ##[error]y {{ 7 }} " + "z" * 5000
)


def test_a_hostile_capture_breaks_no_report_and_reaches_no_terminal(process, tmp_path) -> None:
    """The prompt and the name of an agent are what a model or a peer made of them."""
    call = {"toolCallId": HOSTILE, "toolName": HOSTILE, "message": HOSTILE}
    call["context"] = {"_interrupt_kind": "a2a_delegate", "agentName": HOSTILE}
    item = {"data": {"type": "__interaction__", "payload": {"id": "c", "value": call}}}
    part = {"data": {"type": "controller_output", "payload": {"type": "task_interaction", "data": [item]}}}
    artifact = {"taskId": "t", "contextId": "c", "artifact": {"artifactId": "a", "parts": [part]}}
    frame = {"jsonrpc": "2.0", "id": "r", "result": {"artifactUpdate": artifact}}
    (tmp_path / "s.sse").write_bytes(
        STREAM.replace(b"data: ", f"data: {json.dumps(frame)}\n\ndata: ".encode(), 1)
    )
    names = ("x.xml", "x.sarif", "x.md", "x.json", "gitlab=cq.json")
    done = process(
        "check", "s.sse", "--github", *(word for name in names for word in ("-o", name)), cwd=tmp_path,
        env={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")},
    )  # fmt: skip
    assert done.returncode == 1
    written = [path.read_text(encoding="utf-8") for path in tmp_path.iterdir() if path.name != "s.sse"]
    assert len(written) == 6
    for said in (done.stdout.decode(), done.stderr.decode(), *written):
        assert not {c for c in said if (ord(c) < 0x20 and c != "\n") or c == "\u202e"}
    commands = [line for line in done.stdout.decode().split("\n") if line.strip().startswith("::")]
    assert commands
    assert all(
        re.match(r"::(error|warning) file=s\.sse,title=[A-Z]+\d+ [a-z0-9-]+::s r1: ", one) for one in commands
    )
    assert "##[" not in done.stdout.decode()
