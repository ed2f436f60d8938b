"""Redundant coordinates: a mechanism whose joints are cut, so that every body moves by itself and loops hold it together.

Each joint becomes two things of its name. One is a joint from the world to its child: planar in a planar mechanism, where
its coordinates are the place of the body's frame and its angle, free in space. The other is a loop between the bodies that it
joined. Joints that hold nothing stay as they are, and so does what is welded together, which moves as one body.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from stickslip.mechanism.body import WORLD
from stickslip.mechanism.cut_actions import CutActions, Floats, Poses
from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.errors import MechanismError
from stickslip.mechanism.joint import Joint, JointKind
from stickslip.mechanism.loop import Loop, LoopKind
from stickslip.mechanism.numbers import IDENTITY, Matrix3, matrix3, vector3
from stickslip.mechanism.plane import NORMALS
from stickslip.mechanism.quaternion import quaternion_from_rotation

LOOPS = {
    JointKind.REVOLUTE: LoopKind.HINGE,
    JointKind.CONTINUOUS: LoopKind.HINGE,
    JointKind.PRISMATIC: LoopKind.SLIDER,
    JointKind.BALL: LoopKind.POINT,
    JointKind.PLANAR: LoopKind.PLANE,
}

TURNED_OVER: Matrix3 = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))  # about x, which is in either plane


def cut_hinges(description: MechanismDescription, poses: Poses) -> MechanismDescription:
    """The description with every joint cut that holds bodies together; `poses` are those of its bodies with all joints at home.

    They are the cut mechanism's home, too. What cannot be cut, or would be lost by it, is a `MechanismError`.
    """
    plane = description.plane
    cut = [joint for joint in description.joints if is_cut(joint, plane)]
    _check_names(description, cut)
    _check_masses(description)
    roots = {joint.name: _root(joint, plane, *poses[joint.child]) for joint in cut}
    joints = tuple(roots.get(joint.name, joint) for joint in description.joints)
    held = [joint for joint in cut if plane is None or joint.kind is not JointKind.PLANAR]
    actions = CutActions(description, cut, joints, poses)
    return replace(
        description,
        joints=joints,
        loops=(*description.loops, *map(_loop, held)),
        motors=actions.motors(),
        springs=actions.dampers(),
        couplings=actions.couplings(),
    )


def is_cut(joint: Joint, plane: str | None) -> bool:
    """Whether the joint is one to cut: neither a weld nor one that leaves its child free in the world."""
    free = joint.kind is JointKind.FREE or (joint.kind is JointKind.PLANAR and plane is not None and joint.parent == WORLD)
    return not free and joint.kind is not JointKind.FIXED


def coordinates_of_pose(rotation: Floats, place: Floats, plane: str | None) -> tuple[float, ...]:
    """The coordinates of a body that moves by itself, where it has the pose (R (3, 3), p (3,) in m).

    In space the place and a quaternion wxyz; in a plane the two coordinates there and the angle in rad, from -pi to pi.
    """
    if plane is None:
        return *vector3(place, "a place"), *quaternion_from_rotation(matrix3(rotation, "a rotation"))
    up = 2 if plane == "xz" else 1
    return float(place[0]), float(place[up]), float(np.arctan2(rotation[up, 0], rotation[0, 0]))


def rates_of_motion(rotation: Floats, velocity: Floats, spin: Floats, plane: str | None) -> Floats:
    """The rates of the same: (6,) in space, (3,) in a plane; `velocity` and `spin` (3,) in m/s and rad/s, world axes."""
    if plane is None:
        return np.concatenate([velocity, rotation.T @ spin])
    return np.array([velocity[0], velocity[2 if plane == "xz" else 1], spin @ np.array(NORMALS[plane])])


def _root(joint: Joint, plane: str | None, rotation: Floats, place: Floats) -> Joint:
    """What carries the child of a cut joint, which begins at the given pose."""
    home = coordinates_of_pose(rotation, place, plane)
    if plane is None:
        return Joint(name=joint.name, kind=JointKind.FREE, child=joint.child, home=home)
    normal = np.array(NORMALS[plane])
    upright = (rotation @ normal) @ normal > 0
    return Joint(
        name=joint.name,
        kind=JointKind.PLANAR,
        child=joint.child,
        at=vector3(normal * (place @ normal), "a place"),  # bodies may lie in layers
        rotation=IDENTITY if upright else TURNED_OVER,
        axis=vector3(normal if upright else -normal, "an axis"),  # as the joint sees it: angles count the same way for all
        home=home,
    )


def _loop(joint: Joint) -> Loop:
    """What holds together what the joint did."""
    return Loop(
        name=joint.name,
        kind=LOOPS[joint.kind],
        first=joint.parent,
        second=joint.child,
        first_point=joint.at,
        second_point=joint.anchor,
        axis=joint.axis,
        rotation=joint.rotation,
    )


def _check_names(description: MechanismDescription, cut: Iterable[Joint]) -> None:
    loops = {loop.name for loop in description.loops}
    for joint in cut:
        if joint.name in loops:
            raise MechanismError(
                f"joint {joint.name!r} cannot be cut: it would become a loop, and there is a loop of that name; rename it."
            )


def _check_masses(description: MechanismDescription) -> None:
    """Every body, with what is welded to it, must move by itself."""
    carrier: dict[str, str] = {}
    masses: dict[str, float] = {}
    for joint, body in zip(description.joints, description.bodies, strict=True):  # each joint moves its body; parents first
        carrier[body.name] = carrier.get(joint.parent, WORLD) if joint.kind is JointKind.FIXED else body.name
        masses[carrier[body.name]] = masses.get(carrier[body.name], 0.0) + body.mass
    for joint, body in zip(description.joints, description.bodies, strict=True):
        if joint.kind is not JointKind.FIXED and masses[body.name] == 0 and not body.massless:
            raise MechanismError(
                f"the joints of body {body.name!r} cannot be cut, for it has no mass to move by itself with; give it one."
            )
