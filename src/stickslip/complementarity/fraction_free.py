"""Elimination in integers: every entry on the way is a minor of the matrix, so that nothing is rounded and nothing is reduced.

A pivot p that comes after the pivot p' makes of an entry a, with b in its row and c in its column, (p a - b c) / p', which
divides without remainder (Bareiss). The signs of minors are all that is asked here, so that matrices of floats may be
multiplied by powers of two until they hold integers (`exact.py`), and positive factors of rows and columns divided out.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, inf

import numpy as np

from stickslip.complementarity.exact import dyadic
from stickslip.dynamics.tree import Floats

Integers = list[list[int]]
Symmetric = Integers


def integers(A: Floats) -> Integers:
    """A (n, m) times one positive number, in small integers."""
    rows: Integers = dyadic(A)[0]
    common = gcd(*(x for row in rows for x in row)) or 1
    return [[x // common for x in row] for row in rows]


def primitive(A: Floats) -> Integers:
    """Small integers with the signs of all minors of A (n, m): positive factors of rows and of columns are left out."""
    rows = [_without_factor(dyadic(row)[0]) for row in A]
    return [list(row) for row in zip(*(_without_factor(column) for column in zip(*rows, strict=True)), strict=True)]


def _without_factor(numbers: Sequence[int]) -> list[int]:
    common = gcd(*numbers) or 1
    return [x // common for x in numbers]


def symmetric_part(A: Floats) -> Symmetric:
    """A + A^T times one positive number, in integers."""
    rows = integers(A)
    return [
        [x + y for x, y in zip(row, column, strict=True)] for row, column in zip(rows, zip(*rows, strict=True), strict=True)
    ]


# ---- elimination -----------------------------------------------------------------------------------------------------


def beyond(M: Integers, k: int, previous: int) -> Integers:
    """What pivot k leaves of the rows and columns beyond k; `previous` is the pivot before it, 1 at first."""
    pivot, top = M[k][k], M[k][k + 1 :]
    return [[(pivot * x - row[k] * y) // previous for x, y in zip(row[k + 1 :], top, strict=True)] for row in M[k + 1 :]]


def solved(A: Integers, B: Integers) -> tuple[int, Integers]:
    """(det A, N) with A N = det(A) B, for A (n, n) and B (n, m); N is empty where A is singular."""
    rows = [[*a, *b] for a, b in zip(A, B, strict=True)]
    n, previous, sign = len(rows), 1, 1
    for k in range(n):
        found = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if found is None:
            return 0, []
        if found != k:
            rows[k], rows[found], sign = rows[found], rows[k], -sign
        top, pivot = rows[k], rows[k][k]
        for i, row in enumerate(rows):
            if i != k:
                factor = row[k]
                rows[i] = [(pivot * x - factor * y) // previous for x, y in zip(row, top, strict=True)]
        previous = pivot
    return sign * previous, [[sign * x for x in row[n:]] for row in rows]


def minor(A: Integers, chosen: Sequence[int]) -> int:
    """The principal minor of the rows and columns `chosen`."""
    return solved([[A[i][j] for j in chosen] for i in chosen], [[] for _ in chosen])[0]


# ---- principal minors ------------------------------------------------------------------------------------------------


def first_leading(A: Integers) -> int:
    """The first k for which the leading minor of the rows 0 to k is not positive, n if all are positive."""
    M, previous = A, 1
    for k in range(len(A)):
        pivot = M[0][0]
        if pivot <= 0:
            return k
        M, previous = beyond(M, 0, previous), pivot
    return len(A)


def not_positive(A: Integers) -> tuple[int, ...] | None:
    """Rows of a principal minor that is not positive, None if there are none."""
    return _not_positive(A, 1, 0)


def _not_positive(M: Integers, previous: int, first: int) -> tuple[int, ...] | None:
    """The same of M, which some pivots have left of the rows from `first` on."""
    for k in range(len(M)):
        pivot = M[k][k]
        if pivot <= 0:
            return (first + k,)
        found = _not_positive(beyond(M, k, previous), pivot, first + k + 1)
        if found is not None:
            return (first + k, *found)
    return None


class Path:
    """What sets of rows leave of the matrix beyond them, for one set after another; the work on common beginnings is kept."""

    def __init__(self, A: Floats) -> None:
        self._n = len(A)
        self._rows: list[int] = []
        self._left = [(primitive(A), 1)]

    def beyond(self, rows: list[int]) -> Integers:
        """What the pivots `rows`, in rising order, leave of the rows and columns after the last one; no pivot may be zero."""
        common = next((i for i, (a, b) in enumerate(zip(rows, self._rows, strict=False)) if a != b), len(self._rows))
        del self._left[min(common, len(rows)) + 1 :]
        for row in rows[len(self._left) - 1 :]:
            M, previous = self._left[-1]
            k = row - (self._n - len(M))
            self._left.append((beyond(M, k, previous), M[k][k]))
        self._rows = rows
        return self._left[-1][0]


def rounded(M: Integers) -> Floats:
    """M as floats, rounded once, with rows and columns scaled by powers of two so that a positive diagonal is near one."""
    half = [row[i].bit_length() // 2 for i, row in enumerate(M)]
    return np.array([[_quotient(x, a + b) for x, b in zip(row, half, strict=True)] for row, a in zip(M, half, strict=True)])


def _quotient(x: int, bits: int) -> float:
    try:
        return x / (1 << bits)
    except OverflowError:
        return inf if x > 0 else -inf


# ---- quadratic forms -------------------------------------------------------------------------------------------------


def form(S: Symmetric, x: Sequence[int]) -> int:
    """x^T S x."""
    return sum(a * b * entry for a, row in zip(x, S, strict=True) if a for b, entry in zip(x, row, strict=True) if b)


def direction(S: Symmetric, *, flat: bool) -> list[int] | None:
    """A vector with x^T S x < 0, or with `flat` one that is not zero with x^T S x <= 0; None if there is none.

    So None says that S is positive semidefinite, or definite.
    """
    n, previous = len(S), 1
    M, used = [list(row) for row in S], list[int]()
    for k in range(n):
        pivot = M[k][k]
        if pivot < 0 or (pivot == 0 and flat):
            return lifted(S, used, {k: 1})
        if pivot == 0:
            other = next((j for j in range(k + 1, n) if M[k][j] != 0), None)
            if other is None:
                continue
            slope, rest = M[k][other], M[other][other]  # 2 slope x_k + rest < 0 for x_other = 1
            return lifted(S, used, {k: (-1 if slope > 0 else 1) * (abs(rest) + 1), other: 1})
        for i in range(k + 1, n):
            for j in range(i, n):
                M[i][j] = (pivot * M[i][j] - M[k][i] * M[k][j]) // previous
        used.append(k)
        previous = pivot
    return None


def lifted(S: Symmetric, used: Sequence[int], part: dict[int, int]) -> list[int]:
    """The vector that is a multiple of `part` on its rows, and on the rows `used` what makes x^T S x least; zero elsewhere.

    S must be positive definite on the rows `used`.
    """
    towards = [[-sum(S[i][j] * x for j, x in part.items())] for i in used]
    determinant, numerators = solved([[S[i][j] for j in used] for i in used], towards)
    x = [0] * len(S)
    for i, (numerator,) in zip(used, numerators, strict=True):
        x[i] = numerator
    for j, value in part.items():
        x[j] = determinant * value
    return _without_factor(x)
