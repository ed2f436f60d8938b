"""What an impact was: velocities and energy before and after it, impulses, and what each contact did."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stickslip.complementarity.problem import ContactProblem
from stickslip.dynamics.tree import Floats
from stickslip.impact.feasibility import Feasibility, judged
from stickslip.impact.status import ImpactStatus
from stickslip.mechanism.errors import ArgumentError, did_you_mean

if TYPE_CHECKING:
    from stickslip.impact.exclusion import Exclusion
    from stickslip.impact.law import Law

AT_REST = 1e-9  # slip that is none, and impulse that is none, relative to the largest


class Strike(NamedTuple):
    """What one contact did: its letter, `impulse` (2,) or (3,) in N s, its velocities before and after in m/s, normal first.

    `reversed` says that it slides afterwards, and against its direction before; `rebounds` that it leaves. `work`, in J, is
    what its impulse did to the kinetic energy: p . (u- + u+) / 2.
    """

    name: str
    letter: str
    impulse: Floats
    before: Floats
    after: Floats
    reversed: bool
    rebounds: bool
    work: float

    @property
    def sentence(self) -> str:
        """What happened there, in words."""
        if self.letter == "S":
            return f"{self.name!r} takes no part"
        slip = "sticks" if self.letter == "F" else "turns its slip round" if self.reversed else "slides"
        return f"{self.name!r} {slip}{' and rebounds' if self.rebounds else ''}"


@dataclass(frozen=True, eq=False, repr=False)
class Impact:
    """What a law of impact answers.

    `velocity_before` and `velocity` (nv,) in m/s and rad/s; `impulse` (rows,) of the contacts, normal first, `limit_impulse`
    and `loop_impulse`, in N s and N m s; NaN where `status` is not SOLVED, and `reason` then says more. `scale`, dimensionless,
    is what the law multiplied all velocities by in the end (paper 4, 5.3), else 1. `sequence` names the contacts that
    collided one after the other. `exclusions` prove that the law has no answer.
    """

    problem: ContactProblem
    law: Law
    status: ImpactStatus
    velocity_before: Floats
    velocity: Floats
    impulse: Floats
    limit_impulse: Floats
    loop_impulse: Floats
    scale: float = 1.0
    reason: str = ""
    sequence: tuple[str, ...] = ()
    exclusions: tuple[Exclusion, ...] = field(default=())

    def __bool__(self) -> bool:
        return bool(self.status)

    # ---- books of energy ---------------------------------------------------------------------------------------------

    @property
    def energy_before(self) -> float:
        """Kinetic energy before, in J."""
        return self._kinetic(self.velocity_before)

    @property
    def energy(self) -> float:
        """Kinetic energy after, in J."""
        return self._kinetic(self.velocity)

    @property
    def work(self) -> Floats:
        """What each contact's impulse did to the kinetic energy, (k,) in J, before velocities were scaled.

        Contacts, limits and loops together do what the energy changes by: p . (u- + u+) / 2.
        """
        mean = self.problem.jacobian @ (self.velocity_before + self.velocity / (self.scale or 1.0)) / 2
        return np.asarray((self.impulse * mean).reshape(len(self.problem.contacts), -1).sum(axis=1))

    @property
    def unexplained(self) -> Floats:
        """The change of momentum (nv,) that no impulse explains, in N s and N m s; not zero where velocities were scaled."""
        rows = self.problem.stacked
        impulse = self.impulse @ self.problem.jacobian + self.limit_impulse @ self.problem.limits.jacobian
        impulse = impulse + self.loop_impulse @ rows.jacobian[rows.bilateral]
        return np.asarray(self.problem.mass @ (self.velocity - self.velocity_before) - impulse)

    def _kinetic(self, v: Floats) -> float:
        return float(v @ self.problem.mass @ v / 2)

    # ---- contacts ----------------------------------------------------------------------------------------------------

    @cached_property
    def strikes(self) -> tuple[Strike, ...]:
        """What each contact did, in the order of the problem's contacts."""
        if not self:
            return ()
        size, J = self.problem.rows_per_contact, self.problem.jacobian
        before, after = J @ self.velocity_before, J @ self.velocity
        speed = AT_REST * max(np.abs(before).max(initial=0.0), np.abs(after).max(initial=0.0))
        push = AT_REST * np.abs(self.impulse).max(initial=0.0)
        strikes = []
        for i, (contact, work) in enumerate(zip(self.problem.contacts, self.work.tolist(), strict=True)):
            here = slice(size * i, size * (i + 1))
            p, u, w = self.impulse[here], before[here], after[here]
            letter = _letter(p, w, push, speed)
            turned = letter in "RLD" and bool(u[1:] @ w[1:] < 0.0)
            strikes.append(Strike(contact.name, letter, p, u, w, turned, bool(w[0] > speed), work))
        return tuple(strikes)

    @property
    def word(self) -> str:
        """A letter for each contact: S takes no part, F sticks in the end, R and L slide in the end; in space D slides."""
        return "".join(strike.letter for strike in self.strikes)

    def contact(self, name: str) -> Strike:
        """What one contact did, by its name: impulse in N s, velocities in m/s."""
        names = [contact.name for contact in self.problem.contacts]
        if name not in names:
            raise ArgumentError(f"there is no contact {name!r}{did_you_mean(name, names)}")
        if not self:
            raise ArgumentError(f"this impact has no answer: {self.status.value}")
        return self.strikes[names.index(name)]

    @cached_property
    def certificate(self) -> Feasibility:
        """That the answer is possible, line by line; `certificate.verify()` works it out again in exact arithmetic."""
        return judged(self)

    # ---- for readers ---------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Impact {self.word!r}: {self.status.name}>"

    def __str__(self) -> str:
        if not self:
            return f"no answer: {self.reason or self.status.value}"
        books = f"energy {self.energy_before:.6g} J before, {self.energy:.6g} J after"
        return "\n".join([*(f"{strike.sentence}, {strike.work:+.6g} J" for strike in self.strikes), books])


def _letter(impulse: Floats, after: Floats, push: float, speed: float) -> str:
    if np.linalg.norm(impulse) <= push:
        return "S"
    slip = np.linalg.norm(after[1:])
    if slip <= speed:
        return "F"
    if len(after) == 3:
        return "D"
    return "R" if after[1] > 0.0 else "L"
