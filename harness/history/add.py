"""Puts runs into an index, and makes one file of many."""

from __future__ import annotations

import os
import secrets
import tempfile
from typing import TYPE_CHECKING, NamedTuple

from harness.history.database import connected, literal
from harness.history.form import COLUMNS, ENDING, ROW, file_stem, row
from harness.history.read import best, read
from harness.history.when import exactly_now

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from harness.history.folder import Folder
    from harness.history.values import Skipped, Summary


MANY = 300
"""Files of an index that `settle` leaves as they are."""


class Compacted(NamedTuple):
    """What became of the files of an index."""

    file: str | None
    """The file that holds all runs now; None: there was nothing to do."""
    runs: int
    merged: int
    """Files that are in it, and gone."""
    skipped: tuple[Skipped, ...]


def add(folder: Folder, *summaries: Summary) -> list[str]:
    """Write a file for each run, then remove older judgements of it; returns the files' names.

    Each judgement has a name of its own, so that nobody who removes an older one hits a newer one.
    """
    before = folder.names() or []
    names = []
    with connected() as database:
        for one in summaries:
            stem, text = file_stem(one), literal(row(one, exactly_now()))
            name = f"{stem}-{secrets.token_hex(4)}{ENDING}"
            folder.write(name, _parquet(database, f"SELECT unnest(CAST(CAST({text} AS JSON) AS {ROW}))"))
            names.append(name)
            folder.remove(old for old in before if old.startswith(f"{stem}-"))
    return names


def compact(folder: Folder) -> Compacted:
    """Merge all readable files into one, then remove them. A kill in between leaves runs twice."""
    with read(folder) as index:
        files = index.files
        runs = index.runs
        if len(files) < 2:
            return Compacted(None, runs, 0, index.skipped)
        select = f"SELECT {', '.join(COLUMNS)} FROM ({best('history_rows')}) ORDER BY started, run, key"
        data = _parquet(index.database, select)
        name = f"compact-{exactly_now().replace(':', '')}-{secrets.token_hex(4)}{ENDING}"
        folder.write(name, data)
        folder.remove(files)
        folder.tidy()
        return Compacted(name, runs, len(files), index.skipped)


def settle(folder: Folder) -> Compacted | None:
    """Merge the files of an index if there are many: a thousand are read slower than one."""
    files = sum(name.endswith(ENDING) for name in folder.names() or ())
    return compact(folder) if files > MANY else None


def _parquet(database: DuckDBPyConnection, select: str) -> bytes:
    """The rows of a query as the bytes of a Parquet file."""
    with tempfile.TemporaryDirectory(prefix="harness-history-") as made:
        path = os.path.join(made, "rows.parquet")
        database.execute(f"COPY ({select}) TO {literal(path)} (FORMAT parquet)")
        with open(path, "rb") as file:
            return file.read()
