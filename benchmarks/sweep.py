"""What a sweep costs besides its work: to start, for every case, and beside runs of 100 ms.

    python benchmarks/sweep.py [--json]

Cases of 100 ms compute all of that time, on as many workers as there are cores. The time in which workers have no case, from
the first case of each until all results are back, is overhead. Other programs on the machine add to it.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from stickslip.sweep import Progress, parallel_map

WORK = 0.1  # s
CASES = 80
MANY = 20_000


def work(case: int, random: Any) -> tuple[int, float, float]:
    """Who did it, from when to when."""
    start = time.perf_counter()  # one clock for all processes
    while time.perf_counter() < start + WORK:
        pass
    return os.getpid(), start, time.perf_counter()


def nothing(case: int, random: Any) -> int:
    return case


def start_and_pace() -> tuple[float, float]:
    """Seconds until the first result, and for a case of nothing."""
    start, times = time.perf_counter(), []

    def told(progress: Progress) -> None:
        times.append(time.perf_counter() - start)

    parallel_map(nothing, range(MANY), progress=told)
    return times[1], (times[-1] - times[1]) / MANY


def overhead(folder: Path | None) -> float:
    """The time in which workers did no case, from the first case of each until the last result is there, over that of cases."""
    done = parallel_map(work, range(CASES), folder=folder).values
    end = time.perf_counter()
    busy = sum(until - since for _, since, until in done)
    present = sum(end - min(since for worker, since, _ in done if worker == one) for one in {worker for worker, _, _ in done})
    return present / busy - 1


def measured() -> dict[str, float]:
    start, pace = start_and_pace()
    with tempfile.TemporaryDirectory() as folder:
        kept = overhead(Path(folder, "sweep"))
    cores = len(os.sched_getaffinity(0))
    return {"cores": cores, "start_s": start, "case_us": pace * 1e6, "overhead": overhead(None), "overhead_in_folder": kept}


def main() -> None:
    parser = argparse.ArgumentParser(description="What a sweep costs besides its work.")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    as_json = parser.parse_args().json
    found = measured()
    if as_json:
        print(json.dumps(found, indent=2))
        return
    print(f"{found['cores']:g} workers: {found['start_s']:.2f} s until the first result")
    print(f"{MANY} cases of nothing: {found['case_us']:.0f} us each")
    overheads = f"{found['overhead']:.1%}, saved in a folder {found['overhead_in_folder']:.1%}"
    print(f"{CASES} cases of {WORK * 1e3:g} ms: overhead once started {overheads}")


if __name__ == "__main__":
    main()
