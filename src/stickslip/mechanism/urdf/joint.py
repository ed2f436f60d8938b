"""What a URDF file says of a joint: the joint itself, its motor, and what it mimics."""

from __future__ import annotations

import math

from stickslip.mechanism.body import WORLD
from stickslip.mechanism.combination import Coupling, Motor
from stickslip.mechanism.errors import UrdfError
from stickslip.mechanism.joint import Joint, JointKind
from stickslip.mechanism.numbers import IDENTITY, ORIGIN, Vector3
from stickslip.mechanism.quaternion import quaternion_from_rotation
from stickslip.mechanism.urdf.node import Node
from stickslip.mechanism.urdf.rotation import rotation_from_rpy

KINDS = {
    "revolute": JointKind.REVOLUTE,
    "continuous": JointKind.CONTINUOUS,
    "prismatic": JointKind.PRISMATIC,
    "fixed": JointKind.FIXED,
    "floating": JointKind.FREE,
    "planar": JointKind.PLANAR,
}

AXIS: Vector3 = (1.0, 0.0, 0.0)  # where the file gives none

LIMITED = (JointKind.REVOLUTE, JointKind.PRISMATIC)
WITH_AXIS = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC, JointKind.PLANAR)


def read_joint(name: str, node: Node) -> Joint:
    """The joint that a <joint> element describes."""
    kind = _kind(node)
    parent, child = node.needed("parent").text("link"), node.needed("child").text("link")
    at, rpy = node.pose()
    rotation, home = rotation_from_rpy(rpy), None
    if kind is JointKind.FREE:
        if parent != WORLD:
            raise UrdfError(
                f"{node.label} is floating but hangs from link {parent!r}; only the root link 'world' can carry a floating "
                "joint (to let a whole robot float, leave that joint out and read the file with floating=True)."
            )
        if (at, rotation) != (ORIGIN, IDENTITY):
            home = (*at, *quaternion_from_rotation(rotation))
        at, rotation = ORIGIN, IDENTITY
    dynamics = node.child("dynamics")
    return Joint(
        name=name,
        kind=kind,
        parent=parent,
        child=child,
        at=at,
        rotation=rotation,
        axis=_axis(node) if kind in WITH_AXIS else Joint.axis,
        limits=_limits(node, kind) if kind in LIMITED else (-math.inf, math.inf),
        damping=dynamics.number("damping", 0.0) if dynamics else 0.0,
        dry_friction=dynamics.number("friction", 0.0) if dynamics else 0.0,
        home=home,
    )


def read_motor(joint: Joint, node: Node) -> Motor:
    """The motor of a joint of one coordinate; a missing effort limit is none."""
    limit = node.child("limit")
    effort = limit.bound("effort", math.inf) if limit else math.inf
    if effort < 0:
        raise UrdfError(f"the effort limit of {node.label} must not be negative, but is {effort:g}.")
    return Motor(name=joint.name, joints=((joint.name, 1.0),), limits=(-effort, effort))


def lacks_limits(joint: Joint, node: Node) -> bool:
    """Whether the joint has a <limit> with neither lower nor upper, which are then zero: the joint is locked."""
    limit = node.child("limit") if joint.kind in LIMITED else None
    return limit is not None and {"lower", "upper"}.isdisjoint(limit.element.keys())


def mimics(joint: Joint, node: Node) -> bool:
    """Whether the joint follows another; a fixed one does not, though freezing joints of a larger robot leaves a <mimic>."""
    return node.child("mimic") is not None and joint.kind is not JointKind.FIXED


def read_coupling(joint: Joint, node: Node) -> Coupling:
    """What a <mimic> says: q_joint - multiplier * q_master = offset."""
    mimic = node.needed("mimic")
    master = mimic.text("joint")
    if master == joint.name:
        raise UrdfError(f"{node.label} mimics itself.")
    terms = ((joint.name, 1.0), (master, -mimic.number("multiplier", 1.0)))
    return Coupling(name=joint.name, joints=terms, offset=mimic.number("offset", 0.0))


def _kind(node: Node) -> JointKind:
    text = node.text("type")
    if text not in KINDS:
        raise UrdfError(f"the type of {node.label} must be one of {', '.join(KINDS)}, not {text!r}.")
    return KINDS[text]


def _axis(node: Node) -> Vector3:
    axis = node.child("axis")
    return axis.vector("xyz", AXIS) if axis else AXIS


def _limits(node: Node, kind: JointKind) -> tuple[float, float]:
    limit = node.child("limit")
    if limit is None:
        cure = "; a joint that turns without end is continuous" if kind is JointKind.REVOLUTE else ""
        raise UrdfError(f"{node.label} is {kind.label} and needs a <limit> with lower and upper{cure}.")
    return limit.bound("lower", 0.0), limit.bound("upper", 0.0)
