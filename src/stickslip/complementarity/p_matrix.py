"""P-matrices: every principal minor is positive. That is so if, and only if, w = A z + b has one solution whatever b is.

The answer is always that of the floats as given. Minors come from a compiled recursion with bounds on their errors; what is
within its bound of zero is decided in integers. Some matrices need no recursion, whatever their size:

- Rows and columns fall into blocks that depend on each other in one direction only: the blocks decide, one by one.
- A + A^T is positive definite: then A is a P-matrix. If A is symmetric the converse holds, too.
- The comparison matrix (the diagonal, and -|a_ij| beside it) has positive leading minors: then each diagonal entry outweighs
  its row in some units, and A is a P-matrix. Diagonally dominant and triangular matrices are of this kind. If A is
  its own comparison matrix the converse holds, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.arrays import fixed
from stickslip.complementarity.budget import BudgetError
from stickslip.complementarity.fraction_free import (
    Integers,
    Path,
    first_leading,
    minor,
    not_positive,
    primitive,
    rounded,
    symmetric_part,
)
from stickslip.complementarity.minor_bounds import (
    ALL_POSITIVE,
    IN_DOUBT,
    NOT_POSITIVE,
    SMALLEST,
    UNIT,
    leading_minors,
    principal_minors,
    with_bounds,
)
from stickslip.dynamics.tree import Floats, Ints
from stickslip.mechanism.errors import ArgumentError

LARGEST = 20  # rows of a block whose principal minors are all looked at, unless told otherwise
LARGEST_EXACT = 100  # rows that are eliminated in integers where floating point leaves doubt: it takes some seconds there
STEPS = 1 << 22  # of the compiled recursion between two chances to interrupt it


def is_p_matrix(A: Any, *, largest: int = LARGEST) -> bool:
    """Whether all principal minors of A (n, n), in any units, are positive: exactly one solution for every b.

    The answer is that of the numbers as given, without a tolerance: where rounding leaves doubt, integers decide. More than
    `largest` rows that depend on each other raise a `BudgetError` if no other criterion decides; each more doubles the time.
    """
    return failing_minor(square(A), largest) is None


def square(A: Any) -> Floats:
    """A read-only copy (n, n) of a matrix, or a sentence."""
    try:
        shape = np.shape(A)
    except ValueError:
        raise ArgumentError("A must be a square matrix, not a ragged sequence.") from None
    if shape == (0,):
        return fixed(np.zeros((0, 0)), (0, 0), "A")
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ArgumentError(f"A must be a square matrix, not an array of shape {shape}.")
    return fixed(A, shape, "A")


def failing_minor(A: Floats, largest: int, *, exact: bool = False) -> tuple[int, ...] | None:
    """Rows of a principal minor of A (n, n) that is not positive; None for a P-matrix. If `exact`, only integers decide."""
    for i, entry in enumerate(A.diagonal().tolist()):
        if entry <= 0.0:
            return (i,)
    for block in _blocks(A):
        if len(block) > 1:
            found = _in_block(A[np.ix_(block, block)], largest, exact)
            if found is not None:
                return tuple(block[list(found)].tolist())
    return None


def _blocks(A: Floats) -> Iterator[Ints]:
    """The rows that depend on each other both ways, directly or not; other rows have no part in each other's minors."""
    reached = A != 0.0
    if reached.all():
        yield np.arange(len(A))
        return
    np.fill_diagonal(reached, True)
    for _ in range(len(A).bit_length()):
        reached = reached.astype(np.float32) @ reached.astype(np.float32) > 0.0
    mutual = reached & reached.T
    for i, row in enumerate(mutual):
        if row.argmax() == i:
            yield np.flatnonzero(row)


def _in_block(A: Floats, largest: int, exact: bool) -> tuple[int, ...] | None:
    n = len(A)
    comparison = -np.abs(A)
    np.fill_diagonal(comparison, A.diagonal())
    with np.errstate(all="ignore"):  # what overflows is in doubt
        balanced, S = _balanced(A), _doubled_symmetric_part(A)
        bounds = UNIT * np.abs(S) + SMALLEST
    for M, error, whole, twin in (
        (S, bounds, lambda: symmetric_part(A), A.T),
        (np.where(np.eye(n) > 0.0, balanced, -np.abs(balanced)), SMALLEST, lambda: primitive(comparison), comparison),
    ):
        failed = _first_leading(M, error, whole, exact)
        if failed == n:
            return None
        if failed is not None and np.array_equal(A, twin):
            return tuple(range(failed + 1))
    if n > largest:
        raise BudgetError(
            f"{n} rows of A depend on each other, and have 2^{n} - 1 principal minors; the budget is largest = {largest} rows. "
            "Give a larger one."
        )
    return not_positive(primitive(A)) if exact else _any_minor(balanced, A)


def _balanced(A: Floats) -> Floats:
    """A with rows and columns scaled by powers of two, so that the diagonal is near one and nothing overflows that need not."""
    _, size = np.frexp(A)
    diagonal = size.diagonal()
    beside = np.where(A == 0.0, -np.inf, size - (diagonal[:, None] + diagonal) / 2)
    columns = -np.rint((beside.max(axis=0) - beside.max(axis=1) + diagonal) / 2).astype(np.int32)
    return np.ldexp(A, columns - (diagonal + columns)[:, None])


def _doubled_symmetric_part(A: Floats) -> Floats:
    """A + A^T, scaled by powers of two so that the diagonal is near one."""
    half = -(np.frexp(A.diagonal())[1] // 2)
    scaled = np.ldexp(A, half[:, None] + half)
    return scaled + scaled.T


def _first_leading(M: Floats, error: Floats | float, whole: Callable[[], Integers], exact: bool) -> int | None:
    """The first leading minor of M that is not positive, by its last row; n if all are, and None if there is no telling."""
    if not exact:
        verdict, k = leading_minors(*with_bounds(M, error, 1))
        if verdict != IN_DOUBT:
            return int(k)
    return first_leading(whole()) if exact or len(M) <= LARGEST_EXACT else None


def _any_minor(balanced: Floats, A: Floats) -> tuple[int, ...] | None:
    """As `failing_minor`, minor by minor. A Schur complement with a pivot in doubt is worked out anew from integers."""
    n = len(A)
    Q, E = with_bounds(balanced, SMALLEST, n)
    place, depth = np.zeros(n + 1, dtype=np.int64), 0
    path = Path(A)
    while True:
        verdict, depth = principal_minors(Q, E, place, depth, STEPS)
        *begun, last = place[: depth + 1].tolist()
        if verdict == ALL_POSITIVE:
            return None
        if verdict == NOT_POSITIVE:
            return (*begun, last)
        if verdict == IN_DOUBT:
            M = path.beyond(begun)
            first = n - len(M)
            for row in range(last, n):
                if M[row - first][row - first] <= 0:
                    return (*begun, row)
            anew = rounded(M)
            Q[depth, first:, first:] = anew
            E[depth, first:, first:] = UNIT * np.abs(anew) + SMALLEST


# ---- proofs ----------------------------------------------------------------------------------------------------------


def proper(A: Floats) -> bool:
    """Whether A is a finite square matrix, as the matrix of a proof must be."""
    return A.ndim == 2 and A.shape[0] == A.shape[1] and bool(np.isfinite(A).all())


@dataclass(frozen=True, eq=False)
class PMatrixProof:
    """All principal minors of A (n, n) are positive."""

    A: Floats
    answer: Answer = Answer.UNIQUE

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return "all principal minors are positive, so that there is one solution whatever b is."

    def holds(self) -> bool:
        """Whether they are, by exact arithmetic."""
        A = self.A
        return self.answer in _IF_UNIQUE and proper(A) and failing_minor(A, len(A), exact=True) is None


@dataclass(frozen=True, eq=False)
class NotPProof:
    """The principal minor of A (n, n) of the rows and columns `chosen` is not positive."""

    A: Floats
    chosen: tuple[int, ...]

    answer = Answer.NO

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return f"the principal minor of {_rows(self.chosen)} is not positive, so that some b has several solutions or none."

    def holds(self) -> bool:
        """Whether it is not, by exact arithmetic."""
        rows = set(self.chosen)
        if not proper(self.A) or not rows or len(rows) < len(self.chosen) or not rows <= set(range(len(self.A))):
            return False
        return minor(primitive(self.A[np.ix_(self.chosen, self.chosen)]), range(len(rows))) <= 0


def _rows(chosen: tuple[int, ...]) -> str:
    if len(chosen) == 1:
        return f"row {chosen[0]}"
    return f"rows {', '.join(str(i) for i in chosen[:-1])} and {chosen[-1]}"


@dataclass(frozen=True, eq=False)
class DefiniteProof:
    """The symmetric part of A (n, n) is positive definite."""

    A: Floats
    answer: Answer = Answer.UNIQUE

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return "x^T A x is positive for every x but zero, so that there is one solution whatever b is."

    def holds(self) -> bool:
        """Whether it is, by exact arithmetic."""
        A = self.A
        return self.answer in _IF_UNIQUE and proper(A) and first_leading(symmetric_part(A)) == len(A)


_IF_UNIQUE = (Answer.YES, Answer.UNIQUE)
