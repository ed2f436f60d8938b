"""Q-matrices: w = A z + b has a solution whatever b is. Other classes settle many of them; no quick test settles all.

For every b to have some z >= 0 with w >= 0 there must be x >= 0 with A x > 0. There is either that or y >= 0, not zero, with
y^T A <= 0: the best choices of the two players in the matrix game A, whose value is positive or not.
"""

from __future__ import annotations

from dataclasses import dataclass

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.definite import SemidefiniteProof
from stickslip.complementarity.fraction_free import Integers, integers
from stickslip.complementarity.p_matrix import proper
from stickslip.complementarity.proof import Proof
from stickslip.dynamics.tree import Floats

LARGEST_GAME = 40  # rows of a game that is played in integers: it takes some seconds there


def game(A: Integers) -> tuple[bool, list[int]]:
    """(True, x) with x >= 0 and A x > 0, or (False, y) with y >= 0, not zero, and y^T A <= 0; for A (n, n), n > 0.

    With a number added to all entries, so that they are positive, the game is to make the sum of y >= 0 as large as
    y^T B <= 1 allows: simplex pivots in integers over one denominator, by Bland's rule. x are the multipliers.
    """
    n = len(A)
    added = max(0, 1 - min(min(row) for row in A))
    T = [[A[i][j] + added for i in range(n)] + [1] for j in range(n)] + [[-1] * n + [0]]
    basic, nonbasic, denominator = list(range(n, 2 * n)), list(range(n)), 1
    while min(T[n][:n]) < 0:
        c = min((j for j in range(n) if T[n][j] < 0), key=lambda j: nonbasic[j])
        r = _leaving(T, basic, c)
        denominator = _exchange(T, r, c, denominator)
        basic[r], nonbasic[c] = nonbasic[c], basic[r]
    if denominator > added * T[n][n]:  # the value is denominator / T[n][n] - added
        return True, _by_label({label - n: T[n][j] for j, label in enumerate(nonbasic)}, n)
    return False, _by_label({label: T[i][n] for i, label in enumerate(basic)}, n)


def _leaving(T: Integers, basic: list[int], c: int) -> int:
    """The row with the least ratio of its last entry and that of column c; of several that of the first label."""
    best = -1
    for i in range(len(basic)):
        if T[i][c] > 0:
            left, right = (T[i][-1] * T[best][c], T[best][-1] * T[i][c]) if best >= 0 else (0, 1)
            if left < right or (left == right and basic[i] < basic[best]):
                best = i
    return best


def _exchange(T: Integers, r: int, c: int, denominator: int) -> int:
    """Pivot on row r and column c; answers the new denominator of all entries."""
    pivot, top = T[r][c], list(T[r])
    for i, row in enumerate(T):
        if i != r:
            factor = row[c]
            T[i] = [(pivot * x - factor * y) // denominator for x, y in zip(row, top, strict=True)]
            T[i][c] = -factor
    T[r][c] = denominator
    return pivot


def _by_label(values: dict[int, int], n: int) -> list[int]:
    return [values.get(i, 0) for i in range(n)]


# ---- proofs ----------------------------------------------------------------------------------------------------------


def _not_negative(x: tuple[int, ...], n: int) -> bool:
    return len(x) == n and min(x, default=0) >= 0


@dataclass(frozen=True, eq=False)
class InfeasibleProof:
    """For the vector y (n,) of integers, not negative and not zero, y^T A <= 0."""

    A: Floats
    y: tuple[int, ...]

    answer = Answer.NO

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return "a vector y >= 0 is given with y^T A <= 0, so that no b with y^T b < 0 has a solution."

    def holds(self) -> bool:
        """Whether it is so, by exact arithmetic."""
        if not proper(self.A) or not _not_negative(self.y, len(self.A)) or not any(self.y):
            return False
        columns = zip(*integers(self.A), strict=True)
        return all(sum(y * a for y, a in zip(self.y, column, strict=True)) <= 0 for column in columns)


@dataclass(frozen=True, eq=False)
class FeasibleProof:
    """The symmetric part of A (n, n) is positive semidefinite, and A x > 0 for the vector x >= 0 (n,) of integers."""

    A: Floats
    x: tuple[int, ...]

    answer = Answer.YES

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return "x^T A x is never negative and a vector x >= 0 is given with A x > 0, so that there is a solution whatever b is."

    def holds(self) -> bool:
        """Whether it is so, by exact arithmetic."""
        if not SemidefiniteProof(self.A).holds() or not _not_negative(self.x, len(self.A)):
            return False
        return all(sum(a * x for a, x in zip(row, self.x, strict=True)) > 0 for row in integers(self.A))


@dataclass(frozen=True, eq=False)
class LonelyProof:
    """The diagonal entry of a row of A (n, n) is not positive, and all other rows are not negative."""

    A: Floats
    row: int

    answer = Answer.NO

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return (
            f"b = -1 in row {self.row} and 1 elsewhere has no solution: all other w are positive and so their z zero, and the "
            "diagonal entry cannot raise its own w."
        )

    def holds(self) -> bool:
        """Whether it is so."""
        A, i = self.A, self.row
        if not proper(A) or not 0 <= i < len(A) or A[i, i] > 0.0:
            return False
        return all((row >= 0.0).all() for k, row in enumerate(A) if k != i)


def q_proof(A: Floats, semidefinite: bool) -> Proof | None:
    """A proof that A (n, n), positive semidefinite or not, is a Q-matrix or not, from the game and from single rows."""
    for i, row in enumerate(A):
        if (row <= 0.0).all():
            return InfeasibleProof(A, tuple(int(k == i) for k in range(len(A))))
        if A[i, i] <= 0.0 and LonelyProof(A, i).holds():
            return LonelyProof(A, i)
    if len(A) > LARGEST_GAME:
        return None
    feasible, vector = game(integers(A))
    if not feasible:
        return InfeasibleProof(A, tuple(vector))
    return FeasibleProof(A, tuple(vector)) if semidefinite else None
