"""Copositive matrices: x^T A x is not negative wherever x is not. Only the symmetric part S of A has a say in that.

Where S is not copositive, there is a smallest set of rows on which it is not. Let B be S on these rows, and y the point of the
simplex (y >= 0, sum 1) where y^T B y is least. On the faces of the simplex the form is not negative, so y lies inside and is
stationary: B y is the same in all rows, or in other units B x = -1 with x > 0. Every line through y in the simplex meets a
face. So B is positive definite on vectors of sum zero, hence not singular; without any one of its rows it is positive
semidefinite, and without any two of them definite. So it is enough to follow sets of rows on which S is positive definite, and
to look at those with one row more, or with a pivot of zero and one row more.

Where S is copositive, but x^T S x is zero for some x >= 0 other than zero, the smallest set of rows of such an x has
B x = 0 and x > 0, and S is positive definite without any one of them: the same search comes across these, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.definite import DirectionProof, Shape
from stickslip.complementarity.fraction_free import Symmetric, beyond, direction, lifted, solved, symmetric_part
from stickslip.complementarity.p_matrix import proper
from stickslip.complementarity.proof import Proof
from stickslip.dynamics.tree import Floats

LARGEST_SEARCH = 14  # rows of which all sets are looked at, unless told otherwise


class Found(NamedTuple):
    """Vectors x >= 0, not zero, of integers: with x^T S x < 0, and with x^T S x = 0; None where there is none."""

    negative: list[int] | None
    zero: list[int] | None


def search(S: Symmetric, most: int) -> Found:
    """What speaks against S being copositive, and strictly copositive, among all sets of up to `most` rows."""
    zero: list[list[int]] = []
    negative = _search(S, most, S, 1, [], zero)
    return Found(negative, zero[0] if zero else None)


def _search(S: Symmetric, most: int, M: Symmetric, previous: int, chosen: list[int], zero: list[list[int]]) -> list[int] | None:
    """The same beyond the rows `chosen`, of which M is left and on which S is positive definite; zeros are added to `zero`."""
    first = len(S) - len(M)
    for k, row in enumerate(M):
        rows, pivot = [*chosen, first + k], row[k]
        candidates = []
        if pivot < 0:
            candidates = [rows]
        elif pivot == 0:
            if not zero:
                flat = lifted(S, chosen, {first + k: 1})
                zero += [flat] if min(flat) >= 0 else []
            candidates = [[*rows, first + j] for j in range(k + 1, len(M)) if row[j] != 0 and len(rows) < most]
        for candidate in candidates:
            x = _lowest(S, candidate)
            if x is not None:
                return x
        if pivot > 0 and len(rows) < most:
            found = _search(S, most, beyond(M, k, previous), pivot, rows, zero)
            if found is not None:
                return found
    return None


def _lowest(S: Symmetric, rows: list[int]) -> list[int] | None:
    """A positive multiple of the x with S x = -1 on `rows`, zero elsewhere, if it is not negative."""
    determinant, numerators = solved([[S[i][j] for j in rows] for i in rows], [[-1] for _ in rows])
    x = [0] * len(S)
    for i, (numerator,) in zip(rows, numerators, strict=False):
        x[i] = numerator if determinant > 0 else -numerator
    return x if determinant != 0 and min(x) >= 0 else None


# ---- proofs ----------------------------------------------------------------------------------------------------------


def _meaning(strict: bool) -> str:
    if strict:
        return "there is a solution whatever b is, and Lemke's method ends on one."
    return "Lemke's method ends on a solution if b^T v >= 0 for every v that solves the problem with b = 0."


@dataclass(frozen=True, eq=False)
class SplitProof:
    """The symmetric part of A (n, n) is a matrix that is positive semidefinite, or definite if `strict`, and one that is not
    negative."""

    A: Floats
    strict: bool

    answer = Answer.YES

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        kind = "definite" if self.strict else "semidefinite"
        return f"A + A^T is a positive {kind} matrix and one that is not negative, so that {_meaning(self.strict)}"

    def holds(self) -> bool:
        """Whether it is, by exact arithmetic."""
        return proper(self.A) and direction(_without_positive(symmetric_part(self.A)), flat=self.strict) is None


def _without_positive(S: Symmetric) -> Symmetric:
    """S without what is positive beside its diagonal."""
    return [[x if i == j else min(x, 0) for j, x in enumerate(row)] for i, row in enumerate(S)]


@dataclass(frozen=True, eq=False)
class SearchProof:
    """Among all sets of rows of A (n, n) there is none on which x^T A x < 0, or <= 0 if `strict`, for some x > 0."""

    A: Floats
    strict: bool

    answer = Answer.YES

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        kind = "positive" if self.strict else "not negative"
        return f"x^T A x is {kind} inside all faces of the simplex of x, so that {_meaning(self.strict)}"

    def holds(self) -> bool:
        """Whether there is none, by exact arithmetic."""
        if not proper(self.A):
            return False
        found = search(symmetric_part(self.A), len(self.A))
        return found.negative is None and not (self.strict and found.zero)


def copositive_proofs(A: Floats, largest: int) -> tuple[Proof | None, Proof | None]:
    """(that A is copositive or not, that it is strictly copositive), each as far as it was found.

    Beyond `largest` rows only pairs of rows are looked at, and what holds for other reasons.
    """
    S = symmetric_part(A)
    split = _without_positive(S)
    if direction(split, flat=True) is None:
        proof = SplitProof(A, strict=True)
        return proof, proof
    known = SplitProof(A, strict=False) if direction(split, flat=False) is None else None
    found = search(S, len(A) if len(A) <= largest else 2)
    if found.negative is not None:
        return DirectionProof(A, tuple(found.negative), Shape.COPOSITIVE), None
    if len(A) > largest:
        return known, None
    if found.zero is None:
        strict = SearchProof(A, strict=True)
        return strict, strict
    return known or SearchProof(A, strict=False), None
