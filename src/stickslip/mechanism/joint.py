"""A joint: how a body may move against its parent, and what acts along that motion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from stickslip.mechanism.body import WORLD
from stickslip.mechanism.errors import MechanismError
from stickslip.mechanism.numbers import (
    IDENTITY,
    ORIGIN,
    Matrix3,
    Vector3,
    checked_name,
    direction,
    interval,
    not_negative,
    real,
    rotation3,
    shown,
    vector,
    vector3,
)


class JointKind(Enum):
    """The kinds of joint; `nq` and `nv` are the numbers of position and velocity coordinates."""

    FIXED = "fixed", 0, 0
    REVOLUTE = "revolute", 1, 1
    CONTINUOUS = "continuous", 1, 1
    PRISMATIC = "prismatic", 1, 1
    BALL = "ball", 4, 3
    FREE = "free", 7, 6
    PLANAR = "planar", 3, 3

    def __init__(self, label: str, nq: int, nv: int) -> None:
        self.label = label
        self.nq = nq
        self.nv = nv

    @property
    def neutral(self) -> tuple[float, ...]:
        """The coordinates (nq,), in m and rad, at which the child's frame lies on the joint's frame."""
        if self is JointKind.FREE:
            return (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
        return (1.0, 0.0, 0.0, 0.0) if self is JointKind.BALL else (0.0,) * self.nq


@dataclass(frozen=True, kw_only=True)
class PD:
    """Proportional and derivative gains on a joint, part of the flow: force = kp (reference - q) - kd v.

    `kp` in N m/rad (N/m for a prismatic joint), `kd` in N m s/rad (N s/m), `reference` in rad (m).
    """

    kp: float
    kd: float = 0.0
    reference: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "kp", not_negative(self.kp, "the gain kp"))
        object.__setattr__(self, "kd", not_negative(self.kd, "the gain kd"))
        object.__setattr__(self, "reference", real(self.reference, "the reference of a PD"))


@dataclass(frozen=True, kw_only=True)
class Joint:
    """A joint from `parent` (a body's name, or "world") to `child`.

    The joint's frame stands `at` (3,) m with `rotation` (3, 3) in the parent's frame; `axis` (3,) is given in the joint's
    frame. At zero coordinates the child's axes lie on the joint's; `anchor` (3,) m is the joint's place in the child's
    frame, usually its origin.

    - revolute, continuous, prismatic: one coordinate about or along `axis` (rad or m).
    - ball: q is a unit quaternion wxyz, v the angular velocity in the child's axes.
    - free (from the world only): q = [x y z, qw qx qy qz], v = [linear velocity in the world, angular in the body].
    - planar: q = [x, y, angle] in the plane normal to `axis`, v its time derivative. The plane's x and y are the joint's,
      turned along the shortest way that takes z to `axis`.

    `limits` (lower, upper) bound the coordinate of a revolute or prismatic joint. `damping` (N m s/rad or N s/m),
    `armature` (kg m^2 or kg, added on the mass matrix's diagonal) and `dry_friction` (N m or N, a bound) apply to every
    velocity coordinate of the joint. `gains` close a PD loop on a joint of one coordinate. `home` (nq,) are the
    coordinates in `Mechanism.neutral()`; zero rotation and translation where it is not given.
    """

    name: str
    kind: JointKind
    parent: str = WORLD
    child: str
    at: Vector3 = ORIGIN
    rotation: Matrix3 = IDENTITY
    axis: Vector3 = (0.0, 0.0, 1.0)
    anchor: Vector3 = ORIGIN
    limits: tuple[float, float] = (-math.inf, math.inf)
    damping: float = 0.0
    armature: float = 0.0
    dry_friction: float = 0.0
    gains: PD | None = None
    home: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        checked_name(self.name, "the name of a joint")
        if not isinstance(self.kind, JointKind):
            known = ", ".join(kind.label for kind in JointKind)
            raise MechanismError(f"the kind of joint {self.name!r} must be a JointKind ({known}), not {shown(self.kind)}.")
        checked_name(self.parent, f"the parent of joint {self.name!r}")
        checked_name(self.child, f"the child of joint {self.name!r}")
        if self.parent == self.child:
            raise MechanismError(f"joint {self.name!r} connects body {self.child!r} to itself.")
        self._set("at", vector3(self.at, self._of("place")))
        self._set("rotation", rotation3(self.rotation, self._of("rotation")))
        self._set("axis", direction(self.axis, self._of("axis")))
        self._set("anchor", vector3(self.anchor, self._of("anchor")))
        self._set("limits", interval(self.limits, self._of("limits")))
        for quantity in ("damping", "armature", "dry_friction"):
            self._set(quantity, not_negative(getattr(self, quantity), self._of(quantity.replace("_", " "))))
        self._check_kind()
        if self.home is not None:
            self._set("home", self._check_home(vector(self.home, self.kind.nq, self._of("home"))))

    @property
    def limited(self) -> bool:
        """Whether either limit is finite."""
        return any(math.isfinite(end) for end in self.limits)

    def _check_kind(self) -> None:
        if self.limited and self.kind not in (JointKind.REVOLUTE, JointKind.PRISMATIC):
            raise MechanismError(
                f"joint {self.name!r} is {self.kind.label} and cannot have limits; only revolute and prismatic joints can."
            )
        if self.limits[0] == math.inf or self.limits[1] == -math.inf:
            raise MechanismError(f"the limits of joint {self.name!r} leave it no position at all.")
        if self.gains is not None and (not isinstance(self.gains, PD) or self.kind.nv != 1):
            raise MechanismError(
                f"the gains of joint {self.name!r} must be a PD on a joint of one coordinate, not {shown(self.gains)} on a "
                f"{self.kind.label} joint."
            )
        if self.kind is JointKind.FREE and (self.parent != WORLD or self.at != ORIGIN or self.rotation != IDENTITY):
            raise MechanismError(
                f"free joint {self.name!r} must hang from the world's origin: its position is its coordinates "
                "(give a starting position as `home`)."
            )

    def _check_home(self, home: tuple[float, ...]) -> tuple[float, ...]:
        if self.kind in (JointKind.BALL, JointKind.FREE):
            length = math.hypot(*home[-4:])
            if length < 1e-6:
                raise MechanismError(f"{self._of('home')} holds a quaternion of length zero.")
            return home[:-4] + tuple(entry / length for entry in home[-4:])
        return home

    def _of(self, quantity: str) -> str:
        return f"the {quantity} of joint {self.name!r}"

    def _set(self, field: str, value: object) -> None:
        object.__setattr__(self, field, value)
