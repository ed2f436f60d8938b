"""What a matrix says about all of its complementarity problems w = A z + b at once, with proofs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.budget import BudgetError
from stickslip.complementarity.copositive import LARGEST_SEARCH, SearchProof, SplitProof, copositive_proofs
from stickslip.complementarity.definite import DirectionProof, SemidefiniteProof, Shape, definiteness_proofs
from stickslip.complementarity.p_matrix import (
    LARGEST,
    LARGEST_EXACT,
    DefiniteProof,
    NotPProof,
    PMatrixProof,
    failing_minor,
    square,
)
from stickslip.complementarity.proof import Proof
from stickslip.complementarity.q_matrix import FeasibleProof, InfeasibleProof, LonelyProof, q_proof
from stickslip.dynamics.tree import Floats

LABELS = {
    "p": "P-matrix",
    "positive_definite": Shape.DEFINITE.value,
    "positive_semidefinite": Shape.SEMIDEFINITE.value,
    "copositive": Shape.COPOSITIVE.value,
    "q": "Q-matrix",
}

UNKNOWN = "unknown: none of the criteria decides."


@dataclass(frozen=True, eq=False)
class MatrixClass:
    """The classes that a matrix A (n, n), in any units, belongs to, each `yes`, `no` or `undecided`.

    What is decided has a proof under the same name in `proofs`; `verify()` replays all of them in exact arithmetic. `undecided`
    says why where nothing could be proved.
    """

    A: Floats
    proofs: Mapping[str, Proof]
    undecided: Mapping[str, str] = field(default_factory=dict)

    @property
    def p(self) -> Answer:
        """All principal minors are positive: one solution for every b, and only then."""
        return self._answer("p")

    @property
    def positive_definite(self) -> Answer:
        """x^T A x is positive for every x but zero: one solution for every b."""
        return self._answer("positive_definite")

    @property
    def positive_semidefinite(self) -> Answer:
        """x^T A x is never negative: a solution wherever some z >= 0 has w >= 0, and all solutions form one convex set."""
        return self._answer("positive_semidefinite")

    @property
    def copositive(self) -> Answer:
        """x^T A x is not negative for x >= 0: Lemke's method ends on a solution if b^T v >= 0 for every v that solves b = 0."""
        return self._answer("copositive")

    @property
    def q(self) -> Answer:
        """Every b has a solution, one or more."""
        return self._answer("q")

    def _answer(self, question: str) -> Answer:
        return self.proofs[question].answer if question in self.proofs else Answer.UNDECIDED

    def verify(self) -> bool:
        """Whether every proof is one of this matrix and this question, and holds in exact arithmetic."""
        fits = all(_shows(proof, question) and self._owns(proof) for question, proof in self.proofs.items())
        return fits and all(proof.holds() for proof in set(self.proofs.values()))

    def _owns(self, proof: Proof) -> bool:
        A: Floats = getattr(proof, "A", self.A)
        return np.array_equal(A, self.A)

    def __str__(self) -> str:
        lines = []
        for question, label in LABELS.items():
            why = self.proofs[question].sentence if question in self.proofs else self.undecided.get(question, "")
            lines.append(f"{label}: {self._answer(question).value}" + (f"; {why}" if why else ""))
        return "\n".join(lines)


_SHOW_YES: dict[str, tuple[type, ...]] = {
    "p": (PMatrixProof, DefiniteProof),
    "positive_definite": (DefiniteProof,),
    "positive_semidefinite": (DefiniteProof, SemidefiniteProof),
    "copositive": (DefiniteProof, SemidefiniteProof, SplitProof, SearchProof),
    "q": (PMatrixProof, DefiniteProof, FeasibleProof, SplitProof, SearchProof),
}
_SHOW_NO: dict[str, tuple[type, ...]] = {"p": (NotPProof,), "q": (InfeasibleProof, LonelyProof)}


def _shows(proof: Proof, question: str) -> bool:
    """Whether a proof is about a question, if it holds."""
    if isinstance(proof, DirectionProof):
        return LABELS.get(question) == proof.refuted
    if isinstance(proof, (SplitProof, SearchProof)) and question == "q" and not proof.strict:
        return False
    expected = _SHOW_YES if proof.answer is Answer.YES else _SHOW_NO
    return isinstance(proof, expected.get(question, ()))


def classify(A: Any, *, largest: int = LARGEST, largest_search: int = LARGEST_SEARCH) -> MatrixClass:
    """What is known of a matrix A (n, n), in any units: its classes, each with a proof.

    `largest` is the budget of `is_p_matrix`; where nothing else decides, matrices of up to `largest_search` rows are searched
    for x >= 0 with x^T A x < 0. Each row more doubles the time.
    """
    A = square(A)
    proofs: dict[str, Proof] = {}
    undecided: dict[str, str] = {}
    try:
        chosen = failing_minor(A, largest)
        proofs["p"] = PMatrixProof(A, Answer.YES) if chosen is None else NotPProof(A, chosen)
    except BudgetError as error:
        undecided["p"] = str(error)
    strict = _forms(A, largest_search, proofs, undecided)
    q = _existence(A, proofs, strict)
    if q is None:
        undecided["q"] = UNKNOWN
    else:
        proofs["q"] = q
    return MatrixClass(A, MappingProxyType(proofs), MappingProxyType(undecided))


def _forms(A: Floats, largest: int, proofs: dict[str, Proof], undecided: dict[str, str]) -> Proof | None:
    """Enter what is known of x^T A x; answers a proof that A is strictly copositive, if there is one."""
    n = len(A)
    if n > LARGEST_EXACT:
        why = f"{n} rows are more than the {LARGEST_EXACT} that are eliminated in integers."
        undecided |= dict.fromkeys(("positive_definite", "positive_semidefinite", "copositive"), why)
        return None
    proofs["positive_definite"], semidefinite = definiteness_proofs(A)
    proofs["positive_semidefinite"] = semidefinite
    if semidefinite.answer is Answer.YES:
        proofs["copositive"] = semidefinite
        return None
    copositive, strict = copositive_proofs(A, largest)
    if copositive is None:
        undecided["copositive"] = f"{n} rows are more than the budget of largest_search = {largest}; give a larger one."
    else:
        proofs["copositive"] = copositive
    return strict


def _existence(A: Floats, proofs: dict[str, Proof], strict: Proof | None) -> Proof | None:
    """A proof of what is known of the existence of solutions."""
    if "p" in proofs and proofs["p"].answer is Answer.YES:
        return proofs["p"]
    semidefinite = "positive_semidefinite" in proofs and proofs["positive_semidefinite"].answer is Answer.YES
    return strict or q_proof(A, semidefinite)
