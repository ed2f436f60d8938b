"""An actuator's force: along a combination of joint coordinates, and affine in its input and in that combination.

MuJoCo's force along an actuator is gain * ctrl + b0 + b1 * length + b2 * velocity. What is not of that form is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from stickslip.mechanism.mjcf.compiled import Compiled
from stickslip.mechanism.mjcf.tendon import is_fixed, tendon_joints


@dataclass(frozen=True)
class Actuator:
    """An actuator's length as a combination of `joints`, and the force along it.

    The force is gain * input + constant - stiffness * length - damping * velocity, and on top of it, never clamped, a
    `drag` * velocity against the motion.
    """

    index: int
    name: str
    joints: dict[str, float]
    gain: float
    constant: float
    stiffness: float
    damping: float
    drag: float

    @property
    def is_servo(self) -> bool:
        """Whether the force depends on more than the input."""
        return any((self.constant, self.stiffness, self.damping))


def read_actuator(compiled: Compiled, index: int) -> Actuator:
    """The actuator of an index."""
    _check_kind(compiled, index)
    _check_dynamics(compiled, index)
    gain, constant, by_length, by_velocity = _coefficients(compiled, index)
    joints, name = _joints(compiled, index), compiled.actuators[index]
    if gain == 0 or not any(joints.values()):
        raise compiled.refusal(f"actuator {name!r} has an input without effect (its gain or gear is zero)", "remove it")
    if constant != 0 and by_length == 0:
        raise compiled.refusal(f"actuator {name!r} has a constant force", "set the first of its biasprm to zero")
    drag = float(compiled.model.actuator_damping[index]) if compiled.enabled("DAMPER") else 0.0
    return Actuator(index, name, joints, gain, constant, -by_length, -by_velocity, drag)


def _check_kind(compiled: Compiled, index: int) -> None:
    """Refuse what is not one input that makes one force."""
    model, name = compiled.model, compiled.actuators[index]
    if model.actuator_ctrlnum[index] != 1 or model.actuator_outnum[index] != 1:
        raise compiled.refusal(f"actuator {name!r} has several inputs or outputs", "use motors of one input each")
    group = int(model.actuator_group[index])
    if not compiled.enabled("ACTUATION") or (0 <= group <= 30 and model.opt.disableactuator >> group & 1):
        raise compiled.refusal(f"actuator {name!r} is disabled", "remove it, or enable it")


def _check_dynamics(compiled: Compiled, index: int) -> None:
    """Note what delays an input on its way to a force, which is not mechanics; refuse what cannot be cut off."""
    model, name = compiled.model, compiled.actuators[index]
    dynamics = compiled.kind("Dyn", model.actuator_dyntype[index])
    if dynamics in ("filter", "filterexact", "integrator"):
        compiled.leave_out("activation dynamics, so that the input is act instead of ctrl", name)
    elif dynamics != "none":
        raise compiled.refusal(f"actuator {name!r} has dynamics of type {dynamics}", "make it a motor or a servo")
    if model.actuator_delay[index] > 0:
        compiled.leave_out("delays of actuators", name)


def _coefficients(compiled: Compiled, index: int) -> tuple[float, float, float, float]:
    """The factors of the input, of 1, of the length and of the velocity in the actuator's force."""
    model, name = compiled.model, compiled.actuators[index]
    gain, bias = compiled.kind("Gain", model.actuator_gaintype[index]), compiled.kind("Bias", model.actuator_biastype[index])
    varying = gain == "affine" and model.actuator_gainprm[index, 1:3].any()
    if gain not in ("fixed", "affine") or varying:
        raise compiled.refusal(f"actuator {name!r} has a gain of type {gain}", "make it a motor or a servo")
    if bias not in ("none", "affine"):
        raise compiled.refusal(f"actuator {name!r} has a bias of type {bias}", "make it a motor or a servo")
    factor = float(model.actuator_gainprm[index, 0])
    if bias == "none":
        return factor, 0.0, 0.0, 0.0
    constant, by_length, by_velocity = model.actuator_biasprm[index, :3].tolist()
    return factor, constant, by_length, by_velocity


def _joints(compiled: Compiled, index: int) -> dict[str, float]:
    """The actuator's length as a combination of joint coordinates."""
    model, name = compiled.model, compiled.actuators[index]
    target = model.actuator_trnid[index, 0]
    gear = float(model.actuator_gear[model.actuator_outadr[index], 0])
    if compiled.drives_joint(index):
        joint = compiled.joints[target]
        kind = compiled.kind("Joint", model.jnt_type[target])
        if kind in ("ball", "free"):
            raise compiled.refusal(f"actuator {name!r} drives the {kind} joint {joint!r}", "let it drive hinges or slides")
        return {joint: gear}
    if compiled.drives_tendon(index) and is_fixed(compiled, target):
        return {joint: gear * coefficient for joint, coefficient in tendon_joints(compiled, target).items()}
    what = "spatial tendon" if compiled.drives_tendon(index) else compiled.kind("Trn", model.actuator_trntype[index])
    raise compiled.refusal(f"actuator {name!r} has a transmission of type {what}", "let it drive a joint or a fixed tendon")
