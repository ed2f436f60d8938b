"""The solutions of one mode: a point, or a continuum of motions, of forces, or of both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.contact_system import ContactSystem, contact_system, massless
from stickslip.complementarity.exploration import Leaf, explore
from stickslip.complementarity.system import System
from stickslip.complementarity.tables import headings_of
from stickslip.dynamics.tree import Floats

if TYPE_CHECKING:
    from stickslip.complementarity.solution import ContactSolution

INDEPENDENT = 1e-9  # singular values of scaled directions below this part of the largest count as zero


@dataclass(frozen=True, eq=False)
class Family:
    """`dimension` of the set of solutions (accelerations and forces together), and directions that span its shadows.

    `motion` (d, nv) are changes of the acceleration of what has mass, `force` (d, R) changes of the forces of all rows
    (contacts first), in SI units. `free` (d, nv) are accelerations of massless coordinates that nothing fixes; they count
    neither as motion nor as ambiguity.
    """

    dimension: int
    motion: Floats
    force: Floats
    free: Floats

    @property
    def motion_dimension(self) -> int:
        """0 where the motion is the same throughout."""
        return len(self.motion)

    @property
    def force_dimension(self) -> int:
        """0 where the forces are the same throughout."""
        return len(self.force)


def family_of(solution: ContactSolution) -> Family:
    """The family that a solution belongs to; where contacts in space begin to slide, of those that slide the same way."""
    problem = solution.problem
    if not solution:
        return family_along(contact_system(problem, solution.tau), np.zeros((0, 0)))
    headings = headings_of(problem, solution.letters, solution.acceleration)
    whole = contact_system(problem, solution.tau, headings={i: [way] for i, way in headings.items()})
    leaf = leaf_of(whole, solution.letters)
    return family_along(whole, np.zeros((0, 0)) if leaf is None else leaf.directions)


def leaf_of(whole: ContactSystem, letters: tuple[str, ...]) -> Leaf | None:
    """All solutions of one combination of letters, None if there are none."""
    found = explore(of_letters(whole, letters), most=1).leaves
    return found[0] if found else None


def of_letters(whole: ContactSystem, letters: tuple[str, ...]) -> System:
    """The system with those alternatives only that stand for these letters."""
    choices = []
    for choice, letter in zip(whole.system.choices, letters, strict=True):
        choices.append(tuple(alternative for alternative in choice if alternative.label[0] == letter))
    return replace(whole.system, choices=tuple(choices))


def family_along(whole: ContactSystem, directions: Floats) -> Family:
    """The family that spans `directions` (d, m + n) of the system's variables."""
    nv, count, scale = whole.problem.nv, whole.problem.stacked.count, whole.scale
    if not len(directions):
        return Family(0, np.zeros((0, nv)), np.zeros((0, count)), np.zeros((0, nv)))
    a, force = whole.unknowns(directions)
    motion = a / scale.acceleration
    free = np.zeros((0, nv))
    if massless(whole.problem.mass):
        momentum = a @ whole.problem.mass / scale.push
        u, s, _ = np.linalg.svd(momentum)
        seen = np.zeros(len(a), dtype=bool)
        seen[: len(s)] = s > INDEPENDENT * max(1.0, s.max(initial=0.0))
        free = independent(u[:, ~seen].T @ motion)
        motion = u[:, seen].T @ motion
    return Family(
        dimension=len(directions),
        motion=independent(motion) * scale.acceleration,
        force=independent(force / scale.force) * scale.force,
        free=free * scale.acceleration,
    )


def independent(rows: Floats) -> Floats:
    """An orthonormal basis (rank, columns) of what the rows (d, columns) span."""
    if not rows.size:
        return np.zeros((0, rows.shape[1]))
    _, s, v = np.linalg.svd(rows, full_matrices=False)
    return v[s > INDEPENDENT * max(1.0, s[0])]
