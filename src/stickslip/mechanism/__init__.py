"""DESCRIBE: bodies, joints, shapes, springs, motors and loops as plain data, and readers that make them."""

from stickslip.mechanism.body import WORLD, Body
from stickslip.mechanism.builder import MechanismBuilder
from stickslip.mechanism.combination import Coupling, Motor, Spring
from stickslip.mechanism.description import GRAVITY, MechanismDescription
from stickslip.mechanism.errors import (
    ArgumentError,
    InertiaError,
    InertiaWarning,
    MasslessError,
    MechanismError,
    MissingExtraError,
    MjcfError,
    MjcfWarning,
    SingularInertiaError,
    StickslipError,
    UrdfError,
    UrdfWarning,
)
from stickslip.mechanism.joint import PD, Joint, JointKind
from stickslip.mechanism.loop import Loop, LoopKind
from stickslip.mechanism.shape import (
    Box,
    Capsule,
    Cylinder,
    Disc,
    Ellipsoid,
    Mesh,
    Point,
    Polygon,
    Segment,
    Shape,
    Sphere,
)

__all__ = [
    "GRAVITY",
    "PD",
    "WORLD",
    "ArgumentError",
    "Body",
    "Box",
    "Capsule",
    "Coupling",
    "Cylinder",
    "Disc",
    "Ellipsoid",
    "InertiaError",
    "InertiaWarning",
    "Joint",
    "JointKind",
    "Loop",
    "LoopKind",
    "MasslessError",
    "MechanismBuilder",
    "MechanismDescription",
    "MechanismError",
    "Mesh",
    "MissingExtraError",
    "MjcfError",
    "MjcfWarning",
    "Motor",
    "Point",
    "Polygon",
    "Segment",
    "Shape",
    "SingularInertiaError",
    "Sphere",
    "Spring",
    "StickslipError",
    "UrdfError",
    "UrdfWarning",
]
