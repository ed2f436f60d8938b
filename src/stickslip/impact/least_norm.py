"""The point nearest to zero that satisfies linear inequalities, or a sum of them that proves that there is none.

With y >= 0 the distance between (A^T y, b . y) and (0, 1) is least where, with s = 1 - b . y the square of that distance,

    s > 0     x = A^T y / s is the nearest point that satisfies A x >= b
    s = 0     y . A x = 0 and y . b = 1: no x does

so that one problem of least squares with y >= 0, which always has a solution, decides both: Lawson and Hanson's least distance
programming, by their active sets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.dynamics.tree import Floats

NONE = 1e-15  # s below which round-off hides the nearest point, if there is any
HELPS = 1e-14  # decrease of the distance by an unknown that enters; the largest possible is of order one
ROUNDS = 10  # of the active sets, times the number of unknowns
TOLERANCE = 1e-12  # violation of a line by the nearest point, relative to its terms


class Nearest(NamedTuple):
    """`point` (m,) nearest to zero, None if there is none, and the multipliers (rows,) of the inequalities.

    Where the point is far away, the multipliers prove that none is near.
    """

    point: Floats | None
    multipliers: Floats


def nearest(A: Floats, b: Floats) -> Nearest | None:
    """The x (m,) of least norm with A x >= b, for A (rows, m) and b (rows,); None if that was not solved.

    Rows are divided by their size, and lengths counted in the largest distance from zero to one of their planes.
    """
    if (b <= 0.0).all():
        return Nearest(np.zeros(A.shape[1]), np.zeros(len(b)))
    size = np.abs(A).max(axis=1, initial=0.0)
    size[size <= NONE * np.abs(b)] = 1.0
    lines, far = A / size[:, None], b / size
    unit = float(far.max())
    far = far / unit
    y = _least_squares(np.vstack([lines.T, far]), np.append(np.zeros(A.shape[1]), 1.0))
    if y is None:
        return None
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


def _least_squares(E: Floats, f: Floats) -> Floats | None:
    """The y (n,) >= 0 that makes E y - f least: unknowns enter where that helps most, and leave before they turn negative."""
    count = E.shape[1]
    y, inside = np.zeros(count), np.zeros(count, dtype=bool)
    for _ in range(ROUNDS * count):
        help_ = E.T @ (f - E @ y)
        help_[inside] = 0.0
        enters = int(help_.argmax())
        if help_[enters] <= HELPS:
            return y
        inside[enters] = True
        while True:
            aim = np.zeros(count)
            aim[inside] = np.linalg.lstsq(E[:, inside], f, rcond=None)[0]
            if (aim[inside] > 0.0).all():
                y = aim
                break
            if aim[enters] <= 0.0 and y[enters] == 0.0:  # round-off let it in
                return y
            leaving = inside & (aim <= 0.0)
            share = float((y[leaving] / (y[leaving] - aim[leaving])).min())
            y = y + share * (aim - y)
            inside &= y > NONE * y.max()
            y[~inside] = 0.0
    return None
