"""A finding on disk: its figure, its data, and what is compared."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

from stickslip.mechanism.errors import StickslipError
from stickslip.mechanism.whole_file import put_in_place
from stickslip.studies.study import Finding, Value

DOTS = 150  # of a figure, per inch


class WritingError(StickslipError, OSError):
    """A finding cannot be written; the message names the place and the reason."""


def prepare(folder: Path) -> None:
    """Make the folder, so that nothing is computed which cannot be kept."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise WritingError(f"the folder {folder} cannot be written to.")
    except OSError as error:
        raise _told(folder, error) from None


def write(name: str, finding: Finding, folder: Path) -> list[Path]:
    """The finding as NAME.png, NAME.csv and NAME.json in a folder; each appears when it is whole."""
    contents = {".png": _figure(finding), ".csv": _table(finding), ".json": _comparison(finding)}
    written = []
    for suffix, content in contents.items():
        target = folder / f"{name}{suffix}"
        try:
            put_in_place(content, target)
        except OSError as error:
            raise _told(target, error) from None
        written.append(target)
    return written


def compared(finding: Finding) -> dict[str, dict[str, Value]]:
    """{quantity: {paper, ours}}."""
    return {name: quantity._asdict() for name, quantity in finding.quantities.items()}


def _figure(finding: Finding) -> bytes:
    memory = io.BytesIO()
    finding.draw().savefig(memory, format="png", dpi=DOTS)
    return memory.getvalue()


def _table(finding: Finding) -> bytes:
    memory = io.StringIO()
    writer = csv.writer(memory, lineterminator="\n")
    writer.writerow(finding.data.columns)
    writer.writerows(finding.data.rows)
    return memory.getvalue().encode()


def _comparison(finding: Finding) -> bytes:
    told = {
        "claim": finding.claim,
        "finding": finding.finding,
        "flags": list(finding.flags),
        "quantities": compared(finding),
    }
    return (json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _told(place: Path, error: OSError) -> WritingError:
    if isinstance(error, WritingError):
        return error
    return WritingError(f"{place} cannot be written: {os.strerror(error.errno or 0)}.")
