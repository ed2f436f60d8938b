"""The half-space: a floor, a wall or a slope without end."""

from __future__ import annotations

from dataclasses import dataclass

from stickslip.mechanism.errors import ArgumentError, MechanismError
from stickslip.mechanism.numbers import Vector3, checked_name, direction, real
from stickslip.mechanism.plane import lifted


@dataclass(frozen=True, kw_only=True)
class HalfSpace:
    """All points x with normal . x <= offset: the solid side of a plane of any tilt.

    `normal` (3,) points out of it, and its length does not matter; in a planar world its two coordinates in the plane are
    enough. `offset` is the distance of the surface from the world's origin along the normal, in m. `name` is what contacts
    with it are called after.

    >>> HalfSpace(normal=(0, 0, 2), offset=0.1)
    HalfSpace(normal=(0.0, 0.0, 1.0), offset=0.1, name=None)
    """

    normal: tuple[float, ...]
    offset: float = 0.0
    name: str | None = None

    def __post_init__(self) -> None:
        try:
            if self.name is not None:
                checked_name(self.name, "the name of a half-space")
            what = f"half-space {self.name!r}" if self.name else "a half-space"
            object.__setattr__(self, "normal", _unit(self.normal, f"the normal of {what}"))
            object.__setattr__(self, "offset", real(self.offset, f"the offset of {what}"))
        except MechanismError as error:
            raise ArgumentError(str(error)) from None

    def normal_in(self, plane: str | None) -> Vector3:
        """The normal (3,), a unit vector in world axes, where two coordinates count in `plane`."""
        if len(self.normal) == 2 and plane is None:
            what = f"half-space {self.name!r}" if self.name else "a half-space"
            raise ArgumentError(f"the normal of {what} must have 3 entries in space, not 2.")
        x, y, z = lifted(self.normal, plane, "the normal of a half-space")
        return x, y, z


def _unit(normal, what: str) -> tuple[float, ...]:
    try:
        flat = len(normal) == 2
    except TypeError:
        flat = False
    return direction((*normal, 0.0), what)[:2] if flat else direction(normal, what)
