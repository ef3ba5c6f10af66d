"""YAML as our files are read: lines, duplicate keys, caps, and words that stay words."""

from __future__ import annotations

import pytest

from harness import yamltext
from harness.errors import ScenarioError


def read(text: str) -> yamltext.Document:
    return yamltext.read(text, "a.yaml", ScenarioError)


def test_values_and_the_line_of_each() -> None:
    document = read("name: x\nlist:\n  - one\n  - {a: 2, b: [3.5, null, true]}\n")
    assert document.value == {"name": "x", "list": ["one", {"a": 2, "b": [3.5, None, True]}]}
    assert document.line(("list", 1, "a")) == 4
    assert document.line(("list",)) == 2
    assert document.line(("list", 9, "deeper")) == 2


@pytest.mark.parametrize(
    "word", ["off", "on", "yes", "no", "2026-11-30", "1:30", "0x1f", "NaN", ".inf", "True"]
)
def test_only_true_and_false_are_booleans_and_words_stay_words(word: str) -> None:
    assert read(f"a: {word}").value == {"a": word}


def test_an_int_too_long_for_python_stays_text() -> None:
    assert read("a: " + "9" * 5000).value == {"a": "9" * 5000}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 2\na: 3\n", "a.yaml:3 $.a: the key 'a' stands twice; keep one of them"),
        ("a:\n  - {b: 1, b: 2}\n", "a.yaml:2 $.a[0].b: the key 'b' stands twice; keep one of them"),
        ("? [x]\n: 1\n", "a.yaml:1 $: a key must be one word; write it as a string"),
        (
            "a: !!python/name:os.system x\n",
            "a.yaml:1 $.a: the tag tag:yaml.org,2002:python/name:os.system is not known",
        ),
        ("", "a.yaml:1: the file is empty"),
        ("a: [1", "a.yaml:1: while parsing a flow sequence"),
        ("a: 1\n--- \nb: 2\n", "a.yaml:2: expected a single document"),
        ("a: \x01\n", "a.yaml: unacceptable character"),
    ],
)
def test_refusals_name_file_line_and_path(text: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read(text)
    assert str(caught.value).startswith(said)


def test_a_bomb_of_aliases_is_refused() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(ScenarioError, match="too many values"):
        read("\n".join(rows))


def test_an_alias_of_itself_is_refused() -> None:
    with pytest.raises(ScenarioError, match="nested more than"):
        read("a: &a [*a]")


def test_depth_and_size_are_capped() -> None:
    with pytest.raises(ScenarioError, match="nested"):
        read("[" * 5000 + "]" * 5000)
    with pytest.raises(ScenarioError, match="more than"):
        read("a" * (yamltext.MAX_CHARACTERS + 1))


def test_a_file_that_can_not_be_read_is_told_in_few_words(tmp_path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"name: \xff")
    said = []
    for path in (tmp_path / "x.yaml", tmp_path / "none.yaml", tmp_path):
        with pytest.raises(ScenarioError) as told:
            yamltext.text_of(str(path), ScenarioError, "name a file")
        said.append(str(told.value).removeprefix(str(path)))
    assert said == [
        ": can not be read: byte 6 is no UTF-8; name a file",
        ": can not be read: No such file or directory; name a file",
        ": can not be read: Is a directory; name a file",
    ]
