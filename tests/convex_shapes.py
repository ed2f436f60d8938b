"""Shapes in space as a textbook has them: how far each reaches along a direction, and whether a point is in it.

Written down anew from what the shapes are, so that detection can be judged by something that shares no line with it.
"""

from __future__ import annotations

from functools import cache, singledispatch

import numpy as np
from scipy.optimize import minimize
from scipy.spatial import ConvexHull

import stickslip as ss

Pose = tuple[np.ndarray, np.ndarray]  # R (3, 3) and p (3,): the world's axes and place of a body


# ---- how far a shape reaches along directions d (n, 3), in its own axes about its own centre --------------------------


@singledispatch
def reach(shape: ss.Shape, d: np.ndarray) -> np.ndarray:
    """The largest d . x (n,) of any point of the shape."""
    raise NotImplementedError(type(shape))


@reach.register
def _(shape: ss.Point, d):
    return np.zeros(len(d))


@reach.register
def _(shape: ss.Sphere, d):
    return shape.radius * np.linalg.norm(d, axis=1)


@reach.register
def _(shape: ss.Disc, d):
    return shape.radius * np.hypot(d[:, 0], d[:, 1])


@reach.register
def _(shape: ss.Segment, d):
    return np.maximum(d @ shape.start, d @ shape.end)


@reach.register
def _(shape: ss.Capsule, d):
    return shape.radius * np.linalg.norm(d, axis=1) + np.abs(d[:, 2]) * shape.length / 2


@reach.register
def _(shape: ss.Cylinder, d):
    return shape.radius * np.hypot(d[:, 0], d[:, 1]) + np.abs(d[:, 2]) * shape.length / 2


@reach.register
def _(shape: ss.Box, d):
    return np.abs(d) @ shape.size / 2


@reach.register
def _(shape: ss.Ellipsoid, d):
    return np.linalg.norm(d * shape.semi_axes, axis=1)


@reach.register
def _(shape: ss.Polygon, d):
    return (d[:, :2] @ np.array(shape.vertices).T).max(axis=1)


@reach.register
def _(shape: ss.Mesh, d):
    return (d @ np.array(shape.vertices).T).max(axis=1)


# ---- whether a point x (3,) is in a shape: zero on its surface, negative inside, else about how far outside, in m ---------


@singledispatch
def excess(shape: ss.Shape, x: np.ndarray) -> float:
    """Of what is flat or thin every point is on the surface."""
    raise NotImplementedError(type(shape))


@excess.register
def _(shape: ss.Point, x):
    return float(np.linalg.norm(x))


@excess.register
def _(shape: ss.Sphere, x):
    return float(np.linalg.norm(x)) - shape.radius


@excess.register
def _(shape: ss.Disc, x):
    return max(float(np.hypot(x[0], x[1])) - shape.radius, abs(float(x[2])))


@excess.register
def _(shape: ss.Segment, x):
    start, end = np.array(shape.start), np.array(shape.end)
    s = np.clip((x - start) @ (end - start) / ((end - start) @ (end - start)), 0, 1)
    return float(np.linalg.norm(x - start - s * (end - start)))


@excess.register
def _(shape: ss.Capsule, x):
    core = ss.Segment(start=(0, 0, -shape.length / 2), end=(0, 0, shape.length / 2))
    return excess(core, x) - shape.radius


@excess.register
def _(shape: ss.Cylinder, x):
    return max(float(np.hypot(x[0], x[1])) - shape.radius, abs(float(x[2])) - shape.length / 2)


@excess.register
def _(shape: ss.Box, x):
    return float((np.abs(x) - np.array(shape.size) / 2).max())


@excess.register
def _(shape: ss.Ellipsoid, x):
    return (float(np.linalg.norm(x / shape.semi_axes)) - 1.0) * min(shape.semi_axes)


@excess.register
def _(shape: ss.Polygon, x):
    planes = _planes_of(shape)
    return max(float((planes[:, :2] @ x[:2] + planes[:, 2]).max()), abs(float(x[2])))


@excess.register
def _(shape: ss.Mesh, x):
    planes = _planes_of(shape)
    return float((planes[:, :3] @ x + planes[:, 3]).max())


@cache
def _planes_of(shape: ss.Polygon | ss.Mesh) -> np.ndarray:
    """Unit normals and offsets (faces, d + 1) of the hull: normal . x + offset <= 0 inside."""
    return ConvexHull(np.array(shape.vertices)).equations


# ---- shapes on bodies --------------------------------------------------------------------------------------------------


def support(shape: ss.Shape, n: np.ndarray, pose: Pose) -> np.ndarray:
    """The largest n . x (m,) of any point of a shape on a body at that pose; n (m, 3)."""
    R, p = pose
    d = n @ R
    return reach(shape, d @ np.array(shape.rotation)) + d @ shape.centre + n @ p


def outside(shape: ss.Shape, x: np.ndarray, pose: Pose) -> float:
    """The `excess` of x (3,) over a shape on a body at that pose."""
    R, p = pose
    return excess(shape, np.array(shape.rotation).T @ (R.T @ (x - p) - shape.centre))


def apart(a: ss.Shape, b: ss.Shape, n: np.ndarray, pose_a: Pose, pose_b: Pose) -> np.ndarray:
    """How far b is in front of a as seen along unit vectors n (m, 3)."""
    return -support(b, -n, pose_b) - support(a, n, pose_a)


def spread_directions(count: int) -> np.ndarray:
    """Unit vectors (count, 3), evenly over the sphere."""
    k = np.arange(count)
    z = 1 - (2 * k + 1) / count
    angle, r = k * np.pi * (3 - np.sqrt(5)), np.sqrt(1 - z**2)
    return np.column_stack([r * np.cos(angle), r * np.sin(angle), z])


EVERYWHERE = spread_directions(2000)


def widest(a: ss.Shape, b: ss.Shape, pose_a: Pose, pose_b: Pose, starts: int = 2) -> float:
    """The largest `apart` over all directions, from below: the distance, or minus the depth of an overlap.

    By search: all around, then from the best of those.
    """
    best = -np.inf
    for n in EVERYWHERE[np.argsort(-apart(a, b, EVERYWHERE, pose_a, pose_b))[:starts]]:
        across = np.linalg.svd(n[None])[2][1:]

        def depth(x, n=n, across=across):
            m = n + x @ across
            return -apart(a, b, m[None] / np.linalg.norm(m), pose_a, pose_b)[0]

        x = np.zeros(2)
        for size in (0.05, 1e-3):  # once more from where it stopped, lest it stopped on an edge
            corners = x + size * np.array([(0, 0), (1, 0), (0, 1)])
            options = {"xatol": 1e-11, "fatol": 1e-14, "initial_simplex": corners}
            x = minimize(depth, x, method="Nelder-Mead", options=options).x
        best = max(best, -depth(x))
    return best
