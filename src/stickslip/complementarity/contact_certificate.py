"""What is known of all solutions of a contact problem: proofs that need no search first, then the search through all modes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.certificate import Certificate, judge
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
from stickslip.complementarity.status import Status

if TYPE_CHECKING:
    from stickslip.complementarity.solution import ContactSolution


def certify(solution: ContactSolution, *, budget: int = BUDGET) -> Certificate:
    """The certificate of the problem that a solution, or a failure, belongs to. Cheap proofs are tried first."""
    problem = solution.problem
    if solution.status is Status.IMPACT:
        return Certificate(MappingProxyType({"existence": ImpactProof(problem)}))
    whole = contact_system(problem, solution.tau)
    proofs: dict[str, Proof] = {}
    if solution and whole.exact:
        _enter(proofs, "existence", _point(whole, solution))
    words = orientation_may_hold(problem)
    if words:
        proof = OrientationProof(problem, words, Answer.UNIQUE)
        if proof.holds():
            proofs |= {"motion": proof, "force": proof}
            proofs.setdefault("existence", OrientationProof(problem, words, Answer.YES))
    elif without_friction(problem):
        _enter(proofs, "motion", ConvexityProof(problem, massless(problem.mass)))
        if "motion" in proofs:
            _enter(proofs, "force", IndependenceProof(problem, proofs["motion"]))
    if len(proofs) == 3:
        return Certificate(MappingProxyType(proofs))
    searched = judge(whole.system, budget=budget)
    return _merged(whole, proofs, searched)


def _point(whole: ContactSystem, solution: ContactSolution) -> Proof:
    return PointProof(whole.system, whole.path(solution.letters), whole.point(solution.acceleration, solution.row_force))


def _enter(proofs: dict[str, Proof], name: str, proof: Proof) -> None:
    if proof.holds():
        proofs[name] = proof


RELAXED = "circles of friction were replaced by polygons around them, which may have solutions that the problem has not."


def _merged(whole: ContactSystem, proofs: dict[str, Proof], searched: Certificate) -> Certificate:
    """Cheap proofs, and what the search adds to them; of a relaxed system only what is true of its parts."""
    undecided = {}
    for name, why in searched.undecided.items():
        if name not in proofs:
            undecided[name] = why
    for name, proof in searched.proofs.items():
        if name in proofs:
            continue
        if whole.exact or proof.answer in (Answer.NO, Answer.UNIQUE):
            proofs[name] = proof
        else:
            undecided[name] = RELAXED
    return Certificate(MappingProxyType(proofs), MappingProxyType(undecided))
