"""Stable names for secrets: `<secret:KIND:1f3a5b7c>`, equal for equal secrets under one key.

The digits are a keyed hash: without the key, which is never written, nobody can try out
values against them. The characters mean nothing in JSON, in JSON in strings, in headers.
"""

from __future__ import annotations

import hashlib
import re

LONGEST = 2048
"""Bytes of a secret that count: what is longer is known by its beginning."""
PSEUDONYM = re.compile(rb"<secret:[a-z0-9-]{1,32}:[0-9a-f]{8}>")


class Pseudonyms:
    """Names secrets under `key` (any length up to 64 bytes)."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, kind: str, secret: bytes) -> bytes:
        """The pseudonym of `secret`; its digits do not hang on `kind`."""
        digest = hashlib.blake2b(secret[:LONGEST], key=self._key, digest_size=4).hexdigest()
        return f"<secret:{kind}:{digest}>".encode("ascii")

    def number(self, secret: bytes) -> bytes:
        """Digits in place of a secret number that stands in JSON without quotes."""
        digest = hashlib.blake2b(secret, key=self._key, digest_size=7).digest()
        return f"9{int.from_bytes(digest):017d}".encode("ascii")

    @property
    def key_id(self) -> str:
        """Tells keys apart without giving them away: equal in two runs, their pseudonyms compare."""
        return hashlib.blake2b(b"key", key=self._key, digest_size=6).hexdigest()
