"""`harness history rebuild | add | compact`: what changes an index without recording anything."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from harness.cli import check, indexing
from harness.errors import CaptureError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.history.folder import Folder
    from harness.pipeline import Options


def run(args: Namespace, defaults: dict[str, Any], place: str, lang: str) -> int:
    """Do what the action says; returns the exit code."""
    if args.action == "compact":
        return _compact(place, lang)
    if args.action == "add":
        return _add(args, indexing.ready(place), lang)
    return _rebuild(args, defaults, place, lang)


def _rebuild(args: Namespace, defaults: dict[str, Any], place: str, lang: str) -> int:
    """Judge run folders again; runs of the index that have no folder any more stay as they are."""
    from harness.history.add import add
    from harness.summary.made import of_report
    from harness.summary.measure import measures
    from harness.summary.runs import run_of, runs_below

    chosen = _options(args, defaults)
    folder = indexing.ready(place)
    runs = list(dict.fromkeys(runs_below(args.paths or ["captures"])))
    if not runs:
        raise UsageError(
            f"no run folder at or below {', '.join(args.paths) or 'captures'}",
            mend="name run folders, or a folder of them",
        )
    rules = check.codes_applied(chosen)
    done = 0
    for path in runs:
        try:
            run = run_of(path)
            if run is None:
                raise CaptureError("run.json does not tell when the run began", file=path)
            report = check.judged([path], chosen, lang)
        except CaptureError as fault:
            indexing.say(lang, "history.run_failed", path=path, reason=str(fault))
            continue
        add(folder, of_report(report, run, rules, measures([path])))
        done += 1
    folder.tidy()
    indexing.say(lang, "history.rebuilt", path=place, done=done, total=len(runs))
    indexing.settle(folder, lang)
    return 0 if done == len(runs) else 3


def _options(args: Namespace, defaults: dict[str, Any]) -> Options:
    """Those of `harness check`, by the same words and the same settings file."""
    from harness.cli.options import options

    both = Namespace(**{**vars(check.parser().parse_args([])), **vars(args)})
    chosen = options(
        both, {key: value for key, value in defaults.items() if key not in ("topology", "baseline")}
    )
    if args.scenario:
        from harness.cli.planned import planned

        return planned(chosen, args.scenario)
    return chosen


def _add(args: Namespace, folder: Folder, lang: str) -> int:
    """Put existing JSON reports into the index."""
    from harness.history.add import add
    from harness.history.when import moment, now
    from harness.summary.made import not_one, of_json, read_report
    from harness.summary.runs import RunFacts

    if not args.paths:
        raise UsageError(
            "no report was named", mend="name JSON reports: harness history add REPORT.json --run-id ID"
        )
    if args.run_id is None or len(args.paths) > 1:
        raise UsageError(
            "which run a report is of stands nowhere in it", mend="add one at a time, with --run-id ID"
        )
    started = moment(args.started) if args.started else now()
    if started is None:
        raise UsageError(f"--started {args.started}: no time", mend="write it as 2026-08-11T09:30:00Z")
    for path in args.paths:
        report = read_report(path)
        try:
            summary = of_json(report, RunFacts(args.run_id, started), _rules(report, args), {})
        except (KeyError, TypeError, AttributeError, ValueError, IndexError):
            raise not_one(path, "is no whole report of `harness check`") from None
        add(folder, summary)
        indexing.say(lang, "history.added", run=args.run_id, path=folder.where)
    indexing.settle(folder, lang)
    return 0


def _rules(report: dict[str, Any], args: Namespace) -> Iterable[str]:
    """Rules that a report's contract applies, within --only and --skip; none where it is not known."""
    from harness.cli.options import _listed
    from harness.kit import Options
    from harness.rules.shipped import CONTRACTS

    name = args.contract or report["contract"]
    if args.contract is None and name not in CONTRACTS:
        return ()
    return check.codes_applied(
        Options(contract=name, only=_listed(args.only or ()), skip=_listed(args.skip or ()))
    )


def _compact(place: str, lang: str) -> int:
    from harness.history.add import compact

    made = compact(indexing.ready(place))
    told_skipped(made.skipped, lang)
    if made.file is None:
        indexing.say(lang, "history.compact", path=place, runs=made.runs)
    else:
        indexing.say(
            lang, "history.compacted", path=place, runs=made.runs, merged=made.merged, file=made.file
        )
    return 0


def told_skipped(skipped: Sequence[Any], lang: str) -> None:
    """A line for each file that is no part of the index."""
    for one in skipped:
        indexing.say(lang, "history.run_failed", path=one.file, reason=one.reason)
