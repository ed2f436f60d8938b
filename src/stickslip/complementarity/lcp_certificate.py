"""What is known of all solutions of a linear complementarity problem: from its matrix where that decides, else by a search."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.certificate import QUESTIONS, Certificate, judge
from stickslip.complementarity.exact import fractions
from stickslip.complementarity.exact_linear import solved
from stickslip.complementarity.exploration import BUDGET
from stickslip.complementarity.p_matrix import DefiniteProof, PMatrixProof, is_p_matrix
from stickslip.complementarity.proof import PointProof, Proof
from stickslip.complementarity.system import System, of_complementarity
from stickslip.dynamics.tree import Floats

if TYPE_CHECKING:
    from stickslip.complementarity.lcp_solution import LcpSolution

LARGEST_BASIS = 60  # pairs whose exact solution is worked out: it takes some seconds there
LARGEST_DEFINITE = 60  # pairs of which the pivots are worked out exactly
LARGEST_MINORS = 15  # pairs of which all principal minors are


@dataclass(frozen=True, eq=False)
class BasisProof:
    """The pairs that are `active` have w = 0, the others z = 0, and the exact solution of that has the right signs."""

    A: Floats
    b: Floats
    free: tuple[int, ...]
    active: tuple[int, ...]

    answer = Answer.YES

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return f"the exact solution of a complementary basis of {len(self.active)} active pairs has no wrong sign."

    def holds(self) -> bool:
        """Whether it has not, by exact arithmetic."""
        active, n = self.active, len(self.b)
        if len(set(active)) < len(active) or not set(self.free) <= set(active) <= set(range(n)):
            return False
        A, b = fractions(self.A), fractions(self.b)
        determinant, columns = solved([[A[i][j] for j in active] for i in active], [[-b[i]] for i in active])
        if determinant == 0:
            return False
        z = [column[0] for column in columns]
        rest = [sum((A[i][j] * x for j, x in zip(active, z, strict=True)), b[i]) for i in range(n) if i not in active]
        pushes = all(x >= 0 for i, x in zip(active, z, strict=True) if i not in self.free)
        return pushes and all(w >= Fraction(0) for w in rest)


def certify(solution: LcpSolution, *, budget: int = BUDGET) -> Certificate:
    """The certificate of the problem that a solution, or a failure, belongs to; a search ends after `budget` alternatives."""
    system = of_complementarity(solution.A, solution.b, solution.free)
    proofs: dict[str, Proof] = {}
    undecided: dict[str, str] = {}
    if solution:
        existence = _existence(system, solution)
        if existence is not None:
            proofs["existence"] = existence
    if not solution.free:
        proofs = _of_the_matrix(solution.A) | proofs
    if len(proofs) < len(QUESTIONS):
        searched = judge(system, budget=budget, known=_point(system, solution) if solution else None)
        proofs = {**searched.proofs, **proofs}
        undecided = {name: why for name, why in searched.undecided.items() if name not in proofs}
    return Certificate(MappingProxyType(proofs), MappingProxyType(undecided))


def _existence(system: System, solution: LcpSolution) -> Proof | None:
    """The exact basis where the solution has one, else the point itself, to the accuracy of floats."""
    active = tuple(i for i in range(len(solution.b)) if solution.z[i] != 0.0 or i in solution.free)
    basis = BasisProof(solution.A, solution.b, solution.free, active)
    if len(active) <= LARGEST_BASIS and basis.holds():
        return basis
    return _point(system, solution)


def _point(system: System, solution: LcpSolution) -> PointProof | None:
    """The solution as it is, if that is accurate enough."""
    path = tuple(0 if solution.z[choice[0].conditions[0][0]] != 0.0 else 1 for choice in system.choices)
    point = PointProof(system, path, np.concatenate([solution.A @ solution.z + solution.b, solution.z]))
    return point if point.holds() else None


def _of_the_matrix(A: Floats) -> dict[str, Proof]:
    """All three answers where the matrix alone gives them."""
    if len(A) <= LARGEST_DEFINITE and DefiniteProof(A).holds():
        kind: type[DefiniteProof | PMatrixProof] = DefiniteProof
    elif len(A) <= LARGEST_MINORS and is_p_matrix(A):
        kind = PMatrixProof
    else:
        return {}
    return {"existence": kind(A, Answer.YES), "motion": kind(A), "force": kind(A)}
