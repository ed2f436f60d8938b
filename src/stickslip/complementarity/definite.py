"""Definite and semidefinite matrices, symmetric or not, and vectors that show what a matrix is not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.fraction_free import direction, form, symmetric_part
from stickslip.complementarity.p_matrix import DefiniteProof, proper
from stickslip.complementarity.proof import Proof
from stickslip.dynamics.tree import Floats


class Shape(StrEnum):
    """What x^T A x may be called."""

    DEFINITE = "positive definite"  # positive for every x but zero
    SEMIDEFINITE = "positive semidefinite"  # never negative
    COPOSITIVE = "copositive"  # not negative where x is not


@dataclass(frozen=True, eq=False)
class SemidefiniteProof:
    """The symmetric part of A (n, n) is positive semidefinite."""

    A: Floats

    answer = Answer.YES

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return "x^T A x is never negative, so that there is a solution for every b for which some z >= 0 has w >= 0."

    def holds(self) -> bool:
        """Whether it is, by exact arithmetic."""
        return proper(self.A) and direction(symmetric_part(self.A), flat=False) is None


@dataclass(frozen=True, eq=False)
class DirectionProof:
    """For the vector `x` (n,) of integers x^T A x is what it is not for a matrix of the shape that is refuted."""

    A: Floats
    x: tuple[int, ...]
    refuted: Shape

    answer = Answer.NO

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        kind = "x >= 0" if self.refuted is Shape.COPOSITIVE else "x"
        sign = "is not positive" if self.refuted is Shape.DEFINITE else "is negative"
        return f"a vector {kind} is given for which x^T A x {sign}."

    def holds(self) -> bool:
        """Whether it is, by exact arithmetic."""
        if not proper(self.A) or len(self.x) != len(self.A) or not any(self.x):
            return False
        value = form(symmetric_part(self.A), self.x)
        if self.refuted is Shape.DEFINITE:
            return value <= 0
        return value < 0 and (self.refuted is Shape.SEMIDEFINITE or min(self.x) >= 0)


def definiteness_proofs(A: Floats) -> tuple[Proof, Proof]:
    """(whether A is positive definite, whether it is positive semidefinite)."""
    S = symmetric_part(A)
    x = direction(S, flat=True)
    if x is None:
        proof = DefiniteProof(A, Answer.YES)
        return proof, proof
    down = x if form(S, x) < 0 else direction(S, flat=False)
    if down is None:
        return DirectionProof(A, tuple(x), Shape.DEFINITE), SemidefiniteProof(A)
    return DirectionProof(A, tuple(down), Shape.DEFINITE), DirectionProof(A, tuple(down), Shape.SEMIDEFINITE)
