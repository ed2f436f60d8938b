"""The bytes of a file that a user names, or a sentence that says why there are none."""

from __future__ import annotations

import os
from pathlib import Path

from stickslip.mechanism.errors import UrdfError


def contents(path: Path) -> bytes:
    """All bytes of the regular file at `path`; pipes and devices, which could block for ever, are refused."""
    try:
        if path.is_dir():
            raise UrdfError("this is a directory, not a file.")
        if not path.exists():
            raise UrdfError("there is no such file.")
        if not path.is_file():
            raise UrdfError("this is not a regular file.")
        data = path.read_bytes()
    except OSError as error:
        raise UrdfError(f"the file cannot be read ({os.strerror(error.errno or 0)}).") from None
    if not data.strip():
        raise UrdfError("the file is empty.")
    return data
