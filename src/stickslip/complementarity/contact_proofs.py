"""Proofs about contact problems that need no search: impacts, problems without friction, independent rows, orientation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.compliance import compliance
from stickslip.complementarity.exact import fractions
from stickslip.complementarity.exact_linear import inertia, rank
from stickslip.complementarity.orientation import all_positive, count, exact_delassus, pieces
from stickslip.complementarity.proof import APART, PointProof, Proof
from stickslip.complementarity.word import approaching, dry_letters, limit_letters
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, SingularInertiaError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

MOST_WORDS = 1100  # words whose determinants a certificate works out exactly: four contacts at rest and two that slide


def without_friction(problem: ContactProblem) -> bool:
    """Whether no force of a contact depends on another: only then do force and motion never work together."""
    pairs = zip(problem.letters, problem.friction, problem.static_friction, strict=True)
    return all(letters == "S" or (moving == 0.0 and static == 0.0) for letters, moving, static in pairs)


def single_friction(problem: ContactProblem) -> bool:
    """Whether each contact at rest sticks and begins to slide with the same friction."""
    pairs = zip(problem.letters, problem.friction, problem.static_friction, strict=True)
    return all("F" not in letters or moving == static for letters, moving, static in pairs)


@dataclass(frozen=True, eq=False)
class ImpactProof:
    """A contact or a joint limit approaches faster than its threshold, which no finite force can stop."""

    problem: ContactProblem

    answer = Answer.NO

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        said = [f"{name!r} approaches at {-speed:g} (threshold {limit:g})" for name, speed, limit in approaching(self.problem)]
        return f"{' and '.join(said)}: that takes an impact, which no finite force is."

    def holds(self) -> bool:
        """Whether it does."""
        return bool(approaching(self.problem))


@dataclass(frozen=True, eq=False)
class ConvexityProof:
    """Without friction two solutions (a, f) and (a', f') have (a - a')^T M (a - a') = (f - f')^T J (a - a') <= 0."""

    problem: ContactProblem
    massless: bool

    answer = Answer.UNIQUE

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        mass = "is positive definite" if not self.massless else "is positive semidefinite, and massless motion is left out"
        return f"no contact has friction and the mass matrix {mass}, so that two solutions cannot move differently."

    def holds(self) -> bool:
        """Whether the mass matrix is as it is said to be, by exact arithmetic."""
        definite, semidefinite = inertia(fractions(self.problem.mass))
        return without_friction(self.problem) and (semidefinite if self.massless else definite)


@dataclass(frozen=True, eq=False)
class IndependenceProof:
    """The motion is unique and the columns by which forces act on it are independent.

    Contacts that come apart in that motion bear nothing, and those that slip have one force only. `existence` proves that
    there is the motion; without it all contacts count as if they stuck.
    """

    problem: ContactProblem
    motion: Proof
    existence: PointProof | None = None

    answer = Answer.UNIQUE

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return "the motion is unique, and no combination of forces acts without changing it."

    def holds(self) -> bool:
        """Whether both are true, by exact arithmetic."""
        known = self.existence is None or self.existence.holds()
        return known and self.motion.answer is Answer.UNIQUE and self.independent() and self.motion.holds()

    def independent(self) -> bool:
        """Whether the columns are, by exact arithmetic."""
        columns = _columns_of_force(self.problem, None if self.existence is None else _Moving(self.problem, self.existence))
        return rank(columns) == len(columns)


class _Moving:
    """What contacts do in the only motion there is, as far as its accuracy allows to say."""

    def __init__(self, problem: ContactProblem, existence: PointProof) -> None:
        motion, rows = existence.system.motion, problem.stacked
        a, scale = existence.point[motion], existence.system.scale[motion]
        self.rows = rows.jacobian @ a + rows.drift
        self.doubt = np.abs(rows.jacobian) @ (2 * APART * np.maximum(scale, np.abs(a)))

    def separates(self, row: int) -> bool:
        return bool(self.rows[row] > self.doubt[row])

    def heading(self, tangents: slice) -> Floats | None:
        """The direction in which a contact slips, None if it may be at rest."""
        slip = self.rows[tangents]
        speed = np.linalg.norm(slip)
        return slip / speed if speed > np.linalg.norm(self.doubt[tangents]) else None


def _columns_of_force(problem: ContactProblem, moving: _Moving | None) -> list[list[Fraction]]:
    """Generalised forces of each force that a solution may choose, one a row."""
    J, size = fractions(problem.stacked.jacobian), problem.rows_per_contact
    columns: list[list[Fraction]] = []
    for i, letters in enumerate(problem.letters):
        n, tangents = size * i, slice(size * i + 1, size * (i + 1))
        if letters in ("", "S") or (moving is not None and moving.separates(n)):
            continue
        heading = None if moving is None else moving.heading(tangents)
        if "F" not in letters:
            heading = problem.velocity[tangents] / np.linalg.norm(problem.velocity[tangents])
        if heading is not None:
            friction = Fraction(float(problem.friction[i]))
            parts = [[friction * part * x for x in row] for part, row in zip(fractions(heading), J[tangents], strict=True)]
            columns.append([x - sum(others, Fraction(0)) for x, *others in zip(J[n], *parts, strict=True)])
        else:
            columns += J[n : n + size] if problem.static_friction[i] > 0.0 else [J[n]]
    rows = problem.stacked
    columns += [J[rows.limits.start + i] for i, letters in enumerate(limit_letters(problem)) if letters != "S"]
    columns += [J[rows.dry.start + i] for i, letters in enumerate(dry_letters(problem)) if len(letters) > 1]
    return columns + J[rows.bilateral]


@dataclass(frozen=True, eq=False)
class OrientationProof:
    """The determinants of all words of modes are positive (`orientation.py`)."""

    problem: ContactProblem
    words: int
    answer: Answer

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return (
            f"the determinants of all {self.words} words of modes are positive, so that there is one solution whatever forces "
            "are applied."
        )

    def holds(self) -> bool:
        """Whether they are, by exact arithmetic."""
        problem = self.problem
        if not single_friction(problem) or problem.equalities or problem.inequalities or approaching(problem):
            return False
        choices = pieces(problem, fractions(problem.friction))
        if count(choices) != self.words or self.answer not in (Answer.YES, Answer.UNIQUE):
            return False
        G = exact_delassus(problem)
        return G is not None and all_positive(G, choices, Fraction(1))


def orientation_may_hold(problem: ContactProblem) -> int:
    """The number of words if floating point says that all determinants are positive and there are few enough, else 0."""
    if not single_friction(problem) or problem.equalities or problem.inequalities:
        return 0
    try:
        choices = pieces(problem, problem.friction.tolist())
    except ArgumentError:
        return 0
    words = count(choices)
    if words > MOST_WORDS:
        return 0
    try:
        G = compliance(problem, problem.applied(), loops=False).delassus
    except SingularInertiaError:
        return 0
    return words if all_positive(G.tolist(), choices, 1.0) else 0
