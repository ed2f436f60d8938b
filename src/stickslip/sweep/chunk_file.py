"""Results of some cases in an HDF5 file, which keeps every bit and runs no code when it is read.

`records` is JSON as bytes: a list with the number, the status and the value of each case. What JSON cannot hold is named there
by its kind, "array" or "trajectory", and by where it is in the file.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stickslip.simulate import Trajectory
from stickslip.simulate.netcdf import StorageError
from stickslip.simulate.storage import LIBRARY
from stickslip.sweep.outcome import CaseResult, CaseStatus
from stickslip.sweep.value import unchanging

SHARED = "value"  # the one entry of what is no mapping


def image(results: Sequence[CaseResult]) -> memoryview:
    """The bytes of the file."""
    import h5py

    memory = io.BytesIO()
    with h5py.File(memory, "w", libver=LIBRARY) as file:
        records = json.dumps([_record(file, result) for result in results]).encode()
        text = np.frombuffer(records, dtype=np.uint8)
        file.create_dataset("records", data=text, chunks=text.shape, compression="gzip", fletcher32=True)
    return memory.getbuffer()


def _record(file: Any, result: CaseResult) -> dict[str, Any]:
    record = {"index": result.index, "status": result.status.name, "error": result.error, "traceback": result.traceback}
    if result.status:
        mapping = isinstance(result.value, dict)
        entries = result.value if mapping else {SHARED: result.value}
        place = f"case-{result.index}"
        stored = [[key, *_stored(file, f"{place}/{k}", entry)] for k, (key, entry) in enumerate(entries.items())]
        record |= {"mapping": mapping, "entries": stored}
    return record


def _stored(file: Any, place: str, entry: Any) -> tuple[str, Any]:
    """What kind of entry it is, and the entry or its place in the file."""
    from stickslip.simulate.stored_trajectory import write

    if isinstance(entry, np.ndarray):
        options = {"fletcher32": True, "chunks": entry.shape} if entry.size else {}
        file.create_dataset(place, data=entry, **(options if entry.ndim else {}))
        return "array", place
    if isinstance(entry, Trajectory):
        write(file.create_group(place), entry)
        return "trajectory", place
    return "plain", entry


def read(path: Path) -> list[CaseResult]:
    """The results in a file that `image` made."""
    import h5py

    try:
        with h5py.File(path, "r", locking=False) as file:
            return [_result(file, record) for record in json.loads(file["records"][...].tobytes())]
    except (OSError, LookupError, ValueError, TypeError, RuntimeError, AttributeError, MemoryError):
        raise StorageError(f"{path} is damaged; delete it, and its cases will be done again.") from None


def _result(file: Any, record: dict[str, Any]) -> CaseResult:
    entries = {key: _read(file, kind, entry) for key, kind, entry in record.get("entries", ())}
    value = entries if record.get("mapping", True) else entries[SHARED]
    status = CaseStatus[record["status"]]
    return CaseResult(record["index"], status, value if status else None, record["error"], record["traceback"])


def _read(file: Any, kind: str, entry: Any) -> Any:
    from stickslip.simulate.stored_trajectory import read as read_trajectory

    if kind == "array":
        return unchanging(np.asarray(file[entry][()]), "an array")
    if kind == "trajectory":
        return read_trajectory(file[entry])
    return _tuples(entry)


def _tuples(value: Any) -> Any:
    """JSON's lists as the tuples that they were."""
    if isinstance(value, dict):
        return {key: _tuples(entry) for key, entry in value.items()}
    return tuple(_tuples(entry) for entry in value) if isinstance(value, list) else value
