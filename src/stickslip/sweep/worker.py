"""What a worker does: some cases, one after the other, each with random numbers of its own."""

from __future__ import annotations

import gc
import signal
import time
import traceback
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown
from stickslip.sweep.outcome import CaseResult, CaseStatus
from stickslip.sweep.value import checked_value

Function = Callable[[Any, np.random.Generator], Any]


class Job(NamedTuple):
    """What all cases have in common: the function, pickled, and the seed of the sweep."""

    function: bytes
    seed: int


class Sent(NamedTuple):
    """A case as it travels: its number, and itself, pickled; or why it cannot be."""

    number: int
    pickled: bytes | None
    trouble: str = ""


class Finished(NamedTuple):
    """A chunk of cases that is done, and how many seconds they took."""

    results: list[CaseResult]
    seconds: float


def job(function: Function, seed: int) -> Job:
    """`function` by value where it stands in a script or in a function, by name where it is part of a module."""
    import cloudpickle

    try:
        return Job(cloudpickle.dumps(function), seed)
    except Exception as error:
        raise ArgumentError(f"the function {shown(function)} cannot be sent to other processes: {error}.") from None


def random_numbers(seed: int, index: int) -> np.random.Generator:
    """Those of case `index`, whoever works on it and when: of the seed's child of that number."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))


def sent(cases: Sequence[Any], indices: Sequence[int]) -> list[Sent]:
    """Cases as they travel; it raises nothing, since joblib asks for them in a thread of its own."""
    import cloudpickle

    packed: list[Sent] = []
    for index in indices:
        try:
            packed.append(Sent(index, cloudpickle.dumps(cases[index])))
        except Exception as error:
            packed.append(Sent(index, None, f"the case cannot be sent to other processes: {error}."))
    return packed


def run_chunk(work: Job, cases: Sequence[Sent]) -> Finished:
    """The cases, one after the other. It raises nothing but an interruption."""
    start = time.perf_counter()
    return Finished([run_case(work, case) for case in cases], time.perf_counter() - start)


def run_case(work: Job, case: Sent) -> CaseResult:
    """One case; what it raises is its result, too, and a wish to exit is no reason to do so."""
    import cloudpickle

    index = case.number
    try:
        if case.pickled is None:
            raise ArgumentError(case.trouble)
        value = _loaded(work.function)(cloudpickle.loads(case.pickled), random_numbers(work.seed, index))
        return CaseResult(index, CaseStatus.DONE, checked_value(value))
    except (Exception, SystemExit) as error:
        told = "".join(traceback.format_exception_only(error)).strip()
        return CaseResult(index, CaseStatus.RAISED, error=told, traceback=traceback.format_exc())


@lru_cache(maxsize=1)
def _loaded(function: bytes) -> Function:
    """Loaded once: what a function closes over may be a world, which is compiled when it is loaded."""
    import cloudpickle

    loaded: Function = cloudpickle.loads(function)
    return loaded


def prepare_worker() -> None:
    """What a worker process does before its first case."""
    # A terminal sends Ctrl-C to all processes; only the first of them answers, and ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # joblib collects garbage every second; going through all that was imported each time would take 50 ms of it.
    gc.freeze()
