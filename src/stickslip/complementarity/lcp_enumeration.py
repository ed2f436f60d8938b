"""All solutions of a linear complementarity problem, continua included, by exhausting the choices of its pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from stickslip.complementarity.basis import TOLERANCE
from stickslip.complementarity.budget import BudgetError
from stickslip.complementarity.exploration import Leaf, explore
from stickslip.complementarity.family import independent
from stickslip.complementarity.lcp_scratch import LcpScratch
from stickslip.complementarity.lcp_solution import LcpSolution
from stickslip.complementarity.status import Status
from stickslip.complementarity.system import System, of_complementarity
from stickslip.dynamics.tree import Floats

SAME = 1e-8  # scaled variables below this are zero where faces are compared
ROUND_OFF = 1e-12  # scaled variables below this are most likely zero
RANK = 1e-13  # relative size of singular values that count as zero


def all_solutions(A: Floats, b: Floats, free: tuple[int, ...], budget: int) -> list[LcpSolution]:
    """One solution in the relative interior of every face of solutions that lies in no other."""
    system = of_complementarity(A, b, free)
    found = explore(system, budget=budget)
    if not found.complete:
        raise BudgetError(f"not all choices were tried within the budget of {budget}; give a larger one.")
    return [_at_leaf(system, A, b, free, leaf) for leaf in _largest(system, found.leaves)]


def some_solution(A: Floats, b: Floats, free: tuple[int, ...], budget: int) -> LcpSolution:
    """The first solution that the search comes to, or a proof's worth of failure: NO_SOLUTION if everything is excluded."""
    system = of_complementarity(A, b, free)
    found = explore(system, budget=budget, most=1)
    if found.leaves:
        return _at_leaf(system, A, b, free, found.leaves[0])
    return failure(A, b, free, Status.NO_SOLUTION if found.complete else Status.UNDECIDED)


def failure(A: Floats, b: Floats, free: tuple[int, ...], status: Status, pivots: int = 0) -> LcpSolution:
    """No solution, and why."""
    nothing = np.full(len(b), np.nan)
    return LcpSolution(A, b, free, nothing, nothing.copy(), np.nan, status, np.zeros(len(b)), pivots)


def face_around(solution: LcpSolution) -> Floats:
    """Directions (d, n) of the largest face that a solution lies in: pairs that are active stay so."""
    n = len(solution.b)
    if not solution:
        return np.zeros((0, n))
    system = of_complementarity(solution.A, solution.b, solution.free)
    scaled = np.concatenate([solution.w, solution.z]) / system.scale
    choices = []
    for choice in system.choices:
        open_to = [alternative for alternative in choice if abs(scaled[alternative.conditions[0][0]]) <= SAME]
        choices.append(tuple(open_to))
    leaves = explore(replace(system, choices=tuple(choices))).leaves
    return _directions(max(leaves, key=lambda leaf: leaf.dimension), n) if leaves else np.zeros((0, n))


def _largest(system: System, leaves: tuple[Leaf, ...]) -> list[Leaf]:
    """The leaves that lie in no other; of equal ones the first."""
    kept: list[Leaf] = []
    for leaf in sorted(leaves, key=lambda leaf: -leaf.dimension):
        zero = np.abs(leaf.point / system.scale) <= SAME
        if not any(all(zero[v] for v in _zeros(system, other)) for other in kept):
            kept.append(leaf)
    return kept


def _zeros(system: System, leaf: Leaf) -> list[int]:
    """The variables that the choices of a leaf ask to be zero."""
    return [choice[taken].conditions[0][0] for choice, taken in zip(system.choices, leaf.path, strict=True)]


def _directions(leaf: Leaf, n: int) -> Floats:
    return independent(leaf.directions[:, n:])


def _at_leaf(system: System, A: Floats, b: Floats, free: tuple[int, ...], leaf: Leaf) -> LcpSolution:
    """The solution near a leaf's point, with exact zeros; what is no larger than round-off is taken for zero, if it can be."""
    n = len(b)
    asked = set(_zeros(system, leaf))
    held = np.array([i in asked or i in free for i in range(n)], dtype=bool)
    directions = _directions(leaf, n)
    for smallest in (ROUND_OFF, 0.0):
        seen = np.abs(leaf.point[n:]) > smallest * system.scale[n:]
        z = _improved(system, A, b, leaf.point[n:], held & seen)
        solution = judged(A, b, free, z, held.astype(np.float64), known_directions=directions)
        if solution:
            break
    return solution


def _improved(system: System, A: Floats, b: Floats, z: Floats, held: Any) -> Floats:
    """z (n,) with the equations w = 0 of the pairs that are `held` (n,) solved as well as floats allow; the others are zero."""
    n = len(b)
    z = np.where(held, z, 0.0)
    unit_w, unit_z = system.scale[:n][held], system.scale[n:][held]
    block = A[np.ix_(held, held)] * unit_z / unit_w[:, None]
    for _ in range(2):
        z[held] -= unit_z * np.linalg.lstsq(block, (A[held] @ z + b[held]) / unit_w, rcond=RANK)[0]
    return z


def judged(
    A: Floats,
    b: Floats,
    free: tuple[int, ...],
    z: Floats,
    basis: Floats,
    *,
    pivots: int = 0,
    known_directions: Floats | None = None,
) -> LcpSolution:
    """z (n,) with the active pairs `basis` (n,) as a solution if its residual allows, else as a failure by round-off."""
    scratch = LcpScratch.of_this_thread(len(b))
    residual = scratch.judge(A, b, z, free)
    if not residual <= TOLERANCE:
        return failure(A, b, free, Status.INACCURATE, pivots)
    z, w = scratch.z.copy(), scratch.w.copy()
    return LcpSolution(A, b, free, z, w, residual, Status.SOLVED, basis, pivots, known_directions)
