"""Between two samples: the cubic that has the positions and the velocities of both, on the manifold of positions.

Straight coordinates follow Hermite's cubic. A body turns from its attitude at the first sample by a rotation vector x in its
own axes, for which the same cubic is taken: its angular velocity is w = T(x) dx/dt with

    T(x) = 1 - (1 - cos|x|) / |x|^2 [x] + (|x| - sin|x|) / |x|^3 [x]^2

so that dx/dt at the ends follows from w, and w in between from dx/dt. Both q and v are those of the samples at the samples,
and v is what q's rate says everywhere. Bodies must turn by less than half a turn from sample to sample.
"""

from __future__ import annotations

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.simulate.layout import Layout

SMALL = 1e-2  # rad; below it series take the place of quotients that would lose digits


def between(layout: Layout, h: Floats, s: Floats, q: tuple[Floats, Floats], v: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """(q (m, nq), v (m, nv)) at the parts s (m,) of m steps of h (m,) s, with q (m, nq) and v (m, nv) at both ends of each."""
    h, s = h[:, None], s[:, None]
    x = _displacement(layout, *q)
    first, last = v[0].copy(), v[1].copy()
    for _, turn in layout.turns:
        last[:, turn] = turn_rate(x[:, turn], v[1][:, turn])
    moved = h * s * (1 - s) ** 2 * first + s**2 * (3 - 2 * s) * x - h * s**2 * (1 - s) * last
    rate = (1 - s) * (1 - 3 * s) * first + 6 * s * (1 - s) * x / h - s * (2 - 3 * s) * last
    for _, turn in layout.turns:
        rate[:, turn] = angular_velocity(moved[:, turn], rate[:, turn])
    return _moved(layout, q[0], moved), rate


def _displacement(layout: Layout, q: Floats, target: Floats) -> Floats:
    """x (m, nv) that leads from q (m, nq) to target (m, nq)."""
    x = np.empty((len(q), layout.nv))
    positions, velocities = layout.straight
    x[:, velocities] = target[:, positions] - q[:, positions]
    for place, turn in layout.turns:
        x[:, turn] = rotation_vector(q[:, place], target[:, place])
    return x


def _moved(layout: Layout, q: Floats, x: Floats) -> Floats:
    """q (m, nq) moved by x (m, nv)."""
    moved = np.empty_like(q)
    positions, velocities = layout.straight
    moved[:, positions] = q[:, positions] + x[:, velocities]
    for place, turn in layout.turns:
        moved[:, place] = turned(q[:, place], x[:, turn])
    return moved


# ---- rotations -------------------------------------------------------------------------------------------------------


def rotation_vector(quaternion: Floats, target: Floats) -> Floats:
    """The shorter rotation vectors (m, 3), in rad and body axes, that turn quaternions (m, 4) into others, up to their sign."""
    conjugate = quaternion * [1.0, -1.0, -1.0, -1.0]
    turn = _product(conjugate, target)
    turn *= np.where(turn[:, :1] < 0, -1.0, 1.0)
    size = np.linalg.norm(turn[:, 1:], axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = np.where(size < 1e-12 * turn[:, :1], 2.0 / turn[:, :1], 2.0 * np.arctan2(size, turn[:, :1]) / size)
    return factor * turn[:, 1:]


def turned(quaternion: Floats, x: Floats) -> Floats:
    """Unit quaternions (m, 4): the given ones, then turned by the rotation vectors x (m, 3) in rad and in their own axes."""
    angle = np.linalg.norm(x, axis=1, keepdims=True)
    half = np.concatenate([np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * x], axis=1)
    product = _product(quaternion, half)
    return np.asarray(product / np.linalg.norm(product, axis=1, keepdims=True))


def angular_velocity(x: Floats, rate: Floats) -> Floats:
    """T(x) rate (m, 3), in rad/s: the angular velocity, in body axes, of a body whose rotation vector x (m, 3) changes so."""
    angle = np.linalg.norm(x, axis=1, keepdims=True)
    square = angle**2
    with np.errstate(invalid="ignore", divide="ignore"):
        second = np.where(angle < SMALL, 1 / 6 - square / 120, (angle - np.sin(angle)) / angle**3)
    across = np.cross(x, rate)
    return np.asarray(rate - 0.5 * np.sinc(0.5 * angle / np.pi) ** 2 * across + second * np.cross(x, across))


def turn_rate(x: Floats, w: Floats) -> Floats:
    """T(x)^-1 w (m, 3), in rad/s: the rate of the rotation vector x (m, 3) of a body with angular velocity w in body axes."""
    angle = np.linalg.norm(x, axis=1, keepdims=True)
    square = angle**2
    with np.errstate(invalid="ignore", divide="ignore"):
        exact = 1 / square - 0.5 / (angle * np.tan(0.5 * angle))
    second = np.where(angle < SMALL, 1 / 12 + square / 720, exact)
    across = np.cross(x, w)
    return np.asarray(w + 0.5 * across + second * np.cross(x, across))


def _product(a: Floats, b: Floats) -> Floats:
    """The quaternions a b (m, 4)."""
    vector = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])
    scalar = a[:, :1] * b[:, :1] - (a[:, 1:] * b[:, 1:]).sum(axis=1, keepdims=True)
    return np.concatenate([scalar, vector], axis=1)
