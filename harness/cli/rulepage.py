"""One rule as a page: the same facts for `harness explain` and for docs/rules.md."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.model.scenario import Scenario
    from harness.rules.example import Example
    from harness.rules.rule import Rule


def severity(rule: type[Rule]) -> str:
    """`error`, or by version: `error (v1.0), warning (v0.3)`."""
    said = rule.severity
    if isinstance(said, str):
        return said
    by_word: dict[str, list[str]] = {}
    for version, word in _sorted(said):
        by_word.setdefault(word, []).append(version)
    return ", ".join(f"{word} ({', '.join(versions)})" for word, versions in by_word.items())


def _sorted(said: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted(said.items(), reverse=True)


def facts(rule: type[Rule]) -> Iterator[tuple[str, str]]:
    """Name and value of what else is fixed about a rule."""
    yield "severity", severity(rule)
    yield "contracts", contracts(rule.code)
    yield "versions", ", ".join(sorted(rule.versions))
    yield "bindings", ", ".join(sorted(rule.bindings))
    if rule.needs:
        yield "needs", ", ".join(sorted(rule.needs))
    yield "source", " ".join(rule.source.split())


def contracts(code: str) -> str:
    """What each shipped contract says of the rule."""
    from harness.rules.shipped import CONTRACTS

    words = {name: contract.word(code) for name, contract in CONTRACTS.items()}
    return ", ".join(f"{name}: {'as above' if word == 'table' else word}" for name, word in words.items())


def example(one: Example) -> Iterator[str]:
    """The frames of an example, one a line, then those of the rounds that follow it."""
    for name, value in _circumstances(one):
        yield f"# {name}: {value}"
    for frame in one.frames:
        yield frame if isinstance(frame, str) else _json(frame)
    for later in one.then:
        where = f"scenario {later.scenario}, round {later.round}"
        yield f"# then {where}" + (f", topology {later.topology}" if later.topology else "")
        yield from example(later)


def _circumstances(one: Example) -> Iterator[tuple[str, Any]]:
    """What an example sets that another example does not have to."""
    usual = type(one)._field_defaults
    for name in ("framing", "status", "ending", "topology", "leg", "target"):
        value = getattr(one, name)
        if value != usual[name]:
            yield name, value
    if one.request != usual["request"]:
        yield "request", "unknown" if one.request is None else _json(one.request)
    if one.request_headers != usual["request_headers"]:
        yield "request headers", _headers(one.request_headers)
    if one.waivers:
        yield "waivers", _line(one.waivers)
    if one.headers != usual["headers"]:
        yield "headers", _headers(one.headers)
    if one.at_ms:
        yield "frames and close, in ms", ", ".join(map(str, one.at_ms))
    if one.card is not None:
        yield "agent card beside it", _json(one.card)
    for model in one.models:
        calls = ", ".join(map(_json, model.messages))
        yield "model asked", calls
        yield "model answered", model.answer if isinstance(model.answer, str) else _json(model.answer)
    if one.plan is not None:
        yield from _plan(one.plan)


def _plan(plan: Scenario) -> Iterator[tuple[str, Any]]:
    """What the scenario says of its rounds, and nothing that it does not say."""
    for each in plan.rounds:
        usual = each.expect._field_defaults
        said = {name: value for name, value in each.expect._asdict().items() if value != usual[name]}
        if each.steer:
            said["steer"] = each.parts[0].text
        if said:
            shown = "; ".join(f"{name} {_words(value)}" for name, value in said.items())
            yield f"the scenario says of round {each.number}", shown
    if len(plan.rounds) > 1:
        yield "rounds of the scenario", len(plan.rounds)
    for known in plan.known:
        yield f"known of {known.defects}", ", ".join(f"{rule} x{number}" for rule, number in known.findings)


def _words(value: Any) -> str:
    from harness.model.scenario import Wanted

    if isinstance(value, Wanted):
        return f"{value.times} {value.exposure} {value.kind}"
    if isinstance(value, tuple):
        return ", ".join(map(_words, value)) or "none"
    return str(value)


def _headers(headers: tuple[tuple[str, str], ...]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in headers) or "none"


def _line(waivers: str) -> str:
    """The entry of a waivers file, on one line."""
    entry = waivers.partition("- ")[2]
    return "{" + ", ".join(line.strip() for line in entry.splitlines()) + "}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
