"""One shape as numbers: its kind, its core of corners, edges and faces, and how large it is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from stickslip.contact.half_space import HalfSpace
from stickslip.contact.hull import convex_hull
from stickslip.contact.part import Obstacle
from stickslip.contact.planar_hull import planar_hull
from stickslip.contact.scene import CYLINDER, ELLIPSOID, HALF_SPACE, ROUNDED
from stickslip.dynamics.tree import Floats, Ints
from stickslip.mechanism.errors import MechanismError
from stickslip.mechanism.shape import Box, Capsule, Cylinder, Disc, Ellipsoid, Mesh, Point, Polygon, Segment, Sphere

NO_EDGES = np.empty((0, 4), dtype=np.int64)
NO_FACES = np.empty((0, 4))


@dataclass(frozen=True, eq=False)
class Core:
    """A shape in its own axes: `corners` (k, 3), or (k, 2) in a plane, with edges and faces that count from its own zero."""

    kind: int
    corners: Floats = field(default_factory=lambda: np.empty((0, 3)))
    radius: float = 0.0
    size: tuple[float, ...] = ()
    edges: Ints = field(default_factory=lambda: NO_EDGES)
    faces: Floats = field(default_factory=lambda: NO_FACES)

    @property
    def middle(self) -> Floats:
        """The centre of a ball that holds the core, in the shape's axes."""
        if not len(self.corners):
            return np.zeros(self.corners.shape[1])
        return 0.5 * (self.corners.min(axis=0) + self.corners.max(axis=0))

    @property
    def reach(self) -> float:
        """The radius of that ball with the rounding."""
        if self.kind == HALF_SPACE:
            return np.inf
        if self.kind == ELLIPSOID:
            return max(self.size)
        if self.kind == CYLINDER:
            return float(np.hypot(self.size[0], self.size[1]))
        return self.radius + float(np.sqrt(((self.corners - self.middle) ** 2).sum(axis=1).max()))


def spatial_core(shape: Obstacle, label: str) -> Core:
    """The numbers of a shape in space; `label` names it in errors."""
    if isinstance(shape, HalfSpace):
        return Core(HALF_SPACE, size=shape.normal_in(None))
    if isinstance(shape, Point):
        return Core(ROUNDED, np.zeros((1, 3)))
    if isinstance(shape, Disc):
        return Core(CYLINDER, size=(shape.radius, 0.0))
    if isinstance(shape, Sphere):
        return Core(ROUNDED, np.zeros((1, 3)), shape.radius)
    if isinstance(shape, Capsule | Segment):
        radius = shape.radius if isinstance(shape, Capsule) else 0.0
        return Core(ROUNDED, ends(shape), radius, edges=np.array([(0, 1, -1, -1)], dtype=np.int64))
    if isinstance(shape, Cylinder):
        return Core(CYLINDER, size=(shape.radius, shape.length / 2))
    if isinstance(shape, Ellipsoid):
        return Core(ELLIPSOID, size=shape.semi_axes)
    if isinstance(shape, Polygon):
        return _plate(shape)
    if isinstance(shape, Box | Mesh):
        hull = convex_hull(points_of(shape))
        return Core(ROUNDED, hull.corners, edges=hull.edges, faces=np.column_stack([hull.normals, hull.offsets]))
    raise MechanismError(f"{label} is of a kind that contact does not know.")


def ends(shape: Capsule | Segment) -> Floats:
    """Both ends (2, 3) of the core, in the shape's axes."""
    if isinstance(shape, Segment):
        return np.array([shape.start, shape.end])
    return np.array([(0.0, 0.0, -shape.length / 2), (0.0, 0.0, shape.length / 2)])


def points_of(shape: Box | Mesh) -> Floats:
    """The corners of a box, the vertices of a mesh (n, 3), in the shape's axes."""
    if isinstance(shape, Mesh):
        return np.array(shape.vertices)
    signs = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return signs * np.array(shape.size)


def _plate(shape: Polygon) -> Core:
    flat = planar_hull(np.array(shape.vertices))
    count = len(flat)
    edges = [(i, (i + 1) % count, 0, 1) for i in range(count)]
    faces = np.array([(0.0, 0.0, 1.0, 0.0), (0.0, 0.0, -1.0, 0.0)])
    corners = np.column_stack([flat, np.zeros(count)])
    return Core(ROUNDED, corners, edges=np.array(edges, dtype=np.int64), faces=faces)
