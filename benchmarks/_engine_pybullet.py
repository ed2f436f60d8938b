"""The pendulum in PyBullet, one world at a time. Its URDF reader lets neighbours pass through each other by default."""

from __future__ import annotations

import ctypes
import os
import tempfile
from importlib.metadata import version
from math import sqrt
from pathlib import Path
from types import ModuleType

import numpy as np
from _engine import STEP, Engine, in_urdf


def _silently_imported() -> ModuleType:
    """PyBullet greets on stdout, where JSON may be expected: the greeting goes to stderr."""
    flush, stdout = ctypes.CDLL(None).fflush, os.dup(1)
    flush(None)
    os.dup2(2, 1)
    try:
        import pybullet
    finally:
        flush(None)
        os.dup2(stdout, 1)
        os.close(stdout)
    return pybullet


bullet = _silently_imported()

FAST = 1e9  # rad/s; by default joints are held to 100 rad/s, which the tip of a whip exceeds


class PyBullet(Engine):
    name = "PyBullet"

    def __init__(self, links: int, dt: float = STEP) -> None:
        super().__init__(links, dt)
        self.client = bullet.connect(bullet.DIRECT)
        bullet.setGravity(*self.gravity, physicsClientId=self.client)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "pendulum.urdf")
            file.write_text(in_urdf(self.scenario))
            flags = bullet.URDF_USE_INERTIA_FROM_FILE | bullet.URDF_USE_SELF_COLLISION | bullet.URDF_MAINTAIN_LINK_ORDER
            self.body = bullet.loadURDF(os.fspath(file), useFixedBase=True, flags=flags, physicsClientId=self.client)
        self.joints = list(range(links))
        # Bullet multiplies the friction of both surfaces, damps by 0.04 unless told otherwise, and gives joints a motor.
        surface = {"lateralFriction": sqrt(self.friction), "restitution": 0.0, "physicsClientId": self.client}
        free = {"linearDamping": 0.0, "angularDamping": 0.0, "jointDamping": 0.0, "maxJointVelocity": FAST}
        for link in (-1, *self.joints):
            bullet.changeDynamics(self.body, link, **surface, **free)
        for joint in self.joints:
            bullet.setJointMotorControl2(self.body, joint, bullet.VELOCITY_CONTROL, force=0.0, physicsClientId=self.client)
        for plane in self.scenario.world.obstacles.values():
            shape = bullet.createCollisionShape(bullet.GEOM_PLANE, planeNormal=plane.normal, physicsClientId=self.client)
            place = np.multiply(plane.normal, plane.offset)
            wall = bullet.createMultiBody(0.0, shape, basePosition=place, physicsClientId=self.client)
            bullet.changeDynamics(wall, -1, **surface)
        self.fresh = bullet.saveState(physicsClientId=self.client)

    def settings(self) -> str:
        iterations = bullet.getPhysicsEngineParameters(physicsClientId=self.client)["numSolverIterations"]
        return (
            f"version {version('pybullet')}: Featherstone multibody, sequential impulses ({iterations} iterations, its "
            "default), no damping, joints not held to 100 rad/s, restitution 0; friction "
            f"{self.friction:g} as a product of two roots; in space; numSubSteps, which gives the bits of as many calls"
        )

    def put(self, q: np.ndarray, v: np.ndarray) -> None:
        bullet.restoreState(self.fresh, physicsClientId=self.client)
        bullet.resetJointStatesMultiDof(self.body, self.joints, [[x] for x in q], [[x] for x in v], physicsClientId=self.client)

    def advance(self, count: int) -> None:
        bullet.setPhysicsEngineParameter(
            fixedTimeStep=count * self.dt, numSubSteps=count if count > 1 else 0, physicsClientId=self.client
        )
        bullet.stepSimulation(physicsClientId=self.client)

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        states = bullet.getJointStates(self.body, self.joints, physicsClientId=self.client)
        return np.array([state[0] for state in states]), np.array([state[1] for state in states])
