"""Text as Markdown shows it and does not obey it; the templates of the Markdown report.

What a capture, a path or a peer says stands in code spans only: there neither HTML, links,
mentions, issue numbers nor emphasis mean anything. Our own sentences are escaped letter by letter.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from harness.report.cells import harmless

if TYPE_CHECKING:
    from jinja2 import Environment

CODE = 600
"""Characters of one code span."""


def code(text: object, limit: int = CODE) -> str:
    """`text` as one code span on one line; backticks are spelled out, so that none can end it."""
    clean = harmless(str(text), limit).replace("`", "\\x60").strip()
    return f"`{clean}`" if clean else "-"


def cell(text: object, limit: int = 200) -> str:
    """The same in a cell of a table, which a bar would end."""
    return code(text, limit).replace("|", "\\|")


def prose(text: object, limit: int = 4000) -> str:
    """A sentence of ours: what Markdown or HTML would obey is escaped."""
    clean = harmless(" ".join(str(text).split()), limit)
    marked = re.sub(r"([\\`*_\[\]#|~$])", r"\\\1", clean.replace("&", "&amp;").replace("<", "&lt;"))
    return marked.replace("@", "@&#8203;")


@cache
def templates() -> Environment:
    """The compiled templates, by name."""
    from jinja2 import DictLoader, Environment, StrictUndefined

    made = Environment(
        loader=DictLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update({"code": code, "cell": cell, "prose": prose})
    return made


def render(name: str, **values: Any) -> str:
    """The text of one template."""
    return templates().get_template(name).render(**values)


TEMPLATES: dict[str, str] = {
    "head": """\
## {{ icon }} harness check: {{ verdict | prose }}

{{ summary | prose }}

{% if baseline %}
{{ baseline | prose }} {{ baseline_file | code }}

{% endif %}
""",
    "matrix": """\
| {{ heads | join(" | ") }} |
|---|--:|--:|---|--:|--:|--:|--:|---|
{% for row in rows %}
| {{ row | join(" | ") }} |
{% endfor %}
{% if more %}

{{ more | prose }}
{% endif %}

""",
    "section": """\
### {{ title | prose }} ({{ count }})

""",
    "finding": """\
- **{{ severity | prose }} {{ one.rule | prose }}** {{ one.slug | prose }}{{ " " ~ mark if mark else "" }}: \
{{ one.message | code }}
{% if where %}
  - {{ where }}
{% endif %}
{% if one.times > 1 %}
  - {{ times | prose }}
{% endif %}
{% if snippet %}
  - {{ snippet | code(400) }}
{% endif %}
{% if why %}
  - {{ why | prose }}
{% endif %}
{% if look %}
  - {{ look | code }}
{% endif %}
""",
    "waiver": """\
- {{ waiver.id | code }} **{{ waiver.rule | prose }}** x{{ count }}: {{ waiver.reason | code }}
  - {{ waiver.owner | code }}, {{ waiver.expires | code }}, [{{ issue | prose }}]({{ waiver.issue }})
""",
    "gone": """\
- **{{ one.rule | prose }}** {{ one.slug | prose }}: {{ where | code }} {{ one.message | code }}
""",
    "line": """\
- {{ place | code }} {{ text | code }}
""",
    "more": """\

{{ text | prose }}

""",
}
