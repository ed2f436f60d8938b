"""What the numbers of q, v and tau mean, kept with a run so that reading it takes no robot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stickslip.dynamics import Mechanism
from stickslip.dynamics.tree import Ints
from stickslip.mechanism import JointKind
from stickslip.mechanism.errors import ArgumentError, did_you_mean
from stickslip.mechanism.plane import check_plane

_PLACE = ("x", "y", "z")
_QUATERNION = ("qw", "qx", "qy", "qz")

POSITIONS = {
    JointKind.BALL: _QUATERNION,
    JointKind.FREE: (*_PLACE, *_QUATERNION),
    JointKind.PLANAR: ("x", "y", "angle"),
}
VELOCITIES = {
    JointKind.BALL: ("wx", "wy", "wz"),
    JointKind.FREE: ("vx", "vy", "vz", "wx", "wy", "wz"),
    JointKind.PLANAR: ("vx", "vy", "w"),
}
_UNITS = {**dict.fromkeys(_PLACE, "m"), **dict.fromkeys(_QUATERNION, "1"), "angle": "rad"}


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The joints behind q (nq,) and v (nv,), in their order, and the motors behind tau (nu,); SI units and radians.

    `plane` is "xz", "xy" or None in space.
    """

    mechanism: str = "mechanism"
    plane: str | None = None
    joints: tuple[str, ...]
    kinds: tuple[JointKind, ...]
    motors: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_plane(self.plane)
        if len(self.joints) != len(self.kinds):
            raise ArgumentError(f"a layout needs one kind for each of its {len(self.joints)} joints, not {len(self.kinds)}.")

    @classmethod
    def of(cls, mechanism: Mechanism) -> Layout:
        """The layout of a mechanism's q (nq,), v (nv,) and tau (nu,), in m and rad, N and N m."""
        joints = mechanism.description.moving_joints
        return cls(
            mechanism=mechanism.description.name,
            plane=mechanism.plane,
            joints=tuple(joint.name for joint in joints),
            kinds=tuple(joint.kind for joint in joints),
            motors=tuple(mechanism.motor_names),
        )

    @property
    def nq(self) -> int:
        """The number of position coordinates."""
        return sum(kind.nq for kind in self.kinds)

    @property
    def nv(self) -> int:
        """The number of velocity coordinates."""
        return sum(kind.nv for kind in self.kinds)

    @property
    def nu(self) -> int:
        """The number of inputs."""
        return len(self.motors)

    def coordinates(self, joint: str) -> tuple[slice, slice]:
        """Where a joint's coordinates are: its slice of q (nq,) and its slice of v (nv,) (m, rad)."""
        if joint not in self.joints:
            raise ArgumentError(f"there is no joint {joint!r}{did_you_mean(joint, self.joints)}")
        return self._slices[self.joints.index(joint)]

    @cached_property
    def position_names(self) -> tuple[str, ...]:
        """A name for each entry of q: "hip", or "root.x", "root.qw" where a joint has several."""
        return self._names(POSITIONS)

    @cached_property
    def velocity_names(self) -> tuple[str, ...]:
        """A name for each entry of v: "hip", or "root.vx", "root.wx" where a joint has several."""
        return self._names(VELOCITIES)

    @cached_property
    def position_units(self) -> tuple[str, ...]:
        """The unit of each entry of q: "m", "rad", or "1" in a quaternion."""
        return tuple(
            _UNITS[part] if part else "m" if kind is JointKind.PRISMATIC else "rad"
            for kind in self.kinds
            for part in POSITIONS.get(kind, ("",))
        )

    @cached_property
    def velocity_units(self) -> tuple[str, ...]:
        """The unit of each entry of v: "m s-1" or "rad s-1"."""
        return tuple(
            "m s-1" if part.startswith("v") or kind is JointKind.PRISMATIC else "rad s-1"
            for kind in self.kinds
            for part in VELOCITIES.get(kind, ("",))
        )

    @cached_property
    def turns(self) -> tuple[tuple[slice, slice], ...]:
        """(slice of q, slice of v) of every quaternion and the angular velocity that turns it."""
        found = []
        for kind, (q, v) in zip(self.kinds, self._slices, strict=True):
            if kind in (JointKind.BALL, JointKind.FREE):
                found.append((slice(q.stop - 4, q.stop), slice(v.stop - 3, v.stop)))
        return tuple(found)

    @cached_property
    def straight(self) -> tuple[Ints, Ints]:
        """Indices into q and into v of all other coordinates, whose rate is their velocity."""
        positions, velocities = np.ones(self.nq, dtype=bool), np.ones(self.nv, dtype=bool)
        for q, v in self.turns:
            positions[q], velocities[v] = False, False
        return np.flatnonzero(positions), np.flatnonzero(velocities)

    @cached_property
    def _slices(self) -> tuple[tuple[slice, slice], ...]:
        found, c, i = [], 0, 0
        for kind in self.kinds:
            found.append((slice(c, c + kind.nq), slice(i, i + kind.nv)))
            c, i = c + kind.nq, i + kind.nv
        return tuple(found)

    def _names(self, parts: dict[JointKind, tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(
            f"{joint}.{part}" if part else joint
            for joint, kind in zip(self.joints, self.kinds, strict=True)
            for part in parts.get(kind, ("",))
        )
