"""Obstacles as a scenario file has them: one table for each kind, with the keys of the class that it stands for."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from stickslip.contact.half_space import HalfSpace
from stickslip.contact.part import Obstacle
from stickslip.mechanism.shape import Box, Capsule, Cylinder, Disc, Ellipsoid, Point, Polygon, Segment, Shape, Sphere
from stickslip.scenario.table import Matrix, Pair, Table, Vector


class _ObstacleTable(Table):
    """What all obstacles may have; `kind` says which of them it is."""

    made_of: ClassVar[type[Obstacle]]

    name: str | None = Field(default=None, description="what contacts with it are called after")

    def made(self) -> Obstacle:
        """The obstacle."""
        return self.made_of(**self.model_dump(exclude={"kind"}, exclude_none=True))


class HalfSpaceTable(_ObstacleTable):
    """A floor, a wall or a slope without end."""

    made_of: ClassVar[type[Obstacle]] = HalfSpace

    kind: Literal["half_space"]
    normal: Annotated[list[float], Field(min_length=2, max_length=3, description="points out of it")]
    offset: float = Field(default=0.0, description="distance of its surface from the origin along the normal, in m")


class _ShapeTable(_ObstacleTable):
    centre: Vector | None = Field(default=None, description="in m")
    rotation: Matrix | None = Field(default=None, description="rows of a rotation matrix, world from shape axes")


class PointTable(_ShapeTable):
    """A point."""

    made_of: ClassVar[type[Shape]] = Point

    kind: Literal["point"]


class SphereTable(_ShapeTable):
    """A ball; in a planar world, a disc."""

    made_of: ClassVar[type[Shape]] = Sphere

    kind: Literal["sphere"]
    radius: float = Field(description="in m")


class DiscTable(_ShapeTable):
    """A round plate; in a planar world, a circle."""

    made_of: ClassVar[type[Shape]] = Disc

    kind: Literal["disc"]
    radius: float = Field(description="in m")


class CapsuleTable(_ShapeTable):
    """A cylinder along z with half a ball on each end."""

    made_of: ClassVar[type[Shape]] = Capsule

    kind: Literal["capsule"]
    radius: float = Field(description="in m")
    length: float = Field(description="of the cylinder, in m")


class CylinderTable(_ShapeTable):
    """A cylinder along z."""

    made_of: ClassVar[type[Shape]] = Cylinder

    kind: Literal["cylinder"]
    radius: float = Field(description="in m")
    length: float = Field(description="in m")


class SegmentTable(_ShapeTable):
    """A straight piece of no width."""

    made_of: ClassVar[type[Shape]] = Segment

    kind: Literal["segment"]
    start: Vector = Field(description="in m")
    end: Vector = Field(description="in m")


class BoxTable(_ShapeTable):
    """A box."""

    made_of: ClassVar[type[Shape]] = Box

    kind: Literal["box"]
    size: Vector = Field(description="full lengths of its edges, in m")


class EllipsoidTable(_ShapeTable):
    """An ellipsoid; in a planar world, an ellipse."""

    made_of: ClassVar[type[Shape]] = Ellipsoid

    kind: Literal["ellipsoid"]
    semi_axes: Vector = Field(description="in m")


class PolygonTable(_ShapeTable):
    """The convex hull of corners in a plane."""

    made_of: ClassVar[type[Shape]] = Polygon

    kind: Literal["polygon"]
    vertices: list[Pair] = Field(description="corners, in m")


ObstacleTable = Annotated[
    HalfSpaceTable
    | PointTable
    | SphereTable
    | DiscTable
    | CapsuleTable
    | CylinderTable
    | SegmentTable
    | BoxTable
    | EllipsoidTable
    | PolygonTable,
    Field(discriminator="kind"),
]
