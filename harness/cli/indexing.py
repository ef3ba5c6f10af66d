"""`--history` of `check` and `run`: told before anything is judged, done when all is told."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from harness.history.folder import Folder
    from harness.model.verdict import Report
    from harness.summary.runs import RunFacts

_NARROW = ("only", "skip", "topology")


class Indexing(NamedTuple):
    """Where a run goes."""

    folder: Folder
    paths: tuple[str, ...] = ()
    run: RunFacts | None = None
    """None: it is not added, for the reason `lacks`."""
    lacks: str = ""

    def of(self, run_dir: str) -> Indexing:
        """The same for a run folder that was not there before."""
        from harness.summary.runs import run_of

        return self._replace(paths=(run_dir,), run=run_of(run_dir), lacks="history.no_run")

    def add(self, report: Report, rules: Iterable[str], lang: str) -> None:
        """Add the run and tell it, or tell why not."""
        if self.run is None:
            say(lang, "history.not_added", reason=_word(lang, self.lacks))
            return
        from harness.history.add import add
        from harness.summary.made import of_report
        from harness.summary.measure import measures

        add(self.folder, of_report(report, self.run, rules, measures(self.paths)))
        say(lang, "history.added", run=self.run.run, path=self.folder.where)
        settle(self.folder, lang)


def where(asked: str | None, defaults: dict[str, Any]) -> str:
    """The place of the history: as asked, by the settings file, or `reports/history`."""
    from harness.history.folder import DEFAULT

    return asked or defaults.get("history") or DEFAULT


def history(args: Namespace, defaults: dict[str, Any], paths: Sequence[str] = ()) -> Indexing | None:
    """What `--history` or the settings file ask for, if anything. Without paths the run is told by `of`.

    Raises `UsageError` for a place that can not be written, and where --history was written for
    something that is no run; for the settings file alone, that is told and no error.
    """
    if args.history is None and "history" not in defaults:
        return None
    from harness.summary.runs import is_run

    place = where(args.history, defaults)
    if is_run(place):
        mend = "write --history=DIR, or PATH before --history"
        raise UsageError(f"--history {place}: a run folder is no history", mend=mend)
    made = Indexing(ready(place), tuple(paths))
    if not paths:
        return made
    run = identified(paths, args.run_id)
    if args.history is None and any(getattr(args, name, None) for name in _NARROW):
        return made._replace(lacks="history.partial")
    if run is None and args.history is not None:
        mend = "name one run folder, or give --run-id"
        raise UsageError(f"--history: {', '.join(paths)[:200]} is not one run", mend=mend)
    return made._replace(run=run, lacks="history.no_run")


def identified(paths: Sequence[str], run_id: str | None, started: str | None = None) -> RunFacts | None:
    """The run that `paths` are; with an id of its own, anything is one, begun now unless it is told."""
    from harness.summary.runs import RunFacts, run_of

    run = run_of(paths[0]) if len(paths) == 1 and os.path.isdir(paths[0]) else None
    if run_id is None:
        return run
    if not run_id.strip():
        raise UsageError("--run-id is empty", mend="write an id")
    from harness.history.when import now

    return run._replace(run=run_id) if run else RunFacts(run_id, started or now())


def ready(place: str) -> Folder:
    """The folder, made where it is on this machine; raises `UsageError` if nothing can be written there."""
    from harness.history.folder import Local, folder, refused

    made = folder(place)
    if isinstance(made, Local):
        try:
            os.makedirs(place, exist_ok=True)
        except OSError as fault:
            raise refused(place, fault) from None
        if not os.access(place, os.W_OK | os.X_OK):
            raise refused(place, PermissionError(13, "Permission denied"))
    return made


def settle(folder: Folder, lang: str) -> None:
    """Merge the files of an index if there are many; what hinders that is told, the runs are in it anyway."""
    from harness.history.add import settle

    try:
        settle(folder)
    except UsageError as fault:
        say(lang, "history.not_merged", path=folder.where, reason=str(fault))


def say(lang: str, key: str, **values: object) -> None:
    """One line on standard error."""
    from harness.report.cells import harmless

    texts = {name: harmless(one, 400) if isinstance(one, str) else one for name, one in values.items()}
    sys.stderr.write(_word(lang, key).format(**texts) + "\n")


def _word(lang: str, key: str) -> str:
    from harness.cli.words import words

    return words(lang)[key]
