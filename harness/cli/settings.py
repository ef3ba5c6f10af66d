"""Defaults of `harness check` from `harness.toml`, or `[tool.harness]` of pyproject.toml.

Only the current folder is looked at. An option on the command line wins over the file. The
TOML reader is loaded only where there is something of ours to read.
"""

from __future__ import annotations

from typing import Any

from harness.errors import UsageError

_TEXT, _TEXTS, _FLAG, _COUNT = "a string", "a list of strings", "true or false", "a whole number"
KEYS: dict[str, str] = {
    "contract": _TEXT,
    "mapping": _TEXTS,
    "topologies": _TEXT,
    "only": _TEXTS,
    "skip": _TEXTS,
    "topology": _TEXT,
    "fail-on": _TEXT,
    "strict": _FLAG,
    "jobs": _COUNT,
    "max-line": _TEXT,
    "waivers": _TEXT,
    "baseline": _TEXT,
    "history": _TEXT,
    "lang": _TEXT,
}
"""Each key that may stand there, and what its value must be."""


def settings() -> dict[str, Any]:
    """Defaults by option (`fail_on`); empty where no file holds any. Raises `UsageError`."""
    own = _read("harness.toml")
    if own is not None:
        return _checked(_parse(own, "harness.toml"), "harness.toml", "$")
    shared = _read("pyproject.toml")
    if shared is None or not _speaks_of_us(shared):
        return {}
    tool = _parse(shared, "pyproject.toml").get("tool")
    table = tool.get("harness") if isinstance(tool, dict) else None
    return {} if table is None else _checked(table, "pyproject.toml", "$.tool.harness")


def _speaks_of_us(text: bytes) -> bool:
    """It may hold `tool.harness`, or a table `tool` written in one piece: worth a TOML reader."""
    dense = text.translate(None, b" \t\"'")
    return b"tool.harness" in dense or (b"harness" in dense and (b"[tool]" in dense or b"tool=" in dense))


def _read(file: str) -> bytes | None:
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except (FileNotFoundError, IsADirectoryError):
        return None
    except OSError as fault:
        raise UsageError(f"can not be read: {fault.strerror}", file=file, mend="make it readable") from None


def _parse(text: bytes, file: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise UsageError(f"no TOML: {fault}", file=file, mend="mend the file") from None
    except RecursionError:
        raise UsageError("nested too deep", file=file, mend="mend the file") from None


def _checked(table: Any, file: str, path: str) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise UsageError("must be a table", file=file, path=path, mend="write [tool.harness]")
    for key, value in table.items():
        where = f"{path}.{key}"
        if key not in KEYS:
            raise UsageError(f"there is no setting {key!r}", file=file, path=where, mend=_mend(key))
        if not _fits(value, KEYS[key]):
            raise UsageError(f"must be {KEYS[key]}", file=file, path=where, mend="mend the value")
    return {key.replace("-", "_"): value for key, value in table.items()}


def _mend(key: str) -> str:
    from harness.cli.parser import nearest

    near = nearest(key, KEYS)
    return f"did you mean {near!r}?" if near else f"settings are {', '.join(KEYS)}"


def _fits(value: Any, kind: str) -> bool:
    if kind == _TEXTS:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if kind == _COUNT:
        return type(value) is int
    return isinstance(value, bool if kind == _FLAG else str)
