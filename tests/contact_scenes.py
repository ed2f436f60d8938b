"""Two bodies that move freely, with one shape each, and what detection says of them."""

from __future__ import annotations

from functools import cache

import numpy as np

import stickslip as ss
from stickslip.contact.detector import Detector
from stickslip.contact.packing import Entry
from stickslip.contact.touch import GAP, NORMAL, ON_FIRST, ON_SECOND

WITHIN = {"xz": [0, 2], "xy": [0, 1]}
UPRIGHT = ((1, 0, 0), (0, 0, -1), (0, 1, 0))  # takes the y of a shape to the z of its body


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
