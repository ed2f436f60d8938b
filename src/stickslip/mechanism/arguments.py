"""What readers are called with, turned into paths and switches, or into a sentence that says what is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown

FilePath = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def file_path(value: FilePath, what: str) -> Path:
    """`value` as a path that is not empty; `what` names it in the error, as in "the path of a URDF file"."""
    try:
        text = os.fsdecode(value)
    except TypeError:
        raise ArgumentError(f"{what} must be a string or a path, not {shown(value)}.") from None
    if not text:
        raise ArgumentError(f"{what} must not be empty.")
    return Path(text)


def folders(value: FilePath | Iterable[FilePath], what: str) -> list[Path]:
    """`value` as paths of folders: one, or any number of them."""
    if isinstance(value, (str, bytes, os.PathLike)):
        return [file_path(value, what)]
    try:
        listed = list(value)
    except TypeError:
        raise ArgumentError(f"{what} must be a folder or a sequence of folders, not {shown(value)}.") from None
    return [file_path(entry, f"each of {what}") for entry in listed]


def switch(value: bool, what: str) -> bool:
    """`value`, which must be True or False."""
    if not isinstance(value, bool):
        raise ArgumentError(f"{what} must be True or False, not {shown(value)}.")
    return value
