"""The page around the data: one template, one style, one script, and a policy that allows no other.

`data` is any JSON value that the script knows; parts that it does not know are passed over.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from harness.report.html.encode import json_text, shown
from harness.report.html.words import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jinja2 import Environment

SCRIPTS = (
    "dom.js", "text.js", "state.js", "json.js", "bytes.js", "frame.js", "matrix.js", "compare.js",
    "beside.js", "filter.js", "finding.js", "findings.js", "axis.js", "lanes.js", "inspector.js", "rounds.js",
    "notes.js", "changes.js", "pair.js", "main.js",
)  # fmt: skip
"""Parts of the one script, in their order."""
_POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


def page(data: Mapping[str, Any], lang: str = "en") -> Iterator[str]:
    """The text of the page, in pieces."""
    style, script = _asset("page.css"), "\n".join(map(_asset, SCRIPTS))
    words = tables()
    policy = _POLICY.format(script=_hash(script), style=_hash(style))
    held = json_text({"lang": "zh" if lang == "zh" else "en", "words": words, **data})
    made: Iterator[str] = _template().generate(
        lang="zh" if lang == "zh" else "en",
        words=words["zh" if lang == "zh" else "en"],
        title=words["zh" if lang == "zh" else "en"]["title" if "matrix" in data else "title.diff"],
        policy=policy,
        style=style,
        script=script,
        data=held,
        report=data,
    )
    return made


def _asset(name: str) -> str:
    """A file of `assets/`, without the line ends of the machine that built the package."""
    return files("harness.report.html").joinpath("assets", name).read_text("utf-8").replace("\r\n", "\n")


def _hash(text: str) -> str:
    """`text` as a source of a content security policy."""
    return f"'sha256-{str(b64encode(hashlib.sha256(text.encode()).digest()), 'ascii')}'"


def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    made: Environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["shown"] = lambda value: shown(str(value))
    return made.from_string(_asset("page.html.j2"))
