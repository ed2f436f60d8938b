"""What an impact law is: it answers a collision with impulses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.impact.status import ImpactStatus
from stickslip.mechanism.errors import ArgumentError, MechanismError
from stickslip.mechanism.numbers import real, shown

if TYPE_CHECKING:
    from stickslip.impact.collision import Collision
    from stickslip.impact.exclusion import Exclusion

RESOLUTIONS = ("simultaneous", "sequential")
ORDERS = ("fastest", "listed")
MOST = 10_000  # single impacts of a sequence, unless told otherwise


@dataclass(frozen=True, eq=False)
class Answer:
    """Impulses (r,) of all rows in N s, or why there are none; `reason` makes the status more precise.

    `scale` multiplies all velocities afterwards (paper 4, 5.3). `sequence` are the points that collided, one after another.
    `exclusions` prove that there are none.
    """

    status: ImpactStatus
    impulse: Floats
    reason: str = ""
    scale: float = 1.0
    sequence: tuple[int, ...] = ()
    exclusions: tuple[Exclusion, ...] = field(default=())


class Law(Protocol):
    """An impact law."""

    @property
    def keeps_energy(self) -> bool:
        """Whether the law itself rules out that an impact adds energy."""

    def resolve(self, at: Collision) -> Answer:
        """Impulses for a collision in which something approaches."""


def nothing(at: Collision) -> Answer:
    """No impulse at all."""
    return Answer(ImpactStatus.SOLVED, np.zeros(len(at.velocity)))


def failed(at: Collision, status: ImpactStatus, reason: str = "", **more: Any) -> Answer:
    """No answer."""
    return Answer(status, np.full(len(at.velocity), np.nan), reason, **more)


# ---- settings of laws ------------------------------------------------------------------------------------------------


def share(value: Any, what: str) -> float:
    """A number from 0 to 1."""
    try:
        number = real(value, what)
    except MechanismError as error:
        raise ArgumentError(str(error)) from None
    if not 0.0 <= number <= 1.0:
        raise ArgumentError(f"{what} must be between 0 and 1, but is {number:g}.")
    return number


def share_or_none(value: Any, what: str) -> float | None:
    """A number from 0 to 1, or None: that of the material."""
    return None if value is None else share(value, what)


def one_of(value: Any, known: tuple[str, ...], what: str) -> str:
    """One of the words that are known."""
    if not isinstance(value, str) or value not in known:
        listed = ", ".join(repr(word) for word in known)
        raise ArgumentError(f"{what} must be one of {listed}, not {shown(value)}.")
    return value


def count(value: Any, what: str) -> int:
    """A whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ArgumentError(f"{what} must be a whole number of at least 1, not {shown(value)}.")
    return value


def restitution_of(own: float | None, at: Collision) -> Floats:
    """The coefficient of restitution of every point: the law's own, or that of its material; joint limits have none."""
    contacts = len(at.problem.contacts)
    given = [point.restitution if own is None else own for point in at.points[:contacts]]
    return np.array([*given, *[0.0] * (len(at.points) - contacts)])
