"""Shapes: what a body is made of where it can touch something. Geometry alone; distances are the business of `contact`.

Every shape has a `centre` and a `rotation` that place it in its body, and an optional name by which contacts are found
again on a trajectory.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from stickslip.mechanism.errors import MechanismError
from stickslip.mechanism.numbers import (
    IDENTITY,
    ORIGIN,
    Matrix3,
    Vector3,
    checked_name,
    entries,
    positive,
    rotation3,
    shown,
    vector,
    vector3,
)

THINNEST = 1e-9  # of a polygon or mesh, relative to its length


@dataclass(frozen=True)
class Shape:
    """A piece of geometry placed in its body: `centre` (3,) in metres and `rotation` (3, 3), body from shape axes."""

    _: KW_ONLY
    name: str | None = None
    centre: Vector3 = ORIGIN
    rotation: Matrix3 = IDENTITY

    def __post_init__(self) -> None:
        if self.name is not None:
            checked_name(self.name, f"the name of a {self._kind}")
        self._set("centre", vector3(self.centre, self._of("centre")))
        self._set("rotation", rotation3(self.rotation, self._of("rotation")))

    @property
    def _kind(self) -> str:
        return type(self).__name__

    def _of(self, quantity: str) -> str:
        return f"the {quantity} of {self._kind} {self.name!r}" if self.name else f"the {quantity} of a {self._kind}"

    def _set(self, field: str, value: Any) -> None:
        object.__setattr__(self, field, value)


@dataclass(frozen=True)
class Point(Shape):
    """A single point, such as the tip of a massless leg."""


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball of `radius` in metres; in a planar world, a disc."""

    radius: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("radius", positive(self.radius, self._of("radius")))


@dataclass(frozen=True)
class Disc(Sphere):
    """A flat round plate of `radius` in metres and no thickness, whose axis is the shape's z; in a planar world, a circle."""


@dataclass(frozen=True)
class Capsule(Shape):
    """A cylinder of `radius` and `length` along the shape's z, with half a ball of the same radius on each end (metres)."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("radius", positive(self.radius, self._of("radius")))
        self._set("length", positive(self.length, self._of("length")))


@dataclass(frozen=True)
class Cylinder(Shape):
    """A cylinder of `radius` and `length` along the shape's z (metres)."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("radius", positive(self.radius, self._of("radius")))
        self._set("length", positive(self.length, self._of("length")))


@dataclass(frozen=True)
class Segment(Shape):
    """A straight piece of no width from `start` to `end`, both (3,) in metres: a link drawn as a line."""

    start: Vector3
    end: Vector3

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("start", vector3(self.start, self._of("start")))
        self._set("end", vector3(self.end, self._of("end")))
        if self.start == self.end:
            raise MechanismError(f"{self._of('end')} must differ from its start: a segment has a length.")


@dataclass(frozen=True)
class Box(Shape):
    """A box with edges of full length `size` (3,) in metres along the shape's axes."""

    size: Vector3

    def __post_init__(self) -> None:
        super().__post_init__()
        size = vector3(self.size, self._of("size"))
        self._set("size", tuple(positive(edge, self._of("size")) for edge in size))


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """An ellipsoid with `semi_axes` (3,) in metres along the shape's axes; in a planar world, an ellipse."""

    semi_axes: Vector3

    def __post_init__(self) -> None:
        super().__post_init__()
        axes = vector3(self.semi_axes, self._of("semi-axes"))
        self._set("semi_axes", tuple(positive(axis, self._of("semi-axes")) for axis in axes))


@dataclass(frozen=True)
class Polygon(Shape):
    """The convex hull of `vertices` (n, 2) in metres, in any order, flat in the shape's x-y plane; it must have an area."""

    vertices: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        vertices = tuple(vector(corner, 2, self._of("vertices")) for corner in entries(self.vertices, self._of("vertices")))
        if len(set(vertices)) < 3:
            raise MechanismError(f"{self._of('vertices')} must be at least three different corners.")
        if _is_flat(np.array(vertices)):
            raise MechanismError(f"{self._of('vertices')} lie on one line; a polygon has an area.")
        self._set("vertices", vertices)


@dataclass(frozen=True, repr=False)
class Mesh(Shape):
    """The convex hull of `vertices` (n, 3) in metres, which must have a volume.

    `source` is the file that they came from, if any, and `scale` (3,) what its coordinates were multiplied with.
    """

    vertices: tuple[Vector3, ...]
    source: str = ""
    scale: Vector3 = (1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("scale", vector3(self.scale, self._of("scale")))
        if not isinstance(self.source, str):
            raise MechanismError(f"{self._of('source')} must be the path of its file as a string, not {shown(self.source)}.")
        if 0 in self.scale:
            raise MechanismError(f"{self._of('scale')} must not be zero in any direction, but is {self.scale}.")
        vertices = self._checked(self.vertices)
        self._set("vertices", tuple(zip(*vertices.T.tolist(), strict=True)))

    def _checked(self, vertices: Any) -> np.ndarray:
        """Checked as an array: a mesh may have a hundred thousand vertices."""
        try:
            points = np.asarray(vertices)
        except ValueError:  # rows of different lengths
            points = np.empty(0)
        if points.ndim != 2 or points.shape[1] != 3 or points.dtype.kind not in "fiu":
            raise MechanismError(f"{self._of('vertices')} must be rows of three numbers, (n, 3).")
        points = points.astype(float)
        wrong = np.flatnonzero(~np.isfinite(points).all(axis=1))
        if wrong.size:
            raise MechanismError(
                f"{self._of('vertices')} must be finite numbers, but vertex {wrong[0]} is {tuple(points[wrong[0]].tolist())}."
            )
        if len(np.unique(points, axis=0)) < 4:
            raise MechanismError(f"{self._of('vertices')} must be at least four different points.")
        if _is_flat(points):
            raise MechanismError(f"{self._of('vertices')} lie in one plane; a mesh has a volume.")
        return points

    def __repr__(self) -> str:
        return f"Mesh({len(self.vertices)} vertices, source={self.source!r}, centre={self.centre})"


def _is_flat(points: np.ndarray) -> bool:
    """Whether points (n, d), not all the same, spread in fewer than d directions."""
    points = points / np.abs(points).max()  # so that nothing overflows
    spreads = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(spreads[-1] <= THINNEST * spreads[0])
