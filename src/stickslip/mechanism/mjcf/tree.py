"""Bodies and joints of a compiled MuJoCo model, in MuJoCo's order, so that q and v are its qpos and qvel."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from stickslip.mechanism.body import WORLD, Body
from stickslip.mechanism.joint import Joint, JointKind
from stickslip.mechanism.mjcf.compiled import Compiled
from stickslip.mechanism.shape import Shape


def read_tree(compiled: Compiled, shapes: Mapping[int, list[Shape]]) -> tuple[list[Body], list[Joint]]:
    """All bodies but the world, each with the `shapes` of its index, and the joints that carry them.

    A body of MuJoCo may have several joints, one after another, or none. Several become a chain of bodies without mass,
    called "body/joint", that ends in the body itself; none becomes a weld to the parent.
    """
    bodies: list[Body] = []
    joints: list[Joint] = []
    for index in range(1, compiled.model.nbody):
        chain = _chain(compiled, index)
        bodies += [Body(name=joint.child) for joint in chain[:-1]]
        bodies.append(_body(compiled, index, shapes.get(index, [])))
        joints += chain
    return bodies, joints


def _body(compiled: Compiled, index: int, shapes: list[Shape]) -> Body:
    model = compiled.model
    turn = compiled.rotation(model.body_iquat[index])
    return Body(
        name=compiled.bodies[index],
        mass=model.body_mass[index],
        centre=model.body_ipos[index],
        inertia=(turn * model.body_inertia[index]) @ turn.T,
        shapes=tuple(shapes),
    )


def _chain(compiled: Compiled, body: int) -> list[Joint]:
    """The joints from a body's parent to the body, in the order in which MuJoCo applies them."""
    model = compiled.model
    parent, child = compiled.bodies[model.body_parentid[body]], compiled.bodies[body]
    at: Any = model.body_pos[body]
    rotation: Any = compiled.rotation(model.body_quat[body])
    count = model.body_jntnum[body]
    if count == 0:
        name = compiled.joint_names.new(f"{child}_weld")
        return [Joint(name=name, kind=JointKind.FIXED, parent=parent, child=child, at=at, rotation=rotation)]
    chain: list[Joint] = []
    for index in range(model.body_jntadr[body], model.body_jntadr[body] + count):
        last = len(chain) == count - 1
        end = child if last else compiled.body_names.new(f"{child}/{compiled.joints[index]}")
        chain.append(_placed(compiled, index, _joint(compiled, index, parent, end), at, rotation))
        parent, at, rotation = end, np.zeros(3), np.eye(3)
    return chain


def _joint(compiled: Compiled, index: int, parent: str, child: str) -> Joint:
    """A joint with all but its place."""
    model = compiled.model
    dof, kind = model.jnt_dofadr[index], _kind(compiled, index)
    coordinates = slice(model.jnt_qposadr[index], model.jnt_qposadr[index] + kind.nq)
    return Joint(
        name=compiled.joints[index],
        kind=kind,
        parent=parent,
        child=child,
        limits=_limits(compiled, index, kind),
        damping=model.dof_damping[dof] if compiled.enabled("DAMPER") else 0.0,
        armature=model.dof_armature[dof],
        dry_friction=model.dof_frictionloss[dof] if compiled.enabled("FRICTIONLOSS") else 0.0,
        home=model.qpos0[coordinates],
    )


def _placed(compiled: Compiled, index: int, joint: Joint, at: Any, rotation: Any) -> Joint:
    """The joint put where its child stands `at`, `rotation` in the parent when MuJoCo's coordinates are qpos0.

    MuJoCo moves a body by qpos - qpos0 about an anchor in the body. Ours moves by q alone, so that the joint's frame
    stands where the body would be at qpos = 0.
    """
    if joint.kind is JointKind.FREE:
        return replace(joint, parent=WORLD)
    model = compiled.model
    axis, anchor = model.jnt_axis[index], model.jnt_pos[index]
    if joint.kind is JointKind.BALL:
        return replace(joint, at=at + rotation @ anchor, rotation=rotation, anchor=anchor)
    reference = model.qpos0[model.jnt_qposadr[index]]
    if joint.kind is JointKind.PRISMATIC:
        return replace(joint, at=at + rotation @ (anchor - reference * axis), rotation=rotation, axis=axis, anchor=anchor)
    back = np.empty(4)
    compiled.mujoco.mju_axisAngle2Quat(back, axis, -reference)
    turned = rotation @ compiled.rotation(back)
    return replace(joint, at=at + rotation @ anchor, rotation=turned, axis=axis, anchor=anchor)


def _kind(compiled: Compiled, index: int) -> JointKind:
    kinds = {
        "free": JointKind.FREE,
        "ball": JointKind.BALL,
        "slide": JointKind.PRISMATIC,
        "hinge": JointKind.REVOLUTE if compiled.model.jnt_limited[index] else JointKind.CONTINUOUS,
    }
    return kinds[compiled.kind("Joint", compiled.model.jnt_type[index])]


def _limits(compiled: Compiled, index: int, kind: JointKind) -> tuple[float, float]:
    if not compiled.model.jnt_limited[index] or not compiled.enabled("LIMIT"):
        return -math.inf, math.inf
    if kind.nv != 1:
        raise compiled.refusal(f"{kind.label} joint {compiled.joints[index]!r} has a limit on its angle", "remove its range")
    lower, upper = compiled.model.jnt_range[index]
    return lower, upper
