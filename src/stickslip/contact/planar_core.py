"""A shape of a planar mechanism as numbers: what is seen of it along the plane's normal.

That is exact only where the shape stands straight on the plane, as a prism or with an axis along the normal; what is tilted
is refused by name.
"""

from __future__ import annotations

import numpy as np

from stickslip.contact.core import Core, ends, points_of
from stickslip.contact.half_space import HalfSpace
from stickslip.contact.part import Obstacle
from stickslip.contact.planar_hull import planar_hull
from stickslip.contact.scene import ELLIPSOID, HALF_SPACE, ROUNDED
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import MechanismError
from stickslip.mechanism.plane import FLATNESS
from stickslip.mechanism.shape import Box, Capsule, Cylinder, Ellipsoid, Mesh, Point, Polygon, Segment, Shape, Sphere

WITHIN = {"xz": [0, 2], "xy": [0, 1]}
"""Which of a vector's entries are its coordinates in the plane."""
ACROSS = {"xz": 1, "xy": 2}
"""Which is the one along its normal, up to a sign."""


def planar_core(shape: Obstacle, turn: Floats, plane: str, label: str) -> tuple[Core, Floats]:
    """The numbers of a shape with the axes `turn` (3, 3), and its axes (2, 2) in the plane.

    Those are the plane's own but for ellipses: corners are turned already, and count from the shape's centre.
    """
    if isinstance(shape, HalfSpace):
        normal = np.array(shape.normal_in(plane))
        if abs(normal[ACROSS[plane]]) > FLATNESS:
            raise MechanismError(f"the normal of {label} must lie in the plane {plane!r}.")
        return Core(HALF_SPACE, np.empty((0, 2)), size=tuple(normal[WITHIN[plane]])), np.eye(2)
    view = _View(turn, plane, label)
    if isinstance(shape, Ellipsoid):
        axes = view.axes_within()
        return Core(ELLIPSOID, np.empty((0, 2)), size=tuple(shape.semi_axes[k] for k in axes)), view.flat[:, axes]
    corners, radius = _outline(shape, view)
    return Core(ROUNDED, corners, radius), np.eye(2)


class _View:
    """A shape's axes as seen along the plane's normal."""

    def __init__(self, turn: Floats, plane: str, label: str) -> None:
        self.plane, self.label = plane, label
        self.flat = turn[WITHIN[plane]]  # (2, 3)
        self.across = turn[ACROSS[plane]]  # (3,)

    def axes_within(self) -> list[int]:
        """The two axes that lie in the plane, if the third is along its normal."""
        along = np.abs(self.across)
        if along.max() < 1.0 - FLATNESS:
            raise self.tilted("one of its axes must be along the plane's normal")
        return [k for k in range(3) if k != int(along.argmax())]

    def stands(self) -> bool:
        """Whether the shape's z is along the plane's normal; else it must lie in the plane."""
        along = abs(float(self.across[2]))
        if FLATNESS < along < 1.0 - FLATNESS:
            raise self.tilted("its axis must lie in the plane or be along its normal")
        return along > 0.5

    def tilted(self, cure: str) -> MechanismError:
        return MechanismError(f"{self.label} is tilted out of the plane {self.plane!r}: {cure}.")


def _outline(shape: Shape, view: _View) -> tuple[Floats, float]:
    """The core (k, 2), one corner, both ends of a line or a polygon counter-clockwise, and the rounding."""
    if isinstance(shape, Point):
        return np.zeros((1, 2)), 0.0
    if isinstance(shape, Sphere):  # a disc too, whichever way its axis is given
        return np.zeros((1, 2)), shape.radius
    if isinstance(shape, Capsule):
        return (np.zeros((1, 2)) if view.stands() else ends(shape) @ view.flat.T), shape.radius
    if isinstance(shape, Cylinder):
        return (np.zeros((1, 2)), shape.radius) if view.stands() else (_rectangle(shape, view), 0.0)
    if isinstance(shape, Segment):
        line = ends(shape)
        if abs(float((line[1] - line[0]) @ view.across)) > FLATNESS * float(np.linalg.norm(line[1] - line[0])):
            raise view.tilted("both of its ends must lie in it")
        return line @ view.flat.T, 0.0
    if isinstance(shape, Box):
        view.axes_within()
        return planar_hull(points_of(shape) @ view.flat.T), 0.0
    if isinstance(shape, Polygon):
        if not view.stands():
            raise view.tilted("it must lie in it" + _UPRIGHT * (view.plane == "xz"))
        return planar_hull(np.array(shape.vertices) @ view.flat[:, :2].T), 0.0
    if isinstance(shape, Mesh):
        return _prism(shape, view), 0.0
    raise MechanismError(f"{view.label} is of a kind that contact does not know.")


_UPRIGHT = ", as with rotation=((1, 0, 0), (0, 0, -1), (0, 1, 0)), which takes its y to the world's z"


def _rectangle(shape: Cylinder, view: _View) -> Floats:
    axis = view.flat[:, 2]
    side = np.array([-axis[1], axis[0]])
    signs = ((-0.5, -1), (-0.5, 1), (0.5, 1), (0.5, -1))
    return planar_hull(np.array([a * shape.length * axis + b * shape.radius * side for a, b in signs]))


PRISM = 1e-6  # of the size: how far a mesh's ends may differ from its outline; files are in single precision


def _prism(shape: Mesh, view: _View) -> Floats:
    """The outline of a mesh that is a prism along the normal: the hulls of its two ends are the hull of the whole."""
    points = points_of(shape)
    flat, depth = points @ view.flat.T, points @ view.across
    tolerance = PRISM * float(np.ptp(points, axis=0).max())
    outline = planar_hull(flat)
    for end in (depth < depth.min() + tolerance, depth > depth.max() - tolerance):
        gaps = np.linalg.norm(outline[:, None] - flat[end], axis=2).min(axis=1)
        if gaps.max() > tolerance:
            raise MechanismError(
                f"{view.label} looks different at different depths, so that it is no shape of the plane {view.plane!r}; "
                "use a polygon, or a mechanism in space."
            )
    return outline
