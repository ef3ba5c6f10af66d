"""One figure beside its bar."""

from __future__ import annotations

from typing import NamedTuple


class Bar(NamedTuple):
    """`value` must not be above `limit`; with `least`, not below it."""

    what: str
    value: float
    limit: float
    unit: str
    least: bool = False

    @property
    def kept(self) -> bool:
        """Is the bar kept?"""
        return self.value >= self.limit if self.least else self.value <= self.limit

    def line(self) -> str:
        """A row of the table."""
        kept = "kept" if self.kept else "**MISSED**"
        sign = ">=" if self.least else "<="
        return f"| {self.what} | {self.value:.2f} {self.unit} | {sign} {self.limit:g} {self.unit} | {kept} |"
