"""What is seen of one shape, as a closed line: in a plane its cross-section, in space the rim of its shadow.

Both are taken from the scene that contacts are found in, so that what is drawn is what touches. In a plane a shape keeps its
outline and only moves; in space the outline is found anew at every instant: the points of the shape that are foremost in each
direction of the picture.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from matplotlib.path import Path
from numpy.typing import NDArray

from stickslip.contact import HalfSpace, World
from stickslip.contact.planar_core import WITHIN
from stickslip.contact.scene import (
    BODY,
    CENTRE,
    CORNERS,
    CYLINDER,
    ELLIPSOID,
    FIRST_CORNER,
    KIND,
    MIDDLE,
    RADIUS,
    SIZE,
    TURN,
)
from stickslip.dynamics.tree import Floats
from stickslip.mechanism import Point
from stickslip.view.picture import Picture
from stickslip.view.poses import Poses

ANGLES = np.linspace(0.0, 2.0 * np.pi, 181)[:-1]
AROUND = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
"""Directions (180, 2) of a picture; multiples of 2 degrees, so that boxes along the axes have their corners."""


class Outline(Protocol):
    """A shape of row `body` of the poses, with its `middle` (3,) m in its link's axes.

    `path` is what is seen of it, in the picture's coordinates.
    """

    body: int
    middle: Floats

    def path(self, poses: Poses) -> Path: ...


class FlatOutline:
    """The cross-section of a shape of a planar world, in the axes of its link."""

    def __init__(self, body: int, path: Path, within: list[int]) -> None:
        self.body, self.middle = body, np.zeros(3)
        self.vertices, self.codes = _taken_apart(path)
        self._within = np.ix_(within, within), within

    def path(self, poses: Poses) -> Path:
        """The outline where the body is."""
        both, one = self._within
        turn, place = poses.turn[self.body][both], poses.place[self.body][one]
        return Path(self.vertices @ turn.T + place, self.codes)


class Shadow:
    """A convex shape in space: everything within `radius` of the hull of its corners, or a cylinder, or an ellipsoid."""

    def __init__(self, world: World, row: int, picture: Picture) -> None:
        scene = world.detector.scene
        self.body, self.kind = int(scene.shapes[row, BODY]), int(scene.shapes[row, KIND])
        self.basis = picture.basis
        sizes = scene.sizes[row]
        self.turn, self.centre = sizes[TURN : TURN + 9].reshape(3, 3), sizes[CENTRE : CENTRE + 3]
        self.middle = sizes[MIDDLE : MIDDLE + 3]
        self.size, self.radius = sizes[SIZE : SIZE + 3], float(sizes[RADIUS])
        first = scene.shapes[row, FIRST_CORNER]
        self.corners = scene.corners[first : first + scene.shapes[row, CORNERS], :3]

    def path(self, poses: Poses) -> Path:
        """The foremost points in all directions of the picture, in their order around it."""
        outwards = AROUND @ self.basis @ poses.turn[self.body]  # (k, 3) in the link's axes
        foremost = self._foremost(outwards) @ poses.turn[self.body].T + poses.place[self.body]
        rim = foremost @ self.basis.T
        return Path(np.vstack([rim, rim[:1]]), closed=True)

    def _foremost(self, outwards: Floats) -> Floats:
        """The points (k, 3) of the shape that are foremost in the unit directions (k, 3), all in the link's axes."""
        if self.kind == ELLIPSOID:
            along = outwards @ self.turn * self.size
            return np.asarray(self.centre + _units(along) * self.size @ self.turn.T)
        if self.kind == CYLINDER:
            along = outwards @ self.turn
            across = _units(along * (1.0, 1.0, 0.0)) * self.size[0]
            across[:, 2] = np.sign(along[:, 2]) * self.size[1]
            return np.asarray(self.centre + across @ self.turn.T)
        nearest = self.corners[np.argmax(outwards @ self.corners.T, axis=1)]
        return np.asarray(nearest + self.radius * outwards)


def outlines_of(world: World, picture: Picture) -> dict[int, Outline]:
    """For every part of a world but half-spaces and points: its number among the parts, and its outline."""
    scene = world.detector.scene
    found: dict[int, Outline] = {}
    for row, shape in enumerate(scene.shapes):
        if isinstance(world.parts[row].shape, HalfSpace | Point):
            continue
        if world.plane is None:
            found[row] = Shadow(world, row, picture)
        else:
            found[row] = FlatOutline(int(shape[BODY]), _cross_section(world, row), WITHIN[world.plane])
    return found


def _cross_section(world: World, row: int) -> Path:
    """The outline of a part of a planar world in its link's axes. What is round has a spoke, so that it is seen to turn."""
    scene = world.detector.scene
    sizes, first = scene.sizes[row], scene.shapes[row, FIRST_CORNER]
    if scene.shapes[row, KIND] == ELLIPSOID:
        axes = sizes[TURN : TURN + 4].reshape(2, 2) * sizes[SIZE : SIZE + 2]
        return _with_spoke(axes, sizes[CENTRE : CENTRE + 2])
    corners, radius = scene.corners[first : first + scene.shapes[row, CORNERS], :2], float(sizes[RADIUS])
    if len(corners) == 1:
        return _with_spoke(radius * np.eye(2), corners[0])
    if radius == 0.0:
        return Path(np.vstack([corners, corners[:1]]), closed=True)
    return _rounded(corners, radius)


def _with_spoke(axes: Floats, centre: Floats) -> Path:
    """The image of the unit circle under `axes` (2, 2), and a line from its centre to its rim."""
    vertices, codes = _taken_apart(Path.unit_circle())
    spoke = np.array([[0.0, 0.0], [1.0, 0.0]])
    return Path(np.vstack([vertices, spoke]) @ axes.T + centre, np.append(codes, [Path.MOVETO, Path.LINETO]))


def _rounded(corners: Floats, radius: float) -> Path:
    """All within the radius of the ends (2, 2) of a line: straight sides, and half a circle around each end."""
    along = float(np.degrees(np.arctan2(*(corners[1] - corners[0])[::-1])))
    first, codes = _taken_apart(Path.arc(along + 90.0, along + 270.0))
    second, more = _taken_apart(Path.arc(along - 90.0, along + 90.0))
    more[0] = Path.LINETO
    vertices = np.vstack([radius * first + corners[0], radius * second + corners[1]])
    return Path(np.vstack([vertices, vertices[:1]]), np.concatenate([codes, more, [Path.CLOSEPOLY]]))


def _taken_apart(path: Path) -> tuple[Floats, NDArray[np.uint8]]:
    """Copies of the vertices (k, 2) and the codes (k,) of a path."""
    return np.array(path.vertices, dtype=float), np.array(path.codes, dtype=np.uint8)


def _units(rows: Floats) -> Floats:
    """Rows (k, 3) as unit vectors; zero where they are zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0.0))
