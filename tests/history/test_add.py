"""Nothing is lost: not by two writers, not by a kill, not by merging."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from harness.history.add import add, compact, settle
from harness.history.ask import asked
from harness.history.folder import Local
from harness.history.read import read
from harness.history.values import Question
from tests.history.rows import broken, filled, summary

WRITER = """
import sys
from harness.history.add import add
from harness.history.folder import Local
from tests.history.rows import summary
first, last, place = int(sys.argv[1]), int(sys.argv[2]), Local(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for number in range(first, last):
    add(place, summary(number))
    print(number, flush=True)
"""


def writer(where: object, first: int, last: int) -> subprocess.Popen[str]:
    made = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(first), str(last), str(where)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert made.stdout and made.stdout.readline() == "ready\n"
    return made


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("go\n")
    process.stdin.flush()


def runs(where: object) -> list[str]:
    with read(Local(str(where))) as index:
        assert index.skipped == ()
        return [one for (one,) in index.database.execute("SELECT run FROM runs ORDER BY started").fetchall()]


def test_two_processes_that_write_at_once_lose_nothing(tmp_path, no_hang) -> None:
    """Half of the runs are the same in both: one of the two judgements is kept, whole."""
    both = [writer(tmp_path, 0, 20), writer(tmp_path, 10, 30)]
    for one in both:
        go(one)
    for one in both:
        one.communicate()
        assert one.returncode == 0
    assert runs(tmp_path) == [f"run-{number:04d}" for number in range(30)]
    assert len(os.listdir(tmp_path)) <= 40, "two judgements that came at once may both lie there"


def test_a_process_that_writes_while_another_compacts_loses_nothing(tmp_path, no_hang) -> None:
    """Runs are judged again and again; of each its last judgement is there, whatever was merged when."""
    again = writer(tmp_path, 0, 30)
    filled(tmp_path, [broken(number) for number in range(30)])
    go(again)
    merged = 0
    while again.poll() is None:
        merged += compact(Local(str(tmp_path))).merged
    again.communicate()
    assert again.returncode == 0 and merged > 0
    assert runs(tmp_path) == [f"run-{number:04d}" for number in range(30)]
    compact(Local(str(tmp_path)))
    assert {one.exit for one in asked(str(tmp_path), Question()).runs} == {0}


def test_a_kill_loses_no_finished_run(tmp_path, no_hang) -> None:
    killed = writer(tmp_path, 0, 100_000)
    go(killed)
    assert killed.stdout
    for _ in range(5):
        killed.stdout.readline()
    os.kill(killed.pid, signal.SIGKILL)
    told = [int(line) for line in killed.stdout.read().split("\n")[:-1]]
    killed.wait()
    for stream in (killed.stdin, killed.stdout):
        assert stream
        stream.close()
    done = max([4, *told])
    found = runs(tmp_path)
    assert found[: done + 1] == [f"run-{number:04d}" for number in range(done + 1)]
    assert len(found) <= done + 2
    add(Local(str(tmp_path)), summary(0))
    assert runs(tmp_path) == found


def test_the_last_judgement_of_a_run_counts(tmp_path) -> None:
    where = filled(tmp_path, [broken(1), broken(2), summary(1)])
    assert [one.exit for one in asked(where, Question()).runs] == [0, 1]
    filled(where, [broken(1), summary(2)])
    assert [one.exit for one in asked(where, Question()).runs] == [1, 0]
    assert len(os.listdir(where)) == 2, "older judgements are removed"


def test_compacted_is_the_same_answer(tmp_path) -> None:
    where = filled(tmp_path, [broken(1), summary(2), broken(3), summary(1, contract="a2a")])
    before = asked(where, Question(contract="masked"))
    made = compact(Local(where))
    assert (made.runs, made.merged, os.listdir(tmp_path)) == (4, 4, [made.file])
    assert asked(where, Question(contract="masked")) == before
    assert compact(Local(where)) == (None, 4, 0, ())


def test_many_files_are_merged(tmp_path, monkeypatch) -> None:
    where = filled(tmp_path, [summary(number) for number in range(3)])
    assert settle(Local(where)) is None and len(os.listdir(where)) == 3
    monkeypatch.setattr("harness.history.add.MANY", 2)
    made = settle(Local(where))
    assert made and os.listdir(where) == [made.file]
    assert settle(Local(str(tmp_path / "none"))) is None
    assert runs(where) == ["run-0000", "run-0001", "run-0002"]


def test_a_run_judged_again_behind_compaction(tmp_path) -> None:
    where = filled(tmp_path, [broken(1), broken(2)])
    compact(Local(where))
    filled(where, [summary(1)])
    assert [one.exit for one in asked(where, Question()).runs] == [0, 1]
    assert compact(Local(where)).runs == 2
    assert [one.exit for one in asked(where, Question()).runs] == [0, 1]


def test_a_kill_between_merging_and_removing_counts_each_run_once(tmp_path, monkeypatch) -> None:
    where = filled(tmp_path, [broken(1), summary(2)])
    before = asked(where, Question())
    place = Local(where)

    def killed(names: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, "remove", killed)
    with pytest.raises(KeyboardInterrupt):
        compact(place)
    assert len(os.listdir(tmp_path)) == 3
    assert asked(where, Question()) == before
    assert compact(Local(where)).merged == 3
    assert asked(where, Question()) == before


def test_compaction_touches_no_file_that_it_can_not_read(tmp_path) -> None:
    where = filled(tmp_path, [broken(1), summary(2)])
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    made = compact(Local(where))
    assert sorted(os.listdir(tmp_path)) == sorted(["bad.parquet", "notes.txt", str(made.file)])


def test_files_that_go_while_they_are_read_are_looked_for_again(tmp_path, monkeypatch) -> None:
    """Another job compacts between our look at the folder and our reading."""
    where = filled(tmp_path, [broken(1), summary(2)])
    before = asked(where, Question())
    names = Local.names
    looks: list[int] = []

    def late(self: Local) -> list[str] | None:
        found = names(self)
        if not looks:
            looks.append(1)
            monkeypatch.setattr(Local, "names", names)
            compact(Local(where))
        return found

    monkeypatch.setattr(Local, "names", late)
    assert asked(where, Question()) == before
    assert looks == [1]
