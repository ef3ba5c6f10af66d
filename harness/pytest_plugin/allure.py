"""What Allure is told of an item: labels, links, a step for each round, attachments.

Only where allure-pytest is active with `--alluredir`. Findings are *failed*, errors of the harness
*broken*, what could not be decided *unknown*, what is waived *skipped*.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import allure

from harness.pytest_plugin import attachments, failure, texts
from harness.pytest_plugin.shares import Share

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    import pytest

    from harness.model.finding import Finding
    from harness.model.scenario import Scenario
    from harness.model.verdict import Report, Round
    from harness.pytest_plugin.options import Choices
    from harness.pytest_plugin.runs import Judgement

LISTENER = "allure_listener"
STEPS = 50
"""Rounds, and findings of a round, that get a step of their own."""
_SEVERITY = {"error": "critical", "warning": "normal", "info": "minor"}


def tell(scenario: Scenario, share: Share, report: Report, breaking: Collection[str]) -> None:
    """Severity, links, steps and attachments of one item that was judged."""
    allure.dynamic.severity(_severity(share))
    _link(share, report)
    told = share.told(breaking)
    allure.attach(attachments.verdict(share, report), "verdict.json", "application/json", "json")
    for one in _others(share, report, scenario):
        with _step(_title(one)):
            pass
    for one in told.rounds[:STEPS]:
        _round(one, report, breaking)
    for group in told.groups[:STEPS]:
        _found(group.finding, attachments.group(group, report), breaking)


def tell_text(text: str) -> None:
    """One text that is all there is to see."""
    allure.dynamic.severity(_severity(Share(())))
    allure.attach(text, "diff.txt", "text/plain", "txt")


def label(item: Any, scenario: Scenario, contract: str) -> None:
    """Where the item stands among the others, whatever becomes of it."""
    dynamic = allure.dynamic
    dynamic.title(texts.harmless(f"{scenario.name} {item.name}", 200))
    dynamic.parent_suite(texts.harmless(scenario.topology, 200))
    dynamic.suite(texts.harmless(scenario.name, 200))
    dynamic.sub_suite(next(item.kinds(), "-"))
    dynamic.story(texts.harmless(contract, 200))


def _severity(share: Share) -> str:
    found = {one.severity for one in share.findings()}
    return next((word for severity, word in _SEVERITY.items() if severity in found), "minor")


def _link(share: Share, report: Report) -> None:
    """The issues that waivers name."""
    used = {one.waived for one in share.findings()}
    for one in report.waivers:
        if one.id in used:
            allure.dynamic.link(one.issue, "issue", texts.harmless(one.id, 200))


def _others(share: Share, report: Report, scenario: Scenario) -> Iterable[Round]:
    """For a contract's item: the rounds that the client saw, which have items of their own."""
    if any(one.leg == "client" for one in share.rounds):
        return ()
    return [one for one in report.rounds if one.scenario == scenario.name and one.leg == "client"][:STEPS]


def _title(one: Round) -> str:
    leg = "" if one.leg == "client" else f" [{one.leg}]"
    return texts.harmless(f"round {one.round}{leg}: {one.outcome}", 300)


def _round(one: Round, report: Report, breaking: Collection[str]) -> None:
    with _step(_title(one), [each for each in one.findings if _stands(each, breaking)]):
        for each in attachments.of_round(one):
            allure.attach(each.body, each.name, each.type, each.extension)
        for finding in one.findings[:STEPS]:
            _found(finding, attachments.finding(one, finding, report), breaking)


def _found(one: Finding, text: str, breaking: Collection[str]) -> None:
    title = texts.harmless(f"{one.rule} {one.slug}: {one.message}", 300)
    with _step(title, [one] if _stands(one, breaking) else []):
        allure.attach(text, "finding.txt", "text/plain", "txt")


@contextmanager
def _step(title: str, broken: Sequence[Finding] = ()) -> Iterator[None]:
    """A step, failed where something is broken in it; without a stack, which would be ours."""
    step = allure.step(title)
    step.__enter__()
    yield
    end = AssertionError(failure.headline(broken)) if broken else None
    step.__exit__(type(end) if end else None, end, None)


def _stands(one: Finding, breaking: Collection[str]) -> bool:
    return one.waived is None and one.severity in breaking


def weigh(config: pytest.Config, end: BaseException) -> None:
    """Correct the result that was made just now of an end of ours: its status, and its first line."""
    listener: Any = config.pluginmanager.get_plugin(LISTENER)
    result = listener.allure_logger.get_test(None)
    head = failure.head(end)
    if head is None or result is None or result.statusDetails is None:
        return
    result.statusDetails.message = f"XFAIL {head}" if result.status == "skipped" else head
    if isinstance(end, failure.Undecided):
        result.status = "unknown"


ANYTHING = r"[\s\S]*"
_FAMILIES = {
    "Leaks": "LEAK",
    "Masking": "MASK|BIND|SYM",
    "Steering and delegation": "STEER|DEL",
    "Endings and resumption": "END|RES",
    "Scenario not met": "SCN",
    "Waivers to look at": "WAIV",
    "Protocol": "[A-Z]{2,4}",
}
"""Families of rules by category. Java and JavaScript read the patterns, and match whole messages."""
CATEGORIES: tuple[dict[str, Any], ...] = (
    *(
        {
            "name": name,
            "matchedStatuses": ["failed"],
            "messageRegex": rf"{ANYTHING}\b({families})\d{{3}}{ANYTHING}",
        }
        for name, families in _FAMILIES.items()
    ),
    {"name": "Errors of the harness", "matchedStatuses": ["broken"]},
    {"name": "Could not be decided", "matchedStatuses": ["unknown"]},
    {"name": "Waived", "matchedStatuses": ["skipped"], "messageRegex": f"XFAIL{ANYTHING}"},
)


def close(
    config: pytest.Config, made: Judgement, choices: Choices, troubles: Iterable[tuple[str, str]]
) -> None:
    """At the end: what sorts the results, what they were made with, what belongs to no item."""
    for message, trace in troubles:
        allure.global_error(message, trace)
    folder = config.getoption("allure_report_dir")
    _write(folder, "categories.json", attachments.json_of(CATEGORIES))
    _write(folder, "environment.properties", "".join(_properties(made, choices)))


def _properties(made: Judgement, choices: Choices) -> Iterable[str]:
    import platform

    import harness

    values = {
        "harness": harness.__version__,
        "python": platform.python_version(),
        "system": choices.run or choices.sut or "testbed",
        "defects": "+".join((*([choices.set] if choices.set else []), *choices.defect)),
        "run": made.run,
        "contract": ", ".join(one.contract for one in made.reports.values()),
    }
    for name, value in values.items():
        if value:
            yield f"{name}={texts.harmless(value, 1000).replace(chr(92), chr(92) * 2)}\n"


def _write(folder: str, name: str, text: str) -> None:
    with open(os.path.join(folder, name), "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
