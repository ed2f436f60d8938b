"""JUMP: what impulses at contacts do to velocities, and impact laws."""

from stickslip.impact.laws.dissipation import DissipationPrinciple
from stickslip.impact.laws.energetic import Energetic
from stickslip.impact.laws.newton import Newton
from stickslip.impact.laws.poisson import Poisson
from stickslip.impact.resolving import impact
from stickslip.impact.result import Impact, Strike
from stickslip.impact.routh import RouthPath, routh
from stickslip.impact.status import ImpactStatus

__all__ = [
    "DissipationPrinciple",
    "Energetic",
    "Impact",
    "ImpactStatus",
    "Newton",
    "Poisson",
    "RouthPath",
    "Strike",
    "impact",
    "routh",
]
