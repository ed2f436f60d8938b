"""`stickslip bench`: the benchmarks of a source folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from stickslip.cli.commands import ENDED_EARLY, RefusedError, say

FOLDER = Path(__file__).resolve().parents[3] / "benchmarks"  # beside src/, which an installed wheel does not have


def bench(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One of them: by default all.", show_default=False)] = None,
    json: Annotated[bool, typer.Option("--json", help="Let the benchmark print its numbers as JSON.")] = False,
) -> None:
    """Run the benchmarks against other tools.

    They come with the source code, not with an installed package.
    """
    for script in _scripts(name):
        if not json:
            print(f"== {script.stem}", flush=True)
        done = subprocess.run([sys.executable, str(script), *(["--json"] if json else [])], check=False)
        if done.returncode:
            say(f"the benchmark {script.stem!r} failed with exit code {done.returncode}.")
            raise typer.Exit(ENDED_EARLY)


def _scripts(name: str | None) -> list[Path]:
    found = {path.stem: path for path in sorted(FOLDER.glob("[!_]*.py"))}
    if not found or not (FOLDER.parent / "pyproject.toml").is_file():
        raise RefusedError("the benchmarks are not part of an installed package; run this from a clone of the source code.")
    if name is None:
        return list(found.values())
    if name not in found:
        from stickslip.mechanism.errors import did_you_mean

        near = did_you_mean(name, found)
        raise RefusedError(f"there is no benchmark {name!r}" + (near if near != "." else f"; there are {', '.join(found)}."))
    return [found[name]]
