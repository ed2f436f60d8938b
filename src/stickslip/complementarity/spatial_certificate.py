"""What can be proved of contacts at rest in space, where the circle of friction is no polygon."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.all_solutions import all_solutions
from stickslip.complementarity.answer import Answer
from stickslip.complementarity.budget import BudgetError
from stickslip.complementarity.certificate import exclusions, uniqueness
from stickslip.complementarity.contact_system import FACETS, ContactSystem, contact_system
from stickslip.complementarity.exact import fractions
from stickslip.complementarity.exploration import explore
from stickslip.complementarity.family import leaf_of
from stickslip.complementarity.proof import ACCURACY, PointProof, Proof, TwoPointsProof
from stickslip.complementarity.solving import FINER, SPATIAL_BUDGET
from stickslip.complementarity.tables import headings_of
from stickslip.dynamics.tree import Floats, Ints

if TYPE_CHECKING:
    from stickslip.complementarity.solution import ContactSolution

POLYGONS = 4, 8, 12, 16  # sides of the polygons around the circle that a search for other motions is tried with
STEPS = 20  # halvings of the step from one solution to another of the same family


@dataclass(frozen=True, eq=False)
class CirclePointProof(PointProof):
    """A `PointProof` whose contacts `circles`, (variable of f_n, friction, whether they slide), keep to the circle, too."""

    circles: tuple[tuple[int, float, bool], ...]

    def holds(self) -> bool:
        """Whether the point satisfies the system and |f_t| <= mu f_n, or = for what slides, by exact arithmetic."""
        return super().holds() and all(self._within(*circle) for circle in self.circles)

    def _within(self, n: int, friction: float, sliding: bool) -> bool:
        normal, x, y = fractions(self.point[n : n + 3])
        slack = Fraction(ACCURACY * float(self.system.scale[n : n + 3].max()))
        square, radius = x * x + y * y, Fraction(friction) * normal
        inside = square <= (max(radius, Fraction(0)) + slack) ** 2
        return inside and (not sliding or radius <= slack or square >= (radius - slack) ** 2)


def point_proof(whole: ContactSystem, solution: ContactSolution) -> CirclePointProof | None:
    """That the solution is one; None where it is not."""
    problem = solution.problem
    proof = _proof_at(_along(solution), solution, solution.acceleration, solution.row_force)
    return proof if problem is whole.problem and proof.holds() else None


def _along(*solutions: ContactSolution) -> ContactSystem:
    """The system whose contacts begin to slide in the solutions' own directions only, in their order."""
    headings: dict[int, list[Floats]] = {}
    for solution in solutions:
        for i, way in headings_of(solution.problem, solution.letters, solution.acceleration).items():
            headings.setdefault(i, []).append(way)
    return contact_system(solutions[0].problem, solutions[0].tau, headings=headings)


def _proof_at(
    system: ContactSystem, solution: ContactSolution, a: Floats, force: Floats, *, last: bool = False
) -> CirclePointProof:
    """That there is a solution at a (nv,), force (R,) with the letters of another, and its directions or the `last` ones."""
    problem, circles = solution.problem, []
    for i, letter in zip(range(len(problem.contacts)), solution.letters, strict=False):
        if letter in "FD":
            friction = problem.static_friction[i] if letter == "F" else problem.friction[i]
            circles.append((system.force.start + 3 * i, float(friction), letter == "D"))
    path = system.path(solution.letters, last=last)
    return CirclePointProof(system.system, path, system.point(a, force), tuple(circles))


def family_proofs(solution: ContactSolution) -> dict[str, Proof]:
    """That motion or force are ambiguous, by another solution of the same family."""
    narrow = _along(solution)
    leaf = leaf_of(narrow, solution.letters)
    proofs: dict[str, Proof] = {}
    if leaf is None or not len(leaf.directions):
        return proofs
    first = _proof_at(narrow, solution, solution.acceleration, solution.row_force)
    for name, which in (("motion", narrow.system.motion), ("force", narrow.system.force)):
        spread = leaf.directions[:, which] / narrow.system.scale[which]
        dimension = int(np.linalg.matrix_rank(spread, tol=1e-7))
        for direction in leaf.directions[np.argsort(-np.abs(spread).max(axis=1))] if dimension else ():
            second = _another(narrow, solution, first, direction, which)
            if second is not None:
                proofs[name] = TwoPointsProof(first, second, which, dimension, 0)
                break
    return proofs


def _another(
    narrow: ContactSystem, solution: ContactSolution, first: PointProof, direction: Floats, which: Ints
) -> PointProof | None:
    """Another solution along a direction of the family, none where the circle leaves no room for it."""
    step = 1.0 / np.abs(direction[which] / narrow.system.scale[which]).max()
    for halving in range(STEPS):
        for way in (step, -step):
            a, force = narrow.unknowns(first.point + way * 0.5**halving * direction)
            second = _proof_at(narrow, solution, a, force)
            if second.holds() and TwoPointsProof(first, second, which, 1, 0).holds():
                return second
    return None


def other_motion_proofs(solution: ContactSolution) -> dict[str, Proof]:
    """That motion and force are ambiguous, by another solution that a search comes to."""
    try:
        others = all_solutions(solution.problem, solution.tau, SPATIAL_BUDGET)
    except BudgetError:
        return {}
    for other in others:
        if other:
            both = _along(solution, other)
            first = _proof_at(both, solution, solution.acceleration, solution.row_force)
            second = _proof_at(both, other, other.acceleration, other.row_force, last=True)
            proofs = {
                name: TwoPointsProof(first, second, which, 0, 2)
                for name, which in (("motion", both.system.motion), ("force", both.system.force))
            }
            if all(proof.holds() for proof in proofs.values()):
                return dict(proofs)
    return {}


def relaxed_proofs(solution: ContactSolution, budget: int) -> dict[str, Proof]:
    """What polygons around the circles prove: one motion only of a problem that has a solution, else that there is none."""
    for number in POLYGONS if solution else (FACETS, *FINER):
        system = contact_system(solution.problem, solution.tau, number=number).system
        search = explore(system, budget=budget, most=1)
        name, candidates, finished = "existence", exclusions(search), True
        if solution and search.leaves:
            name, candidates, finished = "motion", uniqueness(system, search.leaves[0], system.motion, budget), False
        for proof in candidates:
            finished = True
            if proof.answer is not Answer.AMBIGUOUS and proof.holds():
                return {name: proof}
        if not finished:
            break  # and with more sides there is more to search
    return {}
