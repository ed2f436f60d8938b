"""Equality constraints of a compiled MuJoCo model: loop closures, and couplings of joints."""

from __future__ import annotations

from stickslip.mechanism.combination import Coupling
from stickslip.mechanism.loop import Loop, LoopKind
from stickslip.mechanism.mjcf.compiled import Compiled
from stickslip.mechanism.mjcf.tendon import is_fixed, tendon_joints
from stickslip.mechanism.numbers import IDENTITY


def read_equalities(compiled: Compiled) -> tuple[list[Loop], list[Coupling]]:
    """The constraints that are active from the start; the others are left out."""
    model = compiled.model
    loops, couplings = [], []
    for index, name in enumerate(compiled.equalities):
        kind = compiled.kind("Eq", model.eq_type[index])
        if not model.eq_active0[index] or not compiled.enabled("EQUALITY"):
            compiled.leave_out("equality constraints that are not active", name)
        elif kind in ("connect", "weld"):
            loops.append(_loop(compiled, index))
        elif kind in ("joint", "tendon"):
            couplings.append(_coupling(compiled, index))
        else:
            raise compiled.refusal(f"equality constraint {name!r} is about a deformable body", "remove it")
    return loops, couplings


def _loop(compiled: Compiled, index: int) -> Loop:
    """A connection or weld, between bodies or between sites of bodies."""
    model = compiled.model
    first, second = model.eq_obj1id[index], model.eq_obj2id[index]
    data = model.eq_data[index]
    weld = compiled.kind("Eq", model.eq_type[index]) == "weld"
    if compiled.kind("Obj", model.eq_objtype[index]) == "site":
        points = model.site_pos[first], model.site_pos[second]
        rotation = compiled.rotation(model.site_quat[first]) @ compiled.rotation(model.site_quat[second]).T
        first, second = model.site_bodyid[first], model.site_bodyid[second]
    elif weld:
        points = data[3:6], data[0:3]
        rotation = compiled.rotation(data[6:10])
    else:
        points = data[0:3], data[3:6]
        rotation = IDENTITY
    rigid = weld and data[10] != 0  # the scale of the turning part: at zero, MuJoCo's weld only holds a point
    return Loop(
        name=compiled.equalities[index],
        kind=LoopKind.WELD if rigid else LoopKind.POINT,
        first=compiled.bodies[first],
        second=compiled.bodies[second],
        first_point=points[0],
        second_point=points[1],
        rotation=rotation if rigid else IDENTITY,
    )


def _coupling(compiled: Compiled, index: int) -> Coupling:
    """y - y0 = a0 + a1 (x - x0), for the coordinates x and y of joints or the lengths of tendons."""
    model, name = compiled.model, compiled.equalities[index]
    constant, slope, *higher = model.eq_data[index, :5].tolist()
    first, first_home = _coordinate(compiled, index, model.eq_obj1id[index])
    second: dict[str, float] = {}
    second_home = 0.0
    if model.eq_obj2id[index] >= 0:
        if any(higher):
            raise compiled.refusal(f"equality constraint {name!r} is not linear", "keep the first two of its polycoef alone")
        second, second_home = _coordinate(compiled, index, model.eq_obj2id[index])
    joints = {joint: first.get(joint, 0.0) - slope * second.get(joint, 0.0) for joint in (*first, *second)}
    return Coupling(name=name, joints=tuple(joints.items()), offset=first_home + constant - slope * second_home)


def _coordinate(compiled: Compiled, index: int, target: int) -> tuple[dict[str, float], float]:
    """A joint's coordinate or a tendon's length as a combination of joints, and its value at qpos0."""
    model = compiled.model
    if compiled.kind("Eq", model.eq_type[index]) == "joint":
        return {compiled.joints[target]: 1.0}, float(model.qpos0[model.jnt_qposadr[target]])
    if not is_fixed(compiled, target):
        culprit = f"equality constraint {compiled.equalities[index]!r} is about the spatial tendon {compiled.tendons[target]!r}"
        raise compiled.refusal(culprit, "remove it, or use a fixed tendon")
    return tendon_joints(compiled, target), float(model.tendon_length0[target])
