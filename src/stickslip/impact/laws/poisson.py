"""Poisson's law of impact: what compression stored in impulse comes back, times the coefficient of restitution."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.impact.collision import Collision, Point
from stickslip.impact.law import Answer, failed, restitution_of
from stickslip.impact.laws.restituting import RestitutingLaw
from stickslip.impact.phases import compression, restoration
from stickslip.impact.sequence import in_turn
from stickslip.impact.single_point import compressed, restored
from stickslip.impact.status import ImpactStatus


@dataclass(frozen=True, kw_only=True)
class Poisson(RestitutingLaw):
    """Poisson's law in two phases (paper 2, 37 to 41): compression until nothing approaches; then e times each normal impulse.

    In both phases Coulomb's law holds between impulses and the slip at their end, with the friction of sliding, bounded by all
    of the phase's normal impulse. `restitution`, dimensionless, stands for that of the materials. All contacts at once
    ("simultaneous"), or one after the other ("sequential"): then `order` says which is next ("fastest" or as "listed"), and
    `most` how many there may be.

    Contacts that wedge a body between them may have several answers, of which one is given. Where slip turns round, or
    contacts differ in restitution, this law can add energy: `keeps_energy` is False.
    """

    called = "Poisson's law"

    @property
    def keeps_energy(self) -> bool:
        """Only the first phase does always."""
        return False

    def resolve(self, at: Collision) -> Answer:
        """Impulses in N s for a collision."""
        restitution = restitution_of(self.restitution, at)
        if self.resolution == "sequential":
            return in_turn(at, restitution, _single, self.order, self.most)
        first = compression(at)
        if first is None:
            return failed(at, ImpactStatus.UNDECIDED, "the phase of compression was not solved.")
        total = restoration(at, first, restitution)
        if total is None:
            return failed(at, ImpactStatus.UNDECIDED, "the phase of restitution was not solved.")
        return Answer(ImpactStatus.SOLVED, total)


def _single(G: Floats, u: Floats, point: Point, restitution: float) -> Floats:
    sliding = replace(point, static_friction=point.friction)
    first = compressed(G, u, sliding)
    if restitution == 0.0:
        return first
    return np.asarray(first + restored(G, u + G @ first, sliding, restitution * first[0]))
