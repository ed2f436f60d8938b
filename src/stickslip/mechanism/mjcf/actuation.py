"""Actuators as motors and springs: the input tau of the mechanism is MuJoCo's ctrl, entry by entry.

What an actuator makes of its input is a motor. The feedback of a position or velocity servo is linear, hence a spring and
damper along the same combination: a servo stays what it is, its input its set point and its gains part of the mechanism.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from stickslip.mechanism.combination import Motor, Spring
from stickslip.mechanism.mjcf.actuator import Actuator, read_actuator
from stickslip.mechanism.mjcf.compiled import Compiled, Names

Interval = tuple[float, float]


def read_actuators(compiled: Compiled, names: Names) -> tuple[list[Motor], list[Spring]]:
    """A motor for every actuator, and a spring for every servo; `names` names the springs."""
    actuators = [read_actuator(compiled, index) for index in range(compiled.model.nactuator)]
    motors = [_motor(compiled, actuator, actuators) for actuator in actuators]
    springs = [_spring(actuator, names) for actuator in actuators if actuator.is_servo or actuator.drag]
    return motors, springs


def _motor(compiled: Compiled, actuator: Actuator, actuators: Sequence[Actuator]) -> Motor:
    # MuJoCo's armature turns with the actuator's length, ours with the motor's combination, which is gain times that.
    armature = float(compiled.model.actuator_armature[actuator.index]) / actuator.gain / actuator.gain
    return Motor(
        name=actuator.name,
        joints=tuple((joint, actuator.gain * coefficient) for joint, coefficient in actuator.joints.items()),
        rotor_inertia=armature,
        limits=_input_limits(compiled, actuator, actuators),
    )


def _spring(actuator: Actuator, names: Names) -> Spring:
    return Spring(
        name=names.new(f"{actuator.name}_servo"),
        joints=tuple(actuator.joints.items()),
        stiffness=actuator.stiffness,
        damping=actuator.damping + actuator.drag,
        rest=actuator.constant / actuator.stiffness if actuator.stiffness else 0.0,
    )


def _input_limits(compiled: Compiled, actuator: Actuator, actuators: Sequence[Actuator]) -> Interval:
    """The bounds on an actuator's input: its own, and those on forces which are the input's alone."""
    model, index = compiled.model, actuator.index
    limits = (-math.inf, math.inf)
    integrates = compiled.kind("Dyn", model.actuator_dyntype[index]) == "integrator"
    control = model.actuator_ctrladr[index]
    if model.actuator_ctrllimited[control] and compiled.enabled("CLAMPCTRL") and not integrates:
        limits = _narrowed(limits, model.actuator_ctrlrange[control], 1.0)
    if model.actuator_actlimited[index]:
        limits = _narrowed(limits, model.actuator_actrange[index], 1.0)
    for limited, bounds, scale, alone in _force_limits(compiled, actuator, actuators):
        if alone and not actuator.is_servo:
            limits = _narrowed(limits, bounds, scale)
        else:
            compiled.leave_out("limits on forces that are not one input's alone", limited)
    return limits


def _force_limits(
    compiled: Compiled, actuator: Actuator, actuators: Sequence[Actuator]
) -> list[tuple[str, Interval, float, bool]]:
    """What has a limit, the bounds on scale * input that follow, and whether no other actuator has a part in them."""
    model, found = compiled.model, []
    if model.actuator_forcelimited[actuator.index]:
        bounds = model.actuator_forcerange[actuator.index]
        found.append((actuator.name, bounds, actuator.gain, True))
    for index, joint in enumerate(compiled.joints):
        if joint in actuator.joints and model.jnt_actfrclimited[index]:
            alone = sum(joint in other.joints for other in actuators) == 1
            found.append((joint, model.jnt_actfrcrange[index], actuator.gain * actuator.joints[joint], alone))
    target = model.actuator_trnid[actuator.index, 0]
    if compiled.drives_tendon(actuator.index) and model.tendon_actfrclimited[target]:
        found.append((compiled.tendons[target], model.tendon_actfrcrange[target], actuator.gain, False))
    return found


def _narrowed(limits: Interval, bounds: Sequence[float], scale: float) -> Interval:
    """What of `limits` keeps scale * input within `bounds`."""
    lower, upper = sorted((float(bounds[0]) / scale, float(bounds[1]) / scale))
    return max(limits[0], lower), min(limits[1], upper)
