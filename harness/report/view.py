"""How a report is to be shown: width, language, colours, and how much of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from harness.report.paint import Paint
from harness.report.words import EN, Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.model.finding import Finding


def _kept(source: str, finding: Finding) -> str:
    return finding.snippet


class View(NamedTuple):
    """`width` in terminal cells; `everything`: no caps, infos too."""

    width: int = 80
    words: Words = EN
    paint: Paint = Paint()
    everything: bool = False
    reasons: dict[str, str] = {}  # noqa: RUF012  a NamedTuple's default; never written to
    """Texts by rule that replace a finding's own `why`, in the reader's language."""

    evidence: Callable[[str, Finding], str] = _kept
    """Gives the text around a finding of a source; `harness.report.evidence` reads it from the file."""

    @property
    def prose(self) -> int:
        """Cells of a line of prose: nobody reads lines of two hundred."""
        return min(self.width, 120)

    def say(self, key: str, **values: object) -> str:
        """The text `key` with its placeholders filled."""
        return self.words[key].format(**values)

    def head(self, key: str) -> str:
        """The heading `key`."""
        return self.paint("head", self.words[key])

    def why(self, one: Finding) -> str:
        """Why a breach of the finding's rule matters."""
        return self.reasons.get(one.rule, one.why)
