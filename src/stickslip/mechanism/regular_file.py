"""The bytes of a file that a user names, or a sentence that says why there are none."""

from __future__ import annotations

import os
from pathlib import Path

from stickslip.mechanism.errors import MechanismError


def contents(path: Path) -> bytes:
    """All bytes of the regular file at `path`; pipes and devices, which could block for ever, are refused."""
    try:
        if path.is_dir():
            raise MechanismError("this is a directory, not a file.")
        if not path.exists():
            raise MechanismError("there is no such file.")
        if not path.is_file():
            raise MechanismError("this is not a regular file.")
        data = path.read_bytes()
    except OSError as error:
        raise MechanismError(f"the file cannot be read ({os.strerror(error.errno or 0)}).") from None
    if not data.strip():
        raise MechanismError("the file is empty.")
    return data
