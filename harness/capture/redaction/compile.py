"""`secrets.yaml` to `Secrets`. Imports YAML and pydantic: never where the shipped file is used."""

from __future__ import annotations

from pydantic import ValidationError

from harness.capture.redaction.form import Name, Secrets, Shape
from harness.capture.redaction.language import File, Named, Shaped
from harness.errors import UsageError
from harness.yamltext import read, refused

_STARTS: dict[str, tuple[str, ...]] = {
    "jwt": ("eyJ",),
    "pem": ("-----BEGIN",),
    "url": ("://",),
    "bearer": ("bearer",),
    "basic": ("basic",),
}


class SecretsError(UsageError):
    """A file of secrets is wrong."""


def compile_text(text: str, file: str) -> Secrets:
    """One file. Raises `SecretsError` with file, line and path."""
    document = read(text, file, SecretsError)
    try:
        parsed = File.model_validate(document.value)
    except ValidationError as fault:
        raise refused(fault, document, SecretsError, "see docs/secrets.md") from None
    return Secrets(tuple(map(_name, parsed.names)), tuple(map(_shape, parsed.shapes)), _words(parsed.names))


def _name(one: Named) -> Name:
    plain = [words for words in one.named if not words.startswith("* ")]
    endings = [words.removeprefix("* ") for words in one.named if words.startswith("* ")]
    return Name(
        one.kind,
        tuple(words.replace(" ", "") for words in plain),
        tuple(words.replace(" ", "") for words in endings),
        tuple(words.replace(" ", "") for words in one.excepted),
        tuple(one.places),
        one.takes,
        one.keeps,
        one.deep,
    )


def _words(names: list[Named]) -> tuple[str, ...]:
    """Few words so that each name holds one: those that most names share, of these the longest."""
    left = [words.removeprefix("* ").split(" ") for one in names for words in one.named]
    chosen: list[str] = []
    while left:
        counts: dict[str, int] = {}
        for name in left:
            for part in {part for word in name for part in _parts(word)} or {"".join(name) + "="}:
                counts[part] = counts.get(part, 0) + 1
        best = max(sorted(counts), key=lambda part: (counts[part], len(part)))
        chosen.append(best)
        left = [name for name in left if not any(best in word for word in (*name, "".join(name) + "="))]
    return tuple(sorted(chosen))


def _parts(word: str) -> list[str]:
    """A word and its beginnings, unless they would be met everywhere."""
    return (
        [word[:length] for length in range(4, len(word))] + [word] if len(word) >= 3 and word != "sig" else []
    )


def _shape(one: Shaped) -> Shape:
    begins = tuple(one.begins) if one.build == "run" else _STARTS[one.build]
    return Shape(one.kind, one.build, begins, one.then, one.least)
