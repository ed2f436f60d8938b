"""The picture that a world is seen in: which direction points to the right, which one up, and what is in front."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stickslip.contact import World
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, MechanismError
from stickslip.mechanism.numbers import direction, shown

SEEN_ALONG = {"x": (-1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, -1.0)}
"""Which way one looks along each axis, so that the other two point to the right and up: y z, x z, and x y from above."""

AXES = np.eye(3)
STEEP = 0.999  # of a direction's vertical part: beyond it the y axis takes the place of the vertical as what is up


@dataclass(frozen=True, eq=False)
class Picture:
    """An orthographic view: `right`, `up` and `away` from the eye, unit vectors (3,) in world axes, and the axes' labels."""

    right: Floats
    up: Floats
    away: Floats
    labels: tuple[str, str]

    @property
    def basis(self) -> Floats:
        """(2, 3): takes a place in the world to its two coordinates in the picture, in m."""
        return np.array([self.right, self.up])

    def seen(self, points: Floats) -> Floats:
        """Where points (k, 3) are in the picture (k, 2), in m."""
        return np.asarray(points @ self.basis.T)


def picture_of(world: World, along: Any = None) -> Picture:
    """The view of a world: its own plane, or in space along "x", "y" (if nothing is said), "z", or a direction (3,)."""
    if world.plane is not None:
        if along is not None:
            raise ArgumentError(f"this world is seen in its own plane, {world.plane!r}; leave `along` out.")
        return _along({"xz": "y", "xy": "z"}[world.plane])
    return _along("y" if along is None else along)


def _along(along: Any) -> Picture:
    if isinstance(along, str):
        if along not in SEEN_ALONG:
            raise ArgumentError(f'`along` must be "x", "y", "z" or a direction (3,), not {shown(along)}.')
        away = np.array(SEEN_ALONG[along])
    else:
        try:
            away = np.array(direction(along, "`along`"))
        except MechanismError as error:
            raise ArgumentError(str(error)) from None
    vertical = AXES[1] if abs(away[2]) > STEEP else AXES[2]
    right = np.cross(away, vertical)
    right /= np.linalg.norm(right)
    up = np.cross(right, away)
    return Picture(right, up, away, (_named(right, "to the right"), _named(up, "up")))


def _named(axis: Floats, otherwise: str) -> str:
    """The label of an axis of the picture: of the world's if it is one."""
    for name, own in zip("xyz", AXES, strict=True):
        if axis @ own > 1.0 - 1e-12:
            return f"{name} (m)"
    return f"{otherwise} (m)"
