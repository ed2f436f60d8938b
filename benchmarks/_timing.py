"""Timing that stands noise: both sides in turn, the best of several repeats."""

from __future__ import annotations

import time
from collections.abc import Callable

Call = Callable[[], object]

REPEATS = 15
BATCH = 2e-3  # seconds: long enough for the clock, short enough to slip between other programs


def best(*calls: Call, repeats: int = REPEATS) -> list[float]:
    """Seconds for one run of each call, measured in turn so that all of them meet the same weather."""
    counts = [_count(call) for call in calls]
    times = [float("inf")] * len(calls)
    for _ in range(repeats):
        for k, call in enumerate(calls):
            times[k] = min(times[k], _time(call, counts[k]) / counts[k])
    return times


def _count(call: Call) -> int:
    call()
    return max(1, int(BATCH / max(_time(call, 1), 1e-7)))


def _time(call: Call, count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - start
