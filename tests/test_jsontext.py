"""The one JSON reader: strict, exact, and never an exception."""

from decimal import Decimal

import pytest

from harness.jsontext import MAX_DEPTH, Flaw, read, read_exact


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9007199254740993", 9007199254740993),
        ("1.0E7", 1e7),
        ('" \\u2028\\ud83d\\ude00"', " \u2028\U0001f600"),
        (' {"a": [1, null]} ', {"a": [1, None]}),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, None),
        ('"' + "[" * 5000 + '"', "[" * 5000),
    ],
)
def test_a_value_is_read(text: str, value: object) -> None:
    read_value = read(text)
    assert not isinstance(read_value, Flaw)
    if value is not None:
        assert read_value == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Expecting value"),
        ("NaN", "NaN is no JSON value"),
        ('{"a": -Infinity}', "-Infinity is no JSON value"),
        ('{"a":1} x', "Extra data"),
        ("[" * 10_000 + "]" * 10_000, "nested deeper than 1000"),
        ("[" * 5_000_000, "nested deeper than 1000"),
        ('"a\nb"', "Invalid control character at"),
        ("[1,]", "Illegal trailing comma before end of array|Expecting value"),
    ],
)
def test_what_is_no_json_is_a_flaw(text: str, reason: str) -> None:
    flaw = read(text)
    assert isinstance(flaw, Flaw)
    assert flaw.reason in reason.split("|")


def test_a_number_of_any_length_is_read() -> None:
    digits = "9" * 10_000
    assert read(f'{{"n":{digits}}}') == {"n": Decimal(digits)}


def test_exact_reading_keeps_every_digit() -> None:
    assert read_exact("9007199254740993.0") == Decimal("9007199254740993")
    assert read_exact("9007199254740993.0") != Decimal("9007199254740992")
