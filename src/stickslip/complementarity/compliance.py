"""What unit forces in the rows of a contact problem do: accelerations of the coordinates, of the rows, forces of the loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import SingularInertiaError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

SINGULAR = 1e-12  # reciprocal condition, in scaled units, below which a matrix counts as singular
BORROWED = 1e-7  # share of the heaviest inertia that `borrowing` gives to massless coordinates


@dataclass(frozen=True, eq=False)
class Compliance:
    """a = response f + free, loop forces = loop_response f + loop_free, for forces f (r,) of all rows but the loops'.

    `delassus` G (r, r) and `row_free` c (r,) make the rows' accelerations G f + c. `response` is (nv, r), in SI units.
    """

    response: Floats
    free: Floats
    loop_response: Floats
    loop_free: Floats
    delassus: Floats
    row_free: Floats

    def acceleration(self, force: Floats) -> Floats:
        """Accelerations (nv,), in m/s^2 or rad/s^2, under the forces (r,), in N or N m."""
        return self.response @ force + self.free

    def loop_force(self, force: Floats) -> Floats:
        """Forces of the loops, in N or N m, under the forces (r,) of the other rows."""
        return self.loop_response @ force + self.loop_free


def compliance(
    problem: ContactProblem, applied: Floats, *, drift: Floats | None = None, loops: bool = True, borrowing: bool = False
) -> Compliance:
    """How a problem gives way, for the `applied` generalised force (nv,), in N and N m.

    `drift` (R,) stands for the rows' own. Without `loops` the loops do not hold, and are rows like the others. A singular
    mass matrix is an error, unless massless coordinates may go on with a little inertia that is `borrowing`: good enough to
    guess which contacts hold.
    """
    rows = problem.stacked
    drift = rows.drift if drift is None else drift
    nv, others = problem.nv, slice(0, rows.bilateral.start if loops else rows.count)
    held_rows = slice(others.stop, rows.count)
    J, L = rows.jacobian[others], rows.jacobian[held_rows]
    mass = problem.mass
    diagonal = mass.diagonal()
    heaviest = diagonal.max(initial=0.0)
    if borrowing:
        mass = mass + np.diag(np.full(nv, BORROWED * heaviest))
        diagonal = mass.diagonal()
    unit = np.sqrt(np.where(diagonal > 0.0, diagonal, heaviest or 1.0))
    size = np.sqrt(((L / unit) ** 2).sum(axis=1))
    size[size == 0.0] = 1.0

    scaled_mass = mass / np.outer(unit, unit)
    scaled_loops = L / unit / size[:, None]
    count = len(L)
    K = np.zeros((nv + count, nv + count))
    K[:nv, :nv], K[:nv, nv:], K[nv:, :nv] = scaled_mass, -scaled_loops.T, scaled_loops
    right = np.zeros((nv + count, len(J) + 1))
    right[:nv, :-1] = J.T / unit[:, None]
    right[:nv, -1] = applied / unit
    right[nv:, -1] = -drift[held_rows] / size
    solved = _solved(K, right, scaled_mass)
    response = solved[:nv] / unit[:, None]
    held = solved[nv:] / size[:, None]
    return Compliance(
        response=response[:, :-1].copy(),
        free=response[:, -1].copy(),
        loop_response=held[:, :-1].copy(),
        loop_free=held[:, -1].copy(),
        delassus=J @ response[:, :-1],
        row_free=J @ response[:, -1] + drift[others],
    )


def _solved(K: Floats, right: Floats, mass: Floats) -> Floats:
    """K^-1 right; loops may repeat each other, but every coordinate must have inertia or a loop that holds it."""
    nv = len(mass)
    u, s, v = np.linalg.svd(K)
    kept = s > SINGULAR * s.max(initial=0.0)
    if np.abs(v[~kept, :nv]).max(initial=0.0) > 1e-6:
        raise SingularInertiaError(
            "the mass matrix is singular, so that accelerations do not follow from forces alone; solve() and solutions() "
            "take such a problem, complementarity forms do not."
        )
    return (v[kept].T / s[kept]) @ (u[:, kept].T @ right)
