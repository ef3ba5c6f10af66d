"""`harness history`, and `--history` of `check` and `run`: what is told, written, refused."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from pathlib import Path

import jsonschema
import pytest

from harness.errors import UsageError
from harness.report.cells import cells
from harness.report.historyschema import schema
from tests.cli.conftest import STREAM
from tests.history.rows import broken, filled, finding, summary

SIT = Path(__file__).parents[2] / "captures" / "golden" / "sit-logs"
FIRST, SECOND = "run-20260811-093000", "run-20260812-101500"


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A current folder with two recorded runs below captures/."""
    for name in (FIRST, SECOND):
        shutil.copytree(SIT / name, tmp_path / "captures" / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def index(tmp_path, monkeypatch) -> Path:
    """A current folder with an index of four runs in its usual place."""
    monkeypatch.chdir(tmp_path)
    filled("reports/history", [broken(1), summary(2), broken(3, finding(waived="W")), broken(4)])
    return tmp_path


def rules(text: str) -> dict[tuple[str | None, str], dict]:
    return {(one["topology"], one["rule"]): one for one in json.loads(text)["rules"]}


def test_check_adds_runs_and_history_tells_them(harness, project) -> None:
    for name in (FIRST, SECOND):
        said = harness("check", f"captures/{name}", "--history")
        assert (said.code, said.err) == (1, f"added {name} to the history in reports/history\n")
    said = harness("history", "--json")
    assert (said.code, said.err) == (0, "")
    jsonschema.validate(json.loads(said.out), schema())
    leak = rules(said.out)["deep-research", "LEAK101"]
    assert (leak["first"]["run"], leak["last"]["run"], leak["course"], leak["seen"], leak["known"]) == (
        FIRST, SECOND, "steady", 2, 2,
    )  # fmt: skip
    runs = [(one["run"], one["started"], one["exit"]) for one in json.loads(said.out)["runs"]]
    assert runs == [(FIRST, "2026-08-11T09:30:00Z", 1), (SECOND, "2026-08-12T10:15:00Z", 1)]


def test_a_run_that_is_judged_again_counts_once(harness, project) -> None:
    for _ in range(2):
        harness("check", f"captures/{FIRST}", "--history=h")
    assert len(json.loads(harness("history", "--history", "h", "--json").out)["runs"]) == 1


def test_many_files_become_one(harness, project, monkeypatch) -> None:
    harness("check", f"captures/{FIRST}", "--history")
    monkeypatch.setattr("harness.history.add.MANY", 1)
    harness("check", f"captures/{FIRST}", "--history", "--contract", "a2a")
    (file,) = os.listdir("reports/history")
    assert file.startswith("compact-")

    def full(*_: object) -> None:
        raise UsageError("the disk is full")

    monkeypatch.setattr("harness.history.add.compact", full)
    said = harness("check", f"captures/{FIRST}", "--history")
    assert "stay as they are: the disk is full" in said.err


def test_rebuild_is_what_check_adds(harness, project) -> None:
    for name in (FIRST, SECOND):
        harness("check", f"captures/{name}", "--history=a")
    said = harness("history", "rebuild", "--history", "b")
    assert (said.code, said.err) == (0, "b: 2 of 2 runs judged anew and added\n")
    assert (
        harness("history", "--history", "a", "--json").out
        == harness("history", "--history", "b", "--json").out
    )
    assert len(os.listdir("a")) == len(os.listdir("b")) == 2


def test_rebuild_by_another_contract_keeps_both(harness, project) -> None:
    harness("history", "rebuild")
    harness("history", "rebuild", f"captures/{FIRST}", "--contract", "a2a")
    value = json.loads(harness("history", "--contract", "masked", "--json").out)
    assert (len(value["runs"]), value["others"]) == (2, [{"contract": "a2a", "runs": 1}])


def test_rebuild_goes_on_behind_a_broken_run(harness, project) -> None:
    (project / "captures" / FIRST / "run.json").write_text("{")
    said = harness("history", "rebuild")
    assert said.code == 3
    assert f"left out: captures/{FIRST}: " in said.err and "1 of 2 runs judged anew and added" in said.err


def test_add_a_report_is_what_check_adds(harness, project) -> None:
    harness("check", f"captures/{FIRST}", "--history=a", "-o", "r.json")
    start = ["--run-id", FIRST, "--started", "2026-08-11T09:30:00Z"]
    said = harness("history", "add", "r.json", *start, "--history", "b")
    assert (said.code, said.err) == (0, f"added {FIRST} to the history in b\n")
    mine, other = (json.loads(harness("history", "--history", place, "--json").out) for place in "ab")
    assert mine["rules"] == other["rules"] and mine["runs"] == other["runs"]
    assert other["topologies"][0]["bytes"] == [None], "a report does not know the files"


def test_loose_captures_are_a_run_with_an_id(harness, capture) -> None:
    assert harness("check", capture, "--history", "h", "--run-id", "job 4711").code == 0
    value = json.loads(harness("history", "--history", "h", "--json").out)
    assert [one["run"] for one in value["runs"]] == ["job 4711"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["s.sse", "--history"], "--history: s.sse is not one run; name one run folder, or give --run-id"),
        (["s.sse", "--history", "--run-id", " "], "--run-id is empty"),
        (["s.sse", "--run-id", "x", "--history=s.sse"], "s.sse: the history can not be written: File exists"),
        (["s.sse", "--run-id", "x", "--history=odd://x"], "odd://x: is no place that fsspec reaches"),
        (
            ["--history", "run-20260811-093000", "s.sse"],
            "a run folder is no history; write --history=DIR, or PATH",
        ),
    ],
)
def test_check_refuses_before_it_judges(harness, capture, args: list[str], said: str) -> None:
    Path("run-20260811-093000").mkdir()
    told = harness("check", *args)
    assert (told.code, told.out) == (2, "")
    assert said in told.err and told.err.count("\n") == 1


def test_the_settings_file_asks_for_it(harness, project) -> None:
    Path("harness.toml").write_text('history = "h"\n')
    assert harness("check", f"captures/{FIRST}").err == f"added {FIRST} to the history in h\n"
    assert len(json.loads(harness("history", "--json").out)["runs"]) == 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--only", "LEAK"], "not added to the history: the command line chose a part of the run; --history"),
        (
            ["--topology", "edpa"],
            "not added to the history: the command line chose a part of the run; --history",
        ),
        (["captures/run-20260812-101500"], "not added to the history: PATH is not one run folder; --history"),
    ],
)
def test_of_parts_of_a_run_the_settings_file_adds_nothing(
    harness, project, args: list[str], said: str
) -> None:
    Path("harness.toml").write_text('history = "h"\n')
    told = harness("check", f"captures/{FIRST}", *args)
    assert told.code in (0, 1) and told.err.startswith(said)
    assert os.listdir("h") == []


def test_run_adds_its_run(harness, tmp_path, monkeypatch) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.chdir(tmp_path)
    said = harness(
        "run", "DA-09", "--scenarios", str(root / "scenarios"), "--set", "as-reported", "--history", "-q"
    )
    run_dir = next(iter(os.listdir("captures")))
    assert f"added {run_dir} to the history in reports/history\n" in said.err
    told = harness("history", "--sql", "SELECT run, sut, defects, seconds >= 0 AS timed FROM runs", "--json")
    assert json.loads(told.out) == [
        {"run": run_dir, "sut": "testbed", "defects": "as-reported", "timed": True}
    ]
    timed = harness("history", "--sql", "SELECT count(*) AS n FROM rounds WHERE seconds IS NULL", "--json")
    assert json.loads(timed.out) == [{"n": 0}]


def test_the_terminal(harness, index) -> None:
    said = harness("history")
    assert (said.code, said.err) == (0, "")
    assert "deep-research  in 4 of 4 runs" in said.out and "█·w█" in said.out
    assert "3/4   flaky   run-0001    run-0004" in said.out


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("width", [80, 200])
def test_widths_and_languages(harness, index, monkeypatch, width: int, lang: str) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    said = harness("history", "--lang", lang)
    assert max(map(cells, said.out.splitlines())) <= width
    assert ("时有时无" in said.out) == (lang == "zh")


@pytest.mark.parametrize(
    ("args", "runs"),
    [
        (["--last", "2"], 2),
        (["--since", "2026-08-01T00:02"], 3),
        (["--since", "run-0003"], 2),
        (["--topology", "deep-research", "--rule", "LEAK"], 4),
    ],
)
def test_windows(harness, index, args: list[str], runs: int) -> None:
    assert len(json.loads(harness("history", *args, "--json").out)["runs"]) == runs


def test_files(harness, index) -> None:
    said = harness("history", "-o", "h.csv", "-o", "h.json", "-o", "h.md", "-o", "h.html")
    assert said.err == "wrote h.csv\nwrote h.json\nwrote h.md\nwrote h.html\n"
    assert Path("h.json").read_text() == harness("history", "--json").out
    assert next(csv.DictReader(io.StringIO(Path("h.csv").read_text())))["course"] == "flaky"
    assert "| `LEAK101` |" in Path("h.md").read_text()
    assert Path("h.html").read_text().startswith("<!doctype html>")
    assert sorted(os.listdir()) == ["h.csv", "h.html", "h.json", "h.md", "reports"]


def test_sql(harness, index) -> None:
    text = "SELECT run, waived FROM findings ORDER BY run"
    said = harness("history", "--sql", text, "-o", "s.csv", "-o", "s.json", "-o", "s.md")
    assert said.out == "run       waived\nrun-0001\nrun-0003  W\nrun-0004\n"
    assert Path("s.csv").read_text() == "run,waived\nrun-0001,\nrun-0003,W\nrun-0004,\n"
    assert harness("history", "--sql", text, "--json").out == Path("s.json").read_text()


def test_compact(harness, index) -> None:
    before = harness("history", "--json").out
    said = harness("history", "compact")
    assert said.code == 0 and said.err.startswith("reports/history: 4 runs of 4 files are in compact-")
    assert harness("history", "--json").out == before
    assert harness("history", "compact").err == "reports/history: 4 runs, nothing to merge\n"


def test_foreign_files_are_told(harness, index) -> None:
    Path("reports/history/notes.txt").write_text("mine")
    assert "left out: notes.txt: is no file of a history index: move it elsewhere" in harness("history").out
    assert "left out: notes.txt: " in harness("history", "compact").err


def test_nothing_to_tell(harness, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = harness("history")
    assert (
        said.code == 2
        and "reports/history: there is no history; add runs with `harness check RUN" in said.err
    )
    Path("h").mkdir()
    Path("h/bad.parquet").write_bytes(b"PAR1")
    said = harness("history", "--history", "h")
    assert (said.code, said.out) == (3, "")
    assert said.err.splitlines() == [
        "left out: bad.parquet: is damaged and can not be read: delete it, then `harness history rebuild`",
        "no run in h that can be read; add runs with `harness check RUN --history`",
    ]


def test_an_empty_window_is_undecided(harness, index) -> None:
    said = harness("history", "--since", "2030-01-01")
    assert said.code == 3 and "no run in this window" in said.out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["--rule", "ODD"], "'ODD' is no rule and no family of rules"),
        (["--topology", "odd"], "the index has deep-research"),
        (["--since", "odd"], "neither a date nor a run of the index"),
        (["--contract", "a2a"], "the index has masked"),
        (["--last", "0"], "--last 0: no number of runs; write a number from 1 on"),
        (["-o", "h.pdf"], "known are .csv, .json, .md, .html"),
        (["-o", "none/h.md"], "name a file in a folder that is there"),
        (["--sql", "SELECT 1", "-o", "h.html"], "known are .csv, .json, .md"),
        (["--sql", "DROP TABLE runs"], "no single SELECT"),
        (["--sql", "SELECT * FROM read_text('/etc/hostname')"], "file system operations are disabled"),
        (["rebuild", "none"], "no run folder at or below none"),
        (["add"], "no report was named"),
        (["add", "r.json"], "add one at a time, with --run-id ID"),
        (
            ["add", "r.json", "--run-id", "x"],
            "r.json: can not be read: No such file or directory; check the path",
        ),
        (["add", "p.json", "--run-id", "x"], "p.json: is no whole report"),
        (["add", "r.json", "--run-id", "x", "--started", "odd"], "write it as 2026-08-11T09:30:00Z"),
    ],
)
def test_mistakes(harness, index, args: list[str], said: str) -> None:
    Path("p.json").write_text('{"report": 1, "contract": "masked"}')
    told = harness("history", *args)
    assert (told.code, told.out) == (2, "")
    assert said in told.err and told.err.count("\n") == 1


def test_a_process_of_its_own_with_a_plain_pipe(process, tmp_path) -> None:
    (tmp_path / "s.sse").write_bytes(STREAM)
    done = process("check", "-", "--history", "--run-id", "x", cwd=tmp_path, input=STREAM)
    assert (done.returncode, done.stderr) == (0, b"added x to the history in reports/history\n")
    done = process("history", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["runs"][0]["run"] == "x"


def test_help_says_what_the_exits_mean(harness) -> None:
    said = harness("history", "--help").out
    assert "0  answered" in said and "3  no run in the index" in said
    assert "索引中没有运行" in harness("history", "--help", "--lang", "zh").out


def test_report_of_a_history(harness, index) -> None:
    said = harness("report", "--history")
    assert (said.code, said.out, said.err) == (0, "reports/history.html\n", "")
    harness("history", "-o", "h.html")
    assert Path("reports/history.html").read_text() == Path("h.html").read_text()
    assert (
        harness("report", "--history=reports/history", "-o", "x.html", "-o", "x.md").out == "x.html\nx.md\n"
    )


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["run-1", "--history"], 2, "shows the runs of an index, not run-1; leave RUN out"),
        (["--history=none"], 2, "none: there is no history"),
        (["--history=empty"], 3, "no run in empty that can be read"),
        (["--history", "-o", "x.pdf"], 2, "known are .csv, .json, .md, .html"),
    ],
)
def test_report_of_a_history_that_can_not_be(harness, index, args: list[str], code: int, said: str) -> None:
    Path("empty").mkdir()
    told = harness("report", *args)
    assert (told.code, told.out) == (code, "")
    assert said in told.err


def test_the_run_in_which_a_leak_was_fixed(harness, tmp_path, monkeypatch) -> None:
    """The testbed with the reported defects, then without them: the same scenario, the same rounds."""
    root = Path(__file__).parents[2]
    monkeypatch.chdir(tmp_path)
    for name in ("as-reported", "fixed"):
        harness(
            "run", "DA-09", "--scenarios", str(root / "scenarios"), "--set", name, "--history", "-q",
            "--captures", f"captures/{name}",
        )  # fmt: skip
    (first,), (second,) = os.listdir("captures/as-reported"), os.listdir("captures/fixed")
    filled = json.loads(harness("history", "--rule", "LEAK", "--json").out)["rules"]
    leak = next(one for one in filled if one["rule"] == "LEAK101")
    assert (leak["topology"], leak["course"], leak["now"]) == ("deep-research", "fixed", "clean")
    assert (leak["last"]["run"], leak["fixed"]["run"]) == (first, second)
