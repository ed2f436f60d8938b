"""The pendulum in Drake. Bodies that share a joint pass through each other there by default."""

from __future__ import annotations

import logging
from importlib.metadata import version

import numpy as np
from _engine import STEP, Engine, in_urdf
from pydrake.geometry import HalfSpace, SceneGraphConfig
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

logging.getLogger("drake").setLevel(logging.ERROR)  # it remarks that its half-spaces are not for deformable bodies


class Drake(Engine):
    name = "Drake"

    def __init__(self, links: int, dt: float = STEP) -> None:
        super().__init__(links, dt)
        builder = DiagramBuilder()
        self.plant, scene = AddMultibodyPlantSceneGraph(builder, dt)
        self.plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        config = SceneGraphConfig()  # Drake combines 2 mu_1 mu_2 / (mu_1 + mu_2), which keeps what both have
        config.default_proximity_properties.static_friction = self.friction
        config.default_proximity_properties.dynamic_friction = self.friction
        scene.set_config(config)
        Parser(self.plant).AddModelsFromString(in_urdf(self.scenario), "urdf")
        for name, plane in self.scenario.world.obstacles.items():
            pose = HalfSpace.MakePose(plane.normal, np.multiply(plane.normal, plane.offset))
            friction = CoulombFriction(self.friction, self.friction)
            self.plant.RegisterCollisionGeometry(self.plant.world_body(), pose, HalfSpace(), name, friction)
        self.plant.mutable_gravity_field().set_gravity_vector(self.gravity)
        self.plant.SetUseSampledOutputPorts(False)  # copies that nobody reads here: a tenth of the time
        self.plant.Finalize()
        self.simulator = Simulator(builder.Build())
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        self.taken = 0

    def settings(self) -> str:
        return (
            f"version {version('drake')}: discrete MultibodyPlant, contact approximation SAP, its defaults of compliance and "
            f"dissipation, point contact, output ports not sampled; friction {self.friction:g}; in space; Simulator.AdvanceTo"
        )

    def put(self, q: np.ndarray, v: np.ndarray) -> None:
        self.simulator.get_mutable_context().SetTime(0.0)
        self.plant.SetPositions(self.context, q)
        self.plant.SetVelocities(self.context, v)
        self.simulator.Initialize()
        self.taken = 0

    def advance(self, count: int) -> None:
        self.taken += count
        self.simulator.AdvanceTo(self.taken * self.dt)

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        return self.plant.GetPositions(self.context), self.plant.GetVelocities(self.context)
