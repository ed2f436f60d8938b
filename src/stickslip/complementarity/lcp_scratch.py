"""A thread's arrays for complementarity problems of one size, and the kernels run on them."""

from __future__ import annotations

import threading

import numpy as np

from stickslip.complementarity.basis import (
    ACTIVE,
    COLUMNS,
    FLOOR,
    MARKS,
    ROWS,
    SCRATCH,
    SOLVED,
    TOLERANCE,
    equilibrate,
    residual_of,
)
from stickslip.complementarity.guess import guess_into
from stickslip.complementarity.kernel import entry
from stickslip.complementarity.lemke import FIGURES, PIVOTS, RESIDUAL, lemke_into
from stickslip.dynamics.tree import Floats


@entry
def judge_into(A, b, scratch, marks, z, w):
    """The residual of z, which is not negative, as `basis.py` measures it; w becomes what A z + b should be."""
    count = 0
    for i in range(b.size):
        scratch[ROWS, i] = 1.0
        scratch[COLUMNS, i] = 1.0
        if z[i] != 0.0:
            marks[ACTIVE, count] = i
            count += 1
    residual, _ = residual_of(A, b, count, scratch, marks, z, w, 0.0)
    if residual > TOLERANCE:
        equilibrate(A, scratch)
        residual, _ = residual_of(A, b, count, scratch, marks, z, w, FLOOR)
    return residual


class LcpScratch:
    """Scratch for problems of n pairs, which holds the last result until the next run.

    `z`, `w` (n,) are in units of the problem, `basis` (n,) is 1 for the pairs that the method took for active.
    """

    _local = threading.local()

    def __init__(self, n: int) -> None:
        self.z, self.w, self.basis = np.zeros(n), np.zeros(n), np.zeros(n)
        self._figures = np.zeros(FIGURES)
        self._work = np.zeros((n + 2, n)), np.zeros((SCRATCH, n)), np.zeros((MARKS, 2 * n + 1), dtype=np.int64)

    @classmethod
    def of_this_thread(cls, n: int) -> LcpScratch:
        """The one that this thread keeps for n pairs."""
        kept: dict[int, LcpScratch] = cls._local.__dict__.setdefault("kept", {})
        if n not in kept:
            kept[n] = cls(n)
        return kept[n]

    def guess(self, A: Floats, b: Floats, basis: Floats) -> bool:
        """Whether the pairs where `basis` (n,) is not zero make a solution, which z and w then hold."""
        self._figures[PIVOTS] = 0.0
        return bool(guess_into(A, b, basis, *self._work, self.z, self.w, self._figures) == SOLVED)

    def lemke(self, A: Floats, b: Floats, limit: int) -> int:
        """Lemke's method, with at most `limit` pivots on each path; answers how it ended, as `basis.py` numbers it."""
        return int(lemke_into(A, b, limit, *self._work, self.z, self.w, self.basis, self._figures))

    def judge(self, A: Floats, b: Floats, z: Floats, free: tuple[int, ...]) -> float:
        """The residual of z (n,) with what is below zero cut off, but for `free` pairs; z and w become its own."""
        np.maximum(z, 0.0, out=self.z)
        for i in free:
            self.z[i] = z[i]
        _, scratch, marks = self._work
        residual = float(judge_into(A, b, scratch, marks, self.z, self.w))
        for i in free:
            if self.w[i] > 0.0:  # left over in an equation whose z is zero
                residual = max(residual, float(self.w[i] / (np.abs(A[i]) @ np.abs(self.z) + abs(b[i]))))
                self.w[i] = 0.0
        return residual

    @property
    def residual(self) -> float:
        """Dimensionless, of the last run."""
        return self._figures.item(RESIDUAL)

    @property
    def pivots(self) -> int:
        """What Lemke's method took."""
        return int(self._figures.item(PIVOTS))
