"""`parallel_map`: one function over many cases."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, nullcontext
from typing import Any, NamedTuple

from stickslip.mechanism.arguments import FilePath, switch
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import entries, shown
from stickslip.sweep.folder import opened
from stickslip.sweep.identity import identity
from stickslip.sweep.outcome import CaseResult, CaseStatus, Results
from stickslip.sweep.pool import Pool
from stickslip.sweep.worker import Function, Job, job, run_chunk, sent


class Progress(NamedTuple):
    """How far a sweep is: how many of all cases are done, and how many of these have failed."""

    done: int
    failed: int
    total: int


def parallel_map(
    function: Function,
    cases: Iterable[Any],
    *,
    seed: int = 0,
    workers: int | None = None,
    folder: FilePath | None = None,
    retry: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> Results:
    """`function(case, random)` for every case, on `workers` processes: one for each core, unless given.

    `random` is a NumPy generator that belongs to the case: it follows from `seed` and the number of the case alone. So do the
    results, to the last bit, whatever the number of workers and whatever is done first, as long as the function remembers
    nothing from one case to the next. In a worker BLAS and Numba have one thread. With `workers=0` everything is done in this
    process, for a debugger; then nothing protects it from a case that ends it.

    The function may be a lambda or close over things; those are sent with every chunk of cases, and must not be locks, open
    files or the like. It returns a number, a word, an array of numbers, a `Trajectory`, sequences and mappings of numbers and
    words, or a mapping from words to these.

    A case that fails spoils no other. What it raises is recorded as its result; so is the death of a worker of a case, after
    the case was tried again alone. `Results.values` raises an error if any case failed.

    With a `folder` every chunk of cases is saved when it is finished, about every half second, and a later call with the same
    function, cases and seed does only what is missing; `retry=True` does failed cases again, too. Cases must then be plain
    data. The folder of any other sweep is refused. Ctrl-C ends the workers and returns what there is; cases that were not
    reached are OPEN.

    `progress` is called with a `Progress` whenever a chunk is finished.

    >>> from stickslip.sweep import parallel_map
    >>> parallel_map(lambda case, random: case**2, range(4), workers=0).values
    (0, 1, 4, 9)
    """
    listed = _checked(function, cases, seed, workers, progress)
    switch(retry, "retry")
    work = job(function, seed)
    with opened(folder, identity(function, listed, seed)) if folder is not None else nullcontext() as kept:
        results = kept.results() if kept else {}
        if retry:
            results = {index: result for index, result in results.items() if result.status}
        missing = [index for index in range(len(listed)) if index not in results]
        failed = sum(not result.status for result in results.values())
        tell = progress or (lambda _: None)
        tell(Progress(len(results), failed, len(listed)))
        try:
            with closing(_finished(work, listed, missing, _cores() if workers is None else workers)) as chunks:
                for chunk in chunks:
                    if kept:
                        kept.save(chunk)
                    results.update({result.index: result for result in chunk})
                    failed += sum(not result.status for result in chunk)
                    tell(Progress(len(results), failed, len(listed)))
        except KeyboardInterrupt:
            pass  # cases that were not reached are OPEN
    return Results(tuple(results.get(k) or CaseResult(k, CaseStatus.OPEN) for k in range(len(listed))))


def _finished(work: Job, cases: Sequence[Any], missing: list[int], workers: int) -> Generator[list[CaseResult]]:
    """Results, chunk by chunk."""
    if missing and workers:
        yield from Pool(work, cases, min(workers, len(missing))).finished(missing)
    else:
        yield from (run_chunk(work, sent(cases, [index])).results for index in missing)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _checked(function: Any, cases: Any, seed: Any, workers: Any, progress: Any) -> list[Any]:
    """The cases as a list, if all arguments are what they should be."""
    for thing, what in ((function, "the function of a sweep"), (progress, "progress")):
        if not callable(thing) and not (thing is None and what == "progress"):
            raise ArgumentError(f"{what} must be callable, not {shown(thing)}.")
    for number, what in ((seed, "the seed"), (0 if workers is None else workers, "workers")):
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ArgumentError(f"{what} must be a whole number of at least 0, not {shown(number)}.")
    return entries(cases, "the cases of a sweep")
