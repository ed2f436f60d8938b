"""The friction that a slip after an impact would need: paper 4's relation (4.2) between mu and v_t, in the plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stickslip.complementarity.problem import ContactProblem
from stickslip.dynamics.tree import Floats
from stickslip.impact.collision import collision
from stickslip.impact.law import restitution_of, share_or_none
from stickslip.impact.slip_choice import Affine, Choice, independent
from stickslip.mechanism.errors import ArgumentError, did_you_mean


@dataclass(frozen=True, eq=False)
class FrictionCurve:
    """Impulses (n, t) = `slope` x + `rest` of one contact for its slip x afterwards, in kg and N s; others that touch stick.

    `at(x)` is abs(p_t) / p_n (4.2), infinite where the contact would have to be pulled (4.3).
    """

    slope: tuple[float, float]
    rest: tuple[float, float]

    @property
    def at_rest(self) -> float:
        """mu_f, dimensionless: what sticking needs; infinite where it would have to be pulled."""
        return float(self.at([0.0])[0])

    @property
    def asymptote(self) -> float:
        """What fast slip needs in the direction in which the normal impulse grows; infinite where that does not change."""
        return abs(self.slope[1] / self.slope[0]) if self.slope[0] else np.inf

    @property
    def pulled(self) -> tuple[float, float]:
        """The open interval of slips in m/s at which p_n < 0 (4.3); both ends are infinite where it is empty."""
        slope, rest = self.slope[0], self.rest[0]
        if slope == 0.0:
            return (-np.inf, np.inf) if rest < 0.0 else (np.inf, np.inf)
        return (-rest / slope, np.inf) if slope < 0.0 else (-np.inf, -rest / slope)

    def at(self, slips: Any) -> Floats:
        """The friction (n,), dimensionless, that the `slips` (n,) in m/s need."""
        x = np.asarray(slips, dtype=float)
        normal, tangential = self.slope[0] * x + self.rest[0], self.slope[1] * x + self.rest[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(normal > 0.0, np.abs(tangential) / normal, np.inf)


def friction_curve(problem: ContactProblem, v: Any, name: str, restitution: float | None = None) -> FrictionCurve:
    """The curve of the contact `name` of a planar problem at v (nv,), in m/s and rad/s.

    Points that approach or rest leave with -e times their normal velocity; `restitution`, dimensionless, stands for that of the
    materials.
    """
    at = collision(problem, v)
    if not problem.planar:
        raise ArgumentError("a curve of friction over one slip is that of a contact in the plane; in space slip has two parts.")
    names = [contact.name for contact in problem.contacts]
    if name not in names:
        raise ArgumentError(f"there is no contact {name!r}{did_you_mean(name, names)}")
    bounce = restitution_of(share_or_none(restitution, "the restitution"), at)
    normal = np.array([at.velocity[point.normal] for point in at.points])
    active = tuple(i for i, point in enumerate(at.points) if normal[i] <= point.threshold)
    i = names.index(name)
    if i not in active:
        raise ArgumentError(f"{name!r} leaves its surface at {normal[i]:g} m/s: no impulse acts there.")
    if not independent(at, active):
        raise ArgumentError("the rows of the contacts that take part depend on each other, so that none can slip by itself.")
    aim = np.maximum(0.0, -bounce * normal)
    affine = Affine(Choice(at, active, (i,), aim, aim, np.inf))
    n = affine.place[at.points[i].normal]
    return FrictionCurve(
        slope=(float(affine.P[n, 0]), float(affine.P[n + 1, 0])), rest=(float(affine.p[n]), float(affine.p[n + 1]))
    )
