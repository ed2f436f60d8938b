"""The convex hull of points in a plane."""

from __future__ import annotations

import numpy as np

from stickslip.dynamics.tree import Floats

STRAIGHT = 1e-12  # of the size squared: corners that bulge less than this are none


def planar_hull(points: Floats) -> Floats:
    """The corners of the hull of points (n, 2), counter-clockwise from the leftmost lowest; on a line only its two ends."""
    points = np.unique(points, axis=0)
    bulge = STRAIGHT * float(np.ptp(points, axis=0).max()) ** 2
    lower = _chain(points, bulge)
    upper = _chain(points[::-1], bulge)
    return np.array(lower[:-1] + upper[:-1]) if len(points) > 1 else points


def _chain(points: Floats, bulge: float) -> list[Floats]:
    """The hull from the first point to the last, turning left."""
    chain: list[Floats] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= bulge:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
