"""A history as one HTML file: small multiples of each topology. Opens offline, asks nobody, runs no script.

The policy allows this page's own style sheet, by its digest, and nothing else. Whatever came
from a capture, a file or a peer passes `historysvg.safe`.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from harness.report.historyconsole import head, named, others, summary
from harness.report.historyspark import median, shown
from harness.report.historysvg import bars, safe, strip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.history.values import History, Sizes, Trend, When
    from harness.report.view import View

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --page: #ffffff;
  --broken: #b42318; --warning: #9a6700; --clean: #1a7f37; --waived: #6e5aa8; --plain: #2563a8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b3; --line: #3d444d;
  --page: #0d1117; --broken: #ff7b72; --warning: #d9a51c; --clean: #56d364;
  --waived: #b69cf5; --plain: #6cb0ff; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--page);
  max-width: 1280px; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .3rem; overflow-wrap: anywhere; }
p, figcaption { color: var(--soft); margin: .2rem 0; overflow-wrap: anywhere; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr));
  gap: .8rem; margin: .6rem 0; }
figure { margin: 0; border: 1px solid var(--line); border-radius: 6px; padding: .5rem; }
figure b { color: var(--ink); }
svg { width: 100%; height: 60px; display: block; } td svg { height: 20px; min-width: 120px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td:nth-child(-n+5) { white-space: nowrap; } td.strip { width: 30%; }
td small { color: var(--soft); white-space: nowrap; }
rect.errors, rect.broken, rect.leaked { fill: var(--broken); } rect.warnings { fill: var(--warning); }
rect.events, rect.bytes, rect.seconds { fill: var(--plain); } rect.clean { fill: var(--clean); }
rect.waived { fill: var(--waived); } rect.zero, rect.unknown { fill: var(--line); }
.now-broken { color: var(--broken); font-weight: 600; } .now-clean { color: var(--clean); }
.now-waived { color: var(--waived); }
@media print { figure, tr { break-inside: avoid; } }
"""
_POLICY = "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'"
_MEASURES = ("errors", "warnings", "leaked", "events", "bytes", "seconds")
_HEADS = ("rule", "severity", "seen", "course", "now", "first", "last", "since", "fixed")


def page(history: History, view: View, lang: str) -> Iterator[str]:
    """The page, piece by piece."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    title = safe(view.words["history.title"])
    yield f'<!doctype html>\n<html lang="{"zh" if lang == "zh" else "en"}">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY.format(digest)}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    yield f"<p>{safe(head(history, view))}</p>\n"
    yield f"<p>{safe(summary(history, view))}</p>\n<p>{_legend(view)}</p>\n"
    names = dict.fromkeys([one.topology for one in history.topologies])
    names.update(dict.fromkeys(one.topology for one in history.trends))
    for number, name in enumerate(names, 1):
        yield from _topology(number, name, history, view)
    yield from _end(history, view)
    yield "</main>\n</body>\n</html>\n"


def _legend(view: View) -> str:
    states = ("broken", "waived", "clean", "unknown")
    return " ".join(
        f'<span class="now-{one}">■ {safe(view.words[f"history.state.{one}"])}</span>' for one in states
    )


def _topology(number: int, name: str | None, history: History, view: View) -> Iterator[str]:
    sizes = next((one for one in history.topologies if one.topology == name), None)
    runs = view.say("history.of_runs", count=sizes.runs if sizes else 0, of=len(history.runs))
    yield f'<section aria-labelledby="t{number}">\n<h2 id="t{number}">{safe(named(name, view))}</h2>\n'
    yield f"<p>{safe(runs)}</p>\n"
    yield from _rules([one for one in history.trends if one.topology == name], history, view)
    if sizes:
        yield '<div class="figures">\n'
        yield from _figures(sizes, history, view)
        yield "</div>\n"
    yield "</section>\n"


def _figures(sizes: Sizes, history: History, view: View) -> Iterator[str]:
    for name in _MEASURES:
        values: Sequence[float | None] = getattr(sizes, name)
        known = [value for value in values if value is not None]
        if not known:
            continue
        word = view.words[f"history.{name}"]
        text = view.say("history.latest", last=shown(known[-1]), median=shown(median(values)))
        picture = bars(values, history.runs, f"{word}: {text}", name)
        yield f"<figure>{picture}<figcaption><b>{safe(word)}</b> {safe(text)}</figcaption></figure>\n"


def _rules(trends: Sequence[Trend], history: History, view: View) -> Iterator[str]:
    if not trends:
        yield f'<p class="now-clean">{safe(view.words["history.clean"])}</p>\n'
        return
    heads = "".join(f'<th scope="col">{safe(view.words[f"history.{name}"])}</th>' for name in _HEADS)
    runs = safe(view.words["history.runs"])
    yield '<div class="scroll" tabindex="0" role="region" '
    label = f"{view.words['history.rule']}: {named(trends[0].topology, view)}"
    yield f'aria-label="{safe(label)}"><table>\n<thead><tr>{heads}'
    yield f'<th scope="col">{runs}</th></tr>'
    yield "</thead>\n<tbody>\n"
    for one in trends:
        yield _rule(one, history, view)
    yield "</tbody></table></div>\n"


def _rule(one: Trend, history: History, view: View) -> str:
    now = view.words[f"history.state.{one.now}"]
    cells = [
        f"<td>{safe(one.rule)}<br><small>{safe(one.slug)}</small></td>",
        f"<td>{safe(one.severity)}</td>",
        f"<td>{one.seen}/{one.known}</td>",
        f"<td>{safe(view.words[f'history.course.{one.course}'])}</td>",
        f'<td class="now-{one.now}">{safe(now)}</td>',
        *(_when(when) for when in (one.first, one.last, one.since, one.fixed)),
        f'<td class="strip">{strip(one, history.runs, view)}</td>',
    ]
    return f"<tr>{''.join(cells)}</tr>\n"


def _when(when: When | None) -> str:
    if when is None:
        return "<td></td>"
    return f"<td>{safe(when.run, 60)}<br><small>{safe(when.started)}</small></td>"


def _end(history: History, view: View) -> Iterator[str]:
    if history.others:
        yield f"<p>{safe(others(history, view))}</p>\n"
    if history.skipped:
        told = (view.say("history.skipped", file=one.file, reason=one.reason) for one in history.skipped)
        yield "<ul>" + "".join(f"<li>{safe(text)}</li>" for text in told) + "</ul>\n"
