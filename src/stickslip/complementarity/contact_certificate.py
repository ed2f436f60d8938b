"""What is known of all solutions of a contact problem: proofs that need no search first, then the search through all modes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.certificate import IN_DOUBT, QUESTIONS, Certificate, judge
from stickslip.complementarity.contact_proofs import (
    ConvexityProof,
    ImpactProof,
    IndependenceProof,
    OrientationProof,
    orientation_may_hold,
    without_friction,
)
from stickslip.complementarity.contact_system import ContactSystem, contact_system, massless
from stickslip.complementarity.exploration import BUDGET
from stickslip.complementarity.narrowing import narrowing_proof
from stickslip.complementarity.proof import PointProof, Proof
from stickslip.complementarity.rest_proof import rest_proof
from stickslip.complementarity.solving import SPATIAL_BUDGET
from stickslip.complementarity.spatial_certificate import family_proofs, other_motion_proofs, point_proof, relaxed_proofs
from stickslip.complementarity.status import Status

if TYPE_CHECKING:
    from stickslip.complementarity.solution import ContactSolution

CIRCLES = "no proof was found with polygons in place of the circles of friction."


def certify(solution: ContactSolution, *, budget: int = BUDGET) -> Certificate:
    """The certificate of the problem that a solution, or a failure, belongs to. Cheap proofs are tried first.

    A search through modes is given up after `budget` alternatives.
    """
    problem = solution.problem
    if solution.status is Status.IMPACT:
        return Certificate(MappingProxyType({"existence": ImpactProof(problem)}))
    whole = contact_system(problem, solution.tau)
    proofs: dict[str, Proof] = {}
    undecided: dict[str, str] = {}
    _without_search(proofs, whole, solution)
    if len(proofs) < len(QUESTIONS) and whole.exact:
        undecided = _by_search(proofs, whole, solution, budget)
    elif len(proofs) < len(QUESTIONS):
        _in_space(proofs, solution, budget)
        undecided = {name: CIRCLES for name in QUESTIONS if name not in proofs}
    return Certificate(MappingProxyType(proofs), MappingProxyType(undecided))


def _by_search(proofs: dict[str, Proof], whole: ContactSystem, solution: ContactSolution, budget: int) -> dict[str, str]:
    """What a search through all modes adds; answers why the rest is undecided.

    A solution too large to be shown to be one makes no other one unique.
    """
    point = proofs.get("existence")
    searched = judge(whole.system, budget=budget, known=point if isinstance(point, PointProof) else None)
    undecided = dict(searched.undecided)
    for name, proof in searched.proofs.items():
        if solution and point is None and proof.answer is Answer.UNIQUE:
            undecided[name] = IN_DOUBT
        else:
            proofs.setdefault(name, proof)
    return {name: why for name, why in undecided.items() if name not in proofs}


def _without_search(proofs: dict[str, Proof], whole: ContactSystem, solution: ContactSolution) -> None:
    """What follows from the solution itself and from the matrices."""
    problem = solution.problem
    if solution:
        _enter(proofs, "existence", _point(whole, solution))
    words = orientation_may_hold(problem)
    if words and OrientationProof(problem, words, Answer.UNIQUE).holds():
        proof = OrientationProof(problem, words, Answer.UNIQUE)
        proofs |= {"motion": proof, "force": proof}
        proofs.setdefault("existence", OrientationProof(problem, words, Answer.YES))
        return
    if without_friction(problem):
        _enter(proofs, "motion", ConvexityProof(problem, massless(problem.mass)))
    elif solution and not massless(problem.mass):
        _enter(proofs, "motion", rest_proof(problem, solution.tau))
    _force_follows(proofs, solution)


def _in_space(proofs: dict[str, Proof], solution: ContactSolution, budget: int) -> None:
    if solution:
        _enter_all(proofs, family_proofs(solution))
    if "motion" not in proofs:
        _enter(proofs, "motion", narrowing_proof(solution))
    if "motion" not in proofs:
        _enter_all(proofs, relaxed_proofs(solution, min(budget, SPATIAL_BUDGET)))
    if "motion" not in proofs and solution:
        _enter_all(proofs, other_motion_proofs(solution))
    _force_follows(proofs, solution)


def _force_follows(proofs: dict[str, Proof], solution: ContactSolution) -> None:
    """Where the motion is unique, by a proof that holds, the force is, too, if the rows are independent."""
    if "motion" in proofs and "force" not in proofs and proofs["motion"].answer is Answer.UNIQUE:
        point = proofs.get("existence")
        known = point if isinstance(point, PointProof) and not massless(solution.problem.mass) else None
        proof = IndependenceProof(solution.problem, proofs["motion"], known)
        if proof.independent():
            proofs["force"] = proof


def _point(whole: ContactSystem, solution: ContactSolution) -> Proof | None:
    if not whole.exact:
        return point_proof(whole, solution)
    point = whole.point(solution.acceleration, solution.row_force)
    return PointProof(whole.system, whole.path(solution.letters), point)


def _enter(proofs: dict[str, Proof], name: str, proof: Proof | None) -> None:
    if proof is not None and proof.holds():
        proofs[name] = proof


def _enter_all(proofs: dict[str, Proof], found: Mapping[str, Proof]) -> None:
    """Enter proofs that are known to hold where there are none yet."""
    for name, proof in found.items():
        proofs.setdefault(name, proof)
