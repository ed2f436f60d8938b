"""The folder of a sweep: what sweep it is, and a file for every chunk that is finished."""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from stickslip.mechanism.arguments import FilePath, file_path
from stickslip.mechanism.whole_file import put_in_place
from stickslip.simulate.netcdf import StorageError
from stickslip.sweep.chunk_file import image, read
from stickslip.sweep.identity import Identity, difference
from stickslip.sweep.outcome import CaseResult

FORMAT = 1  # rises when folders can no longer be read by the versions before
MANIFEST = "sweep.json"
CHUNK = re.compile(r"chunk-\d{8}\.h5")
LARGEST = 1 << 20  # bytes of a manifest: ours have a few hundred


class SweepFolder:
    """Results on disk, from a folder that `opened` gives."""

    def __init__(self, path: Path) -> None:
        self.path, self.count = path, 0

    def results(self) -> dict[int, CaseResult]:
        """All that was saved; where a case was done twice, the later one."""
        found = {}
        for file in sorted(file for file in self.path.iterdir() if CHUNK.fullmatch(file.name)):
            found.update({result.index: result for result in read(file)})
            self.count = int(file.stem.removeprefix("chunk-")) + 1
        return found

    def save(self, results: Sequence[CaseResult]) -> None:
        """Keep a chunk; it is there as a whole when this returns."""
        target = self.path / f"chunk-{self.count:08d}.h5"
        try:
            put_in_place(image(results), target)
        except OSError as error:
            raise StorageError(f"results cannot be written to {target}: {os.strerror(error.errno or 0)}.") from None
        self.count += 1


@contextmanager
def opened(path: FilePath, this: Identity) -> Iterator[SweepFolder]:
    """The folder of this sweep, which is made if there is none; nobody else may work in it meanwhile."""
    folder = file_path(path, "the folder of a sweep")
    with ExitStack() as stack:
        try:
            _lock(folder, stack)
            _check_manifest(folder, this)
        except StorageError:
            raise
        except OSError as error:
            raise StorageError(f"the folder {folder} of a sweep cannot be used: {os.strerror(error.errno or 0)}.") from None
        yield SweepFolder(folder)


def _lock(folder: Path, stack: ExitStack) -> None:
    """Keep other processes out. The system lets go of the lock when this one ends, however it ends."""
    folder.mkdir(exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    stack.callback(os.close, handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StorageError(f"another process is working on the sweep in {folder}; let it finish first.") from None


def _check_manifest(folder: Path, this: Identity) -> None:
    """Refuse the folder of another sweep; begin one in a folder that is empty."""
    manifest = folder / MANIFEST
    for left_over in folder.glob(".*.part"):  # of a process that was killed while it wrote
        left_over.unlink()
    if manifest.exists():
        theirs = _manifest(manifest)
        if theirs.get("format") != FORMAT:
            raise StorageError(
                f"the sweep in {folder} has format {theirs.get('format')!s:.20}, of which only {FORMAT} is read."
            )
        other = difference(theirs, this)
        if other:
            raise StorageError(f"{folder} holds another sweep: {other}; give this one a folder of its own.")
    elif any(folder.iterdir()):
        raise StorageError(f"{folder} holds files, but no sweep; give this one a folder of its own.")
    else:
        put_in_place(json.dumps({"format": FORMAT} | this, indent=2).encode(), manifest)


def _manifest(file: Path) -> Identity:
    if file.stat().st_size <= LARGEST:
        try:
            content = json.loads(file.read_bytes())
        except ValueError:
            content = None
        if isinstance(content, dict):
            return content
    raise StorageError(f"{file} is damaged, so that it cannot be told which sweep this is.")
