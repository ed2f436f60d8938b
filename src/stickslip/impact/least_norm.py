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

FAR = 1e-10  # s below which the nearest point, if any, would be 1e5 away


class Nearest(NamedTuple):
    """`point` (m,) nearest to zero, None if there is none, and the multipliers (rows,) of the inequalities."""

    point: Floats | None
    multipliers: Floats


def nearest(A: Floats, b: Floats) -> Nearest | None:
    """The x (m,) of least norm with A x >= b, for A (rows, m) and b (rows,); None if round-off hid the answer."""
    if (b <= 0.0).all():
        return Nearest(np.zeros(A.shape[1]), np.zeros(len(b)))
    solution = lcp.solve(A @ A.T + np.outer(b, b), -b, budget=0)
    if not solution:
        return None
    y = solution.z
    s = 1.0 - float(b @ y)
    if s < FAR:
        return Nearest(None, y)
    return _sharpened(A, b, y / s)


def _sharpened(A: Floats, b: Floats, multipliers: Floats) -> Nearest:
    """The same without the round-off of a small s: from the inequalities that hold x back, as equations."""
    rough: Floats = A.T @ multipliers
    held = multipliers > 0.0
    sharp: Floats = np.asarray(np.linalg.lstsq(A[held], b[held], rcond=None)[0], dtype=np.float64)
    return Nearest(sharp if (A @ sharp - b).min() >= (A @ rough - b).min() else rough, multipliers)
