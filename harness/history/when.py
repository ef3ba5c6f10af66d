"""Moments as the index has them: UTC, `YYYY-MM-DDTHH:MM:SSZ`."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def moment(text: str) -> str | None:
    """An ISO date or time as the index writes it; None for anything else. Without a zone it is UTC."""
    try:
        found = datetime.fromisoformat(text.strip())
        return _written(found if found.tzinfo else found.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def _written(found: datetime) -> str:
    return found.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def now() -> str:
    """This second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def exactly_now() -> str:
    """This microsecond: the order in which judgements of one run were added."""
    return datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
