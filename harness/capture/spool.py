"""Standard input on disk: it is read once, offsets and memory bounds need a file."""

from __future__ import annotations

import atexit
import os
import tempfile
from typing import BinaryIO

from harness.errors import CaptureError


def spooled(stdin: BinaryIO) -> str:
    """Copy `stdin` to a temporary file, which goes with the process; give its path.

    Raises CaptureError if it can not be read or the disk is full.
    """
    fd, path = tempfile.mkstemp(prefix="harness-stdin-")
    atexit.register(_remove, path, os.getpid())
    try:
        with open(fd, "wb", buffering=0) as file:
            while chunk := stdin.read(1 << 20):
                file.write(chunk)
    except OSError as error:
        raise CaptureError(
            f"can not be kept: {error}", file="-", mend="free disk space, or give a path"
        ) from None
    return path


def _remove(path: str, owner: int) -> None:
    if os.getpid() != owner:
        return
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
