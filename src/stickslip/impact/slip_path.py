"""One impact at one point in space, followed through its instant: Coulomb's law while the direction of slip turns.

The normal impulse grows in small parts. In each the friction impulse x, within a disc of radius mu dp_n, opposes the mean slip
of that part, or holds the point where it can. So friction takes energy in every part whatever its length, and the work of the
normal impulse, dp_n times the mean normal velocity, is exact: the books of energy balance to rounding, and the direction of
slip is right to second order in 1/`parts`. The planar case, which needs no such parts, is `routh.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.impact.disc import on_disc

PARTS = 200  # of compression, if it were without friction
MOST = 10  # times as many, for impacts into which friction draws the point; then parts are doubled
DOUBLINGS = 8
STILL = 1e-13  # of the largest velocity before: less is none
HALVINGS = 60  # of a part, to end where compression or restitution does


class Stage(NamedTuple):
    """Where an impact is: impulse (3,) in N s, velocity (3,) in m/s, and the work of the normal impulse so far in J."""

    impulse: Floats
    velocity: Floats
    work: float


def followed(G: Floats, u: Floats, moving: float, still: float, restitution: float, parts: int = PARTS) -> Stage | None:
    """The end of an impact that restores restitution^2 of the work of compression; G (3, 3) in 1/kg, u (3,) in m/s.

    None if there is no end: where nothing gives way, however large the impulse.
    """
    still_speed = STILL * float(np.abs(u).max())

    def compressed(stage: Stage) -> bool:
        return bool(stage.velocity[0] >= -still_speed)

    def restored(stage: Stage) -> bool:  # or held by friction, whatever more the normal impulse does
        return stage.work >= wanted or bool(np.abs(stage.velocity).max() <= 2 * still_speed)

    first = _until(compressed, G, Stage(np.zeros(3), u, 0.0), -u[0] / G[0, 0] / parts, moving, still, parts)
    if first is None or restitution == 0.0:
        return first
    wanted = first.work * (1.0 - restitution**2)
    return _until(restored, G, first, restitution * first.impulse[0] / parts, moving, still, parts)


def _until(
    is_over: Callable[[Stage], bool], G: Floats, at: Stage, part: float, moving: float, still: float, parts: int
) -> Stage | None:
    """The first stage at which it is over, in parts that are doubled where there are too many of them."""
    for _ in range(DOUBLINGS):
        for _ in range(MOST * parts):
            ahead = _advanced(G, at, part, moving, still)
            if is_over(ahead):
                return _ended(is_over, G, at, part, moving, still)
            at = ahead
        part *= 2.0
    return None


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


def _ended(is_over: Callable[[Stage], bool], G: Floats, at: Stage, part: float, moving: float, still: float) -> Stage:
    """The first moment within a part at which it is over, by halving."""
    low, high = 0.0, part
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if is_over(_advanced(G, at, middle, moving, still)):
            high = middle
        else:
            low = middle
    return _advanced(G, at, high, moving, still)
