"""The law of one point at the level of velocities: u = G p + c, exactly, case by case."""

from __future__ import annotations

import numpy as np

from stickslip.complementarity.cone import solve_cone
from stickslip.dynamics.tree import Floats
from stickslip.impact.collision import Point
from stickslip.impact.disc import on_disc


def compressed(G: Floats, c: Floats, point: Point) -> Floats:
    """The impulse (d,) in N s after which the point approaches no more, by Coulomb's law; G (d, d), c (d,) in 1/kg, m/s.

    Sticking is tried first. A point that does not approach gets none, even where friction might draw it in (Painlevé).
    """
    if c[0] >= 0.0 or G[0, 0] <= 0.0:
        return np.zeros(len(c))
    if len(c) == 1:
        return np.array([-c[0] / G[0, 0]])
    if len(c) == 2:
        return _in_the_plane(G, c, point.friction, point.static_friction)
    return solve_cone(G, c, point.friction, static_friction=point.static_friction).force


def restored(G: Floats, c: Floats, point: Point, least: float) -> Floats:
    """The same with a normal impulse of `least` in N s in any case, and more only where the point would approach."""
    if least == 0.0:
        return compressed(G, c, point)
    p = np.zeros(len(c))
    p[0] = least
    if len(c) > 1:
        p[1:] = _rubbed(G[1:, 1:], c[1:] + G[1:, 0] * least, point.friction * least)
    if c[0] + G[0] @ p >= 0.0:
        return p
    return compressed(G, c, point)


def _in_the_plane(G: Floats, c: Floats, moving: float, still: float) -> Floats:
    determinant = G[0, 0] * G[1, 1] - G[0, 1] ** 2
    if determinant > 0.0:
        p = np.array([G[0, 1] * c[1] - G[1, 1] * c[0], G[0, 1] * c[0] - G[0, 0] * c[1]]) / determinant
        if p[0] > 0.0 and abs(p[1]) <= still * p[0]:
            return p
    best, worst = np.zeros(2), np.inf
    for way in (1.0, -1.0):
        slope = G[0, 0] - way * moving * G[0, 1]
        if slope > 0.0:
            n = -c[0] / slope
            p = np.array([n, -way * moving * n])
            wrong = -way * (c[1] + G[1] @ p)
            if wrong < worst:
                best, worst = p, wrong
    return best


def _rubbed(H: Floats, c: Floats, radius: float) -> Floats:
    """Friction bounded by a given radius, in N s, that opposes the slip H x + c."""
    if len(c) == 2:
        return on_disc(H, c, radius)
    if H[0, 0] <= 0.0:
        return np.array([-np.copysign(radius, c[0]) if c[0] else 0.0])
    return np.clip(-c / H[0, 0], -radius, radius)
