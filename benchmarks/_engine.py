"""What benchmarks/pendulum.py asks of every engine, and the scene that all of them are given."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

import stickslip as ss

STEP, DURATION = 1e-3, 5.0  # s


class Engine(ABC):
    """Paper 2's pendulum in one engine, with steps of `dt` in s."""

    name: str

    def __init__(self, links: int, dt: float = STEP) -> None:
        self.links, self.dt = links, dt
        self.scenario = ss.robots.pendulum(links=links)
        self.friction = self.scenario.world.material_of("link_1", "floor").friction
        self.gravity = self.scenario.world.mechanism.description.gravity

    @abstractmethod
    def settings(self) -> str:
        """What there is to say of the engine: its version, its method, and what was not left at its default."""

    @abstractmethod
    def put(self, q: np.ndarray, v: np.ndarray) -> None:
        """Go to a state (links,), (links,) and forget what was before."""

    @abstractmethod
    def advance(self, count: int) -> None:
        """Take so many steps, in a compiled loop."""

    @abstractmethod
    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """q (links,) in rad, v (links,) in rad/s."""

    def steps(self, count: int) -> None:
        """Take so many steps from the start."""
        self.put(self.scenario.q, self.scenario.v)
        self.advance(count)

    def path(self, every: int = 1) -> np.ndarray:
        """The positions (samples, links) of the whole run."""
        samples = round(DURATION / self.dt) // every
        self.put(self.scenario.q, self.scenario.v)
        rows = [self.scenario.q]
        for _ in range(samples):
            self.advance(every)
            rows.append(self.state()[0])
        return np.array(rows)

    def check_same_motion(self) -> None:
        """A step in free air changes the velocity as ours has it: masses, lengths and axes agree, and nothing is damped.

        The peers take the acceleration at the beginning of a step, so that it holds for them to round-off.
        """
        bend = 0.1 * np.arange(self.links)
        q, v = self.scenario.q - bend / self.links, self.scenario.v + bend
        assert not len(self.scenario.world.found(q, 0.01).touches), "this position was meant to be free"
        self.put(q, v)
        self.advance(1)
        expected = self.scenario.world.mechanism.forward_dynamics(q, v, np.zeros(self.links))
        found = (self.state()[1] - v) / self.dt
        assert np.allclose(found, expected, rtol=1e-8, atol=1e-7), f"{self.name} has another mechanism"


def in_urdf(scenario: ss.Scenario) -> str:
    """The pendulum as URDF, which has no plane: the same hinges and spheres, in space. Gravity must be given again."""
    description = scenario.world.mechanism.description
    joints = {joint.child: joint for joint in description.joints}
    b = ss.MechanismBuilder(name=description.name)
    for body in description.bodies:
        joint, moment = joints[body.name], body.inertia[1][1]
        b.body(body.name, mass=body.mass, centre=body.centre, inertia=np.diag([moment] * 3), shapes=body.shapes)
        b.revolute(joint.name, parent=joint.parent, child=joint.child, at=joint.at, axis=joint.axis)
    return ss.Mechanism(b).to_urdf()
