"""Linear algebra without round-off, over `fractions.Fraction`, for matrices as small as proofs need them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Row = list[Fraction]
Matrix = list[Row]

ZERO = Fraction(0)


def solved(A: Sequence[Sequence[Fraction]], B: Sequence[Sequence[Fraction]]) -> tuple[Fraction, Matrix]:
    """(det A, A^-1 B) for A (n, n) and B (n, m); the solution is empty where A is singular."""
    n = len(A)
    rows = [[*a, *b] for a, b in zip(A, B, strict=True)]
    determinant = Fraction(1)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return ZERO, []
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            determinant = -determinant
        value = rows[k][k]
        determinant *= value
        top = [entry / value for entry in rows[k][k:]]
        rows[k][k:] = top
        for i in range(n):
            factor = rows[i][k]
            if i != k and factor != 0:
                rows[i][k:] = [x - factor * y for x, y in zip(rows[i][k:], top, strict=True)]
    return determinant, [row[n:] for row in rows]


def rank(A: Sequence[Sequence[Fraction]]) -> int:
    """The number of independent rows."""
    rows = [list(row) for row in A]
    found = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column] != 0), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        top = rows[found]
        for i in range(found + 1, len(rows)):
            if rows[i][column] != 0:
                factor = rows[i][column] / top[column]
                rows[i] = [x - factor * y for x, y in zip(rows[i], top, strict=True)]
        found += 1
    return found


def inertia(A: Sequence[Sequence[Fraction]]) -> tuple[bool, bool]:
    """(positive definite, positive semidefinite) of a symmetric matrix."""
    rows = [list(row) for row in A]
    definite = True
    for k in range(len(rows)):
        pivot = rows[k][k]
        if pivot < 0:
            return False, False
        if pivot == 0:
            if any(entry != 0 for entry in rows[k][k:]):
                return False, False
            definite = False
            continue
        for i in range(k + 1, len(rows)):
            if rows[k][i] != 0:
                factor = rows[k][i] / pivot
                for j in range(i, len(rows)):
                    rows[i][j] -= factor * rows[k][j]
                    rows[j][i] = rows[i][j]
    return definite, True
