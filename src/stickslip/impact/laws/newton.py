"""Newton's law of impact: normal velocities turn round, times the coefficient of restitution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.impact.collision import Collision, Point, velocity_problem
from stickslip.impact.law import Answer, failed, restitution_of
from stickslip.impact.laws.restituting import RestitutingLaw
from stickslip.impact.sequence import in_turn
from stickslip.impact.single_point import compressed
from stickslip.impact.status import ImpactStatus


@dataclass(frozen=True, kw_only=True)
class Newton(RestitutingLaw):
    """Newton's law in Moreau's form: no contact leaves more slowly than e times its approach, and one that pushes not faster.

        u_n+ + e u_n- >= 0,   p_n >= 0,   complementary,   Coulomb's law between the impulses and the slip afterwards

    `restitution`, dimensionless, stands for that of the materials. All contacts at once ("simultaneous"), or one after the
    other ("sequential"): then `order` says which is next ("fastest" or as "listed"), and `most` how many there may be.

    With friction this law can add energy, as Kane found in 1985: `keeps_energy` is False.
    """

    called = "Newton's law"

    @property
    def keeps_energy(self) -> bool:
        """Only where nothing comes back, or nothing rubs; not in general."""
        return False

    def resolve(self, at: Collision) -> Answer:
        """Impulses in N s for a collision."""
        restitution = restitution_of(self.restitution, at)
        if self.resolution == "sequential":
            return in_turn(at, restitution, _single, self.order, self.most)
        shift = np.zeros(len(at.velocity))
        for point, e in zip(at.points, restitution, strict=True):
            shift[point.normal] = e * min(at.velocity[point.normal], 0.0)
        solution = velocity_problem(at, shift).solve()
        if not solution:
            return failed(at, ImpactStatus.UNDECIDED, solution.status.value)
        return Answer(ImpactStatus.SOLVED, np.concatenate([solution.force, solution.limit_force]))


def _single(G: Floats, u: Floats, point: Point, restitution: float) -> Floats:
    return compressed(G, np.array([(1.0 + restitution) * u[0], *u[1:]]), point)
