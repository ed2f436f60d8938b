"""Files that are whole or not there at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def put_in_place(content: bytes | memoryview, target: Path) -> None:
    """Write aside, then rename: whoever looks at `target` sees the old file or the new one."""
    aside = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(aside, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, target)
    finally:
        aside.unlink(missing_ok=True)
