"""Progress bars, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

OFTEN = 0.1  # s between two looks of a bar


@contextmanager
def progress_of_run(name: str, duration: float) -> Iterator[Callable[[float, int], None]]:
    """A bar for a run of `duration` in s; what it gives is told the simulated time in s and how much was hit."""
    if not sys.stderr.isatty():
        yield lambda time, hits: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:.3g} of {task.total:g} s, {task.fields[speed]:.3g} times real time"),
        TextColumn("{task.fields[hits]} hits"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=1 / OFTEN) as bar:
        task = bar.add_task(name, total=duration, speed=0.0, hits=0)
        started = shown = time.perf_counter()

        def show(done: float, hits: int) -> None:
            nonlocal shown
            now = time.perf_counter()
            if now - shown >= OFTEN:
                shown = now
                bar.update(task, completed=done, hits=hits, speed=done / (now - started))

        yield show


@contextmanager
def progress_of_items(count: int) -> Iterator[Callable[[str], None]]:
    """A bar for `count` pieces of work; what it gives is told the name of each when it begins."""
    if not sys.stderr.isatty():
        yield lambda name: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=count)
        begun = 0

        def begin(name: str) -> None:
            nonlocal begun
            bar.update(task, description=name, completed=begun)
            begun += 1

        yield begin
