"""Bodies and grounds that the tests of contact are made of, all small enough to be solved by hand."""

from math import cos, sin

import numpy as np

import stickslip as ss
from stickslip.contact.half_space import HalfSpace

G = 9.81


def loose(*shapes, mass=2.0, inertia=0.3, plane="xz", gravity=(0, 0, -G)) -> ss.Mechanism:
    """One body that moves freely: on a planar joint in a plane, on a free joint in space (plane=None)."""
    b = ss.MechanismBuilder(plane=plane, gravity=gravity)
    b.body("body", mass=mass, inertia=inertia, shapes=shapes)
    (b.planar if plane else b.free)("root", child="body")
    return ss.Mechanism(b)


def slope(angle: float, *, plane="xz", name="slope") -> HalfSpace:
    """A plane through the origin that rises to the right by `angle`."""
    normal = (-sin(angle), cos(angle))
    return HalfSpace(normal=normal if plane else (normal[0], 0.0, normal[1]), name=name)


def standing_on_slope(mech: ss.Mechanism, angle: float, height: float, along: float = 0.0) -> np.ndarray:
    """The position of a loose body that stands upright on that slope, its centre `height` above it."""
    x, z = along * cos(angle) - height * sin(angle), along * sin(angle) + height * cos(angle)
    if mech.plane:
        return np.array([x, z, angle])
    return np.array([x, 0.0, z, cos(angle / 2), 0.0, -sin(angle / 2), 0.0])  # a turn from x towards z is one about -y


def moving_along_slope(mech: ss.Mechanism, angle: float, speed: float, spin: float = 0.0) -> np.ndarray:
    """The velocity of a loose body that goes up the slope and turns from x towards z at `spin`."""
    if mech.plane:
        return np.array([speed * cos(angle), speed * sin(angle), spin])
    return np.array([speed * cos(angle), 0.0, speed * sin(angle), 0.0, -spin, 0.0])


def up_slope(mech: ss.Mechanism, angle: float, vector: np.ndarray) -> tuple[float, float, float]:
    """(up the slope, out of it, turning from x towards z) of a velocity or acceleration of a loose body."""
    x, z, turn = vector if mech.plane else (vector[0], vector[2], -vector[4])
    return x * cos(angle) + z * sin(angle), -x * sin(angle) + z * cos(angle), turn
