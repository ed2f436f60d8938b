"""`stickslip simulate`: run a scenario and keep the run."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stickslip.cli.commands import ENDED_EARLY, INTERRUPTED, RefusedError, say

if TYPE_CHECKING:
    from stickslip.scenario import Scenario
    from stickslip.simulate import Trajectory


def simulate(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO.toml", help="What is simulated.", show_default=False)],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="RUN.h5", help="Where the run is kept: by default the scenario's name with .h5, here."
        ),
    ] = None,
) -> None:
    """Simulate a scenario and keep the run.

    Ctrl-C ends the run at once and keeps what was done; so does whatever goes wrong on the way.
    """
    target = out if out is not None else Path(f"{scenario.stem}.h5")
    _check_target(target)
    from stickslip.scenario import Scenario

    run, seconds = _run(Scenario.load(scenario), scenario, target)
    print(run)
    print(f"simulated in {seconds:.3g} s, kept in {target}")
    if run.outcome is type(run.outcome).INTERRUPTED:
        say(f"interrupted at {run.duration:g} s; {target} holds what was done.")
        raise typer.Exit(INTERRUPTED)
    if not run.outcome:
        say(f"the run ended early, at {run.duration:g} s: {run.trouble or run.outcome.value}")
        raise typer.Exit(ENDED_EARLY)


def _check_target(target: Path) -> None:
    """Nothing is simulated that cannot be kept."""
    if target.is_dir():
        raise RefusedError(f"{target} is a directory; name a file for the run.")
    if not target.parent.is_dir():
        raise RefusedError(f"there is no directory {target.parent} for the run {target.name}.")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise RefusedError(f"the directory {target.parent} cannot be written to.")


def _run(scenario: Scenario, source: Path, target: Path) -> tuple[Trajectory, float]:
    """The run, which is saved, and how long it took in s."""
    from stickslip.cli.interruption import Interruption
    from stickslip.cli.progress import progress_of_run
    from stickslip.mechanism.errors import ArgumentError

    started = time.perf_counter()
    with Interruption() as interruption:
        with progress_of_run(scenario.name, scenario.duration) as show:

            def progress(done: float, hits: int) -> None:
                show(done, hits)
                interruption.look()

            try:
                run = scenario.run(progress=progress)
            except ArgumentError as error:  # of a start that overlaps, or a setting that does not fit the world
                raise RefusedError(f"{source}: {error}") from None
        seconds = time.perf_counter() - started
        run.save(target)
    return run, seconds
