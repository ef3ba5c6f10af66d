"""docs/mapping-language.md: its examples compile, and every word of the language stands in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from harness.mapping import language, shipped
from harness.mapping.compile import compile_text

PAGE = (Path(__file__).parents[2] / "docs" / "mapping-language.md").read_text(encoding="utf-8")
MODELS = [
    model for model in vars(language).values() if isinstance(model, type) and issubclass(model, language.Part)
]


def test_the_examples_compile() -> None:
    examples = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert examples
    for text in examples:
        compile_text(text, "docs", shipped.MAPPINGS)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_key_is_explained(model: type[BaseModel]) -> None:
    keys = [field.alias or name for name, field in model.model_fields.items()]
    missing = [key for key in keys if f"`{key}" not in PAGE and f", {key}" not in PAGE]
    assert not missing, f"docs/mapping-language.md does not explain {missing} of {model.__name__}"


def test_the_closed_words_are_named() -> None:
    for word in (*language.VALUE_TESTS, *language.SUBJECTS, *language.MARK_NAMES):
        assert f"`{word}`" in PAGE, word
