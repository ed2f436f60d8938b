"""Bodies at rest that need no friction to stay there stay there: a proof for tables and boxes, however many their corners."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity import lcp
from stickslip.complementarity.acceleration_forms import frictionless
from stickslip.complementarity.answer import Answer
from stickslip.complementarity.exact import fractions
from stickslip.complementarity.exact_linear import inertia, solved
from stickslip.complementarity.proof import NEAR
from stickslip.complementarity.stacked import scale_of
from stickslip.complementarity.word import dry_letters, limit_letters
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import SingularInertiaError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem


@dataclass(frozen=True, eq=False)
class RestProof:
    """All contacts are at rest, no row has any drift, and forces without friction, `force` (R,) in N, hold everything still.

    For any solution (a, f), with contact accelerations u = J a and the given forces g,

        a^T M a = (f - g)^T u + p^T a <= p^T a,      p = B tau - h + J^T g

    since normal forces f do no work, friction does none that is positive, and g pushes in no direction in which u may go. So
    a is as small as what g leaves over, p.
    """

    problem: ContactProblem
    tau: Floats
    force: Floats

    answer = Answer.UNIQUE

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return "everything is at rest, and normal forces alone can hold it there, so that nothing can begin to move."

    def holds(self) -> bool:
        """Whether that is so, by exact arithmetic; motion counts as none below `NEAR` times its scale."""
        problem, rows = self.problem, self.problem.stacked
        if not self._at_rest() or not self._pushes_only():
            return False
        mass = fractions(problem.mass)
        if not inertia(mass)[0]:
            return False
        g, tau = fractions(self.force), fractions(self.tau)
        pushed = [
            sum((x * y for x, y in zip(b, tau, strict=True)), -h)
            for b, h in zip(fractions(problem.input_map), fractions(problem.bias), strict=True)
        ]
        J = fractions(rows.jacobian)
        p = [push + sum((row[i] * x for row, x in zip(J, g, strict=True)), Fraction(0)) for i, push in enumerate(pushed)]
        unit = [[Fraction(int(i == j)) for j in range(len(p))] for i in range(len(p))]
        _, columns = solved(mass, [[x, *row] for x, row in zip(p, unit, strict=True)])
        energy = sum((x * row[0] for x, row in zip(p, columns, strict=True)), Fraction(0))
        small = [Fraction(NEAR * s) for s in scale_of(problem, problem.applied(self.tau)).acceleration]
        return all(energy * columns[i][i + 1] <= small[i] ** 2 for i in range(len(p)))

    def _at_rest(self) -> bool:
        problem = self.problem
        others = all("S" in letters for letters in limit_letters(problem)) and all(len(x) == 3 for x in dry_letters(problem))
        return others and all("F" in letters for letters in problem.letters) and not problem.stacked.drift.any()

    def _pushes_only(self) -> bool:
        rows, problem = self.problem.stacked, self.problem
        contact = self.force[rows.contacts].reshape(-1, problem.rows_per_contact)
        limits, dry = self.force[rows.limits], np.abs(self.force[rows.dry])
        return bool(
            np.isfinite(self.force).all()
            and (contact[:, 0] >= 0.0).all()
            and not contact[:, 1:].any()
            and (limits >= 0.0).all()
            and (dry <= problem.dry_friction.bound).all()
        )


def rest_proof(problem: ContactProblem, tau: Floats) -> RestProof | None:
    """Such a proof, if everything is at rest and the problem without friction at contacts stays at rest."""
    if not all("F" in letters for letters in problem.letters) or problem.stacked.drift.any():
        return None
    try:
        form = frictionless(problem, tau)
    except SingularInertiaError:
        return None
    found = lcp.solve(form.A, form.b, budget=0)
    if not found.status:
        return None
    proof = RestProof(problem, tau, form.recover(found.z).force)
    return proof if proof.holds() else None
