"""Solving a contact problem: a guess, then Lemke's method, then the search through all modes; nothing is returned unverified.

Every route only proposes letters. What is returned satisfies the equations of those letters on the original numbers, and
every line of the tables was checked on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.contact_proofs import orientation_may_hold
from stickslip.complementarity.contact_system import FACETS, contact_system
from stickslip.complementarity.exploration import BUDGET, Leaf, explore
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
TURNS = 20  # steps of Newton's method for the directions in which contacts in space begin to slide
TURNED = 1e-14  # relative change after which they are left as they are
ROUND_OFF = 1e-14  # part of the largest scaled force by which a normal force may be negative before it is set to zero
FINER = 16, 32  # sides of the polygons around circles of friction, where `FACETS` of them leave something open
SPATIAL_BUDGET = 20_000  # alternatives that are tried with polygons of one kind: some seconds for eight contacts
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
    calm = calmed(problem, scale, a, letters)
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


def calmed(problem: ContactProblem, scale: Scale, a: Floats, letters: Letters) -> Letters:
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


def letters_of(leaf: Leaf) -> Letters:
    """The letters that the alternatives of a leaf stand for: sectors of directions are all D."""
    return tuple(label[0] for label in leaf.labels)


def failure(problem: ContactProblem, tau: Floats, status: Status) -> ContactSolution:
    """No solution, and why."""
    nothing = np.full(problem.nv, np.nan), np.full(problem.stacked.count, np.nan)
    return ContactSolution(problem, tau, status, (), *nothing, np.nan)


def _search(problem: ContactProblem, tau: Floats, scale: Scale) -> ContactSolution:
    """The first solution that a search through all modes comes to; in space among polygons of more and more sides."""
    for sides in (FACETS, *FINER):
        whole = contact_system(problem, tau, number=sides)
        most, budget = (1, BUDGET) if whole.exact else (None, SPATIAL_BUDGET)
        exploration = explore(whole.system, budget=budget, most=most)
        if exploration.complete and not exploration.leaves:
            exists = orientation_may_hold(problem)  # so near to jamming that the search cannot see what holds it
            return failure(problem, tau, Status.INACCURATE if exists else Status.NO_SOLUTION)
        for leaf in exploration.leaves:
            found = attempt(problem, tau, scale, letters_of(leaf), np.concatenate(whole.unknowns(leaf.point)))
            if found:
                return found
        if whole.exact:
            return failure(problem, tau, Status.INACCURATE if exploration.leaves else Status.UNDECIDED)
    return failure(problem, tau, Status.UNDECIDED)
