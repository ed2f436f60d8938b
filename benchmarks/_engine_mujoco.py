"""The pendulum in MuJoCo. Neighbours pass through each other there, too: MuJoCo filters parents and children."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from _engine import STEP, Engine

import stickslip as ss

TUNED = (0.005, 3.0)  # solref with the least error at 1 ms, of time constants 0.5, 2, 5, 20 ms and damping ratios 1, 3, 10


class MuJoCo(Engine):
    name = "MuJoCo"

    def __init__(self, links: int, dt: float = STEP) -> None:
        super().__init__(links, dt)
        self.model = mujoco.MjModel.from_xml_string(in_mjcf(self.scenario, dt))
        self.data = mujoco.MjData(self.model)

    def settings(self) -> str:
        option = self.model.opt
        integrator = mujoco.mjtIntegrator(option.integrator).name[6:]
        solver, cone = mujoco.mjtSolver(option.solver).name[6:], mujoco.mjtCone(option.cone).name[7:]
        return (
            f"version {mujoco.__version__}, its defaults: integrator {integrator}, solver {solver} ({option.iterations} "
            f"iterations, tolerance {option.tolerance:g}), cone {cone}, solref 0.02 1, no restitution; friction "
            f"{self.friction:g}; in space, where each contact has two tangents; mj_step(nstep=…)"
        )

    def put(self, q: np.ndarray, v: np.ndarray) -> None:
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = q, v

    def advance(self, count: int) -> None:
        mujoco.mj_step(self.model, self.data, nstep=count)

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        return self.data.qpos.copy(), self.data.qvel.copy()


class TunedMuJoCo(MuJoCo):
    name = "MuJoCo tuned"

    def __init__(self, links: int, dt: float = STEP) -> None:
        super().__init__(links, dt)
        self.model.geom_solref[:] = TUNED

    def settings(self) -> str:
        return f"the same with solref {TUNED[0]:g} {TUNED[1]:g}, the best at this step of twelve for three links"


def in_mjcf(scenario: ss.Scenario, dt: float) -> str:
    """The scene as MJCF."""
    world = scenario.world
    description, material = world.mechanism.description, world.material_of("link_1", "floor")
    chain = ""
    for body in reversed(description.bodies):
        joint = next(joint for joint in description.joints if joint.child == body.name)
        sphere = body.shapes[0]
        chain = (
            f'<body pos="{_words(joint.at)}"><joint type="hinge" axis="{_words(joint.axis)}"/>'
            f'<geom type="sphere" size="{sphere.radius}" pos="{_words(sphere.centre)}" mass="{body.mass}"/>{chain}</body>'
        )
    planes = "".join(
        f'<geom type="plane" size="20 20 1" pos="{_words(np.multiply(plane.normal, plane.offset))}" '
        f'zaxis="{_words(plane.normal)}"/>'
        for plane in world.obstacles.values()
    )
    return (
        f'<mujoco><option timestep="{dt}" gravity="{_words(description.gravity)}"/>'
        f'<default><geom friction="{material.friction} 0 0"/></default><worldbody>{planes}{chain}</worldbody></mujoco>'
    )


def _words(numbers: Any) -> str:
    return " ".join(f"{x:.17g}" for x in numbers)
