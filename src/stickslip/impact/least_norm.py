"""The point nearest to zero that satisfies linear inequalities, or a sum of them that proves that there is none.

With y >= 0 the distance between (A^T y, b . y) and (0, 1) is least where, with s = 1 - b . y the square of that distance,

    s > 0     x = A^T y / s is the nearest point that satisfies A x >= b
    s = 0     y . A x = 0 and y . b = 1: no x does

so that one LCP, which always has a solution, decides both (Lawson and Hanson's least distance programming).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.complementarity import lcp
from stickslip.dynamics.tree import Floats

NONE = 1e-15  # s below which round-off hides the nearest point, if there is any
TOLERANCE = 1e-12  # violation of a line by the nearest point, relative to its terms


class Nearest(NamedTuple):
    """`point` (m,) nearest to zero, None if there is none, and the multipliers (rows,) of the inequalities.

    Where the point is far away, the multipliers prove that none is near.
    """

    point: Floats | None
    multipliers: Floats


def nearest(A: Floats, b: Floats) -> Nearest | None:
    """The x (m,) of least norm with A x >= b, for A (rows, m) and b (rows,); None if the LCP was not solved.

    Rows are divided by their size, and lengths counted in the largest distance from zero to one of their planes.
    """
    if (b <= 0.0).all():
        return Nearest(np.zeros(A.shape[1]), np.zeros(len(b)))
    size = np.abs(A).max(axis=1, initial=0.0)
    size[size <= NONE * np.abs(b)] = 1.0
    lines, far = A / size[:, None], b / size
    unit = float(far.max())
    far = far / unit
    solution = lcp.solve(lines @ lines.T + np.outer(far, far), -far, budget=0)
    if not solution:
        return None
    y = solution.z
    s = 1.0 - float(far @ y)
    point = _sharpened(lines, far, y / s) if s > NONE else None
    return Nearest(None if point is None else unit * point, y / size)


def _sharpened(A: Floats, b: Floats, multipliers: Floats) -> Floats | None:
    """The nearest point without the round-off of a small s, from what holds it back, as equations; None if there is none."""
    held = multipliers > 0.0
    for x in (np.linalg.lstsq(A[held], b[held], rcond=None)[0], A.T @ multipliers):
        if (A @ x - b >= -TOLERANCE * (np.abs(A) @ np.abs(x) + np.abs(b))).all():
            return np.asarray(x, dtype=np.float64)
    return None
