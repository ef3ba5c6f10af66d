"""Reads the folder of an index into tables; what is no part of it is told and left out.

`history_rows` has the rows as the files have them. `runs`, `rounds` and `findings` are made of
each run's last judgement; they are what `--sql` is asked about (docs/history.md).
"""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, NamedTuple, Self

from harness.errors import UsageError
from harness.history.database import connected, exact, literal
from harness.history.form import COLUMNS, ENDING, FORMAT
from harness.history.values import Skipped

if TYPE_CHECKING:
    from types import TracebackType

    from duckdb import DuckDBPyConnection

    from harness.history.folder import Folder

_MAGIC = b"PAR1"
_TRIES = 5
_NEEDED = ("key", "run", "started", "contract", "added")
"""Columns without which a row is of no run."""
_SELECT = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in COLUMNS.items())
_FOREIGN = "is no file of a history index: move it elsewhere"
_DAMAGED = "is damaged and can not be read: delete it, then `harness history rebuild`"


class _Gone(Exception):
    """A file was merged into another while the folder was read: look again."""


class Index(NamedTuple):
    """An index that was read. A context manager: leaving it closes the database."""

    database: DuckDBPyConnection
    runs: int
    """Runs, each judgement by another contract counted on its own."""
    files: tuple[str, ...]
    """Names of the files that are in it."""
    skipped: tuple[Skipped, ...]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.database.close()


def read(folder: Folder) -> Index:
    """All runs of a folder; raises `UsageError` where there is no folder or it can not be read."""
    for _ in range(_TRIES):
        try:
            return _read(folder)
        except _Gone:
            continue
    raise UsageError(
        "files come and go while the history is read",
        file=folder.where,
        mend="wait for the job that compacts it",
    )


def _read(folder: Folder) -> Index:
    names = folder.names()
    if names is None:
        mend = "add runs with `harness check RUN --history`, or `harness history rebuild`"
        raise UsageError("there is no history", file=folder.where, mend=mend)
    skipped = [Skipped(name, _FOREIGN) for name in names if not name.endswith(ENDING)]
    database = connected()
    try:
        with tempfile.TemporaryDirectory(prefix="harness-history-") as copies:
            paths = folder.paths([name for name in names if name.endswith(ENDING)], copies)
            loader = _Loader(database, paths)
            loader.load([name for name in paths if loader.looks_whole(name)])
        files, told = _of_this_format(database, loader.loaded)
        runs = _tables(database)
    except BaseException:
        database.close()
        raise
    skipped += [*loader.skipped, *told]
    return Index(database, runs, tuple(files), tuple(sorted(skipped)))


class _Loader:
    """Loads files into `history_rows`; where some can not be loaded, halves find out which."""

    def __init__(self, database: DuckDBPyConnection, paths: dict[str, str]) -> None:
        self._database = database
        self._paths = paths
        self.loaded: dict[str, str] = {}
        """Name of a file by the name that its rows have in the table."""
        self.skipped: list[Skipped] = []
        columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
        database.execute(f"CREATE TABLE history_rows ({columns}, filename VARCHAR)")

    def looks_whole(self, name: str) -> bool:
        """Does a file begin and end as Parquet does?"""
        try:
            with open(self._paths[name], "rb") as file:
                first = file.read(4)
                file.seek(max(0, file.seek(0, 2) - 4))
                whole = first == file.read(4) == _MAGIC
        except FileNotFoundError:
            raise _Gone from None
        except OSError as fault:
            self.skipped.append(Skipped(name, f"can not be read: {fault.strerror}"))
            return False
        if not whole:
            self.skipped.append(Skipped(name, _DAMAGED if first in (_MAGIC, b"") else _FOREIGN))
        return whole

    def load(self, names: list[str]) -> None:
        """Load all of them that can be."""
        import duckdb

        if not names:
            return
        try:
            self._insert([self._paths[name] for name in names])
            self.loaded.update({self._paths[name]: name for name in names})
        except duckdb.Error:
            if len(names) == 1:
                self.skipped.append(Skipped(names[0], self._why_not(names[0])))
                return
            middle = len(names) // 2
            self.load(names[:middle])
            self.load(names[middle:])

    def _insert(self, paths: list[str]) -> None:
        self._database.execute(
            f"INSERT INTO history_rows SELECT {_SELECT}, filename FROM read_parquet(?, filename=true)",
            [[exact(path) for path in paths]],
        )

    def _why_not(self, name: str) -> str:
        import os

        import duckdb

        path = self._paths[name]
        if not os.path.exists(path):
            raise _Gone
        file = f"read_parquet({literal(exact(path))})"
        try:
            kinds = dict(row[:2] for row in self._database.execute(f"DESCRIBE FROM {file}").fetchall())
            if kinds.get("history") != COLUMNS["history"]:
                return _FOREIGN
            found = self._database.execute(f"SELECT DISTINCT history FROM {file}").fetchall()
        except duckdb.Error:
            return _DAMAGED
        other = [version for (version,) in found if version not in (None, FORMAT)]
        return _other(other[0]) if other else _DAMAGED if kinds.keys() >= COLUMNS.keys() else _FOREIGN


def _other(version: int) -> str:
    if version > FORMAT:
        return f"has format {version}, and this harness reads {FORMAT}: use a newer harness"
    return f"has format {version}, and this harness reads {FORMAT}: `harness history rebuild`, then delete it"


def _of_this_format(database: DuckDBPyConnection, loaded: dict[str, str]) -> tuple[list[str], list[Skipped]]:
    """Names of good files; rows of others are taken out and told."""
    lacking = " OR ".join(f"{name} IS NULL" for name in _NEEDED)
    bad = database.execute(
        "SELECT filename, max(history) FILTER (history != ?) FROM history_rows "
        f"WHERE history IS DISTINCT FROM ? OR {lacking} GROUP BY filename",
        [FORMAT, FORMAT],
    ).fetchall()
    told = [Skipped(loaded[path], _FOREIGN if other is None else _other(other)) for path, other in bad]
    if bad:
        database.execute(
            "DELETE FROM history_rows WHERE list_contains(?, filename)", [[path for path, *_ in bad]]
        )
    lost = {one.file for one in told}
    return [name for name in loaded.values() if name not in lost], told


def best(table: str) -> str:
    """The query of each run's last judgement by each contract."""
    return (
        f"SELECT * FROM {table} QUALIFY row_number() OVER "
        "(PARTITION BY key, contract ORDER BY added DESC, filename DESC) = 1"
    )


def _tables(database: DuckDBPyConnection) -> int:
    """Make the tables that are asked, the oldest run first; returns the number of runs."""
    database.execute(
        f"CREATE TABLE judged AS SELECT * EXCLUDE (history, added, filename) FROM ({best('history_rows')}) "
        "ORDER BY started, run, added, key, contract"
    )
    database.execute(
        "CREATE TABLE runs AS SELECT key, run, started, ended, "
        "CAST(date_diff('second', started, ended) AS DOUBLE) AS seconds, contract, version, exit, sut, "
        "defects, rules, len(rounds) AS rounds FROM judged"
    )
    for name in ("rounds", "findings"):
        made = f"SELECT key, run, started, contract, unnest({name}, max_depth := 2) FROM judged"
        database.execute(f"CREATE TABLE {name} AS {made}")
    database.execute("DROP TABLE judged")
    found = database.execute("SELECT count(*) FROM runs").fetchone()
    return int(found[0]) if found else 0
