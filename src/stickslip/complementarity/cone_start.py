"""Starts from pyramids: the friction cones replaced by edges, the problem solved as an LCP by Lemke's method.

For contacts at rest whose velocities or accelerations can all be brought to zero Lemke's method always finds a solution but for
rounding, and with more and more edges its solutions come near to those of the cones; so this is the last resort. Which contacts
stick and slip is known by their slip speeds, however small these are, where forces and motions would not say it.
"""

from __future__ import annotations

import numpy as np

from stickslip.complementarity.basis import INACCURATE, SOLVED
from stickslip.complementarity.cone_newton import GUIDED, SEPARATE, SLIP, STICK
from stickslip.complementarity.cone_residual import DYNAMIC, SLIDE
from stickslip.complementarity.lemke import FIGURES, lemke_into
from stickslip.dynamics.tree import Floats, Ints

PIVOTS_PER_ROW = 30
GOOD_ENOUGH = SOLVED, INACCURATE  # ends of Lemke's method; for a start, round-off does not matter


def pyramid_solution(H: Floats, d: Floats, contacts: Floats, edges: int) -> tuple[Floats, Ints] | None:
    """Forces (3k,) and modes (k,) of a solution with that many `edges` in place of each cone, None where none is found.

    In the units of `cone_units.py`, which suit Lemke's method. `contacts` (k, 4) are the rows that `solve_cone_into` takes.
    Stuck or slipping, friction is the dynamic one.

    The unknowns of a contact that may turn are its normal force, a force along each edge's direction and a slip speed s:
    directions . w_t + s >= 0, mu z_n - (sum of tangential forces) >= 0, each complementary to the unknown in its place.
    """
    turns = [not slides and mu > 0.0 for mu, slides in zip(contacts[:, DYNAMIC], ~np.isnan(contacts[:, SLIDE]), strict=True)]
    sizes = [edges + 2 if turn else 1 for turn in turns]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    push, look, A = np.zeros((first[-1], d.size)), np.zeros((first[-1], d.size)), np.zeros((first[-1], first[-1]))
    angles = 2 * np.pi * (np.arange(edges) + 0.25) / edges
    for i, turn in enumerate(turns):
        normal, rows = first[i], slice(3 * i, 3 * i + 3)
        look[normal, 3 * i] = push[normal, 3 * i] = 1.0
        if turn:
            along, speed = slice(normal + 1, normal + 1 + edges), normal + 1 + edges
            push[along, rows] = look[along, rows] = np.column_stack([np.zeros(edges), np.cos(angles), np.sin(angles)])
            A[along, speed] = 1.0
            A[speed, normal] = contacts[i, DYNAMIC]
            A[speed, along] = -1.0
        elif contacts[i, DYNAMIC] > 0.0:
            push[normal, 3 * i + 1 : 3 * i + 3] = -contacts[i, DYNAMIC] * contacts[i, SLIDE : SLIDE + 2]
    z = _lemke(A + look @ H @ push.T, look @ d)
    if z is None:
        return None
    loaded = z[first[:-1]] > 0.0
    slipping = np.array([turn and z[last - 1] > 0.0 for turn, last in zip(turns, first[1:], strict=True)], dtype=bool)
    modes = np.where(loaded, np.where(turns, np.where(slipping, SLIP, STICK), GUIDED), SEPARATE)
    return push.T @ z, modes


def _lemke(A: Floats, b: Floats) -> Floats | None:
    """A solution z (n,) of w = A z + b, z and w not negative and complementary, but for round-off; None where none is found."""
    n = b.size
    z = np.zeros(n)
    scratch = np.zeros((n + 2, n)), np.zeros((4, n)), np.zeros((6, 2 * n + 1), dtype=np.int64)
    ended = lemke_into(A, b, PIVOTS_PER_ROW * n, *scratch, z, np.zeros(n), np.zeros(n), np.zeros(FIGURES))
    return z if ended in GOOD_ENOUGH and np.isfinite(z).all() else None
