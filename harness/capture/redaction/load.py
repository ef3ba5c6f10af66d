"""Which secrets are looked for: the user's file before the shipped one."""

from __future__ import annotations

from harness.capture.redaction.form import Secrets
from harness.errors import UsageError

LARGEST = 256 * 1024


def load(path: str | None = None) -> Secrets:
    """The shipped secrets, with those of the YAML file `path` before them.

    Raises `UsageError` with file and line where the file is wrong.
    """
    from harness.capture.redaction.shipped import SECRETS, SOURCE

    if path is None:
        return SECRETS
    text = _read(path)
    if text == SOURCE:
        return SECRETS
    from harness.capture.redaction.compile import compile_text

    own = compile_text(text, path)
    return Secrets(
        (*own.names, *SECRETS.names), (*own.shapes, *SECRETS.shapes), tuple({*own.words, *SECRETS.words})
    )


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise UsageError(f"the file has more than {LARGEST} bytes", file=path, mend="split it")
        return str(raw, "utf-8")
    except OSError as error:
        raise UsageError(f"can not be read: {error.strerror}", file=path, mend="check the path") from None
    except UnicodeDecodeError:
        raise UsageError("is no UTF-8 text", file=path, mend="write it as UTF-8") from None
