"""Width and colours follow the terminal and the variables that people set."""

from __future__ import annotations

import io

import pytest

from harness.cli import terminal


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("columns", "width"), [("80", 80), ("200", 200), ("", 120), ("x", 120), ("0", 120), ("5", 40)]
)
def test_width(plain_terminal, monkeypatch, columns: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert terminal.width(io.StringIO()) == width


@pytest.mark.parametrize(
    ("stream", "env", "on"),
    [
        (Tty(), {}, True),
        (io.StringIO(), {}, False),
        (Tty(), {"NO_COLOR": "1"}, False),
        (Tty(), {"NO_COLOR": ""}, True),
        (Tty(), {"TERM": "dumb"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours(plain_terminal, monkeypatch, stream, env, on: bool) -> None:
    monkeypatch.delenv("TERM", raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert terminal.paint(stream).on is on
