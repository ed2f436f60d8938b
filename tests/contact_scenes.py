"""Two bodies that move freely, with one shape each, and what detection says of them; one shape of every kind in space."""

from __future__ import annotations

from functools import cache

import numpy as np

import stickslip as ss
from random_trees import random_rotation
from stickslip.contact.detector import Detector
from stickslip.contact.packing import Entry
from stickslip.contact.touch import GAP, NORMAL, ON_FIRST, ON_SECOND

WITHIN = {"xz": [0, 2], "xy": [0, 1]}
UPRIGHT = ((1, 0, 0), (0, 0, -1), (0, 1, 0))  # takes the y of a shape to the z of its body

DRAW = np.random.default_rng(5)
OUTLINE = ((0.3, 0.1), (0.1, 0.45), (-0.4, 0.2), (-0.25, -0.3), (0.2, -0.35))
PEBBLE = DRAW.standard_normal((60, 3))
SOLIDS = {
    "point": ss.Point(centre=(0.1, 0.3, -0.2)),
    "sphere": ss.Sphere(radius=0.3, centre=(0.05, 0.1, 0.1)),
    "disc": ss.Disc(radius=0.35, rotation=random_rotation(DRAW)),
    "segment": ss.Segment(start=(-0.4, 0.1, 0.1), end=(0.5, 0, -0.2)),
    "capsule": ss.Capsule(radius=0.15, length=0.6, rotation=random_rotation(DRAW)),
    "box": ss.Box(size=(0.8, 0.5, 0.3), centre=(0.1, 0, 0.05), rotation=random_rotation(DRAW)),
    "cylinder": ss.Cylinder(radius=0.2, length=0.5, centre=(0, 0.1, 0)),
    "ellipsoid": ss.Ellipsoid(semi_axes=(0.5, 0.3, 0.2)),
    "polygon": ss.Polygon(vertices=OUTLINE, rotation=random_rotation(DRAW)),
    "mesh": ss.Mesh(vertices=0.3 * DRAW.standard_normal((9, 3))),
    "pebble": ss.Mesh(vertices=PEBBLE / np.linalg.norm(PEBBLE, axis=1)[:, None] * (0.5, 0.35, 0.3)),  # more corners than MANY
}


@cache
def two_bodies(plane: str | None = "xz") -> ss.Mechanism:
    """Bodies "first" and "second", each on a joint of its own that leaves it free."""
    b = ss.MechanismBuilder(plane=plane)
    for name in ("first", "second"):
        b.body(name, mass=1.0, inertia=1.0 if plane else (1.0, 1.0, 1.0))
        (b.planar if plane else b.free)(f"{name}_root", child=name)
    return ss.Mechanism(b)


def pair_of(first, second, plane: str | None = "xz") -> Detector:
    """Both shapes on free bodies; a half-space or another obstacle is meant if `first` is a tuple (obstacle,)."""
    mech = two_bodies(plane)
    if isinstance(first, tuple):
        entries = [Entry(2, first[0], "the obstacle"), Entry(1, second, "second")]
    else:
        entries = [Entry(0, first, "first"), Entry(1, second, "second")]
    return Detector(mech, entries, [(0, 1)], plane)


class Seen:
    """The touches of a detector at q in the plane's coordinates."""

    def __init__(self, detector: Detector, q, margin: float = 100.0) -> None:
        self.found = detector.find(np.array(q, dtype=float), margin)
        within = WITHIN[detector.plane] if detector.plane else [0, 1, 2]
        touches = self.found.touches
        self.gap = touches[:, GAP]
        self.normal = touches[:, NORMAL : NORMAL + 3][:, within]
        self.on_first = touches[:, ON_FIRST : ON_FIRST + 3][:, within]
        self.on_second = touches[:, ON_SECOND : ON_SECOND + 3][:, within]
        self.identities = self.found.identities

    def __len__(self) -> int:
        return len(self.gap)
