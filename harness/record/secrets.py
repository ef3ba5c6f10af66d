"""The one place where the recorder gets its redaction and its content decoders from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.wire import encodings

if TYPE_CHECKING:
    from harness.capture.redaction import Redactor


def redactor(redact: bool, file: str | None) -> Redactor | None:
    """The redactor of a run, with a key of its own; None: nothing is taken out.

    Raises UsageError where `file`, of further names and shapes, is wrong.
    """
    if not redact:
        return None
    from harness.capture.redaction import Redactor, load

    return Redactor(load(file))


def decoder(encoding: str) -> encodings.Decoder | None:
    """The decoder of a content encoding; None where it is not known."""
    made = encodings.decoder(encoding)
    return made if made.flaw is None else None
