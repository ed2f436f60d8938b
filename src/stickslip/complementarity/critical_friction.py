"""The friction at which a contact problem loses its unique solution: paper 1's mu*, from exact roots of polynomials."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

from stickslip.complementarity.arrays import not_negative
from stickslip.complementarity.budget import BudgetError
from stickslip.complementarity.exact import fractions
from stickslip.complementarity.orientation import Piece, count, determinants, exact_delassus, pieces
from stickslip.complementarity.polynomial import first_root, interpolated
from stickslip.mechanism.errors import SingularInertiaError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

WORDS = 1100  # words of modes that are looked at, unless told otherwise: five contacts at rest, or ten that slide


def critical_friction(problem: ContactProblem, *, ratios: Any = 1.0, sticking: bool = True, budget: int = WORDS) -> float:
    """The smallest friction at which uniqueness is lost, dimensionless; infinite if it never is.

    Contact i has the friction mu ratios[i], with `ratios` (k,) one for all unless given; the problem's own friction does not
    matter. Below the answer, accelerations and forces exist and are unique whatever the bias and the inputs; from it on some
    bias has several solutions or none. It is the smallest root, from zero on, of the determinants of all words of modes
    (`orientation.py`), polynomials in mu with exact coefficients:

    - Where all contacts slide, these are the principal minors of paper 1's A = J_n M^-1 (J_n - mu S J_t)^T: it is a P-matrix
      below the answer, mu* of that paper.
    - A contact at rest may also stick, or begin to slide either way; all these combinations count. Where stuck contacts
      hold each other (dependent rows, such as two feet of one rigid table) forces are ambiguous at any friction, and
      the answer is zero; `sticking=False` leaves sticking out, and so looks at the P-matrices of all patterns of signs.

    More than `budget` words (4^k for k contacts at rest, 2^k for k that slide) raise a `BudgetError`. In space all contacts
    must slide.

    >>> import numpy as np, stickslip as ss
    >>> c, s = 0.5 * np.cos(np.arctan(2)), 0.5 * np.sin(np.arctan(2))  # a uniform rod that slides on its tip
    >>> rod = ss.ContactProblem(
    ...     mass=np.diag([1, 1, 1 / 12]), bias=[0, 9.81, 0], jacobian=[[0, 1, -c], [1, 0, s]], velocity=[0, -1], friction=[0.5]
    ... )
    >>> round(ss.critical_friction(rod), 12)
    1.333333333333
    """
    k = len(problem.contacts)
    shares = fractions(not_negative(ratios, k, "the ratio of friction", [contact.name for contact in problem.contacts]))
    choices = pieces(problem, shares)
    if not sticking:
        choices = [_without_sticking(choice) for choice in choices]
    if count(choices) > budget:
        raise BudgetError(f"there are {count(choices)} words of modes, above the budget of {budget}; give a larger one.")
    G = exact_delassus(problem)
    if G is None:
        raise SingularInertiaError("the critical friction needs a positive definite mass matrix.")
    degree = sum(any(column.friction for piece in choice for column in piece.columns) for choice in choices)
    return _smallest_root(G, choices, degree)


def _without_sticking(choice: tuple[Piece, ...]) -> tuple[Piece, ...]:
    slides = any(piece.letter in "RL" for piece in choice)
    return tuple(piece for piece in choice if not (slides and piece.letter == "F"))


def _smallest_root(G: list[list[Any]], choices: list[tuple[Piece, ...]], degree: int) -> float:
    """The smallest root of all determinants: exact values at a few small frictions make the polynomials."""
    if any(value <= 0 for _, value in determinants(G, choices, Fraction(0))):
        return 0.0
    points = [Fraction(0)]
    tables = [dict(determinants(G, choices, points[0]))]
    step = Fraction(1, 8)
    while len(points) <= degree:
        found = dict(determinants(G, choices, points[-1] + step))
        if 0 in found.values():  # what lies beyond a zero is not reported
            step /= 2
            continue
        points.append(points[-1] + step)
        tables.append(found)
    best: tuple[Fraction, Fraction] | None = None
    for word in tables[0]:
        p = interpolated(points, [table[word] for table in tables])
        root = first_root(p)
        if root is not None and (best is None or root[1] < best[1]):
            best = root
    return inf if best is None else float((best[0] + best[1]) / 2)
