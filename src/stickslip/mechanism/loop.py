"""Loop closures: bilateral constraints between two bodies that the tree does not join."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from stickslip.mechanism.errors import MechanismError
from stickslip.mechanism.numbers import IDENTITY, ORIGIN, Matrix3, Vector3, checked_name, direction, rotation3, shown, vector3


class LoopKind(Enum):
    """What a closure holds together; `rows` is its number of equations in space."""

    POINT = "point", 3
    HINGE = "hinge", 5
    WELD = "weld", 6

    def __init__(self, label: str, rows: int) -> None:
        self.label = label
        self.rows = rows


@dataclass(frozen=True, kw_only=True)
class Loop:
    """A closure between two bodies (either may be "world"): two points stay together; a hinge keeps two axes parallel, too.

    `first_point` and `second_point` (3,) in m, each in its own body's frame. A hinge's `axis` (3,) is given in the second
    body's frame and, turned by `rotation`, in the first's; a weld keeps the second body turned by `rotation` (3, 3)
    against the first (first's axes from second's).
    """

    name: str
    kind: LoopKind
    first: str
    second: str
    first_point: Vector3 = ORIGIN
    second_point: Vector3 = ORIGIN
    axis: Vector3 = (0.0, 0.0, 1.0)
    rotation: Matrix3 = IDENTITY

    def __post_init__(self) -> None:
        checked_name(self.name, "the name of a loop")
        what = f"loop {self.name!r}"
        if not isinstance(self.kind, LoopKind):
            raise MechanismError(f"the kind of {what} must be a LoopKind, not {shown(self.kind)}.")
        checked_name(self.first, f"the first body of {what}")
        checked_name(self.second, f"the second body of {what}")
        if self.first == self.second:
            raise MechanismError(f"{what} connects body {self.first!r} to itself.")
        object.__setattr__(self, "first_point", vector3(self.first_point, f"the first point of {what}"))
        object.__setattr__(self, "second_point", vector3(self.second_point, f"the second point of {what}"))
        object.__setattr__(self, "axis", direction(self.axis, f"the axis of {what}"))
        object.__setattr__(self, "rotation", rotation3(self.rotation, f"the rotation of {what}"))
