"""What is no part of an index is told and left out; the rest is read."""

from __future__ import annotations

import random

import pytest

from harness.errors import UsageError
from harness.history.add import add
from harness.history.database import connected, literal
from harness.history.folder import Local
from harness.history.form import COLUMNS, FORMAT
from harness.history.read import read
from harness.history.values import Skipped
from tests.history.rows import broken, filled, summary


def parquet(path: object, select: str) -> None:
    with connected() as database:
        database.execute(f"COPY ({select}) TO {literal(str(path))} (FORMAT parquet)")


def row(**values: str) -> str:
    """A SELECT of one row with the columns of the form, some of them replaced."""
    known = {name: f"NULL::{kind}" for name, kind in COLUMNS.items()}
    known |= {"history": str(FORMAT), "run": "'x'", "key": "'x'", "contract": "'masked'"}
    known |= {"started": "TIMESTAMP '2026-08-01'", "added": "TIMESTAMP '2026-08-01'"}
    return "SELECT " + ", ".join(f"{value} AS {name}" for name, value in {**known, **values}.items())


def skipped(where: object) -> tuple[int, list[Skipped]]:
    with read(Local(str(where))) as index:
        return index.runs, list(index.skipped)


def test_no_folder(tmp_path) -> None:
    with pytest.raises(UsageError, match=r"there is no history; add runs with `harness check RUN --history`"):
        read(Local(str(tmp_path / "none")))


def test_an_empty_folder(tmp_path) -> None:
    assert skipped(tmp_path) == (0, [])


FOREIGN = "is no file of a history index: move it elsewhere"
DAMAGED = "is damaged and can not be read: delete it, then `harness history rebuild`"
OLDER = "has format 0, and this harness reads 1: `harness history rebuild`, then delete it"
NEWER = "has format 2, and this harness reads 1: use a newer harness"


@pytest.mark.parametrize(
    ("name", "made", "reason"),
    [
        ("notes.txt", b"hello", FOREIGN),
        ("text.parquet", b"hello", FOREIGN),
        ("tiny.parquet", b"PA", FOREIGN),
        ("empty.parquet", b"", DAMAGED),
        ("cut.parquet", b"PAR1\x15\x04", DAMAGED),
        ("hollow.parquet", b"PAR1" + b"\0" * 64 + b"PAR1", DAMAGED),
        ("other.parquet", "SELECT 1 AS a, 'x' AS b", FOREIGN),
        ("words.parquet", "SELECT 'one' AS history", FOREIGN),
        ("kinds.parquet", row(history="'one'"), FOREIGN),
        ("newer.parquet", row(history="2"), NEWER),
        ("newer-columns.parquet", "SELECT 2 AS history, 'x' AS everything", NEWER),
        ("older.parquet", row(history="0"), OLDER),
        ("older-columns.parquet", "SELECT 0 AS history, 'x' AS run", OLDER),
        ("no-run.parquet", row(run="NULL"), FOREIGN),
        ("no-time.parquet", row(started="NULL::TIMESTAMP"), FOREIGN),
        ("no-rows.parquet", "SELECT 1 AS history WHERE false", FOREIGN),
    ],
)
def test_other_files_are_told_and_left_out(tmp_path, name: str, made: bytes | str, reason: str) -> None:
    filled(tmp_path, [broken(1), summary(2)])
    if isinstance(made, str):
        parquet(tmp_path / name, made)
    else:
        (tmp_path / name).write_bytes(made)
    assert skipped(tmp_path) == (2, [Skipped(name, reason)])


def test_of_many_bad_files_each_is_told_and_no_good_one_is_lost(tmp_path) -> None:
    filled(tmp_path, (summary(number) for number in range(40)))
    for number in range(0, 40, 8):
        parquet(tmp_path / f"2026080{1 + number % 9}-bad-{number}.parquet", "SELECT 1 AS a")
    runs, told = skipped(tmp_path)
    assert runs == 40
    assert [one.reason for one in told] == [FOREIGN] * 5


def test_a_folder_inside_is_no_file(tmp_path) -> None:
    filled(tmp_path, [summary(1)])
    (tmp_path / "folder.parquet").mkdir()
    assert skipped(tmp_path) == (1, [])


@pytest.mark.parametrize("name", ["a[1]*?", "it's", 'say "x"', "历史", "a b", "a#b%20c", "-x"])
def test_any_name_of_a_folder(tmp_path, name: str) -> None:
    assert skipped(filled(tmp_path / name, [summary(1), broken(2)])) == (2, [])


def test_damage_anywhere_never_stops_the_rest(tmp_path) -> None:
    """A byte is changed at each of many places: the file is told, or is read; the other run is there."""
    filled(tmp_path, [broken(1)])
    [name] = add(Local(str(tmp_path)), broken(2))
    whole = (tmp_path / name).read_bytes()
    dice = random.Random(7)
    for at in sorted(dice.sample(range(len(whole)), 30)):
        (tmp_path / name).write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with read(Local(str(tmp_path))) as index:
            kept = index.database.execute("SELECT count(*) FROM runs WHERE run = 'run-0001'").fetchone()
            index.database.execute("SELECT * FROM rounds").fetchall()
            assert kept == (1,)


def test_a_cut_anywhere_is_told(tmp_path) -> None:
    filled(tmp_path, [broken(1)])
    [name] = add(Local(str(tmp_path)), broken(2))
    whole = (tmp_path / name).read_bytes()
    for at in range(0, len(whole), 397):
        (tmp_path / name).write_bytes(whole[:at])
        assert skipped(tmp_path) == (1, [Skipped(name, DAMAGED)])


def test_tables(tmp_path) -> None:
    filled(tmp_path, [broken(1, sut="testbed", defects="as-reported", ended="2026-08-01T00:01:30Z")])
    with read(Local(str(tmp_path))) as index:
        ask = index.database.execute
        assert ask("SELECT run, seconds, exit, sut, defects, rounds FROM runs").fetchall() == [
            ("run-0001", 30.0, 1, "testbed", "as-reported", 1)
        ]
        assert ask("SELECT run, scenario, round, events, bytes, seconds FROM rounds").fetchall() == [
            ("run-0001", "DA-09", 1, 7, 4096, 1.5)
        ]
        assert ask("SELECT run, contract, rule, spots FROM findings").fetchall() == [
            ("run-0001", "masked", "LEAK101", ["DA-09 r1 client"])
        ]
