"""All solutions of a contact problem, by exhausting its modes.

In the plane a leaf of the search is the polyhedron of all solutions of one word. In space polygons stand for the circles of
friction, around them, so that a leaf says only where solutions may be: they are looked for on the circles themselves, from
every leaf. Words for which none was found are searched again with finer polygons, and excluded if nothing is left of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.budget import BudgetError
from stickslip.complementarity.contact_system import ContactSystem, contact_system
from stickslip.complementarity.exploration import BUDGET, Leaf, explore
from stickslip.complementarity.family import family_along, of_letters
from stickslip.complementarity.solution import ContactSolution
from stickslip.complementarity.solving import FINER, SPATIAL_BUDGET, TOLERANCE, Letters, calmed, letters_of, polished
from stickslip.complementarity.spatial_guess import spatial_letters
from stickslip.complementarity.status import Status
from stickslip.complementarity.tables import residual
from stickslip.complementarity.word import approaching
from stickslip.dynamics.tree import Floats

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

SAME = 1e-7  # motions that differ by less, relative to the scale of the problem or to the largest, are one


def all_solutions(problem: ContactProblem, tau: Floats, budget: int | None = None) -> list[ContactSolution]:
    """Solutions for every combination of letters that has any; what could be neither found nor excluded comes last."""
    if approaching(problem):
        return []
    budget = BUDGET if budget is None else budget
    whole = contact_system(problem, tau)
    exploration = explore(whole.system, budget=budget)
    if not exploration.complete:
        raise BudgetError(f"not all modes were tried within the budget of {budget}; give a larger budget, or fewer contacts.")
    found, doubtful = _at_leaves(whole, exploration.leaves)
    for sides in FINER if not whole.exact else ():
        finer = contact_system(problem, tau, number=sides)
        for letters in list(doubtful):
            exploration = explore(of_letters(finer, letters), budget=min(budget, SPATIAL_BUDGET))
            more, left = _at_leaves(finer, exploration.leaves)
            found += more
            if more or (exploration.complete and not left):
                del doubtful[letters]
    return _grouped(whole, [*found, *doubtful.values()])


def _at_leaves(whole: ContactSystem, leaves: tuple[Leaf, ...]) -> tuple[list[ContactSolution], dict[Letters, ContactSolution]]:
    """(solutions, failures by letters for which there is no solution among them)."""
    found: list[ContactSolution] = []
    doubtful: dict[Letters, ContactSolution] = {}
    for leaf in leaves:
        solution = _at_leaf(whole, leaf, letters_of(leaf))
        if solution is None:
            continue
        if not solution:
            doubtful.setdefault(solution.letters, solution)
        elif not any(_same(whole, solution, other) for other in found):
            found.append(solution)
    solved = {solution.letters for solution in found}
    return found, {letters: failed for letters, failed in doubtful.items() if letters not in solved}


def _at_leaf(whole: ContactSystem, leaf: Leaf, letters: Letters) -> ContactSolution | None:
    """The solution with these letters near the interior point of a leaf; None where a contact in space would begin to slide
    without any acceleration: then it is fixed, and counted as that.
    """
    problem, tau, scale = whole.problem, whole.tau, whole.scale
    a, force = whole.unknowns(leaf.point)
    if calmed(problem, scale, a, letters) != letters and not problem.planar:
        return None
    family = family_along(whole, leaf.directions) if whole.exact else None
    starts = [np.concatenate([a, force])]
    if not whole.exact:
        starts += [point for other, point in spatial_letters(problem, tau, scale, force) if other == letters]
    for start in starts:
        x = polished(problem, tau, scale, letters, start)
        a, force = x[: problem.nv], x[problem.nv :]
        error = residual(problem, tau, scale, a, force, letters)
        if error <= TOLERANCE:
            return ContactSolution(problem, tau, Status.SOLVED, letters, a, force, error, known_family=family)
    doubt = Status.INACCURATE if whole.exact else Status.UNDECIDED
    return ContactSolution(problem, tau, doubt, letters, a, force, error, known_family=family)


def _same(whole: ContactSystem, solution: ContactSolution, other: ContactSolution) -> bool:
    """Whether two solutions have the same letters and one motion, or belong to one continuum of motions."""
    if solution.letters != other.letters:
        return False
    first, second = _motion(whole, solution), _motion(whole, other)
    size = max(1.0, np.abs(first).max(initial=0.0), np.abs(second).max(initial=0.0))
    return bool(np.abs(first - second).max(initial=0.0) <= SAME * size) or other.family.motion_dimension > 0


def _grouped(whole: ContactSystem, solutions: list[ContactSolution]) -> list[ContactSolution]:
    """The same solutions, each with the words of others that describe its motion."""
    motions = [_motion(whole, solution) for solution in solutions]
    size = max([1.0, *(np.abs(motion).max(initial=0.0) for motion in motions)])
    result = []
    for i, solution in enumerate(solutions):
        same = [
            other.word
            for j, other in enumerate(solutions)
            if i != j
            and not solution.family.motion_dimension
            and not other.family.motion_dimension
            and np.abs(motions[i] - motions[j]).max(initial=0.0) <= SAME * size
        ]
        result.append(solution.with_same_motion(tuple(same)))
    return result


def _motion(whole: ContactSystem, solution: ContactSolution) -> Floats:
    """The variables that the system calls motion, scaled."""
    system = whole.system
    point = whole.point(solution.acceleration, solution.row_force)
    return point[system.motion] / system.scale[system.motion]
