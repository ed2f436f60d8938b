"""A scenario file, table by table. docs/command_line.md explains it to users."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from stickslip.scenario.obstacle_tables import ObstacleTable
from stickslip.scenario.table import Table, Vector

MOST = 1_000_000_000  # of anything that is counted: it must fit into the integers of compiled code

Names = Annotated[list[str], Field(min_length=2, max_length=2)]
Count = Annotated[int, Field(ge=1, le=MOST)]


class BuiltInRobot(Table):
    """A robot of `ss.robots`, which brings its world, its start and its duration along."""

    name: str
    options: dict[str, Any] = Field(default_factory=dict, description="the arguments of its function")

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, given: Any) -> Any:
        return {"name": given} if isinstance(given, str) else given


class UrdfRobot(Table):
    """A URDF file, and how it is to be read."""

    urdf: str
    floating: bool = Field(default=False, description="whether its root moves freely")
    gravity: Vector | None = Field(default=None, description="in m/s^2")
    package_dirs: list[str] = Field(default_factory=list, description="folders with the packages that meshes lie in")
    collision: bool = Field(default=True, description="whether its collision shapes are read")
    repair_inertia: bool = Field(default=False, description="whether impossible inertias are replaced by possible ones")


class MjcfRobot(Table):
    """An MJCF file, and how it is to be read."""

    mjcf: str
    collision: bool = Field(default=True, description="whether its collision shapes are read")


ROBOTS = {"name": BuiltInRobot, "urdf": UrdfRobot, "mjcf": MjcfRobot}  # by the key that shows which it is


def _kind_of_robot(given: Any) -> str | None:
    if isinstance(given, str):
        return "name"
    return next((key for key in ROBOTS if key in given), None) if isinstance(given, dict) else None


RobotTable = Annotated[
    Annotated[BuiltInRobot, Tag("name")] | Annotated[UrdfRobot, Tag("urdf")] | Annotated[MjcfRobot, Tag("mjcf")],
    Discriminator(_kind_of_robot),
]


class MaterialTable(Table):
    """What surfaces are like."""

    friction: float = 0.5
    static_friction: float | None = None
    restitution: float = 0.0


class PairMaterialTable(MaterialTable):
    """What the surfaces between two parts are like, or between one part and all others."""

    between: Annotated[list[str], Field(min_length=1, max_length=2, description="names of bodies, shapes or obstacles")]


class StartTable(Table):
    """Positions and velocities by the names of joints; those that are not named start as the robot does, or at zero."""

    q: dict[str, float | list[float]] = Field(default_factory=dict, description="in m, rad, or quaternions wxyz")
    v: dict[str, float | list[float]] = Field(default_factory=dict, description="in m/s and rad/s")


class ScenarioTable(Table):
    """All of the file."""

    name: str | None = Field(default=None, description="what to call it")
    about: str | None = Field(default=None, description="a sentence on what it shows")

    duration: float | None = Field(default=None, gt=0.0, description="in s")
    method: Literal["event-driven", "time-stepping"] | None = None
    dt: float | None = Field(default=None, gt=0.0, description="the step of time stepping, in s")
    record_every: Count | None = Field(default=None, description="steps from one sample to the next")
    most_contacts: Count | None = Field(default=None, description="that may be closed at one time")
    directions: Count | None = Field(default=None, description="of friction in space, in place of the circular cone")

    robot: RobotTable
    start: StartTable = Field(default_factory=StartTable)

    obstacles: list[ObstacleTable] | None = None
    material: MaterialTable | None = None
    materials: list[PairMaterialTable] | None = None
    self_contact: bool | None = Field(default=None, description="whether bodies of the robot meet each other")
    ignore: list[str | Names] | None = Field(default=None, description="names, or pairs of names, that never touch")
    planar: bool | None = Field(default=None, description="whether contacts live in a plane")
