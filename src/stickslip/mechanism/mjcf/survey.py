"""The text of an MJCF file, looked at before MuJoCo compiles it: whether it is MJCF at all, and not without bounds.

MuJoCo would also take URDF, archives and document types, and it copies bodies without end where <replicate> says so.
"""

from __future__ import annotations

import re
from pathlib import Path

from stickslip.mechanism.errors import MechanismError, MjcfError
from stickslip.mechanism.regular_file import contents

MOST_COPIES = 10_000  # made by <replicate>; MuJoCo needs ten seconds for these, and a hundred times that for ten times more

COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
DOCUMENT_TYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
ELEMENT = re.compile(rb"<([^\s<>/?!]+)")
GROWING = re.compile(rb"""<(/?)(replicate|include|flexcomp)\b((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>""")  # XML has no < in a tag
COUNT = re.compile(rb"""\bcount\s*=\s*["']\s*\+?(\d+)""")
FILE = re.compile(rb"""\bfile\s*=\s*["']([^"']*)""")


def check_text(file: str) -> None:
    """Refuse a file that cannot be read, is no MJCF, or asks for more bodies than a machine has."""
    text = _text(Path(file))
    if DOCUMENT_TYPE.search(text):
        raise MjcfError(f"{file}: this file declares a document type (DOCTYPE), which MJCF does not have; remove it.")
    root = ELEMENT.search(text)
    if root is None or root.group(1) != b"mujoco":
        found = f"begins with <{root.group(1)[:40].decode(errors='replace')}>" if root else "has no element at all"
        found += "; Mechanism.from_urdf reads that" if root and root.group(1) == b"robot" else ""
        raise MjcfError(f"{file}: MJCF is XML whose outermost element is <mujoco>, but this file {found}.")
    _Copies(file).count(text, around=1)


class _Copies:
    """Counts the copies that a file asks for, through the files that it includes."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.included: set[Path] = set()
        self.total = 0

    def count(self, text: bytes, around: int) -> None:
        """Adds up a text that is itself copied as often as `around` says."""
        copies = [around]
        for closing, tag, attributes in GROWING.findall(text):
            if tag == b"flexcomp":
                raise MjcfError(
                    f"{self.file}: the model has deformable bodies (flexcomp), which stickslip does not model; remove them."
                )
            if tag == b"include":
                self._include(FILE.search(attributes), copies[-1])
            elif closing:
                copies = copies[:-1] or [around]
            else:
                times = COUNT.search(attributes)
                copies.append(copies[-1] * int(times.group(1)[:9]) if times else copies[-1])
                self._add(copies[-1])

    def _include(self, name: re.Match[bytes] | None, around: int) -> None:
        path = Path(self.file).parent / name.group(1).decode(errors="replace") if name else Path(self.file)
        if path not in self.included and path.is_file():  # MuJoCo refuses what is absent or included twice
            self.included.add(path)
            self.count(_text(path), around)

    def _add(self, copies: int) -> None:
        self.total += copies
        if self.total > MOST_COPIES:
            raise MjcfError(f"{self.file}: <replicate> makes more than {MOST_COPIES} copies; that is no robot.")


def _text(path: Path) -> bytes:
    """What stands in a file apart from comments."""
    try:
        return COMMENT.sub(b"", contents(path))
    except MechanismError as error:
        raise MjcfError(f"{path}: {error}") from None
