"""
Turning without pushing off
===========================

A falling cat has nothing to push against, and yet it lands on its feet. This robot does the same with two paddles: it moves
them out, back and in again, and although its angular momentum is zero all the time, it does not face the way it did.

The mass matrix says how. Its first rows, times v, are the momentum of a floating robot, so that a momentum of zero fixes how
the body must move when the joints do.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import stickslip as ss

BODY = 0.5  # m, from end to end
PADDLE = 0.45  # m
RAISED = 1.0  # rad, where the paddles are on average, both on one side of the body
SWEEP = 0.9  # rad, how far they go from there
CYCLES = 6
STEPS = 400  # in one cycle

# %%
# A body that floats in the plane, and a paddle at each of its ends.


def robot() -> ss.Mechanism:
    builder = ss.MechanismBuilder(plane="xy", gravity=(0, 0, 0), name="paddler")
    builder.body("body", mass=1.0, inertia=BODY**2 / 12)
    builder.planar("float", child="body")
    for side, direction in (("right", 1), ("left", -1)):
        builder.body(side, mass=0.4, centre=(direction * PADDLE / 2, 0), inertia=0.4 * PADDLE**2 / 12)
        builder.revolute(f"{side}_hinge", parent="body", child=side, at=(direction * BODY / 2, 0))
    return ss.Mechanism(builder)


# %%
# The paddles run around a circle in the plane of their two angles: one leads, the other follows a quarter of a cycle later.
# How far the body turns depends on which circle that is; around zero the robot's symmetry would cancel it all.


def paddle_velocity(phase: float) -> np.ndarray:
    """The velocities (2,) of the hinges in rad per cycle, at a phase from 0 to 1."""
    angle = 2 * np.pi * phase
    return 2 * np.pi * SWEEP * np.array([-np.sin(angle), np.cos(angle)])


def without_momentum(mechanism: ss.Mechanism, q: np.ndarray, joints: np.ndarray) -> np.ndarray:
    """All velocities (nv,), such that the body moves as zero momentum demands while the joints move as told."""
    mass = mechanism.mass_matrix(q)
    return np.concatenate([np.linalg.solve(mass[:3, :3], -mass[:3, 3:] @ joints), joints])


def paddle(mechanism: ss.Mechanism) -> np.ndarray:
    """The configurations (n, nq) of all cycles; each step uses the velocity at its middle."""
    qs = [mechanism.configuration(right_hinge=RAISED + SWEEP, left_hinge=-RAISED)]
    for k in range(CYCLES * STEPS):
        middle = mechanism.integrate(qs[-1], without_momentum(mechanism, qs[-1], paddle_velocity(k / STEPS)) / (2 * STEPS))
        qs.append(mechanism.integrate(qs[-1], without_momentum(mechanism, middle, paddle_velocity((k + 0.5) / STEPS)) / STEPS))
    return np.array(qs)


# %%
# The picture: the robot after each cycle, with its paddles where they began, and the angle that it gains.


def draw(mechanism: ss.Mechanism, qs: np.ndarray) -> Figure:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), width_ratios=(1, 1.4), layout="constrained")
    colour = plt.get_cmap("magma_r")
    for cycle in range(CYCLES + 1):
        draw_robot(left, mechanism, qs[cycle * STEPS], colour(0.15 + 0.8 * cycle / CYCLES))
    left.set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title="After each cycle")
    cycles = np.arange(len(qs)) / STEPS
    right.plot(cycles, np.degrees(qs[:, 2]), color="#2b2d42", label="body")
    right.plot(cycles, np.degrees(qs[:, 3]), color="#e4572e", lw=0.8, label="right paddle")
    right.plot(cycles, np.degrees(qs[:, 4]), color="#6a4c93", lw=0.8, label="left paddle")
    right.set(xlabel="cycles", ylabel="angle (degrees)", title="The paddles come back, the body does not")
    right.set_ylim(-120, 155)
    right.legend(frameon=False, ncols=3, loc="upper center")
    return figure


def draw_robot(axes: Axes, mechanism: ss.Mechanism, q: np.ndarray, colour: tuple[float, float, float, float]) -> None:
    ends = []
    for body, tip in (("left", -PADDLE), ("right", PADDLE)):
        rotation, hinge = mechanism.body_pose(q, body)
        ends.append([hinge + rotation @ (tip, 0, 0), hinge])
    x, y, _ = np.array([*ends[0], *reversed(ends[1])]).T
    axes.plot(x, y, color=colour, lw=1.5)
    axes.plot(x[1:3], y[1:3], "o-", color=colour, lw=5, ms=7, solid_capstyle="round")


def main() -> None:
    mechanism = robot()
    qs = paddle(mechanism)
    turned = np.degrees(qs[-1, 2] - qs[0, 2])
    print(f"{CYCLES} cycles of the paddles turn the body by {turned:.1f} degrees, {turned / CYCLES:.1f} each")
    figure = draw(mechanism, qs)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(sys.argv[1], dpi=80)
        print(f"figure: {sys.argv[1]}")
    else:
        plt.show()


if __name__ == "__main__":
    main()
