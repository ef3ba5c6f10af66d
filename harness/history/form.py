"""The form of the index, version 1: one Parquet file a run, one row in it, rounds and findings as lists.

A file of several rows is a compacted one. A run that has several rows (judged again) counts by
the one that was added last. Files of another version are told and left out.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.history.values import Summary

FORMAT = 1
ENDING = ".parquet"

_ROUND = (
    "STRUCT(topology VARCHAR, scenario VARCHAR, round INTEGER, leg VARCHAR, protocol VARCHAR, "
    "outcome VARCHAR, events BIGINT, bytes BIGINT, seconds DOUBLE, unread INTEGER, native INTEGER, "
    "masked INTEGER, leaked INTEGER, declared INTEGER, not_checked VARCHAR[])"
)
_FINDING = (
    "STRUCT(topology VARCHAR, scenario VARCHAR, round INTEGER, leg VARCHAR, rule VARCHAR, slug VARCHAR, "
    "severity VARCHAR, times INTEGER, waived VARCHAR, fingerprint VARCHAR, spots VARCHAR[])"
)
COLUMNS: dict[str, str] = {
    "history": "INTEGER",
    "key": "VARCHAR",
    "run": "VARCHAR",
    "started": "TIMESTAMP",
    "ended": "TIMESTAMP",
    "added": "TIMESTAMP",
    "contract": "VARCHAR",
    "version": "VARCHAR",
    "exit": "INTEGER",
    "sut": "VARCHAR",
    "defects": "VARCHAR",
    "rules": "VARCHAR[]",
    "rounds": f"{_ROUND}[]",
    "findings": f"{_FINDING}[]",
}
"""Each column of a file, with its type."""
ROW = "STRUCT(" + ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items()) + ")"


def file_stem(summary: Summary) -> str:
    """How the files of a run judged by one contract begin: sorted by time, safe everywhere."""
    key = f"{summary.key}\n{summary.contract}"
    digest = hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()[:12]
    when = re.sub("[^0-9TZ]", "", summary.started)
    return f"{when}-{_safe(summary.run)}-{_safe(summary.contract)}-{digest}"


def _safe(text: str) -> str:
    return re.sub("[^A-Za-z0-9._-]+", "-", text)[:60]


def row(summary: Summary, added: str) -> str:
    """A run as the JSON text of its row."""
    members = summary._asdict()
    members["rounds"] = [one._asdict() for one in summary.rounds]
    members["findings"] = [one._asdict() for one in summary.findings]
    text = json.dumps({"history": FORMAT, **members, "added": added}, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode()
