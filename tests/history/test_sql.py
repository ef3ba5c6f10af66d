"""SQL asks, and can do nothing else."""

from __future__ import annotations

import _thread
import os
import threading

import pytest

from harness.errors import UsageError
from harness.history.folder import Local
from harness.history.read import read
from harness.history.sql import Answer, select
from tests.history.rows import broken, filled


def ask(where: str, text: str) -> Answer:
    with read(Local(where)) as index:
        return select(index, text)


@pytest.fixture
def where(tmp_path) -> str:
    return filled(tmp_path / "index", [broken(1), broken(2)])


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("SELECT count(*) AS n FROM findings", ("n",), ((2,),)),
        (
            "FROM runs SELECT run, started LIMIT 1",
            ("run", "started"),
            (("run-0001", "2026-08-01T00:01:00Z"),),
        ),
        ("WITH a AS (SELECT 1 AS x) SELECT x FROM a;", ("x",), ((1,),)),
        (
            "SELECT spots, NULL AS nothing FROM findings LIMIT 1",
            ("spots", "nothing"),
            ((["DA-09 r1 client"], None),),
        ),
        ("SELECT 'nan'::DOUBLE AS a, {'k': 1} AS b, true AS c", ("a", "b", "c"), (("nan", {"k": 1}, True),)),
        ("SELECT run FROM runs WHERE false", ("run",), ()),
    ],
)
def test_answers(where: str, text: str, columns: tuple[str, ...], rows: object) -> None:
    assert ask(where, text) == (columns, rows)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SELECT 1; SELECT 2",
        "INSERT INTO runs SELECT * FROM runs",
        "CREATE TABLE x AS SELECT 1",
        "DROP TABLE runs",
        "COPY runs TO '{file}'",
        "EXPORT DATABASE '{file}'",
        "ATTACH '{file}'",
        "SET enable_external_access = true",
        "PRAGMA database_list",
        "INSTALL httpfs",
        "LOAD json",
        "CALL pragma_version()",
    ],
)
def test_what_is_no_select_is_refused(where: str, tmp_path, text: str) -> None:
    with pytest.raises(
        UsageError, match="--sql: no single SELECT; ask one SELECT over runs, rounds, findings"
    ):
        ask(where, text.format(file=tmp_path / "out"))
    assert os.listdir(tmp_path) == ["index"]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM read_csv('{file}')",
        "SELECT * FROM '{file}'",
        "FROM read_text('{file}')",
        "FROM read_blob('{file}')",
        "FROM read_parquet('{index}/*.parquet')",
        "FROM glob('{index}/*')",
        "FROM sniff_csv('{file}')",
        "SELECT getenv('HOME')",
        "SELECT * FROM query('COPY runs TO ''{file}.out''')",
        "SELECT * FROM where",
        "SELECT * FROM history_rows",
        "SELECT * FROM 'https://example.com/x.parquet'",
        "selec",
    ],
)
def test_no_file_no_variable_no_network(where: str, tmp_path, text: str) -> None:
    (tmp_path / "x.csv").write_text("a,secret\n")
    with pytest.raises(UsageError, match=r"--sql: .*; tables are runs, rounds, findings") as caught:
        ask(where, text.format(file=tmp_path / "x.csv", index=where))
    assert "secret" not in str(caught.value) or "read_csv" in text
    assert sorted(os.listdir(tmp_path)) == ["index", "x.csv"]


def test_it_can_be_interrupted(where: str, no_hang) -> None:
    with read(Local(where)) as index:
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            select(index, "SELECT count(*) FROM range(1000000000000)")
        timer.join()
