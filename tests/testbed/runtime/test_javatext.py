"""JSON text as Java prints it. Expectations: the facts page of the Java SDK, sections 2 and 3, and the recorded streams."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.testbed.runtime.frames import envelope, error_envelope, sse
from harness.testbed.runtime.javatext import text_of

GOLDEN = Path(__file__).parents[3] / "captures/golden/openjiuwen-on-java-sdk"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-7, "-7"),
        (9007199254740993, "9007199254740993"),
        (1.0, "1.0"),
        (1.5, "1.5"),
        (1e7, "1.0E7"),
        (1e21, "1.0E21"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (0.00012, "1.2E-4"),
        (float(1234567890123), "1.234567890123E12"),
        (True, "true"),
        ({"gone": None, "kept": [None]}, '{"kept":[null]}'),
        ({"o": {}, "l": [], "s": ""}, '{"o":{},"l":[],"s":""}'),
        ("<a href='x'>&=", "\"<a href='x'>&=\""),
        ("\u2028\u2029", '"\\u2028\\u2029"'),
        ("\x85\ufeff\x7f😀你", '"\x85\ufeff\x7f😀你"'),
        ('\x1b\n"\\', '"\\u001b\\n\\"\\\\"'),
        ("a\ud800b", '"a?b"'),
    ],
)
def test_text(value, text):
    assert text_of(value) == text


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("x_v1_id_*.body")), ids=lambda path: path.stem)
def test_an_id_comes_back_as_recorded(path):
    request = json.loads(path.with_suffix(".request.json").read_text())
    recorded = path.read_text()
    if "error" in recorded:
        assert error_envelope(request.get("id"), -32601, "Method not found: NoSuchMethod") == recorded
    else:
        result = json.loads(recorded.split("data:")[1])["result"]
        assert sse(envelope(request.get("id"), result)).decode() == recorded


def test_an_error_without_an_id_says_so_at_its_end():
    assert (
        error_envelope(None, -32700, "no")
        == '{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"},"id":null}'
    )
