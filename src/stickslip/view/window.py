"""Which part of the world a picture shows: the mechanism over the whole motion, and of what stands still what is near it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from stickslip.contact import HalfSpace, World
from stickslip.dynamics.tree import Floats
from stickslip.view.picture import Picture

MARGIN = 0.08  # of the larger side, around everything
NEAR = 0.6  # of the larger side: obstacles within it are shown, too
SURFACE = 3.0  # of the larger side: surfaces of half-spaces within it are shown, too
SMALLEST = 1e-9  # m: a mechanism without any extent is shown as if it measured a metre


class Window(NamedTuple):
    """The lower left and the upper right corner of a picture (2,), in m."""

    lower: Floats
    upper: Floats

    @property
    def size(self) -> float:
        """The larger side, in m."""
        return float((self.upper - self.lower).max())


def window_around(world: World, picture: Picture, moving: Iterable[Floats], standing: Iterable[Floats]) -> Window:
    """The window on points (k, 2) m of what moves, widened towards points of what stands still and surfaces of half-spaces."""
    points = np.vstack([*moving, np.empty((0, 2))])
    points = points if len(points) else np.zeros((1, 2))
    lower, upper = points.min(axis=0), points.max(axis=0)
    size = float((upper - lower).max())
    if size < SMALLEST:
        lower, upper, size = lower - 0.5, upper + 0.5, 1.0
    surfaces = _surfaces(world, picture, 0.5 * (lower + upper))
    near = [(points, NEAR * size) for points in standing] + [(point, SURFACE * size) for point in surfaces]
    least, greatest = lower, upper
    for points, reach in near:
        if (points.max(axis=0) >= least - reach).all() and (points.min(axis=0) <= greatest + reach).all():
            lower = np.minimum(lower, np.maximum(points.min(axis=0), least - reach))
            upper = np.maximum(upper, np.minimum(points.max(axis=0), greatest + reach))
    margin = MARGIN * float((upper - lower).max())
    return Window(lower - margin, upper + margin)


def _surfaces(world: World, picture: Picture, centre: Floats) -> list[Floats]:
    """Of each half-space that is seen from the side, the point (1, 2) of its surface that is nearest to the centre (2,)."""
    found = []
    for obstacle in world.obstacles.values():
        if isinstance(obstacle, HalfSpace):
            normal = picture.basis @ np.array(obstacle.normal_in(world.plane))
            if np.linalg.norm(normal) > 1.0 - 1e-9:
                found.append((centre + (obstacle.offset - normal @ centre) * normal)[None])
    return found
