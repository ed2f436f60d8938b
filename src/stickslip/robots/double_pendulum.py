"""Paper 4's double pendulum (Table 2.1): two steel bars on a hinge above a floor, which the tip strikes.

What the paper leaves open, and how it is read here, is in docs/papers.md.
"""

from __future__ import annotations

from math import pi

import numpy as np

from stickslip.contact import HalfSpace, Material, World
from stickslip.dynamics import Mechanism
from stickslip.mechanism import ArgumentError, MechanismBuilder, Point
from stickslip.mechanism.numbers import shown
from stickslip.scenario import Scenario

LENGTH, WIDTH, DEPTH = 1.0, 0.05, 0.01  # m, of each bar
DENSITY = 8080.0  # kg/m^3: steel
HEIGHT = 1.5  # m, of the hinge above the floor: the paper's L3
STATIC, SLIDING = 0.74, 0.57
STARTS = {"level": (0.0, 0.0), "folded": (pi / 4, -3 * pi / 4)}  # Tables 3.1, 3.3, 5.1; Table 5.3
DURATIONS = {"level": 10.0, "folded": 5.0}  # s


def double_pendulum(start: str = "level", restitution: float = 1.0, *, width: bool = True) -> Scenario:
    """Paper 4's double pendulum: two bars of 1 m and 4.04 kg, released 1.5 m above a floor.

    q = [angle of the first bar from the horizontal, angle of the second from the first] (2,), in rad, counter-clockwise.
    `start` is "level" (Tables 3.1, 3.3 and 5.1) or "folded" (Table 5.3). Static friction is 0.74, that of sliding 0.57, and
    `restitution`, dimensionless, that of the tip on the floor. Without `width` bars have the inertia of slender rods.

    >>> double_pendulum().world.gap([0.0, 0.0])
    1.5
    """
    if not isinstance(start, str) or start not in STARTS:
        raise ArgumentError(f'the start must be "level" or "folded", not {shown(start)}.')
    if not isinstance(width, bool):
        raise ArgumentError(f"width must be True or False, not {shown(width)}.")
    return Scenario(
        name="double pendulum",
        about=f"two bars, {start} at first, fall until their tip strikes the floor (paper 4).",
        world=World(
            Mechanism(_bars(WIDTH if width else 0.0)),
            obstacles=[HalfSpace(normal=(0, 0, 1), name="floor")],
            material=Material(friction=SLIDING, static_friction=STATIC, restitution=restitution),
        ),
        q=np.array(STARTS[start]),
        v=np.zeros(2),
        duration=DURATIONS[start],
    )


def _bars(width: float) -> MechanismBuilder:
    mass = DENSITY * LENGTH * WIDTH * DEPTH
    b = MechanismBuilder(plane="xz", name="double pendulum")
    for name, shapes in (("upper", ()), ("lower", (Point(centre=(LENGTH, 0, 0), name="tip"),))):
        b.body(name, mass=mass, centre=(LENGTH / 2, 0), inertia=mass * (LENGTH**2 + width**2) / 12, shapes=shapes)
    b.revolute("shoulder", child="upper", at=(0, HEIGHT))
    b.revolute("elbow", parent="upper", child="lower", at=(LENGTH, 0))
    b.passive()
    return b
