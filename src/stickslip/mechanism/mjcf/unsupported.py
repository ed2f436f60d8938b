"""Features of MuJoCo that change a mechanism's motion and that stickslip does not model: each is refused by name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.mechanism.mjcf.compiled import Compiled
from stickslip.mechanism.mjcf.tendon import is_fixed


class Feature(NamedTuple):
    """A field of the compiled model that has to keep the value `absent`, and what it means if it does not."""

    field: str
    what: str
    cure: str
    absent: int = 0


BODY_FEATURES = (
    Feature("body_gravcomp", "compensation of gravity", "remove its gravcomp"),
    Feature("body_mocapid", "a pose set by motion capture", 'remove mocap="true", or give it a joint', absent=-1),
    Feature("body_plugin", "a plugin", "remove the plugin", absent=-1),
)
JOINT_FEATURES = (
    Feature("jnt_stiffnesspoly", "a spring that is not linear", "give it a single stiffness"),
    Feature("jnt_plasticadr", "a spring that yields", "remove its springyield", absent=-1),
)
DOF_FEATURES = (Feature("dof_dampingpoly", "damping that is not linear", "give it a single damping"),)
TENDON_FEATURES = (
    Feature("tendon_stiffnesspoly", "a spring that is not linear", "give it a single stiffness"),
    Feature("tendon_dampingpoly", "damping that is not linear", "give it a single damping"),
    Feature("tendon_plasticadr", "a spring that yields", "remove its springyield", absent=-1),
    Feature("tendon_limited", "a limit on its length", "limit the joints instead"),
    Feature("tendon_frictionloss", "dry friction", "give the friction to joints"),
    Feature("tendon_armature", "inertia of its own", "give the armature to joints or to an actuator"),
)
SPATIAL_FEATURES = (
    Feature("tendon_stiffness", "a spring along a path through space", "use a fixed tendon"),
    Feature("tendon_damping", "damping along a path through space", "use a fixed tendon"),
)
ACTUATOR_FEATURES = (
    Feature("actuator_dampingpoly", "damping that is not linear", "give it a single damping"),
    Feature("actuator_plugin", "a plugin", "remove the plugin", absent=-1),
)


def refuse_unsupported(compiled: Compiled) -> None:
    """Raise an error for the first feature in the model that would be missed in its motion."""
    model = compiled.model
    if model.opt.density != 0 or model.opt.viscosity != 0:
        culprit = f"the model moves in a fluid (density {model.opt.density:g}, viscosity {model.opt.viscosity:g})"
        raise compiled.refusal(culprit, "set both to zero in <option> for the motion without it")
    if model.nflex:
        raise compiled.refusal("the model has deformable bodies (flex)", "remove them")
    _refuse(compiled, BODY_FEATURES, "body", compiled.bodies)
    _refuse(compiled, JOINT_FEATURES, "joint", compiled.joints)
    _refuse(compiled, DOF_FEATURES, "joint", [compiled.joints[joint] for joint in model.dof_jntid])
    _refuse(compiled, TENDON_FEATURES, "tendon", compiled.tendons)
    _refuse(compiled, ACTUATOR_FEATURES, "actuator", compiled.actuators)
    paths = [index for index in range(model.ntendon) if not is_fixed(compiled, index)]
    _refuse(compiled, SPATIAL_FEATURES, "tendon", [compiled.tendons[index] for index in paths], paths)
    if paths:
        compiled.leave_out("spatial tendons", *(compiled.tendons[index] for index in paths))


def _refuse(
    compiled: Compiled, features: tuple[Feature, ...], kind: str, names: list[str], rows: list[int] | None = None
) -> None:
    """Refuse any of `features` in the items called `names`, which are all rows of the model's fields, or those given."""
    for feature in features:
        values = getattr(compiled.model, feature.field)
        values = values if rows is None else values[rows]
        for index in range(len(names)):
            if np.any(values[index] != feature.absent):
                raise compiled.refusal(f"{kind} {names[index]!r} has {feature.what}", feature.cure)
