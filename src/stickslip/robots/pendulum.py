"""Paper 2's pendulum (section V-E): a chain of spheres on hinges that swings into a floor and a wall.

Its numbers contradict each other; docs/papers.md says how they are read here, and why.
"""

from __future__ import annotations

from math import pi
from typing import NamedTuple

import numpy as np

from stickslip.contact import HalfSpace, Material, World
from stickslip.dynamics import Mechanism
from stickslip.mechanism import ArgumentError, MechanismBuilder, Sphere
from stickslip.mechanism.numbers import shown
from stickslip.scenario import Scenario

MASS = 1.0  # kg, of each sphere
GRAVITY = 9.8  # m/s^2
DIAMETERS = 6.0  # m: what all spheres measure in a row
WALL = 4.0  # m: where the middle of the wall stands
THICKNESS = 0.2  # m, of the floor, whose middle lies at z = 0, and of the wall
ANGLE, RATE = pi / 2, -1.0  # rad from hanging, rad/s
DURATION, STEP = 5.0, 1e-3  # s


class Reading(NamedTuple):
    """One way to read the paper's lengths, in m: how high the first hinge is, and how long all links are in a row."""

    base: float
    length: float


READINGS = {"A": Reading(base=10.0, length=12.0), "B": Reading(base=5.0, length=6.0)}


def pendulum(links: int = 3, reading: str = "B", friction: float = 0.5) -> Scenario:
    """Paper 2's pendulum: `links` spheres of 1 kg in a row, 6 m of diameters altogether, swing into a floor and a wall.

    The chain hangs from a hinge above the origin. It begins to the left of it, straight and level, at q = [pi/2, 0, …] (links,)
    in rad from hanging, with v = [-1, 0, …] (links,) in rad/s, so that it swings down and to the right. Neighbours pass through
    each other; all other contacts have `friction` (dimensionless) and no restitution.

    As printed the paper's numbers contradict its figure. `reading` "B" hangs a chain of 6 m at a height of 5 m, "A" one of 12 m
    at 10 m.

    >>> pendulum(links=3).world.gap([0.0, 0.0, 0.0]) < 0  # hanging, it would be deep in the floor
    True
    """
    if isinstance(links, bool) or not isinstance(links, int) or links < 1:
        raise ArgumentError(f"links must be a whole number of at least 1, not {shown(links)}.")
    if not isinstance(reading, str) or reading not in READINGS:
        raise ArgumentError(f'the reading must be "A" or "B", not {shown(reading)}.')
    rest = [0.0] * (links - 1)
    return Scenario(
        name=f"pendulum of {links} links",
        about=f"a chain of spheres swings from the left into a floor and a wall (paper 2, reading {reading}).",
        world=World(
            Mechanism(_chain(links, READINGS[reading])),
            obstacles=[
                HalfSpace(normal=(0, 0, 1), offset=THICKNESS / 2, name="floor"),
                HalfSpace(normal=(-1, 0, 0), offset=THICKNESS / 2 - WALL, name="wall"),
            ],
            material=Material(friction=friction),
            self_contact=True,
        ),
        q=np.array([ANGLE, *rest]),
        v=np.array([RATE, *rest]),
        duration=DURATION,
        method="time-stepping",
        settings={"dt": STEP},
    )


def _chain(links: int, reading: Reading) -> MechanismBuilder:
    """Links that hang down where all angles are zero, each with its sphere half-way to the next hinge."""
    radius, length = DIAMETERS / links / 2, reading.length / links
    b = MechanismBuilder(plane="xz", gravity=(0, 0, -GRAVITY), name="pendulum")
    for k in range(links):
        sphere = Sphere(radius=radius, centre=(0, 0, -length / 2))
        b.body(f"link_{k + 1}", mass=MASS, centre=sphere.centre, inertia=0.4 * MASS * radius**2, shapes=[sphere])
        b.revolute(
            f"hinge_{k + 1}",
            parent=f"link_{k}" if k else "world",
            child=f"link_{k + 1}",
            at=(0, -length) if k else (0, reading.base),
            axis=(0, 1, 0),  # the paper's angle falls as the chain swings from left to right
        )
    b.passive()
    return b
