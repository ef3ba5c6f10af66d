"""Secrets out of heads and bodies before they are written, and the search for any that were.

    redactor = Redactor(load(), key)
    redactor.headers(pairs), redactor.target(target), redactor.text(body)
    stream = redactor.stream(); file.write(stream.feed(chunk)); ...; file.write(stream.end())

A secret becomes a pseudonym, `<secret:authorization:1f3a5b7c>`: equal secrets have equal ones
under one key. Bytes without secrets are not touched, JSON stays JSON. docs/secrets.md tells
what counts as secret and what is out of reach. Knows no frame, no A2A.
"""

from __future__ import annotations

from harness.capture.redaction.form import Secrets
from harness.capture.redaction.known import Known
from harness.capture.redaction.load import load
from harness.capture.redaction.redactor import Redactor
from harness.capture.redaction.stream import Find, StreamRedactor

__all__ = ["Find", "Known", "Redactor", "Secrets", "StreamRedactor", "load"]
