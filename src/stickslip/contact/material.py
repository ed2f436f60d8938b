"""What two surfaces are like where they touch: friction at rest and while sliding, and restitution."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp

from stickslip.mechanism.errors import ArgumentError, MechanismError
from stickslip.mechanism.numbers import not_negative, positive, real, shown


@dataclass(frozen=True, kw_only=True)
class Stribeck:
    """How friction falls from its value at rest to the one of sliding (paper 4, eq 4.10):

        mu(v) = mu_d + (mu_s - mu_d) exp(-(abs(v) / speed)^exponent)

    `speed` in m/s, at which a share 1/e of the difference is left, and `exponent`, dimensionless. The paper, which calls it
    Karnopp's model, takes 1.4e-4 m/s and 1.
    """

    speed: float
    exponent: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "speed", _checked(positive, self.speed, "the speed of a Stribeck transition"))
        object.__setattr__(self, "exponent", _checked(positive, self.exponent, "the exponent of a Stribeck transition"))

    def share(self, speed: float) -> float:
        """How much of the excess of static friction is left at a slip of `speed` (m/s): from 1 at rest down to 0."""
        try:
            return exp(-((abs(speed) / self.speed) ** self.exponent))
        except OverflowError:  # of the power, long after nothing is left
            return 0.0


@dataclass(frozen=True)
class Material:
    """Friction and restitution of a pair of surfaces, all dimensionless.

    `friction` is that of sliding and impending slip; `static_friction`, that of sticking, is the same unless given, and never
    smaller. `restitution` is between 0 and 1. Without a `transition` friction jumps at the first slip, exactly; with one it is
    continuous: `at(speed)` says how large it is.

    >>> Material(0.5).static_friction
    0.5
    """

    friction: float = 0.5
    static_friction: float = field(default=None)  # type: ignore[assignment]  # a number as soon as it is made
    restitution: float = 0.0
    transition: Stribeck | None = None

    def __post_init__(self) -> None:
        sliding = _checked(not_negative, self.friction, "friction")
        sticking = sliding if self.static_friction is None else _checked(not_negative, self.static_friction, "static friction")
        if sticking < sliding:
            raise ArgumentError(f"static friction must not be smaller than friction, but is {sticking:g} against {sliding:g}.")
        bounce = _checked(not_negative, self.restitution, "restitution")
        if bounce > 1:
            raise ArgumentError(f"restitution must be between 0 and 1, but is {bounce:g}: more would make energy.")
        if self.transition is not None and not isinstance(self.transition, Stribeck):
            raise ArgumentError(
                f"the transition of a material must be a Stribeck(speed=…) or None, not {shown(self.transition)}."
            )
        for name, value in (("friction", sliding), ("static_friction", sticking), ("restitution", bounce)):
            object.__setattr__(self, name, value)

    def at(self, speed: float) -> float:
        """The coefficient of friction (dimensionless) at a slip of `speed` in m/s; at rest it is the static one."""
        speed = _checked(real, speed, "the slip at which friction is wanted")
        excess = self.static_friction - self.friction
        if self.transition is not None:
            return min(self.friction + excess * self.transition.share(speed), self.static_friction)  # whatever the rounding
        return self.friction if speed else self.static_friction


def _checked(check, value, what: str) -> float:
    """The number, by a rule of mechanism/numbers.py; what is wrong with it is wrong with an argument."""
    try:
        return check(value, what)
    except MechanismError as error:
        raise ArgumentError(str(error)) from None
