"""Linear complementarity problems: z and w = A z + b, not negative, of which one is zero in every pair.

    solve          one solution: from a guess of the active pairs, else by Lemke's method
    solutions      all of them, continua included
    is_p_matrix    whether every b has exactly one solution
    classify       more that a matrix says about its problems, with proofs

Pairs that are `free` are equations instead: w_i = 0, z_i of any sign.

>>> from stickslip import lcp
>>> solution = lcp.solve([[2, 1], [1, 2]], [-5, -6])
>>> solution.z.round(3), solution.status.name, lcp.is_p_matrix([[2, 1], [1, 2]])
(array([1.333, 2.333]), 'SOLVED', True)
>>> [other.z.tolist() for other in lcp.solutions([[-1.0]], [1.0])]
[[1.0], [0.0]]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import index
from typing import Any

import numpy as np

from stickslip.complementarity.basis import INACCURATE, NOT_FINITE, PIVOT_LIMIT, RAY, SOLVED
from stickslip.complementarity.elimination import eliminated
from stickslip.complementarity.exploration import BUDGET
from stickslip.complementarity.lcp_enumeration import all_solutions, failure, judged, some_solution
from stickslip.complementarity.lcp_scratch import LcpScratch
from stickslip.complementarity.lcp_solution import LcpSolution
from stickslip.complementarity.matrix_class import MatrixClass, classify
from stickslip.complementarity.p_matrix import is_p_matrix
from stickslip.complementarity.status import Status
from stickslip.dynamics.arguments import DOUBLE
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError

__all__ = ["LcpSolution", "MatrixClass", "classify", "is_p_matrix", "solutions", "solve"]

PIVOTS = 100_000  # of one of Lemke's paths, unless told otherwise
SEARCH = 20_000  # alternatives that are tried where Lemke's method fails, unless told otherwise

_ENDS = {RAY: Status.RAY, PIVOT_LIMIT: Status.PIVOT_LIMIT, INACCURATE: Status.INACCURATE}


def solve(
    A: Any,
    b: Any,
    *,
    free: Sequence[int] = (),
    guess: LcpSolution | Sequence[bool] | None = None,
    limit: int = PIVOTS,
    budget: int = SEARCH,
) -> LcpSolution:
    """One solution of w = A z + b, with A (n, n) and b (n,) in any units that agree, and how it was found.

    `guess` says which pairs are active (w_i = 0): an earlier solution, or n truth values. Where it is right, no method is
    needed. Else Lemke's method makes at most `limit` pivots on a path, and where that fails a search tries up to `budget`
    alternatives, zero for none: it finds a solution, or shows that there is none, or gives up.
    """
    A, b = _problem(A, b)
    pairs = _free(free, len(b))
    start = None if guess is None else _guessed(guess, len(b))
    found = _mixed(A, b, pairs, start, limit) if pairs else _plain(A, b, start, limit)
    if found or not budget:
        return found
    searched = some_solution(A, b, pairs, budget)
    if searched or searched.status is Status.NO_SOLUTION:
        return replace(searched, pivots=found.pivots)
    return found


def solutions(A: Any, b: Any, *, free: Sequence[int] = (), budget: int = BUDGET) -> list[LcpSolution]:
    """All solutions of w = A z + b, with A (n, n) and b (n,) in any units that agree; an empty list if there are none.

    Each stands alone (`.dimension` 0) or in the middle of a face of solutions, which `.directions` (d, n) span. More than
    `budget` alternatives raise a `BudgetError`.
    """
    A, b = _problem(A, b)
    _check_finite(A, b)
    return all_solutions(A, b, _free(free, len(b)), budget)


def _plain(A: Floats, b: Floats, guess: Floats | None, limit: int) -> LcpSolution:
    scratch = LcpScratch.of_this_thread(len(b))
    if guess is None or not scratch.guess(A, b, guess):
        ended = scratch.lemke(A, b, limit)
        if ended == NOT_FINITE:
            _check_finite(A, b)
        if ended != SOLVED:
            return failure(A, b, (), _ENDS[ended], scratch.pivots)
        guess = scratch.basis.copy()
    return LcpSolution(A, b, (), scratch.z.copy(), scratch.w.copy(), scratch.residual, Status.SOLVED, guess, scratch.pivots)


def _mixed(A: Floats, b: Floats, free: tuple[int, ...], guess: Floats | None, limit: int) -> LcpSolution:
    """The equations are eliminated, the rest is solved, and the whole is judged on the problem as it was given."""
    _check_finite(A, b)
    less = eliminated(A, b, np.array(free, dtype=np.int64))
    found = _plain(less.A, less.b, None if guess is None else guess[less.rest], limit)
    if not found:
        return failure(A, b, free, found.status, found.pivots)
    basis = np.ones(len(b))
    basis[less.rest] = found.basis
    return judged(A, b, free, less.whole(found.z), basis, pivots=found.pivots)


# ---- what users give ---------------------------------------------------------------------------------------------


def _problem(A: Any, b: Any) -> tuple[Floats, Floats]:
    """Copies of A (n, n) and b (n,) that nobody else can change. Kernels look for NaN on their way."""
    A, b = _copied(A, "A"), _copied(b, "b")
    if b.ndim != 1:
        raise ArgumentError(f"b must be a vector (n,), not an array of shape {b.shape}.")
    n = b.size
    if A.shape != (n, n):
        if A.size or n:
            raise ArgumentError(f"A must be a square matrix of the size of b, ({n}, {n}), not {A.shape}.")
        A = np.zeros((0, 0))
    return A, b


def _check_finite(A: Floats, b: Floats) -> None:
    if not (np.isfinite(A).all() and np.isfinite(b).all()):
        raise ArgumentError("A and b must hold finite numbers only, not NaN or infinity.")


def _copied(value: Any, what: str) -> Floats:
    if type(value) is np.ndarray and value.dtype is DOUBLE:
        return value.copy()
    try:
        array = np.asarray(value)
    except ValueError:
        raise ArgumentError(f"{what} must be an array, not a ragged sequence.") from None
    if array.dtype.kind not in "fiu" and array.size:
        raise ArgumentError(f"{what} must hold real numbers, not {array.dtype}.")
    return np.array(array, dtype=np.float64, order="C")


def _free(free: Sequence[int], n: int) -> tuple[int, ...]:
    if not len(free):
        return ()
    try:
        pairs = sorted({index(i) for i in free})
    except TypeError:
        raise ArgumentError(f"free must be a sequence of the pairs' indices, not {free!r:.60}.") from None
    if pairs[0] < 0 or pairs[-1] >= n:
        raise ArgumentError(f"free must name pairs from 0 to {n - 1}, not {pairs[0] if pairs[0] < 0 else pairs[-1]}.")
    return tuple(pairs)


def _guessed(guess: Any, n: int) -> Floats:
    """The basis (n,) of the guess: numbers that are not zero for active pairs."""
    if isinstance(guess, LcpSolution):
        basis = guess.basis
    else:
        active = np.asarray(guess)
        basis = active.astype(np.float64) if active.dtype == bool else np.zeros(0)
    if basis.shape != (n,):
        raise ArgumentError(f"a guess must be a solution of a problem of this size, or {n} truth values.")
    return basis
