"""The two phases of an impact with several contacts at once: compression, and what is restored after it.

In the plane each is an LCP (paper 2, 37 to 41), with two directions of friction, which is exact. In space compression is a
problem of exact cones; the second phase goes through the points in turn, each solved exactly while the others hold still, until
nothing changes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stickslip.complementarity import lcp
from stickslip.dynamics.tree import Floats
from stickslip.impact.collision import Collision, velocity_problem
from stickslip.impact.single_point import restored

SWEEPS = 1000
SETTLED = 1e-13  # change of an impulse in a sweep, relative to the largest


def compression(at: Collision) -> Floats | None:
    """Impulses (r,) in N s after which nothing approaches; None if none were found."""
    nothing = np.zeros(len(at.velocity))
    if at.planar:
        return _by_lcp(at, at.velocity, nothing)
    solution = velocity_problem(at, nothing, static=False).solve()
    if solution:
        return np.concatenate([solution.force, solution.limit_force])
    return _in_sweeps(at, at.velocity, nothing)


def restoration(at: Collision, first: Floats, restitution: Floats) -> Floats | None:
    """Impulses (r,) in N s of both phases, after those of the `first`; None if none were found."""
    least = np.zeros(len(first))
    for point, e in zip(at.points, restitution, strict=True):
        least[point.normal] = e * first[point.normal]
    if not least.any():
        return first
    start = at.velocity + at.delassus @ first
    second = _by_lcp(at, start, least) if at.planar else _in_sweeps(at, start, least)
    return None if second is None else first + second


def _by_lcp(at: Collision, start: Floats, least: Floats) -> Floats | None:
    """Impulses (r,) from velocities `start` (r,), in the plane; its unknowns are what comes on top of the `least` ones."""
    rough = [i for i, point in enumerate(at.points) if point.friction > 0.0]
    n, k = len(at.points), len(rough)
    normals = [point.normal for point in at.points]
    tangents = [at.points[i].normal + 1 for i in rough]
    pushes = np.zeros((len(start), n + 2 * k))
    pushes[normals, np.arange(n)] = 1.0
    pushes[tangents, n + np.arange(k)] = 1.0
    pushes[tangents, n + k + np.arange(k)] = -1.0
    A, b = np.zeros((n + 3 * k, n + 3 * k)), np.zeros(n + 3 * k)
    A[: n + 2 * k, : n + 2 * k] = pushes.T @ at.delassus @ pushes
    b[: n + 2 * k] = pushes.T @ (start + at.delassus @ least)
    for j, i in enumerate(rough):
        slip, mu = n + 2 * k + j, at.points[i].friction
        A[slip, i], b[slip] = mu, mu * least[at.points[i].normal]
        for friction in (n + j, n + k + j):
            A[slip, friction], A[friction, slip] = -1.0, 1.0
    solution = lcp.solve(A, b)
    return np.asarray(least + pushes @ solution.z[: n + 2 * k]) if solution else None


def _in_sweeps(at: Collision, start: Floats, least: Floats) -> Floats | None:
    """The same in space, point by point."""
    G, impulse = at.delassus, least.copy()
    points = [replace(point, static_friction=point.friction) for point in at.points]
    for _ in range(SWEEPS):
        before = impulse.copy()
        for point in points:
            own = G[point.rows, point.rows]
            c = start[point.rows] + G[point.rows] @ impulse - own @ impulse[point.rows]
            impulse[point.rows] = restored(own, c, point, float(least[point.normal]))
        if np.abs(impulse - before).max() <= SETTLED * np.abs(impulse).max():
            return impulse
    return None
