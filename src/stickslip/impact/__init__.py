"""JUMP: what impulses at contacts do to velocities, and impact laws."""

from stickslip.impact.contact_forces import ContactForces, contact_forces
from stickslip.impact.friction_curve import FrictionCurve, friction_curve
from stickslip.impact.impact_forces import ImpactForces, impact_forces
from stickslip.impact.laws.dissipation import DissipationPrinciple
from stickslip.impact.laws.energetic import Energetic
from stickslip.impact.laws.newton import Newton
from stickslip.impact.laws.poisson import Poisson
from stickslip.impact.resolving import impact
from stickslip.impact.result import Impact, Strike
from stickslip.impact.routh import RouthPath, routh
from stickslip.impact.status import ImpactStatus

__all__ = [
    "ContactForces",
    "DissipationPrinciple",
    "Energetic",
    "FrictionCurve",
    "Impact",
    "ImpactForces",
    "ImpactStatus",
    "Newton",
    "Poisson",
    "RouthPath",
    "Strike",
    "contact_forces",
    "friction_curve",
    "impact",
    "impact_forces",
    "routh",
]
