"""A start from pyramids: the friction cones replaced by edges, the problem solved as an LCP by Lemke's method.

For contacts at rest whose velocities or accelerations can all be brought to zero Lemke's method always finds a solution but for
rounding, and with more and more edges its solutions come near to those of the cones; so this is the last resort.
"""

from __future__ import annotations

import numpy as np

from stickslip.complementarity.basis import INACCURATE, SOLVED
from stickslip.complementarity.lemke import FIGURES, lemke_into
from stickslip.dynamics.tree import Floats

PIVOTS_PER_ROW = 30
GOOD_ENOUGH = SOLVED, INACCURATE  # ends of Lemke's method; for a start, round-off does not matter

Force = tuple[float, float, float]


def pyramid_forces(H: Floats, d: Floats, contacts: Floats, edges: int) -> Floats | None:
    """Contact forces (3k,) of a solution with that many `edges` in place of each cone, None where Lemke's method finds none.

    In the units of `cone_units.py`, which suit Lemke's method. `contacts` (k, 4) are the rows that `solve_cone_into` takes.
    Stuck or slipping, friction is the dynamic one.

    The unknowns of a contact that may turn are its normal force, a force along each edge's direction and a slip speed s:
    directions . w_t + s >= 0, mu z_n - (sum of tangential forces) >= 0, each complementary to the unknown in its place.
    """
    generators: list[tuple[int, int, Force, Force]] = []
    speeds: list[tuple[int, int, float]] = []
    angles = 2 * np.pi * (np.arange(edges) + 0.25) / edges
    row = 0
    for i, (_, mu, x, y) in enumerate(contacts.tolist()):
        moving = x == x
        generators.append((row, i, (1.0, -mu * x, -mu * y) if moving else (1.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
        row += 1
        if not moving and mu > 0:
            for a, angle in enumerate(angles):
                edge = (0.0, np.cos(angle), np.sin(angle))
                generators.append((row + a, i, edge, edge))
            speeds.append((row - 1, row + edges, mu))
            row += edges + 1
    return _solve(H, d, generators, speeds, edges, row)


def _solve(
    H: Floats,
    d: Floats,
    generators: list[tuple[int, int, Force, Force]],
    speeds: list[tuple[int, int, float]],
    edges: int,
    size: int,
) -> Floats | None:
    """Lemke's method on rows of (row, contact, force per unit, direction looked at) and of (normal, slip speed, friction)."""
    push, look = np.zeros((size, d.size)), np.zeros((size, d.size))
    for row, i, force, direction in generators:
        push[row, 3 * i : 3 * i + 3] = force
        look[row, 3 * i : 3 * i + 3] = direction
    A, b = look @ H @ push.T, look @ d
    for normal, speed, mu in speeds:
        along = slice(normal + 1, normal + 1 + edges)
        A[along, speed] = 1.0
        A[speed, normal] = mu
        A[speed, along] = -1.0
    z = np.zeros(size)
    scratch = np.zeros((size + 2, size)), np.zeros((4, size)), np.zeros((6, 2 * size + 1), dtype=np.int64)
    ended = lemke_into(A, b, PIVOTS_PER_ROW * size, *scratch, z, np.zeros(size), np.zeros(size), np.zeros(FIGURES))
    return push.T @ z if ended in GOOD_ENOUGH and np.isfinite(z).all() else None
