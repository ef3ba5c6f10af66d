"""One finding as a SARIF result: message, locations, fingerprints, suppressions, baseline state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from harness.baseline.identity import said
from harness.report.cells import harmless
from harness.report.entries import title
from harness.report.fingerprint import fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.model.interaction import Place
    from harness.model.waiver import Gone, Waiver
    from harness.report.entries import Edition, Entry

LEVELS: dict[str, str] = {"error": "error", "warning": "warning", "info": "note"}
FINGERPRINT = "harness/v1"
"""Rule, topology, scenario, round, leg, cause, and which of equal ones it is; no bytes, no run folder."""
_MESSAGE = 1000
_POINTER = 1000
_COMPARED = 20


def result(
    entry: Entry, print_: str, rule: int, waivers: Mapping[str, Waiver], edition: Edition, compared: bool
) -> dict[str, Any]:
    """The finding of `entry`; `rule` is its rule's index, `compared`: there is a baseline."""
    one = entry.finding
    made: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": rule,
        "level": LEVELS[one.severity],
        "message": message(f"{title(entry.round)}: {one.message}" if entry.round else one.message),
        "locations": [_location(entry, edition)],
        "partialFingerprints": {FINGERPRINT: print_},
        "properties": _properties(entry),
    }
    if one.times > 1:
        made["occurrenceCount"] = one.times
    if related := _related(entry, edition):
        made["relatedLocations"] = related
    if one.waived:
        made["suppressions"] = [_suppression(one.waived, waivers.get(one.waived))]
        made["workItemUris"] = [waivers[one.waived].issue] if one.waived in waivers else []
    if compared:
        made["baselineState"] = "unchanged" if one.known else "new"
    return made


def gone(one: Gone, rule: int, edition: Edition) -> dict[str, Any]:
    """A finding of the baseline that is not there any more."""
    parts = [one.topology, one.scenario, f"r{one.round}" if one.round is not None else None, one.leg]
    where = " ".join(part for part in parts if part)
    print_ = fingerprint((one.rule, *parts, said(one.message, ())))
    file, line = edition.anchors.get(one.scenario or "", ("", 0))
    made: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": rule,
        "level": LEVELS[one.severity],
        "message": message(f"{where}: {one.message}" if where else one.message),
        "partialFingerprints": {FINGERPRINT: print_},
        "baselineState": "absent",
    }
    if file:
        made["locations"] = [{"physicalLocation": _anchor(file, line)}]
    return made


def message(text: str) -> dict[str, str]:
    """A message of plain text; a text that begins a link (`[a](1)`) or a placeholder is escaped."""
    clean = harmless(text, _MESSAGE)
    if "](" in clean:
        clean = "".join(f"\\{char}" if char in "[]\\" else char for char in clean)
    return {"text": clean}


def artifact(source: str) -> dict[str, str]:
    """A path as a URI reference: relative as it was given, absolute as a `file:` URI."""
    clean = source.replace("\\", "/").encode("utf-8", "backslashreplace")
    uri = quote(clean[:4000], safe="/-._~+=@,")
    return {"uri": f"file://{uri}" if uri.startswith("/") else uri}


def _location(entry: Entry, edition: Edition) -> dict[str, Any]:
    file, line = edition.anchors.get(entry.scenario or "", ("", 0))
    made: dict[str, Any] = {}
    if file:
        made["physicalLocation"] = _anchor(file, line)
    elif entry.source:
        made["physicalLocation"] = _bytes(entry.source, entry.finding.place)
    made["logicalLocations"] = [_logical(entry, entry.finding.place)]
    return made


def _anchor(file: str, line: int) -> dict[str, Any]:
    return {"artifactLocation": artifact(file), "region": {"startLine": max(line, 1)}}


def _bytes(source: str, place: Place) -> dict[str, Any]:
    made: dict[str, Any] = {"artifactLocation": artifact(source)}
    if place.span is not None:
        start, end = place.span
        made["region"] = {"byteOffset": start, "byteLength": end - start}
    return made


def _logical(entry: Entry, place: Place) -> dict[str, Any]:
    """Round, event and pointer: what stays true when the capture is stored elsewhere."""
    where = title(entry.round) if entry.round else "across rounds"
    event = f" event {place.event}" if place.event is not None else ""
    pointer = f" {place.pointer}" if place.pointer else ""
    return {
        "name": harmless(event.strip() or where, 200),
        "fullyQualifiedName": harmless(f"{where}{event}{pointer}", _POINTER),
        "kind": "member" if pointer else "object",
    }


def _related(entry: Entry, edition: Edition) -> list[dict[str, Any]]:
    """The capture where the scenario is the anchor, up to two more places, the rounds compared."""
    one, places = entry.finding, []
    if entry.source and (entry.scenario or "") in edition.anchors:
        places.append((entry.source, one.place))
    places += [(entry.source, place) for place in one.also if entry.source and place.span is not None]
    made = [
        {
            "id": number,
            "physicalLocation": _bytes(source, place),
            "logicalLocations": [_logical(entry, place)],
        }
        for number, (source, place) in enumerate(places, 1)
    ]
    for source in entry.compares[:_COMPARED]:
        where = {"artifactLocation": artifact(source)}
        made.append({"id": len(made) + 1, "physicalLocation": where})
    return made


def _properties(entry: Entry) -> dict[str, Any]:
    one = entry.round
    names = [harmless(name, 200) for name in entry.finding.names[:_COMPARED]]
    made: dict[str, Any] = {"names": names}
    if one is not None:
        made |= {
            "topology": harmless(one.topology or "", 200),
            "scenario": harmless(one.scenario, 200),
            "round": one.round,
            "leg": harmless(one.leg, 200),
            "outcome": one.outcome,
        }
    return made


def _suppression(name: str, waiver: Waiver | None) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": "external", "status": "accepted"}
    if waiver is None:
        return made
    said_ = f"{waiver.reason} (waiver {name}, owner {waiver.owner}, until {waiver.expires}, {waiver.issue})"
    where = {"physicalLocation": _anchor(waiver.file, waiver.line)}
    return made | {"justification": harmless(said_, 4000), "location": where}
