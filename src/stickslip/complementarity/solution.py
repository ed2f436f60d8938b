"""A solution of a contact problem: what moves, what pushes, in which modes, and how far all that can be trusted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stickslip.complementarity.certificate import Certificate
from stickslip.complementarity.family import Family
from stickslip.complementarity.status import Status
from stickslip.complementarity.tables import DIRECTION, headings_of
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, did_you_mean

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem


class ContactResult(NamedTuple):
    """One contact of a solution: its letter, `force` in N and `acceleration` in m/s^2, both (2,) or (3,), normal first.

    `direction` is the unit vector (1,) or (2,) in which it slides or begins to, None where it does not.
    """

    name: str
    mode: str
    force: Floats
    acceleration: Floats
    direction: Floats | None


@dataclass(frozen=True, eq=False, repr=False)
class ContactSolution:
    """What a contact problem answers under the inputs `tau` (nu,).

    `acceleration` (nv,), in m/s^2 or rad/s^2, and `force` (rows,), in N, of the contacts, normal first; NaN where `status`
    is not `SOLVED`. `word` has one letter for each contact, `letters` go on through joint limits and rows of dry friction.
    `residual` is the largest violation of any line that has to hold (equation of motion, friction law, limits, extra
    constraints), on the original numbers and relative to `scale`. `same_motion` are the words of other entries of
    `solutions` that describe the same motion.
    """

    problem: ContactProblem
    tau: Floats
    status: Status
    letters: tuple[str, ...]
    acceleration: Floats
    row_force: Floats
    residual: float
    known_family: Family | None = None
    same_motion: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.status)

    @property
    def word(self) -> str:
        """One letter for each contact: S separates, F is fixed, R and L slide towards +t and -t; in space D slides."""
        return "".join(self.letters[: len(self.problem.contacts)])

    @property
    def modes(self) -> dict[str, str]:
        """The letter of each contact, joint limit (F holds, S lets go) and row of dry friction, by name."""
        problem = self.problem
        names = [c.name for c in problem.contacts] + [*problem.limits.names, *problem.dry_friction.names]
        return dict(zip(names, self.letters, strict=False))

    @property
    def force(self) -> Floats:
        """Contact forces (rows,), in N, contact after contact, normal first."""
        return self.row_force[self.problem.stacked.contacts]

    @property
    def limit_force(self) -> Floats:
        """Forces (limits,) of the joint limits, in N or N m."""
        return self.row_force[self.problem.stacked.limits]

    @property
    def dry_friction_force(self) -> Floats:
        """Forces (rows,) of dry friction with a given bound, in N or N m."""
        return self.row_force[self.problem.stacked.dry]

    @property
    def bilateral_force(self) -> Floats:
        """Forces (rows,) of the loops, in N or N m."""
        return self.row_force[self.problem.stacked.bilateral]

    @cached_property
    def contact_acceleration(self) -> Floats:
        """Accelerations (rows,) of the contact points, J a + drift, in m/s^2."""
        return self.problem.jacobian @ self.acceleration + self.problem.drift

    def contact(self, name: str) -> ContactResult:
        """One contact by its name: `.mode`, `.force` (2,) or (3,) in N, `.acceleration` in m/s^2, `.direction` of slip."""
        names = [contact.name for contact in self.problem.contacts]
        if name not in names:
            raise ArgumentError(f"there is no contact {name!r}{did_you_mean(name, names)}")
        i, size = names.index(name), self.problem.rows_per_contact
        here = slice(size * i, size * (i + 1))
        letter = self.letters[i] if self.letters else ""
        direction = np.array([DIRECTION[letter]]) if letter in DIRECTION else None
        if letter == "D":
            direction = headings_of(self.problem, self.letters, self.acceleration)[i]
        return ContactResult(name, letter, self.force[here], self.contact_acceleration[here], direction)

    # ---- what else could be --------------------------------------------------------------------------------------

    @cached_property
    def family(self) -> Family:
        """All solutions of the same letters: a single point, or a continuum with its directions."""
        from stickslip.complementarity.family import family_of

        return self.known_family or family_of(self)

    @property
    def dimension(self) -> int:
        """The dimension of the set of solutions of the same letters: 0 for a single point."""
        return self.family.dimension

    @property
    def directions(self) -> Family:
        """`.motion` (d, nv) and `.force` (d, R): directions in which motion and forces are left open, each in SI units."""
        return self.family

    @cached_property
    def certificate(self) -> Certificate:
        """Existence, motion and force, judged apart, with proofs. Worked out when first asked for; it may take a while."""
        from stickslip.complementarity.contact_certificate import certify

        return certify(self)

    # ---- for readers ---------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<ContactSolution {self.word!r}: {self.status.name}>"

    def __str__(self) -> str:
        from stickslip.complementarity.story import story_of_solution

        return story_of_solution(self)

    def with_same_motion(self, words: tuple[str, ...]) -> ContactSolution:
        """The same solution, among others of the same motion with these `words`."""
        return replace(self, same_motion=words)
