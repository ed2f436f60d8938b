"""Paper 4's bicycle (Table 2.2): two wheels, round or elliptic, on the ends of a bar, dropped on a wedge.

What the paper leaves open, and how it is read here, is in docs/papers.md.
"""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np

from stickslip.contact import HalfSpace, Material, World
from stickslip.dynamics import Mechanism
from stickslip.mechanism import ArgumentError, Ellipsoid, MechanismBuilder
from stickslip.mechanism.numbers import real, shown
from stickslip.scenario import Scenario

BAR, BAR_MASS, WHEEL_MASS = 1.0, 1.0, 2.0  # m, kg, kg
PLACE = 5.0  # m: where the middle of the bar starts, in both directions
STATIC, SLIDING = 0.5, 0.25
INERTIAS = {"ellipsoid": 0.2, "disc": 0.25}  # times m (d1^2 + d2^2)
DURATION = 5.0  # s


def bicycle(
    slope: float = 0.0,
    wheels: tuple[float, float] = (0.5, 0.5),
    speed: float = 0.0,
    restitution: float = 0.0,
    *,
    inertia: str = "ellipsoid",
) -> Scenario:
    """Paper 4's bicycle: a bar of 1 m and 1 kg between two wheels of 2 kg, above a wedge that falls to the right.

    q = [x, z, angle of the bar, angle of the rear wheel, of the front wheel] (5,), in m and rad, wheels relative to the bar;
    it starts at x = z = 5 m with `speed` in m/s to the right. The wedge has a `slope` in degrees. `wheels` are the semi-axes
    d1 and d2 in m, d1 along the bar; their moment of inertia is that of an "ellipsoid", m (d1^2 + d2^2) / 5, or of a "disc",
    m (d1^2 + d2^2) / 4. Static friction is 0.5, that of sliding 0.25, `restitution` dimensionless.

    Tables 3.2 and 5.2 have round wheels of 0.5 m and 2 m/s, Tables 3.4 and 4.1 ellipses of 0.5 and 0.25 m at rest.

    >>> bicycle().world.gap(bicycle().q)
    4.5
    """
    tilt = radians(real(slope, "the slope of the bicycle's wedge"))
    if not isinstance(inertia, str) or inertia not in INERTIAS:
        raise ArgumentError(f'the inertia of the wheels must be that of an "ellipsoid" or of a "disc", not {shown(inertia)}.')
    return Scenario(
        name="bicycle",
        about=f"two wheels on a bar fall on a wedge of {slope:g} degrees (paper 4).",
        world=World(
            Mechanism(_wheels_on_a_bar(wheels, INERTIAS[inertia])),
            obstacles=[HalfSpace(normal=(sin(tilt), 0, cos(tilt)), name="wedge")],
            material=Material(friction=SLIDING, static_friction=STATIC, restitution=restitution),
        ),
        q=np.array([PLACE, PLACE, 0.0, 0.0, 0.0]),
        v=np.array([speed, 0.0, 0.0, 0.0, 0.0]),
        duration=DURATION,
    )


def _wheels_on_a_bar(axes: tuple[float, float], share: float) -> MechanismBuilder:
    b = MechanismBuilder(plane="xz", name="bicycle")
    b.body("bar", mass=BAR_MASS, inertia=BAR_MASS * BAR**2 / 12)
    b.planar("root", child="bar")
    for name, at in (("rear", -BAR / 2), ("front", BAR / 2)):
        wheel = Ellipsoid(semi_axes=(axes[0], axes[1], axes[1]))
        b.body(name, mass=WHEEL_MASS, inertia=share * WHEEL_MASS * (axes[0] ** 2 + axes[1] ** 2), shapes=[wheel])
        b.continuous(f"{name}_axle", parent="bar", child=name, at=(at, 0))
    b.passive()
    return b
