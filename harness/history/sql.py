"""A question in SQL: one SELECT over `runs`, `rounds`, `findings`; it neither writes nor reaches a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.history.read import Index

TABLES = ("runs", "rounds", "findings")
_LOCKS = (
    "DROP TABLE IF EXISTS history_rows",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
_INTERRUPTED = "Query interrupted"
"""What DuckDB makes of Ctrl-C."""


class Answer(NamedTuple):
    """The rows of an answer; a value is text, a number, a truth, None, or a list of such."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def select(index: Index, text: str) -> Answer:
    """Ask `text`; raises `UsageError` for what is no single SELECT, and for what DuckDB refuses."""
    import duckdb

    for lock in _LOCKS:
        index.database.execute(lock)
    try:
        statements = index.database.extract_statements(text)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise UsageError("--sql: no single SELECT", mend=f"ask one SELECT over {', '.join(TABLES)}")
        asked = index.database.execute(statements[0])
        columns = tuple(str(one[0]) for one in asked.description or ())
        return Answer(columns, tuple(tuple(map(_plain, row)) for row in asked.fetchall()))
    except duckdb.Error as fault:
        what = " ".join(str(fault).split())[:400]
        raise UsageError(
            f"--sql: {what}", mend=f"tables are {', '.join(TABLES)}; see docs/history.md"
        ) from None
    except RuntimeError as fault:
        if str(fault) == _INTERRUPTED:
            raise KeyboardInterrupt from None
        raise


def _plain(value: Any) -> Any:
    """A value as JSON and CSV can have it; times as the index writes them."""
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if value is None or isinstance(value, str | bool | int):
        return value
    written = getattr(value, "isoformat", None)
    return (
        f"{written()}Z"
        if written and getattr(value, "tzinfo", None) is None and hasattr(value, "hour")
        else str(value)
    )
