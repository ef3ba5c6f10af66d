"""Where the answer of `harness history` goes: the terminal, JSON, and files by their ending."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from harness.cli.outputs import output
from harness.cli.terminal import show, view, write
from harness.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from harness.history.sql import Answer
    from harness.history.values import History
    from harness.report.view import View

FORMATS = {"csv": ".csv", "json": ".json", "md": ".md", "html": ".html"}
"""Files that can be written; an answer to SQL has no picture."""

UNDECIDED = 3
"""No run could be asked."""


def wanted(asked: Sequence[str], *, with_sql: bool) -> list[tuple[str, str]]:
    """Each file with its ending; raises `UsageError` for what can not be written."""
    known = {name: ending for name, ending in FORMATS.items() if not (with_sql and name == "html")}
    made = []
    for each in asked:
        one = output(each, known)
        if one is None:
            what = f"-o {each}: no form of {'an answer to SQL' if with_sql else 'a history'} has this ending"
            raise UsageError(what, mend=f"known are {', '.join(known.values())}")
        if not one.path or os.path.isdir(one.path) or not os.path.isdir(os.path.dirname(one.path) or "."):
            raise UsageError(f"-o {each} can not be written to", mend="name a file in a folder that is there")
        made.append((one.path, known[one.format]))
    return made


def tell(history: History, files: list[tuple[str, str]], args: Namespace, view: View, lang: str) -> int:
    """Write and print a history."""
    from harness.report.historyjson import pieces

    for path, ending in files:
        _write(path, _pieces(history, ending, view, lang))
    if args.json:
        write(piece.encode() for piece in pieces(history))
        return 0 if history.runs else UNDECIDED
    from harness.report.historyconsole import console

    show(console(history, view))
    _told(files, view)
    return 0 if history.runs else UNDECIDED


def pages(args: Namespace, defaults: dict[str, Any], asked: Sequence[str], lang: str) -> int:
    """Write the history of an index to files and print their paths: `harness report --history`."""
    from harness.cli.indexing import where
    from harness.history.ask import asked as answered
    from harness.history.values import Question
    from harness.report import historywords
    from harness.report.cells import harmless

    files = wanted(asked, with_sql=False)
    place = where(args.history, defaults)
    history = answered(place, Question(contract=args.contract, topology=args.topology))
    shown = view(lang)
    shown = shown._replace(words={**shown.words, **historywords.words(lang)})
    if not history.runs:
        sys.stderr.write(shown.say("history.nothing", where=harmless(place)) + "\n")
        return UNDECIDED
    for path, ending in files:
        _write(path, _pieces(history, ending, shown, lang))
    show([harmless(path) for path, _ in files])
    return 0


def tell_answer(found: Answer, files: list[tuple[str, str]], args: Namespace, view: View) -> int:
    """Write and print an answer to SQL."""
    from harness.report import historyjson
    from harness.report.historytable import lines

    for path, ending in files:
        _write(path, _answer_pieces(found, ending))
    if args.json:
        write(piece.encode() for piece in historyjson.answer(found))
        return 0
    show(lines(found, view))
    _told(files, view)
    return 0


def _pieces(history: History, ending: str, view: View, lang: str) -> Iterable[str]:
    if ending == ".csv":
        from harness.report import historycsv

        return historycsv.pieces(history)
    if ending == ".json":
        from harness.report import historyjson

        return historyjson.pieces(history)
    if ending == ".html":
        from harness.report import history_page

        return (history_page(history, lang),)
    from harness.report.historymarkdown import markdown

    return (line + "\n" for line in markdown(history, view))


def _answer_pieces(found: Answer, ending: str) -> Iterable[str]:
    if ending == ".csv":
        from harness.report import historycsv

        return historycsv.answer(found)
    if ending == ".json":
        from harness.report import historyjson

        return historyjson.answer(found)
    from harness.report.historymarkdown import answer

    return (line + "\n" for line in answer(found))


def _write(path: str, pieces: Iterable[str]) -> None:
    """The file is whole or it is not there."""
    partial = f"{path}.partial"
    try:
        with open(partial, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.writelines(pieces)
        os.replace(partial, path)
    except OSError as fault:
        if os.path.exists(partial):
            os.unlink(partial)
        raise UsageError(
            f"-o {path}: can not be written: {fault.strerror}", mend="name another file"
        ) from None


def _told(files: Iterable[tuple[str, str]], view: View) -> None:
    from harness.report.cells import harmless

    for path, _ in files:
        sys.stderr.write(view.say("written", path=harmless(path)) + "\n")
