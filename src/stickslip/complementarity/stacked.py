"""The rows of a contact problem, of all kinds, one below the other, and the magnitudes that their tolerances refer to."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from stickslip.dynamics.tree import Floats

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

MASSLESS = 1e-24  # part of the largest inertia that is the square of round-off: up to this a coordinate counts as massless


@dataclass(frozen=True, eq=False)
class Stacked:
    """`jacobian` (R, nv), `drift` (R,) and `velocity` (R,) of all rows, in m or rad and s; a slice of them for each kind."""

    jacobian: Floats
    drift: Floats
    velocity: Floats
    contacts: slice
    limits: slice
    dry: slice
    bilateral: slice

    @property
    def count(self) -> int:
        """The number of rows, and so of forces."""
        return len(self.drift)


@dataclass(frozen=True, eq=False)
class Scale:
    """Typical magnitudes at one instant, which tolerances are multiplied by; they follow any change of units.

    `acceleration` (nv,) of the coordinates, `push` (nv,) of the generalised forces, `row` (R,) of the rows' accelerations and
    `force` (R,) of the rows' forces, in SI units.
    """

    acceleration: Floats
    push: Floats
    row: Floats
    force: Floats


def stack(problem: ContactProblem) -> Stacked:
    """All rows of a problem."""
    kinds = problem, problem.limits, problem.dry_friction, problem.bilateral
    ends = np.cumsum([0, *(len(kind.drift) for kind in kinds)]).tolist()
    jacobian, drift, velocity = (
        np.concatenate([getattr(kind, name) for kind in kinds]) for name in ("jacobian", "drift", "velocity")
    )
    contacts, limits, dry, bilateral = (slice(a, b) for a, b in pairwise(ends))
    return Stacked(jacobian, drift, velocity, contacts, limits, dry, bilateral)


def scale_of(problem: ContactProblem, applied: Floats) -> Scale:
    """Magnitudes by the energy norm: what the applied forces (nv,) and the drift do to bodies of this mass.

    A push of size p along a direction of inertia m gives an acceleration of size p / m, and p^2 / m is the same for all of
    them where it is the same motion; its root is `strength`. Massless directions borrow their inertia from the others
    through the rows.
    """
    rows = problem.stacked
    J = rows.jacobian
    inertia = _inertia(problem, np.abs(applied))
    mobility = (J**2 / inertia).sum(axis=1)
    mobility[mobility == 0.0] = 1.0
    strength = max(
        np.sqrt(applied**2 / inertia).max(initial=0.0),
        np.sqrt(rows.drift**2 / mobility).max(initial=0.0),
        np.sqrt(problem.dry_friction.bound**2 * mobility[rows.dry]).max(initial=0.0),
        _demanded(problem, inertia, mobility),
    )
    strength = strength or 1.0
    return Scale(
        acceleration=strength / np.sqrt(inertia),
        push=strength * np.sqrt(inertia),
        row=strength * np.sqrt(mobility),
        force=strength / np.sqrt(mobility),
    )


def _inertia(problem: ContactProblem, push: Floats) -> Floats:
    """Of each coordinate (nv,); a massless one moves the rows that it shares with others about as much as these do.

    One that shares no row with any of them gives way to its `push` as they do to theirs, or else counts as the heaviest.
    """
    inertia = problem.mass.diagonal().copy()
    heaviest = inertia.max(initial=0.0) or 1.0
    known = inertia > MASSLESS * heaviest
    squares = problem.stacked.jacobian**2
    while not known.all():
        mobility = (squares[:, known] / inertia[known]).sum(axis=1)
        alike = np.divide(squares, mobility[:, None], out=np.zeros_like(squares), where=mobility[:, None] > 0.0)
        borrowed = alike.max(axis=0, initial=0.0)
        reached = ~known & (borrowed > 0.0)
        if not reached.any():
            strength = (push[known] / np.sqrt(inertia[known])).max(initial=0.0)
            inertia[~known] = np.where(push[~known] > 0.0, (push[~known] / strength) ** 2, heaviest) if strength else heaviest
            break
        inertia[reached] = borrowed[reached]
        known |= reached
    return inertia


def _demanded(problem: ContactProblem, inertia: Floats, mobility: Floats) -> float:
    """The strength that the constants of extra constraints ask for."""
    most = 0.0
    contact = mobility[problem.stacked.contacts]
    for extra in (*problem.equalities, *problem.inequalities):
        reach = np.sqrt((extra.acceleration**2 / inertia).sum(axis=1) + (extra.force**2 / contact).sum(axis=1))
        reach[reach == 0.0] = np.inf
        most = max(most, (np.abs(extra.constant) / reach).max(initial=0.0))
    return most
