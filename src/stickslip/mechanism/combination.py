"""Things that act on a linear combination of joint coordinates: springs, motors and couplings.

A combination is a mapping {joint: coefficient}; for {"hip": 1.0, "knee": -2.0} its coordinate is q_hip - 2 q_knee and its
rate v_hip - 2 v_knee. A force u along it acts as +u on the hip and as -2 u on the knee.

A joint of several rates is combined with as many coefficients, as in {"root": (0, 0, 1)}: a force then acts along them by these
shares. Such a combination has a rate but no coordinate, so that motors and dampers act along it, but no stiffness or coupling.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from stickslip.mechanism.errors import MechanismError
from stickslip.mechanism.numbers import checked_name, interval, not_negative, real

Combination = tuple[tuple[str, float], ...]
RateCombination = tuple[tuple[str, float | tuple[float, ...]], ...]  # with a tuple for each joint of several rates


@dataclass(frozen=True, kw_only=True)
class Spring:
    """A linear spring and damper along a combination of joint coordinates.

    With l the combination's coordinate its force is stiffness (rest - l) - damping dl/dt: `stiffness` in N m/rad or N/m,
    `damping` in N m s/rad or N s/m, `rest` in rad or m.
    """

    name: str
    joints: RateCombination
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0

    def __post_init__(self) -> None:
        what = _named(self, "spring")
        object.__setattr__(self, "stiffness", not_negative(self.stiffness, f"the stiffness of {what}"))
        object.__setattr__(self, "damping", not_negative(self.damping, f"the damping of {what}"))
        object.__setattr__(self, "rest", real(self.rest, f"the rest length of {what}"))
        if self.stiffness == 0 and self.damping == 0:
            raise MechanismError(f"{what} does nothing; give it a stiffness or a damping.")
        if self.stiffness > 0:
            _check_coordinate(self.joints, what)


@dataclass(frozen=True, kw_only=True)
class Motor:
    """An input: one entry of tau, a force along a combination of joint coordinates (a gear, a cable, a pulley).

    The rotor turns by the combination's coordinate, so that its inertia `rotor_inertia` (kg m^2, seen on the motor's
    side) adds G^T I G to the mass matrix, G the row of coefficients. `limits` (lower, upper) bound the input in N m or N.
    """

    name: str
    joints: RateCombination
    rotor_inertia: float = 0.0
    limits: tuple[float, float] = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        what = _named(self, "motor")
        object.__setattr__(self, "rotor_inertia", not_negative(self.rotor_inertia, f"the rotor inertia of {what}"))
        object.__setattr__(self, "limits", interval(self.limits, f"the limits of {what}"))


@dataclass(frozen=True, kw_only=True)
class Coupling:
    """A bilateral constraint between joints: the combination's coordinate stays at `offset` (rad or m)."""

    name: str
    joints: Combination
    offset: float = 0.0

    def __post_init__(self) -> None:
        what = _named(self, "coupling")
        _check_coordinate(self.joints, what)
        object.__setattr__(self, "offset", real(self.offset, f"the offset of {what}"))


def combination(joints: Any, what: str) -> RateCombination:
    """`joints` as pairs (joint, coefficient or coefficients): a mapping, pairs, or the name of a single joint."""
    if isinstance(joints, str):
        joints = {joints: 1.0}
    try:
        pairs = tuple(joints.items() if isinstance(joints, Mapping) else joints)
        pairs = tuple((joint, coefficient) for joint, coefficient in pairs)
    except (TypeError, ValueError):
        raise MechanismError(f"the joints of {what} must be a mapping from joint names to coefficients.") from None
    for joint, _ in pairs:
        checked_name(joint, f"a joint of {what}")
    if len({joint for joint, _ in pairs}) != len(pairs):
        raise MechanismError(f"{what} names a joint twice.")
    pairs = tuple((joint, _shares(c, f"the coefficient of joint {joint!r} in {what}")) for joint, c in pairs)
    if not any(np.any(coefficient) for _, coefficient in pairs):
        raise MechanismError(f"{what} must act on at least one joint with a coefficient other than zero.")
    return pairs


def _shares(value: Any, what: str) -> float | tuple[float, ...]:
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0):
        listed = tuple(real(entry, what) for entry in value)
        return listed[0] if len(listed) == 1 else listed
    return real(value, what)


def _check_coordinate(joints: RateCombination, what: str) -> None:
    for joint, coefficient in joints:
        if isinstance(coefficient, tuple):
            raise MechanismError(f"{what} needs a coordinate, but several rates, as of joint {joint!r}, have none in common.")


def _named(item: Spring | Motor | Coupling, kind: str) -> str:
    what = f"{kind} {checked_name(item.name, f'the name of a {kind}')!r}"
    object.__setattr__(item, "joints", combination(item.joints, what))
    return what
