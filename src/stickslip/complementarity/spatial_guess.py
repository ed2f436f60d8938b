"""Letters for a problem in space, proposed by the solver of Coulomb's circular cone (`cone.py`).

That solver knows contacts only. A joint limit is one without friction, whose tangents move on their own. Dry friction is one
whose normal force is given: a normal direction of its own, pressed with the strength that makes its friction the bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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

AT_REST = (float("nan"), float("nan"))


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
        yield disguise.letters(found), np.concatenate([give.acceleration(force), force, give.loop_force(force)])


@dataclass(frozen=True)
class _Row:
    """One contact of the disguise: its three rows, its friction, its direction of sliding, the force that presses it in N."""

    rows: tuple[int, int, int]
    friction: float = 0.0
    static: float = 0.0
    sliding: tuple[float, ...] = AT_REST
    pressed: float = 0.0


class _Disguise:
    """All rows of a problem as contacts in space: `rows` (3 c,) of the problem's, or -1 for a direction of its own."""

    def __init__(self, problem: ContactProblem, give: Compliance, scale: Scale) -> None:
        self.problem = problem
        stacked = problem.stacked
        self.given = np.zeros(len(give.row_free))
        table: list[_Row] = []
        self.closed = [i for i, letters in enumerate(problem.letters) if letters != "S"]
        for i in self.closed:
            slip = problem.velocity[3 * i + 1 : 3 * i + 3]
            at_rest = "F" in problem.letters[i]
            direction = AT_REST if at_rest else tuple((slip / np.linalg.norm(slip)).tolist())
            rows = 3 * i, 3 * i + 1, 3 * i + 2
            table.append(_Row(rows, problem.friction[i], problem.static_friction[i], direction))
        self.held = [i for i, letters in enumerate(limit_letters(problem)) if letters != "S"]
        table += [_Row((stacked.limits.start + i, -1, -1)) for i in self.held]
        self.rubbing = []
        for i, letters in enumerate(dry_letters(problem)):
            row, bound = stacked.dry.start + i, problem.dry_friction.bound[i]
            if len(letters) == 1:
                self.given[row] = -DIRECTION[letters] * bound
            else:
                self.rubbing.append(i)
                ratio = bound / scale.force[row]
                table.append(_Row((-1, row, -1), ratio, ratio, pressed=scale.force[row]))
        self.friction, self.static = np.array([row.friction for row in table]), np.array([row.static for row in table])
        self.sliding = np.array([row.sliding for row in table]).reshape(-1, 2)
        self.rows = np.array([row.rows for row in table], dtype=np.int64).reshape(-1)
        self.G, self.c = self._motion(give, np.array([row.pressed for row in table]))

    def _motion(self, give: Compliance, pressed: Floats) -> tuple[Floats, Floats]:
        """G and c of all contacts; directions of their own give way like the softest of the others."""
        real, count = self.rows >= 0, len(self.rows)
        typical = np.abs(give.delassus.diagonal()).max(initial=0.0) or 1.0
        G, c = np.eye(count) * typical, np.zeros(count)
        G[np.ix_(real, real)] = give.delassus[np.ix_(self.rows[real], self.rows[real])]
        c[real] = (give.row_free + give.delassus @ self.given)[self.rows[real]]
        c[::3] -= pressed * typical
        np.fill_diagonal(G, np.maximum(G.diagonal(), 0.0))  # what loops hold fast has a compliance of zero, but for rounding
        return (G + G.T) / 2, c

    def solved(self, start: Floats | None) -> ConeSolution | None:
        """A solution, None if none was found."""
        guess = None if start is None else np.where(self.rows >= 0, start[np.maximum(self.rows, 0)], 0.0)
        found = solve_cone(self.G, self.c, self.friction, static_friction=self.static, sliding=self.sliding, guess=guess)
        return found if found else None

    def force(self, disguised: Floats) -> Floats:
        """Forces of contacts, limits and dry friction."""
        force = self.given.copy()
        real = self.rows >= 0
        force[self.rows[real]] = disguised[real]
        return force

    def letters(self, found: ConeSolution) -> tuple[str, ...]:
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
