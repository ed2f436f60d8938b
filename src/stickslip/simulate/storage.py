"""Trajectories on disk: files that are whole or not there at all."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from stickslip.mechanism.arguments import FilePath, file_path
from stickslip.mechanism.whole_file import put_in_place
from stickslip.simulate.netcdf import StorageError

if TYPE_CHECKING:
    from stickslip.simulate.hybrid_trajectory import HybridTrajectory
    from stickslip.simulate.trajectory import Trajectory

    Run: TypeAlias = Trajectory | HybridTrajectory

AnyRun = TypeVar("AnyRun")

FORMAT = 1  # rises when files can no longer be read by the versions before

LIBRARY = "v110", "v110"  # HDF5 1.10 and later read it; its metadata are smaller than before, and carry checksums

SIGNATURE = b"\x89HDF\r\n\x1a\n"  # with which every HDF5 file begins

WHAT = "the path of a trajectory"


def save(run: Run, path: FilePath) -> None:
    """Write a trajectory to an HDF5 file at `path`; it appears there when it is whole, in place of an older one."""
    target = file_path(path, WHAT)
    try:
        target = Path(os.path.realpath(target))
        if target.exists() and not target.is_file():
            raise StorageError(f"{target} is not a regular file, and is not replaced by a trajectory.")
        if not target.parent.is_dir():
            raise StorageError(f"there is no directory {target.parent} for the trajectory {target.name}.")
        put_in_place(_image(run), target)
    except (OSError, ValueError) as error:
        raise _told(f"the trajectory cannot be written to {target}", error) from None


def load(path: FilePath) -> Trajectory:
    """The trajectory in the HDF5 file at `path`."""
    from stickslip.simulate.stored_trajectory import read

    return _loaded(path, read)


def load_hybrid(path: FilePath) -> HybridTrajectory:
    """The run of a hybrid system in the HDF5 file at `path`."""
    from stickslip.simulate.stored_hybrid import KIND, read

    return _loaded(path, read, KIND)


def _loaded(path: FilePath, read: Callable[[Any], AnyRun], kind: str | None = None) -> AnyRun:
    import h5py

    source = file_path(path, WHAT)
    _refuse_foreign(source)
    try:
        with h5py.File(source, "r", locking=False) as file:
            _check(file, kind)
            return read(file)
    except StorageError as error:
        raise StorageError(f"{source} cannot be read as a trajectory: {error}") from None
    except (OSError, LookupError, ValueError, TypeError, RuntimeError, MemoryError) as error:
        if isinstance(error, OSError) and error.errno:
            raise _told(f"{source} cannot be read", error) from None
        if "truncated file" in str(error):
            raise StorageError(f"{source} is cut short: its end is missing, as after a copy that was interrupted.") from None
        raise StorageError(f"{source} is damaged: {_first_line(error)}.") from None


# ---- writing -------------------------------------------------------------------------------------------------------


def _image(run: Run) -> memoryview:
    """The bytes of the file. HDF5 writes to memory: it cannot close a file properly on a disk that is full."""
    import h5py

    from stickslip.simulate import stored_hybrid, stored_trajectory
    from stickslip.simulate.hybrid_trajectory import HybridTrajectory

    memory = io.BytesIO()
    with h5py.File(memory, "w", libver=LIBRARY) as file:
        file.attrs["stickslip_format"] = FORMAT
        file.attrs["stickslip_version"] = version("stickslip")
        if isinstance(run, HybridTrajectory):
            stored_hybrid.write(file, run)
        else:
            stored_trajectory.write(file, run)
    return memory.getbuffer()


def _told(what: str, error: Exception) -> StorageError:
    """An error of the operating system as the end of a sentence; one of our own as it is."""
    if isinstance(error, StorageError):
        return error
    number = getattr(error, "errno", None)
    return StorageError(f"{what}: {os.strerror(number) if number else _first_line(error)}.")


def _first_line(error: BaseException) -> str:
    told = str(error.args[0]) if error.args else ""
    return told.splitlines()[0][:200].rstrip(".") if told else type(error).__name__


# ---- reading -------------------------------------------------------------------------------------------------------


def _refuse_foreign(source: Path) -> None:
    """Say what is wrong with a path that leads to no HDF5 file."""
    try:
        if not source.exists():
            raise StorageError(f"there is no file {source}.")
        if not source.is_file():
            raise StorageError(f"{source} is a directory or a device, not a file with a trajectory.")
        with open(source, "rb") as file:
            beginning = file.read(len(SIGNATURE))
    except (OSError, ValueError) as error:
        raise _told(f"{source} cannot be read", error) from None
    if beginning != SIGNATURE:
        raise StorageError(f"{source} is not an HDF5 file, and so holds no trajectory.")


def _check(file: Any, kind: str | None) -> None:
    """Refuse a file that this version does not read, or that holds a run of another kind."""
    number = file.attrs.get("stickslip_format")
    if not isinstance(number, np.integer):
        raise StorageError("it is an HDF5 file of another kind.")
    if number > FORMAT:
        writer, reader = file.attrs.get("stickslip_version", "unknown"), version("stickslip")
        raise StorageError(
            f"its format {number}, written by stickslip {writer!s:.20}, is newer than those that stickslip {reader} reads, "
            f"up to {FORMAT}; install a newer one."
        )
    held = file.attrs.get("kind")
    if held != kind:
        raise StorageError(f"it holds the run of a {held or 'world'!s:.40}; load it as such.")
