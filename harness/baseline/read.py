"""Reads an older JSON report as far as a comparison needs it. Rank 3."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.baseline.identity import Asked, Spot, identity, said, spots
from harness.errors import UsageError
from harness.model.waiver import Gone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.baseline.identity import Identity

FORMAT = 1
"""Version of the report format (`report`) that is understood."""


class Old(NamedTuple):
    """One standing error or warning of the older report."""

    identity: Identity
    spots: tuple[Spot, ...]
    """The rounds that must be judged again before it can be called fixed."""
    gone: Gone
    """What is told of it when it is gone."""


class OldReport(NamedTuple):
    """The older report."""

    file: str
    findings: tuple[Old, ...]


def load(file: str, contract: str) -> OldReport:
    """Read `file`; raises `UsageError` where it is no report, or one of another contract or format."""
    try:
        with open(file, encoding="utf-8") as opened:
            value = json.load(opened)
    except (OSError, ValueError, RecursionError) as fault:
        raise _refused(file, f"can not be read as JSON: {fault}") from None
    if not isinstance(value, dict) or "report" not in value:
        raise _refused(file, "is no report of `harness check`")
    if value["report"] != FORMAT:
        raise _refused(
            file, f"is a report of format {value['report']!r}, and {FORMAT} is understood", "$.report"
        )
    if value.get("contract") != contract:
        what = f"was judged by the contract {value.get('contract')!r}, this run by {contract!r}"
        raise _refused(
            file, what, "$.contract", "choose that contract, or write the baseline anew by this one"
        )
    try:
        return OldReport(file, tuple(_findings(value)))
    except (KeyError, TypeError, AttributeError, ValueError, IndexError):
        raise _refused(file, "is no whole report of `harness check`") from None


def _refused(file: str, what: str, path: str | None = None, mend: str | None = None) -> UsageError:
    mend = mend or "write it with `harness check ... -o baseline.json`"
    return UsageError(what, file=file, path=path, mend=mend)


def _findings(value: dict[str, Any]) -> Iterator[Old]:
    by_source: dict[str, Spot] = {}
    for one in value["rounds"]:
        where = Spot(one["topology"], one["scenario"], int(one["round"]), one["leg"])
        by_source[one["source"]] = where
        asked = asked_in(one["interactions"])
        for each in one["findings"]:
            if _stands(each):
                cause = asked.get(place_in(each)) or said(each["message"], each["names"])
                yield Old(identity(each["rule"], where, cause), (where,), _gone(each, where))
    for each in value["findings"]:
        if _stands(each):
            where_all = spots(by_source[source] for source in each["rounds"] if source in by_source)
            cause = said(each["message"], each["names"])
            yield Old(identity(each["rule"], where_all, cause), where_all, _gone(each, None))


def _stands(each: dict[str, Any]) -> bool:
    """Errors and warnings that no waiver accepted; what is wrong with waivers is told anew each time."""
    wanted = each["severity"] in ("error", "warning") and each["waived"] is None
    return wanted and not each["rule"].startswith("WAIV")


def asked_in(interactions: list[dict[str, Any]]) -> dict[object, Asked]:
    """What stays the same of each interaction of a round, by the places that show it."""
    return {
        place_in(seen): Asked(one["kind"], one["channel"], one["exposure"], one["agent"], one["tool_name"])
        for one in interactions
        for seen in one["sightings"]
    }


def place_in(one: dict[str, Any]) -> object:
    """Where a finding or a sighting stands."""
    span = one["span"]
    return one["event"], one["pointer"], None if span is None else (span[0], span[1])


def _gone(each: dict[str, Any], where: Spot | None) -> Gone:
    words = (each["rule"], each["slug"], each["severity"], each["message"])
    return Gone(*words, *(where or (None, None, None, None)))
