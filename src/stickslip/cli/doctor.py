"""`stickslip doctor`: what is installed, and whether it works together."""

from __future__ import annotations

import os
import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from stickslip.cli.commands import ENDED_EARLY

NAME = re.compile(r"[\w.-]+")  # with which each line of a package's requirements begins

EXTRAS = {  # extra: the module, the distribution, and what it is for
    "mjcf": ("mujoco", "mujoco-core", "reading MJCF files"),
    "meshes": ("coal", "coal", "contact between convex meshes"),
}
RIVALS = ("mujoco", "mujoco-core")  # write into the same folder
THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Entry(NamedTuple):
    """A line of the report: what is looked at, what is found, and what to do if it is not well."""

    what: str
    found: str
    cure: str = ""


def doctor(json: Annotated[bool, typer.Option("--json", help="Print {what: {found, cure}}.")] = False) -> None:
    """Say what is installed, and what is not well.

    The exit code is 1 if something is not well; extras that are not installed are well.
    """
    entries = [*_machine(), *_packages(), _kernels(), *_extras()]
    if json:
        from json import dumps

        print(dumps({entry.what: {"found": entry.found, "cure": entry.cure} for entry in entries}, indent=2))
    else:
        width = max(len(entry.what) for entry in entries)
        for entry in entries:
            print(f"{entry.what:{width}}  {entry.found}")
            if entry.cure:
                print(f"{'':{width}}  {'!'} {entry.cure}")
    if any(entry.cure for entry in entries):
        raise typer.Exit(ENDED_EARLY)


def _machine() -> list[Entry]:
    from stickslip.dynamics.kernel import PACKAGE

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    asked = [f"{name}={os.environ[name]}" for name in THREADS if name in os.environ]
    return [
        Entry("stickslip", f"{_installed('stickslip')} in {PACKAGE}"),
        Entry("Python", f"{platform.python_version()} in {sys.prefix}"),
        Entry("machine", f"{platform.system()} {platform.release()}, {_processor()}"),
        Entry("threads", f"{cores} that may be used" + (f"; {', '.join(asked)}" if asked else "")),
    ]


def _processor() -> str:
    """The processor's name, which Python itself does not know on Linux."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _installed(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _packages() -> list[Entry]:
    needed = sorted(NAME.match(line)[0] for line in requires("stickslip") or () if "extra ==" not in line)  # type: ignore[index]
    found = {name: _installed(name) for name in needed}
    return [
        Entry(name, number) if number else Entry(name, "missing", f"install it: pip install {name}")
        for name, number in found.items()
    ]


def _kernels() -> Entry:
    from stickslip.dynamics.kernel import cache_folder

    folder = cache_folder()
    if folder is None:
        return Entry(
            "kernel cache", "no folder for it can be written, so that every process compiles anew",
            "set STICKSLIP_CACHE_DIR to a folder that can be written to",
        )  # fmt: skip
    files = [path.stat().st_size for path in folder.rglob("*.nbc")]
    return Entry("kernel cache", f"{folder}, writable, {len(files)} kernels in {sum(files) / 1e6:.1f} MB")


def _extras() -> list[Entry]:
    entries = []
    for extra, (module, distribution, purpose) in EXTRAS.items():
        if find_spec(module) is None:
            entries.append(Entry(f"extra {extra}", f'not installed; for {purpose}: pip install "stickslip[{extra}]"'))
        else:
            entries.append(Entry(f"extra {extra}", f"{distribution} {_installed(distribution) or '?'}, {purpose}"))
    if all(_installed(name) for name in RIVALS):
        entries.append(
            Entry(
                "MuJoCo",
                f"both {' and '.join(RIVALS)} are installed",
                "they overwrite each other; uninstall both, then install one",
            )
        )
    return entries
