"""Writing URDF: every number that the format can say, to the last digit, and a refusal of what it cannot."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from stickslip.mechanism.body import WORLD, Body
from stickslip.mechanism.combination import Coupling, Motor
from stickslip.mechanism.description import GRAVITY, MechanismDescription
from stickslip.mechanism.errors import UrdfError
from stickslip.mechanism.joint import Joint, JointKind
from stickslip.mechanism.numbers import IDENTITY, ORIGIN, Matrix3, Vector3
from stickslip.mechanism.quaternion import rotation_from_quaternion
from stickslip.mechanism.shape import Box, Cylinder, Mesh, Shape, Sphere
from stickslip.mechanism.urdf.joint import KINDS, LIMITED, WITH_AXIS
from stickslip.mechanism.urdf.mesh_file import read_vertices
from stickslip.mechanism.urdf.node import UNBOUNDED
from stickslip.mechanism.urdf.reader import ROOT_JOINT
from stickslip.mechanism.urdf.rotation import rpy_from_rotation

TYPES = {kind: label for label, kind in KINDS.items()}
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that XML 1.0 forbids


def to_urdf(description: MechanismDescription) -> str:
    """The text of a URDF file from which `read_urdf` makes the same mechanism again.

    A root that floats on a free joint "root_joint" is left to `floating=True` when the file is read. Meshes stay in
    their own files, which are named by their full path. What URDF has no words for (ball joints, springs, loops, armature,
    gains, motors of several joints, other shapes, a plane, gravity other than the usual, …) is refused with a `UrdfError`
    that names it.
    """
    _check_names(description)
    _check_sayable(description)
    motors, couplings = _motors(description), _couplings(description)
    robot = Element("robot", name=description.name)
    joints = [joint for joint in description.joints if not _is_implied(joint, description)]
    if len(joints) == len(description.joints):
        SubElement(robot, "link", name=WORLD)
    for body in description.bodies:
        _add_link(robot, body)
    for joint in joints:
        _add_joint(robot, joint, motors.get(joint.name), couplings.get(joint.name))
    indent(robot)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(robot, encoding="unicode")}\n'


def _is_implied(joint: Joint, description: MechanismDescription) -> bool:
    """Whether this is the one joint that the reader puts under a root link."""
    plain = Joint(name=ROOT_JOINT, kind=joint.kind, child=joint.child, axis=joint.axis)
    roots = [other for other in description.joints if other.parent == WORLD]
    return joint == plain and joint.kind in (JointKind.FIXED, JointKind.FREE) and len(roots) == 1


def _add_link(robot: Element, body: Body) -> None:
    link = SubElement(robot, "link", name=body.name)
    if body.mass or body.centre != ORIGIN:
        inertial = SubElement(link, "inertial")
        _add_origin(inertial, body.centre, IDENTITY)
        SubElement(inertial, "mass", value=repr(body.mass))
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
        moments = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
        SubElement(inertial, "inertia", {label: repr(moment) for label, moment in moments.items()})
    for shape in body.shapes:
        collision = SubElement(link, "collision", {} if shape.name is None else {"name": shape.name})
        _add_origin(collision, shape.centre, shape.rotation)
        SubElement(collision, "geometry").append(_geometry(shape, body))


def _geometry(shape: Shape, body: Body) -> Element:
    if type(shape) is Box:
        return Element("box", size=_numbers(shape.size))
    if type(shape) is Sphere:
        return Element("sphere", radius=repr(shape.radius))
    if type(shape) is Cylinder:
        return Element("cylinder", radius=repr(shape.radius), length=repr(shape.length))
    if type(shape) is Mesh:
        return Element("mesh", filename=_mesh_uri(shape, body), scale=_numbers(shape.scale))
    raise _unsayable(f"the {type(shape).__name__} of body {body.name!r}", "its shapes are boxes, spheres, cylinders and meshes")


def _mesh_uri(mesh: Mesh, body: Body) -> str:
    """The address of the mesh's file, if that still holds the mesh."""
    what = f"a mesh of body {body.name!r}"
    if not mesh.source:
        raise _unsayable(what, "it has no file, and URDF only refers to mesh files")
    path = Path(os.path.realpath(mesh.source))
    try:
        vertices = read_vertices(path) * mesh.scale
    except UrdfError as error:
        raise UrdfError(f"{what} has lost its file: {error}") from None
    if not np.array_equal(vertices, mesh.vertices):
        raise _unsayable(what, f"its vertices are not those of its file {path}")
    return path.as_uri()


def _add_joint(robot: Element, joint: Joint, motor: Motor | None, coupling: Coupling | None) -> None:
    element = SubElement(robot, "joint", name=joint.name, type=TYPES[joint.kind])
    if joint.home is None:
        _add_origin(element, joint.at, joint.rotation)
    else:  # of a free joint, whose origin is where it starts
        _add_origin(element, joint.home[:3], rotation_from_quaternion(joint.home[3:]))
    SubElement(element, "parent", link=joint.parent)
    SubElement(element, "child", link=joint.child)
    if joint.kind in WITH_AXIS:
        SubElement(element, "axis", xyz=_numbers(joint.axis))
    if motor is not None:
        bounds = dict(zip(("lower", "upper"), joint.limits, strict=True)) if joint.kind in LIMITED else {}
        bounds |= {"effort": motor.limits[1], "velocity": math.inf}
        SubElement(element, "limit", {label: repr(max(-UNBOUNDED, min(end, UNBOUNDED))) for label, end in bounds.items()})
    if joint.damping or joint.dry_friction:
        SubElement(element, "dynamics", damping=repr(joint.damping), friction=repr(joint.dry_friction))
    if coupling is not None:
        (_, (master, minus_multiplier)) = coupling.joints
        SubElement(element, "mimic", joint=master, multiplier=repr(-minus_multiplier), offset=repr(coupling.offset))


def _add_origin(element: Element, at: Sequence[float], rotation: Matrix3) -> None:
    if tuple(at) != ORIGIN or rotation != IDENTITY:
        rpy: Vector3 = ORIGIN if rotation == IDENTITY else rpy_from_rotation(rotation)
        SubElement(element, "origin", xyz=_numbers(at), rpy=_numbers(rpy))


def _motors(description: MechanismDescription) -> dict[str, Motor]:
    """The motors by joint, which must be those that the reader would make."""
    moving = [joint.name for joint in description.joints if joint.kind.nv == 1]
    motors = {motor.name: motor for motor in description.motors or ()}
    for motor in motors.values():
        if motor.joints != ((motor.name, 1.0),) or motor.rotor_inertia:
            raise _unsayable(f"motor {motor.name!r}", "a motor there drives one joint of the same name, directly")
        if motor.limits[0] != -motor.limits[1]:
            raise _unsayable(f"motor {motor.name!r}", f"its limits {motor.limits} are not symmetric")
    for name in moving:
        if name not in motors:
            raise _unsayable(f"passive joint {name!r}", "every joint of one coordinate has a motor there")
    if list(motors) != moving:
        raise _unsayable("the order of the motors", "it must be the order of the joints")
    return motors


def _couplings(description: MechanismDescription) -> dict[str, Coupling]:
    """The couplings by joint, each of which must be a mimic."""
    for coupling in description.couplings:
        if len(coupling.joints) != 2 or coupling.joints[0] != (coupling.name, 1.0):
            raise _unsayable(f"coupling {coupling.name!r}", "a joint there mimics one other, under its own name")
    return {coupling.name: coupling for coupling in description.couplings}


def _check_sayable(description: MechanismDescription) -> None:
    if description.gravity != GRAVITY:
        what = f"gravity {description.gravity}"
        raise _unsayable(what, f"replace it by the usual {GRAVITY}, and give it again when the file is read")
    if description.plane is not None:
        raise _unsayable(f"the plane {description.plane!r}", "a mechanism there lives in space; replace the plane by None")
    for spring in description.springs:
        raise _unsayable(f"spring {spring.name!r}", "there are no springs in it")
    for loop in description.loops:
        raise _unsayable(f"loop {loop.name!r}", "it describes trees")
    for body in description.bodies:
        if body.massless:
            raise _unsayable(f"body {body.name!r}, declared massless,", "a link there moves only if it has mass")
    for joint in description.joints:
        if joint.kind not in TYPES:
            raise _unsayable(f"{joint.kind.label} joint {joint.name!r}", f"its joints are {', '.join(KINDS)}")
        if joint.anchor != ORIGIN:
            raise _unsayable(f"the anchor of joint {joint.name!r}", "a child's frame stands in its joint there")
        if joint.armature:
            raise _unsayable(f"the armature of joint {joint.name!r}", "there is no rotor inertia in it")
        if joint.gains is not None:
            raise _unsayable(f"the gains of joint {joint.name!r}", "there are no controllers in it")
        if joint.home is not None and joint.kind is not JointKind.FREE:
            raise _unsayable(f"the home of joint {joint.name!r}", "every robot starts at zero there")


def _check_names(description: MechanismDescription) -> None:
    for name in _names(description):
        if NO_XML.search(name):
            raise _unsayable(f"the name {name!r}", "it has a character that XML cannot hold")


def _names(description: MechanismDescription) -> Iterator[str]:
    yield description.name
    yield from (joint.name for joint in description.joints)
    for body in description.bodies:
        yield body.name
        yield from (shape.name for shape in body.shapes if shape.name is not None)


def _unsayable(what: str, reason: str) -> UrdfError:
    return UrdfError(f"{what} cannot be said in URDF: {reason}.")


def _numbers(values: Sequence[float]) -> str:
    return " ".join(map(repr, values))
