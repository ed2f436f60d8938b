"""One impact at one point in space, followed through its instant: Coulomb's law while the direction of slip turns.

The normal impulse grows in small parts. In each the friction impulse x, within a disc of radius mu dp_n, opposes the mean slip
of that part, or holds the point where it can. So friction takes energy in every part whatever its length, and the work of the
normal impulse, dp_n times the mean normal velocity, is exact: the books of energy balance to rounding, and the direction of
slip is right to second order in 1/`parts`. The planar case, which needs no such parts, is `routh.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.impact.disc import on_disc

PARTS = 200  # of compression, if it were without friction
MOST = 50  # times as many, for impacts into which friction draws the point; then parts are doubled
HALVINGS = 60  # of a part, to end where compression or restitution does


class Stage(NamedTuple):
    """Where an impact is: impulse (3,) in N s, velocity (3,) in m/s, and the work of the normal impulse so far in J."""

    impulse: Floats
    velocity: Floats
    work: float


def followed(G: Floats, u: Floats, moving: float, still: float, restitution: float, parts: int = PARTS) -> Stage:
    """The end of an impact that restores restitution^2 of the work of compression; G (3, 3) in 1/kg, u (3,) in m/s."""
    at = Stage(np.zeros(3), u, 0.0)
    part = -u[0] / G[0, 0] / parts
    made = 0
    while at.velocity[0] < 0.0:
        ahead = _advanced(G, at, part, moving, still)
        if ahead.velocity[0] >= 0.0:
            ahead = _ended(G, at, part, moving, still, lambda stage: bool(stage.velocity[0] >= 0.0))
            at = ahead
            break
        at, made = ahead, made + 1
        if made % (MOST * parts) == 0:
            part *= 2.0
    if restitution == 0.0:
        return at
    wanted = at.work * (1.0 - restitution**2)
    part = restitution * at.impulse[0] / parts
    while True:
        ahead = _advanced(G, at, part, moving, still)
        if ahead.work >= wanted:
            return _ended(G, at, part, moving, still, lambda stage: stage.work >= wanted)
        at = ahead


def _advanced(G: Floats, at: Stage, part: float, moving: float, still: float) -> Stage:
    """A part on: it ends in sticking if static friction can do that and takes energy by it, else it slips."""
    T, before = G[1:, 1:], at.velocity[1:]
    free = before + G[1:, 0] * part
    x = on_disc(T, free, still * part)
    held = free + T @ x
    if np.hypot(*held) > 1e-12 * (np.hypot(*free) + np.hypot(*before)) or x @ before > 0.0:
        x = on_disc(T / 2, (before + free) / 2, moving * part)
    else:
        held = np.zeros(2)
    p = np.array([part, *x])
    velocity = at.velocity + G @ p
    if not held.any() and np.hypot(*velocity[1:]) <= 1e-9 * (np.hypot(*free) + np.hypot(*before)):
        velocity[1:] = 0.0
    return Stage(at.impulse + p, velocity, at.work + part * (at.velocity[0] + velocity[0]) / 2)


def _ended(G: Floats, at: Stage, part: float, moving: float, still: float, is_over: object) -> Stage:
    """The first moment within a part at which it is over, by halving."""
    assert callable(is_over)
    low, high = 0.0, part
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if is_over(_advanced(G, at, middle, moving, still)):
            high = middle
        else:
            low = middle
    return _advanced(G, at, high, moving, still)
