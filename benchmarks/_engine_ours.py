"""The pendulum in stickslip: the compiled loop of `ss.simulate`, which here keeps nothing of the way, as its peers do."""

from __future__ import annotations

import numpy as np
from _engine import STEP, Engine

import stickslip as ss
from stickslip.simulate.run_record import RunRecord
from stickslip.simulate.running import MARGIN
from stickslip.simulate.stepper import Stepper
from stickslip.simulate.stepping import CONTACTS, EVENTS, RECORD_FULL, SAMPLES, STEPS

MOST = 64  # contacts at one time, as in ss.simulate


class Ours(Engine):
    name = "ours"

    def __init__(self, links: int, dt: float = STEP) -> None:
        super().__init__(links, dt)
        world = self.scenario.world
        self.record = RunRecord(world, MOST)
        self.stepper = Stepper(world, most=MOST, directions=None, record=self.record.buffer)

    def settings(self) -> str:
        restitution = self.scenario.world.material_of("link_1", "floor").restitution
        return (
            f"version {ss.__version__}: kick, drift, kick; exact contact in the plane (LCP), friction {self.friction:g}, "
            f"restitution {restitution:g}, collisions located within the step, gaps projected"
        )

    def put(self, q: np.ndarray, v: np.ndarray) -> None:
        self.stepper.start(q, v)

    def advance(self, count: int) -> None:
        stepper, status = self.stepper, RECORD_FULL
        end = self.taken + count
        while status == RECORD_FULL:
            status = stepper.run(0.0, self.dt, MARGIN, end, end + 1)
            stepper.clock[[SAMPLES, CONTACTS, EVENTS]] = 0

    @property
    def taken(self) -> int:
        """How many steps were taken; fewer than were asked for, where a run stops."""
        return int(self.stepper.clock[STEPS])

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        return self.stepper.q.copy(), self.stepper.v.copy()

    def told_path(self, every: int = 1) -> tuple[np.ndarray, str]:
        """The positions (samples, links) of the whole run, and what stopped it."""
        run = self.scenario.run(dt=self.dt, record_every=every)
        return run.q, run.trouble

    def path(self, every: int = 1) -> np.ndarray:
        return self.told_path(every)[0]
