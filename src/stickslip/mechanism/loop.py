"""Loop closures: bilateral constraints between two bodies that the tree does not join."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from stickslip.mechanism.errors import MechanismError
from stickslip.mechanism.numbers import IDENTITY, ORIGIN, Matrix3, Vector3, checked_name, direction, rotation3, shown, vector3


class LoopKind(Enum):
    """What a closure holds together; `rows` is its number of equations in space, `planar_rows` that in a plane."""

    POINT = "point", 3, 2
    HINGE = "hinge", 5, 2
    SLIDER = "slider", 5, 2
    PLANE = "plane", 3, 0
    WELD = "weld", 6, 3

    def __init__(self, label: str, rows: int, planar_rows: int) -> None:
        self.label = label
        self.rows = rows
        self.planar_rows = planar_rows


@dataclass(frozen=True, kw_only=True)
class Loop:
    """A closure between two bodies (either may be "world"), of one of these kinds:

    - point: two points stay together, `first_point` and `second_point` (3,) in m, each in its own body's frame.
    - hinge: they do, and two axes stay parallel: `axis` (3,), given in the second body's frame and, turned by `rotation`
      (3, 3), in the first's.
    - weld: the points stay together, and the second body turned by `rotation` against the first (first's axes from second's).
    - slider: it stays turned so, and the second point on the line along the axis through the first point.
    - plane: the axes stay parallel, and the second point in the plane normal to the axis through the first point. Within a
      planar mechanism that demands nothing.
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
