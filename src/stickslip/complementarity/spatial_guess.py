"""Letters for a problem in space, proposed by the solver of Coulomb's circular cone (`cone.py`).

That solver knows contacts only. A joint limit is one without friction, whose tangents move on their own. Dry friction is one
whose normal force is given: a normal direction of its own, pressed with the strength that makes its friction the bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.compliance import Compliance, compliance
from stickslip.complementarity.cone import ConeSolution, solve_cone
from stickslip.complementarity.stacked import Scale
from stickslip.complementarity.tables import DIRECTION
from stickslip.complementarity.word import dry_letters, limit_letters
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import SingularInertiaError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

TOLERANCES = 1e-13, 1e-10  # residuals that are asked for, one after the other


def spatial_letters(
    problem: ContactProblem, tau: Floats, scale: Scale, start: Floats | None = None
) -> Iterator[tuple[tuple[str, ...], Floats]]:
    """(letters, point (nv + R,)) that the cone's solver finds, in SI units; `start` (R,) are forces to begin with."""
    applied = problem.applied(tau)
    try:
        give = compliance(problem, applied)
    except SingularInertiaError:
        try:
            give = compliance(problem, applied, borrowing=True)
        except SingularInertiaError:
            return
    disguise = _Disguise(problem, give, scale)
    found = disguise.solved(start)
    if found:
        force = disguise.force(found.force)
        yield disguise.letters(found, scale), np.concatenate([give.acceleration(force), force, give.loop_force(force)])


class _Disguise:
    """All rows of a problem as contacts in space: `rows` (3 c,) of the problem's, or -1 for a direction of its own."""

    def __init__(self, problem: ContactProblem, give: Compliance, scale: Scale) -> None:
        self.problem, self.scale = problem, scale
        stacked = problem.stacked
        self.given = np.zeros(len(give.row_free))
        rows: list[tuple[int, int, int]] = []
        normal, friction, static, sliding = [], [], [], []
        self.closed = [i for i, letters in enumerate(problem.letters) if letters != "S"]
        for i in self.closed:
            rows.append((3 * i, 3 * i + 1, 3 * i + 2))
            friction.append(problem.friction[i])
            static.append(problem.static_friction[i])
            slip = problem.velocity[3 * i + 1 : 3 * i + 3]
            known = "F" not in problem.letters[i]
            sliding.append(slip / np.linalg.norm(slip) if known else np.full(2, np.nan))
            normal.append(0.0)
        self.held = [i for i, letters in enumerate(limit_letters(problem)) if letters != "S"]
        for i in self.held:
            rows.append((stacked.limits.start + i, -1, -1))
            friction.append(0.0)
            static.append(0.0)
            sliding.append(np.full(2, np.nan))
            normal.append(0.0)
        self.rubbing = []
        for i, letters in enumerate(dry_letters(problem)):
            row, bound = stacked.dry.start + i, problem.dry_friction.bound[i]
            if len(letters) == 1:
                self.given[row] = -DIRECTION[letters] * bound
                continue
            self.rubbing.append(i)
            rows.append((-1, row, -1))
            unit = scale.force[row]
            friction.append(bound / unit)
            static.append(bound / unit)
            sliding.append(np.full(2, np.nan))
            normal.append(unit)
        self.rows = np.array(rows, dtype=np.int64).reshape(-1)
        real = self.rows >= 0
        count = len(self.rows)
        typical = np.abs(give.delassus.diagonal()).max(initial=0.0) or 1.0
        self.G = np.eye(count) * typical
        self.G[np.ix_(real, real)] = give.delassus[np.ix_(self.rows[real], self.rows[real])]
        self.c = np.zeros(count)
        self.c[real] = (give.row_free + give.delassus @ self.given)[self.rows[real]]
        self.c[::3] -= np.array(normal) * typical
        self.friction, self.static, self.sliding = np.array(friction), np.array(static), np.array(sliding).reshape(-1, 2)

    def solved(self, start: Floats | None) -> ConeSolution | None:
        """A solution, None if none was found."""
        if not len(self.rows):
            return solve_cone(np.zeros((0, 0)), np.zeros(0), 0.0) or None
        guess = None
        if start is not None:
            guess = np.where(self.rows >= 0, start[np.maximum(self.rows, 0)], 0.0)
        G = (self.G + self.G.T) / 2
        for tolerance in TOLERANCES:
            found = solve_cone(
                G,
                self.c,
                self.friction,
                static_friction=self.static,
                sliding=self.sliding,
                guess=guess,
                tolerance=tolerance,
            )
            if found:
                return found
        return None

    def force(self, disguised: Floats) -> Floats:
        """Forces of contacts, limits and dry friction."""
        force = self.given.copy()
        real = self.rows >= 0
        force[self.rows[real]] = disguised[real]
        return force

    def letters(self, found: ConeSolution, scale: Scale) -> tuple[str, ...]:
        """The letters of the problem's own contacts and rows."""
        letters = dict(zip(self.closed, found.word, strict=False))
        result = [letters.get(i, "S") for i in range(len(self.problem.contacts))]
        word, force = found.word[len(self.closed) :], found.force.reshape(-1, 3)[len(self.closed) :]
        limits = dict(zip(self.held, word, strict=False))
        result += ["S" if limits.get(i, "S") == "S" else "F" for i in range(len(self.problem.limits))]
        rubbing = dict(zip(self.rubbing, zip(word[len(self.held) :], force[len(self.held) :], strict=True), strict=True))
        for i, allowed in enumerate(dry_letters(self.problem)):
            if len(allowed) == 1:
                result.append(allowed)
            else:
                letter, (_, along, _) = rubbing[i]
                result.append("F" if letter == "F" else "R" if along < 0.0 else "L")
        return tuple(result)
