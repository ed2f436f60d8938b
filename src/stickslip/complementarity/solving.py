"""Solving a contact problem: a guess, then Lemke's method, then the search through all modes; nothing is returned unverified.

Every route only proposes letters. What is returned satisfies the equations of those letters on the original numbers, and
every line of the tables was checked on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.budget import BudgetError
from stickslip.complementarity.contact_system import ContactSystem, contact_system
from stickslip.complementarity.exploration import BUDGET, Leaf, explore
from stickslip.complementarity.family import family_along
from stickslip.complementarity.planar_guess import planar_letters
from stickslip.complementarity.solution import ContactSolution
from stickslip.complementarity.spatial_guess import spatial_letters
from stickslip.complementarity.stacked import Scale, scale_of
from stickslip.complementarity.status import Status
from stickslip.complementarity.tables import equations, residual
from stickslip.complementarity.word import allowed_letters, approaching, checked_word, dry_letters, limit_letters
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

TOLERANCE = 1e-9  # the largest residual of a solution, relative to the problem's scale or the solution's, whichever is larger
SAME = 1e-7  # motions that differ by less, relative to the same, are one
TURNS = 20  # steps of Newton's method for the directions in which contacts in space begin to slide
TURNED = 1e-14  # relative change after which they are left as they are
ROUND_OFF = 1e-14  # part of the largest scaled force by which a normal force may be negative before it is set to zero
RANK = 1e-13  # relative size of singular values that count as zero when the equations of a mode are solved

Letters = tuple[str, ...]


def solve(problem: ContactProblem, tau: Floats, guess: object = None) -> ContactSolution:
    """One solution, by the first of the routes that finds any."""
    given = None if guess is None else _letters_of(problem, guess)
    if approaching(problem):
        return failure(problem, tau, Status.IMPACT)
    scale = scale_of(problem, problem.applied(tau))
    for letters, start in _proposals(problem, tau, scale, given):
        found = attempt(problem, tau, scale, letters, start)
        if found:
            return found
    return _search(problem, tau, scale)


def _letters_of(problem: ContactProblem, guess: object) -> Letters:
    if isinstance(guess, ContactSolution):
        letters = guess.letters
        if len(letters) == len(problem.contacts) + len(problem.limits) + len(problem.dry_friction):
            return letters
        raise (
            ArgumentError("the guess is a solution of a problem with other contacts or rows.")
            if guess
            else ArgumentError("the guess is a failed attempt, which has no modes.")
        )
    word = checked_word(problem, guess)
    others = (*limit_letters(problem), *dry_letters(problem))
    return (*word, *(letters[:1] for letters in others))


def _proposals(
    problem: ContactProblem, tau: Floats, scale: Scale, guess: Letters | None
) -> Iterator[tuple[Letters, Floats | None]]:
    """Letters worth trying, each perhaps with a point (nv + R,) to start from: sticking first, so that what can stick does."""
    if guess is not None:
        yield guess, None
    yield tuple(letters[-1] if letters[0] == "S" else letters[0] for letters in allowed_letters(problem)), None
    yield from (planar_letters if problem.planar else spatial_letters)(problem, tau, scale)


def attempt(
    problem: ContactProblem, tau: Floats, scale: Scale, letters: Letters, start: Floats | None = None
) -> ContactSolution | None:
    """The solution with these letters next to `start`, if there is one there."""
    x = polished(problem, tau, scale, letters, start)
    a, force = x[: problem.nv], x[problem.nv :]
    error = residual(problem, tau, scale, a, force, letters)
    if not error <= TOLERANCE:
        return None
    calm = _calm(problem, scale, a, letters)
    if calm != letters and residual(problem, tau, scale, a, force, calm) <= TOLERANCE:
        letters = calm
    return ContactSolution(problem, tau, Status.SOLVED, letters, a, force, error)


def polished(problem: ContactProblem, tau: Floats, scale: Scale, letters: Letters, start: Floats | None) -> Floats:
    """The point (nv + R,) nearest to `start` that satisfies the equations of a mode, as well as any does."""
    unit = np.concatenate([scale.acceleration, scale.force])
    x = np.zeros(len(unit)) if start is None else start / unit
    if not np.isfinite(x).all():
        return np.full(len(unit), np.nan)
    for _ in range(TURNS if "D" in letters else 1):
        now = x * unit
        K, r = equations(problem, tau, scale, letters, (now[: problem.nv], now[problem.nv :]))
        before = x
        for _ in range(2):
            x = x + np.linalg.lstsq(K, r - K @ x, rcond=RANK)[0]
        if np.abs(x - before).max() <= TURNED * max(1.0, np.abs(x).max()):
            break
    return _without_round_off(problem, scale, letters, x * unit)


def _without_round_off(problem: ContactProblem, scale: Scale, letters: Letters, x: Floats) -> Floats:
    """The same with forces that are zero by their letter exactly so, and normal forces not below zero."""
    size, k, rows = problem.rows_per_contact, len(problem.contacts), problem.stacked
    force = x[problem.nv :]
    round_off = ROUND_OFF * max(1.0, np.abs(force / scale.force).max(initial=0.0)) * scale.force
    for i, letter in enumerate(letters[:k]):
        here = slice(size * i, size * (i + 1))
        if letter == "S":
            force[here] = 0.0
        elif -round_off[size * i] <= force[size * i] < 0.0:
            force[size * i] = 0.0
    for i, letter in enumerate(letters[k : k + len(problem.limits)]):
        if letter == "S":
            force[rows.limits.start + i] = 0.0
    return x


def _calm(problem: ContactProblem, scale: Scale, a: Floats, letters: Letters) -> Letters:
    """Contacts that begin to slide without any acceleration are called fixed."""
    size, result = problem.rows_per_contact, list(letters)
    unit = max(1.0, np.abs(a / scale.acceleration).max(initial=0.0))
    for i, allowed in enumerate(problem.letters):
        if "F" in allowed and letters[i] in "RLD":
            here = slice(size * i + 1, size * (i + 1))
            slip = problem.jacobian[here] @ a + problem.drift[here]
            if np.abs(slip / scale.row[here]).max() <= TOLERANCE * unit:
                result[i] = "F"
    return tuple(result)


def failure(problem: ContactProblem, tau: Floats, status: Status) -> ContactSolution:
    """No solution, and why."""
    nothing = np.full(problem.nv, np.nan), np.full(problem.stacked.count, np.nan)
    return ContactSolution(problem, tau, status, (), *nothing, np.nan)


def _search(problem: ContactProblem, tau: Floats, scale: Scale) -> ContactSolution:
    """The first mode that a search through all of them comes to."""
    whole = contact_system(problem, tau)
    exploration = explore(whole.system, most=1)
    if not exploration.leaves:
        return failure(problem, tau, Status.NO_SOLUTION if exploration.complete else Status.UNDECIDED)
    leaf = exploration.leaves[0]
    letters = tuple(label[0] for label in leaf.labels)
    found = attempt(problem, tau, scale, letters, np.concatenate(whole.unknowns(leaf.point)))
    return found or failure(problem, tau, Status.INACCURATE if whole.exact else Status.UNDECIDED)


# ---- all of them ---------------------------------------------------------------------------------------------------


def all_solutions(problem: ContactProblem, tau: Floats, budget: int | None = None) -> list[ContactSolution]:
    """One solution for every combination of letters that has any, by exhausting all of them."""
    if approaching(problem):
        return []
    whole = contact_system(problem, tau)
    budget = BUDGET if budget is None else budget
    exploration = explore(whole.system, budget=budget)
    if not exploration.complete:
        raise BudgetError(f"not all modes were tried within the budget of {budget}; give a larger budget, or fewer contacts.")
    found: dict[Letters, ContactSolution] = {}
    for leaf in exploration.leaves:
        letters = tuple(label[0] for label in leaf.labels)
        if found.get(letters):
            continue
        solution = _at_leaf(whole, leaf, letters)
        if solution is not None:
            found[letters] = solution
    return _grouped(whole, list(found.values()))


def _at_leaf(whole: ContactSystem, leaf: Leaf, letters: Letters) -> ContactSolution | None:
    """The solution with these letters near the interior point of a leaf; None where a contact in space would begin to slide
    without any acceleration: then it is fixed, and counted as that.
    """
    problem, tau, scale = whole.problem, whole.tau, whole.scale
    a, force = whole.unknowns(leaf.point)
    if _calm(problem, scale, a, letters) != letters and not problem.planar:
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
