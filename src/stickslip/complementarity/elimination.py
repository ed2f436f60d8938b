"""Mixed complementarity problems: pairs that are equations are eliminated, and their z follow from those of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stickslip.dynamics.tree import Floats, Ints

RANK = 1e-13  # singular values of the equilibrated equations below this part of the largest are round-off


@dataclass(frozen=True, eq=False)
class Elimination:
    """The problem w = A z + b (r, r) of the pairs `rest`, where those in `free` have z = gain z_rest + offset."""

    A: Floats
    b: Floats
    rest: Ints
    free: Ints
    gain: Floats
    offset: Floats

    def whole(self, z: Floats) -> Floats:
        """z (n,) of all pairs from those (r,) of the rest, in units of the problem."""
        result = np.empty(len(self.rest) + len(self.free))
        result[self.rest] = z
        result[self.free] = self.gain @ z + self.offset
        return result


def eliminated(A: Floats, b: Floats, free: Ints) -> Elimination:
    """A (n, n), b (n,) without the pairs `free`, by the smallest z that meets their equations as well as any does.

    Equations may repeat each other, as those of redundant loops do; whether they can be met at all is judged on the result.
    """
    rest = np.setdiff1d(np.arange(len(b)), free)
    block, others = A[np.ix_(free, free)], A[np.ix_(free, rest)]
    rows = 1.0 / _or_one(np.abs(block).max(axis=1, initial=0.0))
    columns = 1.0 / _or_one(np.abs(block * rows[:, None]).max(axis=0, initial=0.0))
    scaled = block * rows[:, None] * columns
    right = -np.column_stack([others, b[free]]) * rows[:, None]
    solved: Floats = np.asarray(np.linalg.lstsq(scaled, right, rcond=RANK)[0], dtype=np.float64)
    solved += np.linalg.lstsq(scaled, right - scaled @ solved, rcond=RANK)[0]
    solved *= columns[:, None]
    gain, offset = solved[:, :-1].copy(), solved[:, -1].copy()
    across = A[np.ix_(rest, free)]
    return Elimination(
        A=np.ascontiguousarray(A[np.ix_(rest, rest)] + across @ gain),
        b=b[rest] + across @ offset,
        rest=rest,
        free=free,
        gain=gain,
        offset=offset,
    )


def _or_one(sizes: Floats) -> Floats:
    return np.where(sizes > 0.0, sizes, 1.0)
