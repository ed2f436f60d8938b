"""Energetic restitution: of the work that compression took, the normal impulse gives back the square of the coefficient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.impact.collision import ROUND_OFF, Collision, Point
from stickslip.impact.law import Answer, count, failed, restitution_of
from stickslip.impact.laws.restituting import RestitutingLaw
from stickslip.impact.phases import compression, restoration
from stickslip.impact.routh import routh
from stickslip.impact.sequence import in_turn
from stickslip.impact.slip_path import PARTS, followed
from stickslip.impact.status import ImpactStatus

HALVINGS = 60


@dataclass(frozen=True, kw_only=True)
class Energetic(RestitutingLaw):
    """Stronge's law: at each contact the work of the normal impulse in restitution is -e^2 times that in compression.

    One contact is followed through the instant, with Coulomb's law all the way: slip, sticking, slip that turns back, in the
    plane exactly (`routh`), in space in `parts` of compression, second order in 1/parts. Several contacts go one after the
    other ("sequential", the default): `order` says which is next ("fastest" or as "listed"), `most` how many there may be.

    "simultaneous" treats all at once: Poisson's two phases, and of the restored impulses the largest common share with which
    normal impulses give back no more than e^2 of the work that they took, and friction gives none. A single contact is
    followed in either case.

    No impact by this law adds energy. `restitution`, dimensionless, stands for that of the materials.
    """

    called = "the energetic law"

    resolution: str = "sequential"
    parts: int = PARTS

    def __post_init__(self) -> None:
        super().__post_init__()
        count(self.parts, "the number of parts of compression")

    @property
    def keeps_energy(self) -> bool:
        """That is what it is for."""
        return True

    def resolve(self, at: Collision) -> Answer:
        """Impulses in N s for a collision."""
        restitution = restitution_of(self.restitution, at)
        if self.resolution == "sequential" or len(at.points) == 1:
            return in_turn(at, restitution, self._single, self.order, self.most)
        first = compression(at)
        if first is None:
            return failed(at, ImpactStatus.UNDECIDED, "the phase of compression was not solved.")
        total = _shared(at, first, restitution)
        if total is None:
            return failed(at, ImpactStatus.UNDECIDED, "the phase of restitution was not solved.")
        return Answer(ImpactStatus.SOLVED, total)

    def _single(self, G: Floats, u: Floats, point: Point, restitution: float) -> Floats:
        if len(u) == 1:
            return np.array([-(1.0 + restitution) * u[0] / G[0, 0]])
        u = u.copy()
        u[1:][np.abs(u[1:]) <= ROUND_OFF * np.abs(u).max()] = 0.0
        if len(u) == 2:
            return routh(G, u, point.friction, restitution, static_friction=point.static_friction).impulse
        end = followed(G, u, point.friction, point.static_friction, restitution, self.parts)
        return np.full(len(u), np.nan) if end is None else end.impulse


def _shared(at: Collision, first: Floats, restitution: Floats) -> Floats | None:
    """Both phases' impulses (r,), with the largest share of the restored ones that the books of energy allow, by halving."""
    total = restoration(at, first, restitution)
    if total is None or _allowed(at, first, total, restitution):
        return total
    low, high, best = 0.0, 1.0, first
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        total = restoration(at, first, middle * restitution)
        if total is not None and _allowed(at, first, total, restitution):
            low, best = middle, total
        else:
            high = middle
    return best


def _allowed(at: Collision, first: Floats, total: Floats, restitution: Floats) -> bool:
    """Whether restitution gives back no more than it may: normal impulses e^2 of the work they took, friction nothing."""
    G, u = at.delassus, at.velocity
    compressed = u + G @ first
    second = total - first
    after = compressed + G @ second
    given = taken = energy = 0.0
    for point, e in zip(at.points, restitution, strict=True):
        n = point.normal
        taken -= e**2 * first[n] * (u[n] + compressed[n]) / 2
        given += second[n] * (compressed[n] + after[n]) / 2
    energy = float(second @ (compressed + after)) / 2
    return bool(given <= taken and energy <= taken)
