"""`harness explain`: what a rule says and why, or what a word of the reports means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.cli.parser import Parser, nearest
from harness.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from harness.cli.glossary import Entry
    from harness.report.view import View
    from harness.rules.example import Example
    from harness.rules.rule import Rule

_SHOWN = 900
"""Characters of one frame of an example."""


def parser(lang: str = "en") -> Parser:
    """The command's arguments."""
    made = Parser(
        "harness explain",
        "harness explain [CODE|SLUG|exit|outcome|exposure]",
        "Explain a rule: its statement, severity, source, and the smallest stream that passes and that "
        "fails it. "
        "Without an argument all rules are listed.",
        lang=lang,
        examples=("harness explain LEAK101", "harness explain exit", "harness explain | grep SSE"),
    )
    made.add_argument(
        "word", nargs="?", metavar="CODE", help="a rule's code or slug, or exit, outcome, exposure"
    )
    return made


def run(args: Namespace, lang: str) -> int:
    """Print what was asked for."""
    from harness.cli import terminal
    from harness.cli.glossary import TOPICS

    view = terminal.view(lang)
    if args.word is None:
        terminal.show(listing(view, lang))
    elif args.word.lower() in TOPICS:
        terminal.show(topic(TOPICS[args.word.lower()], view, lang))
    else:
        terminal.show(page(find(args.word), view, lang))
    return 0


def find(word: str) -> type[Rule]:
    """The rule of that code or slug; raises `UsageError` with the nearest one."""
    from harness.rules import registry

    if word.upper() in registry.CODES:
        return registry.rule(word.upper())
    slugs = {rule.slug: rule for rule in registry.rules(registry.CODES)}
    if word.lower() in slugs:
        return slugs[word.lower()]
    from harness.cli.glossary import TOPICS

    near = nearest(word, (*registry.CODES, *slugs, *TOPICS))
    mend = f"did you mean {near}?" if near else "`harness explain` lists all rules"
    raise UsageError(f"{word!r} is no rule and no word of the reports", mend=mend)


def listing(view: View, lang: str) -> Iterator[str]:
    """All rules, by family: code, severity, slug, title."""
    from harness.cli.rulepage import severity
    from harness.report.reasons import TITLES_ZH
    from harness.report.table import Cell, Column, table
    from harness.rules import registry

    rows = []
    for rule in registry.rules(registry.CODES):
        title = TITLES_ZH.get(rule.code, rule.title) if lang == "zh" else rule.title
        rows.append([Cell((text,)) for text in (rule.code, severity(rule), rule.slug, title)])
    names = ("explain.code", "explain.severity", "explain.slug", "explain.title")
    yield from table([Column(view.words[name]) for name in names], rows, 2, view.paint)


def topic(entries: tuple[Entry, ...], view: View, lang: str) -> Iterator[str]:
    """The words of one topic with their meanings."""
    from harness.report.cells import wrap

    room = max(len(one.word) for one in entries) + 2
    for one in entries:
        text = one.zh if lang == "zh" else one.en
        first, *more = wrap(text, view.prose - room)
        yield view.paint("head", one.word.ljust(room)) + first
        yield from (" " * room + line for line in more)


def page(rule: type[Rule], view: View, lang: str) -> Iterator[str]:
    """One rule: statement, why, facts, examples."""
    from harness.cli.rulepage import facts
    from harness.report.cells import wrap
    from harness.report.reasons import REASONS_ZH, TITLES_ZH

    chinese = lang == "zh"
    yield view.paint("head", f"{rule.code} {rule.slug}")
    yield from wrap(TITLES_ZH.get(rule.code, rule.title) if chinese else rule.title, view.prose)
    yield ""
    why = REASONS_ZH.get(rule.code, rule.why) if chinese else rule.why
    yield from wrap(" ".join(why.split()), view.prose)
    yield ""
    for name, value in facts(rule):
        yield from wrap(f"{view.words['explain.' + name]}: {value}", view.prose, "  ")
    yield from _examples(view.words["explain.passes"], rule.PASSES, view)
    yield from _examples(view.words["explain.fails"], rule.FAILS, view)


def _examples(head: str, examples: tuple[Example, ...], view: View) -> Iterator[str]:
    from harness.cli.rulepage import example
    from harness.report.cells import harmless

    if examples:
        first = examples[0]
        yield ""
        yield view.paint("head", head) + (f": {first.note}" if first.note else "")
        yield from (f"  {harmless(line, _SHOWN)}" for line in example(first))
