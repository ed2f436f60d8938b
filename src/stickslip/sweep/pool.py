"""Chunks of cases on worker processes, through joblib; what to do when one of these dies.

joblib cannot say which chunk a worker died of, and ends its other workers with it. So whatever was under way then is done
again, chunk by chunk and each alone; a chunk that a worker dies of again, case by case. A case that a worker dies of alone is
the culprit; the others lose only time, since their results do not depend on where they are made.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import Any

from stickslip.sweep.outcome import CaseResult, CaseStatus
from stickslip.sweep.worker import Finished, Job, prepare_worker, run_chunk, sent

CHUNK = 0.5  # s: handing over a chunk and saving it takes a few ms
AT_THE_END = 4  # chunks of what is left for each worker, so that none of them has to wait long for the others
GROWTH = 8  # times the chunk before: the first cases need not be like the others

DIED = "its worker process ended{} whenever it was tried, in company and alone; it may need more memory than there is."

FEWEST = 2  # processes: with one joblib would start none, and a case that ends its process would end ours


class Pool:
    """Worker processes for the cases of a sweep."""

    def __init__(self, work: Job, cases: Sequence[Any], workers: int) -> None:
        self.work, self.cases, self.workers = work, cases, workers
        self.pace = Pace(workers)

    def finished(self, indices: Sequence[int]) -> Generator[list[CaseResult]]:
        """The results of these cases, chunk by chunk, as they come. The workers end with it, however it ends."""
        left = dict.fromkeys(indices)
        try:
            while left:
                under_way: dict[int, list[int]] = {}
                try:
                    for results in self._together(list(left), under_way):
                        for result in results:
                            del left[result.index]
                        yield results
                except BrokenProcessPool:
                    for chunk in list(under_way.values()):
                        for results in self._carefully(chunk):
                            for result in results:
                                del left[result.index]
                            yield results
        finally:
            _end_workers()

    def _together(self, indices: list[int], under_way: dict[int, list[int]]) -> Generator[list[CaseResult]]:
        """Chunks on all workers; `under_way` holds those whose results have not come yet."""

        def chunks() -> Iterator[list[int]]:
            start = 0
            while start < len(indices):
                chunk = indices[start : start + self.pace.chunk(len(indices) - start)]
                under_way[chunk[0]] = chunk
                yield chunk
                start += len(chunk)

        with closing(self._run(chunks())) as finished:
            for results, seconds in finished:
                self.pace.learn(len(results), seconds)
                del under_way[results[0].index]
                yield results

    def _carefully(self, chunk: list[int]) -> Generator[list[CaseResult]]:
        """A chunk while no other one is under way, or, if that fails, its cases one by one."""
        try:
            (finished,) = self._run(iter([chunk]))
        except BrokenProcessPool as error:
            if len(chunk) > 1:
                for index in chunk:
                    yield from self._carefully([index])
                return
            codes = re.search(r"exit codes of the workers are \{(.*)\}", str(error))
            told = f" ({codes[1]})" if codes else ""
            finished = Finished([CaseResult(chunk[0], CaseStatus.DIED, error=DIED.format(told))], 0.0)
        yield finished.results

    def _run(self, chunks: Iterator[list[int]]) -> Generator[Finished]:
        """joblib's loop over chunks."""
        import joblib

        tasks = (joblib.delayed(run_chunk)(self.work, sent(self.cases, chunk)) for chunk in chunks)
        with joblib.parallel_config("loky", inner_max_num_threads=1, initializer=prepare_worker):
            finished = joblib.Parallel(
                max(FEWEST, self.workers),
                return_as="generator_unordered",
                pre_dispatch=1 if self.workers == 1 else 2 * self.workers,  # some wait, so that no worker has to wait for us
                batch_size=1,
                max_nbytes=None,  # arrays are sent as they are, not as files that nobody may write to
            )(tasks)
        try:
            for one in finished:  # noqa: UP028 (`yield from` would close it before we can)
                yield one
        finally:
            with warnings.catch_warnings(action="ignore"):  # joblib warns whoever stops early, which is what we mean
                finished.close()


class Pace:
    """How many cases make a chunk: as many as take `CHUNK` seconds, by what the chunks before took."""

    def __init__(self, workers: int) -> None:
        self.workers, self.size, self.count, self.seconds = workers, 1, 0, 0.0

    def learn(self, count: int, seconds: float) -> None:
        """A chunk of `count` cases took so many seconds."""
        self.count += count
        self.seconds += seconds

    def chunk(self, left: int) -> int:
        """The number of cases of the next chunk, of so many that are left."""
        if self.count:
            wanted = int(CHUNK * self.count / max(self.seconds, 1e-9))
            self.size = max(1, min(wanted, GROWTH * self.size))
        return max(1, min(self.size, -(-left // (AT_THE_END * self.workers))))


def _end_workers() -> None:
    """joblib would keep them for the next call for five minutes."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)
