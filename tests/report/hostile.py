"""A report in which every text that a capture, a path or a peer can bring is hostile."""

from __future__ import annotations

from harness.model.capture import Unread
from harness.model.verdict import Group, Report
from harness.model.waiver import Baseline, Gone, Scope, Waiver
from harness.report.entries import Edition
from harness.report.words import EN
from tests.report.values import finding, interaction, place, report, round_, row

EDITION = Edition(EN)
TEXTS = {
    "controls": "a\x00b\x01c\x08d\x0be\x1ff\x7fg\x85h",
    "cdata": "a]]>b<![CDATA[c]]>",
    "ansi": "\x1b[31mred\x1b[0m\x1b]8;;http://evil.example\x07link\x1b]8;;\x07\x9b2J",
    "command": "\n::error file=x,line=1::owned\n::set-output name=a::b\r\n::add-mask::",
    "blank command": "word ::stop-commands::x ##[error]y ##vso[task.setvariable variable=a]b",
    "wide command": "中::error::x",
    "percent": "%0A%0D%25%3A%2C::warning::",
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)><!-- -->&lt;b&gt;",
    "markdown": "# h\n[a](javascript:alert(1)) ![i](http://evil.example/i.png) **b** @everyone #1 `x` ``` | a | b |",
    "fence": "```\n~~~\n`````",
    "surrogate": "a\ud800b\udfffc",
    "not characters": "a\ufffeb\uffffc\U0001fffed",
    "bidi": "a\u202eb\u2066c\u200bd\u2028e\ufefff",
    "templates": "{{ 7 * 7 }}{% raw %}{0} {name} $x ${y}",
    "long": "x" * (1 << 20),
    "long words": "<b>`|]]> " * 120_000,
}


def hostile(text: str) -> Report:
    """`text` stands wherever something from outside can stand."""
    standing = finding(
        message=text, place=place(4, "/" + text), names=(text,), snippet=text, also=(place(5, text),), times=3
    )
    waived = finding(message=text, waived="W-1", snippet=text)
    known = finding("LEAK102", message=text, known=True, snippet=text)
    other = finding("SYM401", "warning", message=text, place=place(None, None, None))
    one = round_(
        text,
        scenario=text,
        topology=text,
        leg=text,
        interactions=(interaction(prompt=text, tool_name=text, agent=text),),
        findings=(standing, waived, known, finding("ART701", "info", message=text)),
        unread=(Unread(text, text, None),),
    )
    return report(
        one,
        round_(text + "2", scenario=text, topology=None, outcome="INCONCLUSIVE", findings=()),
        findings=(Group(other, (text, text + "2")),),
        unread=(Unread(text, text, None),),
        matrix=(row(topology=text, errors=2, warnings=1, infos=1, waived=1),),
        waivers=(
            Waiver(
                "W-1",
                "LEAK101",
                Scope(topology="x"),
                text,
                "https://t.example/1",
                text,
                "2030-01-01",
                text,
                4,
            ),
        ),
        baseline=Baseline(text, 2, 1, (Gone("END502", "no-end", "error", text, text, text, 1, text),), 0),
    )
