"""What is known of all solutions of a contact problem: proofs that need no search first, then the search through all modes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.certificate import QUESTIONS, Certificate, judge
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
from stickslip.complementarity.proof import PointProof, Proof
from stickslip.complementarity.rest_proof import rest_proof
from stickslip.complementarity.spatial_certificate import family_proofs, point_proof, relaxed_proofs
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
        searched = judge(whole.system, budget=budget)
        proofs |= {name: proof for name, proof in searched.proofs.items() if name not in proofs}
        undecided = {name: why for name, why in searched.undecided.items() if name not in proofs}
    elif len(proofs) < len(QUESTIONS):
        _in_space(proofs, solution, budget)
        undecided = {name: CIRCLES for name in QUESTIONS if name not in proofs}
    return Certificate(MappingProxyType(proofs), MappingProxyType(undecided))


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
        proofs |= {name: proof for name, proof in family_proofs(solution).items() if name not in proofs}
    if "motion" not in proofs:
        proofs |= {name: proof for name, proof in relaxed_proofs(solution, budget).items() if name not in proofs}
        _force_follows(proofs, solution)


def _force_follows(proofs: dict[str, Proof], solution: ContactSolution) -> None:
    """Where the motion is unique the force is, too, if the rows are independent."""
    if "motion" in proofs and "force" not in proofs and proofs["motion"].answer is Answer.UNIQUE:
        _enter(proofs, "force", IndependenceProof(solution.problem, proofs["motion"]))


def _point(whole: ContactSystem, solution: ContactSolution) -> Proof | None:
    if not whole.exact:
        return point_proof(whole, solution)
    point = whole.point(solution.acceleration, solution.row_force)
    return PointProof(whole.system, whole.path(solution.letters), point)


def _enter(proofs: dict[str, Proof], name: str, proof: Proof | None) -> None:
    if proof is not None and proof.holds():
        proofs[name] = proof
