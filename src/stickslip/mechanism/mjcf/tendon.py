"""Springs of joints and tendons. A fixed tendon of MuJoCo is a combination of joint coordinates."""

from __future__ import annotations

from stickslip.mechanism.combination import Spring
from stickslip.mechanism.mjcf.compiled import Compiled, Names


def is_fixed(compiled: Compiled, tendon: int) -> bool:
    """Whether a tendon's length is a fixed combination of joint coordinates rather than a path through space."""
    return compiled.kind("Tendon", compiled.model.tendon_type[tendon]) == "fixed"


def tendon_joints(compiled: Compiled, tendon: int) -> dict[str, float]:
    """A fixed tendon as a combination {joint: coefficient}; a joint that it passes twice counts twice."""
    model = compiled.model
    first = model.tendon_adr[tendon]
    joints: dict[str, float] = {}
    for place in range(first, first + model.tendon_num[tendon]):
        joint = compiled.joints[model.wrap_objid[place]]
        joints[joint] = joints.get(joint, 0.0) + float(model.wrap_prm[place])
    return joints


def read_springs(compiled: Compiled, names: Names) -> list[Spring]:
    """The springs of joints, and the springs and dampers of fixed tendons. (A joint's damper belongs to the joint.)"""
    return [*_joint_springs(compiled, names), *_tendon_springs(compiled, names)]


def _joint_springs(compiled: Compiled, names: Names) -> list[Spring]:
    model = compiled.model
    springs = []
    for index, joint in enumerate(compiled.joints):
        stiffness = model.jnt_stiffness[index]
        if stiffness == 0 or not compiled.enabled("SPRING"):
            continue
        kind = compiled.kind("Joint", model.jnt_type[index])
        if kind in ("free", "ball"):
            raise compiled.refusal(f"{kind} joint {joint!r} has a spring", "remove its stiffness")
        rest = model.qpos_spring[model.jnt_qposadr[index]]
        springs.append(Spring(name=names.new(f"{joint}_spring"), joints=((joint, 1.0),), stiffness=stiffness, rest=rest))
    return springs


def _tendon_springs(compiled: Compiled, names: Names) -> list[Spring]:
    model = compiled.model
    springs = []
    for index, tendon in enumerate(compiled.tendons):
        stiffness = model.tendon_stiffness[index] if compiled.enabled("SPRING") else 0.0
        damping = model.tendon_damping[index] if compiled.enabled("DAMPER") else 0.0
        if not is_fixed(compiled, index) or (stiffness == 0 and damping == 0):
            continue
        shortest, longest = model.tendon_lengthspring[index]
        if stiffness != 0 and shortest != longest:
            raise compiled.refusal(f"the spring of tendon {tendon!r} has a dead band", "give it one springlength")
        joints = tuple(tendon_joints(compiled, index).items())
        label = names.new(f"{tendon}_spring")
        springs.append(Spring(name=label, joints=joints, stiffness=stiffness, damping=damping, rest=shortest))
    return springs
