"""`simulate`: what happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any, overload

import numpy as np

from stickslip.contact.world import World
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown
from stickslip.simulate.compiled_controller import CompiledController
from stickslip.simulate.control import Controller, ControllerError, ZeroOrderHold
from stickslip.simulate.ending import End, failure_of
from stickslip.simulate.hybrid import HybridSystem
from stickslip.simulate.hybrid_run import simulate_hybrid
from stickslip.simulate.hybrid_trajectory import HybridTrajectory
from stickslip.simulate.outcome import Outcome
from stickslip.simulate.run_record import RunRecord
from stickslip.simulate.scope import refuse_what_is_not_stepped
from stickslip.simulate.stepper import Stepper
from stickslip.simulate.stepping import EVENTS, PAUSED, RECORD_FULL, STEPS
from stickslip.simulate.trajectory import Trajectory
from stickslip.simulate.whole_numbers import MOST_STEPS, refuse_contacts, refuse_number

MARGIN = 1e-4  # m: how far a contact that was held may have opened in a step and still be pulled closed
AT_ONCE = 2000  # steps between two looks at whether somebody wants to interrupt

Progress = Callable[
    [float, int], object
]  # told the simulated time in s, and how many contacts, limits or guards were hit so far


@overload
def simulate(
    world: World,
    q: Any,
    v: Any,
    duration: float,
    method: str = "event-driven",
    *,
    controller: Controller | None = None,
    dt: float = 1e-3,
    record_every: int = 1,
    most_contacts: int = 64,
    directions: int | None = None,
    progress: Progress | None = None,
) -> Trajectory: ...


@overload
def simulate(
    world: HybridSystem,
    x: Any,
    z: Any = (),
    duration: float | None = None,
    *,
    start: float = 0.0,
    relative: float = 1e-9,
    absolute: float | Floats = 1e-12,
    location: float = 1e-12,
    longest_step: float = inf,
    accumulation_within: float = 1e-6,
    most_jumps_at_once: int = 1000,
    progress: Progress | None = None,
) -> HybridTrajectory: ...


def simulate(world: World | HybridSystem, *state: Any, **settings: Any) -> Trajectory | HybridTrajectory:
    """What happens in `world` from q (nq,) and v (nv,), in m, rad and s, for a `duration` in s.

    `method="time-stepping"` takes steps of `dt` in s, each a kick, a drift and a kick, with impulses of contacts that keep
    their laws at velocity level and their gaps closed. A step in which something collides, or a joint reaches its limit, is cut
    there; loops stay closed. One sample is kept of every `record_every` steps, and the last. `most_contacts` may be closed at
    one time. In space friction keeps to Coulomb's circular cone, or acts along an even number of `directions`.

    `controller(t, q, v)` gives the inputs tau (nu,), in N and N m, every `controller.period` s (every step without one); they
    are held in between; one that `ss.compiled_controller` made costs no way back to Python. Whatever goes wrong on the way ends
    the run with an `outcome` that says so; what was simulated until then is kept. `progress(time, hits)` is called every now
    and then with the simulated time in s and the number of contacts and limits that were hit so far; a KeyboardInterrupt that
    it raises ends the run as Ctrl-C does.

    >>> import stickslip as ss
    >>> b = ss.MechanismBuilder(plane="xz")
    >>> b.body("ball", mass=1.0, inertia=0.004, shapes=[ss.Sphere(radius=0.1)])
    >>> b.planar("root", child="ball")
    >>> world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 0, 1))], material=ss.Material(restitution=0.5))
    >>> run = ss.simulate(world, [0, 1.1, 0], [0, 0, 0], 0.5, "time-stepping")
    >>> run.outcome.name, [round(event.time, 4) for event in run.events]
    ('FINISHED', [0.4515])

    Of a `HybridSystem` it is asked what happens from x (n,) and z (k,): `simulate(system, x, z, duration)`. Its flow is
    integrated with errors of at most `absolute`, one number or one for each of x (n,), plus `relative` of the state; events are
    located to `location` in s. Jumps whose intervals shrink as a geometric series are taken to accumulate once what is left of
    the series is shorter than `accumulation_within` in s (0: never). More than `most_jumps_at_once` at one instant end the run.
    """
    if isinstance(world, HybridSystem):
        return simulate_hybrid(world, *state, **settings)
    return simulate_world(world, *state, **settings)


def simulate_world(
    world: World,
    q: Any,
    v: Any,
    duration: float,
    method: str = "event-driven",
    *,
    controller: Controller | None = None,
    dt: float = 1e-3,
    record_every: int = 1,
    most_contacts: int = 64,
    directions: int | None = None,
    progress: Progress | None = None,
) -> Trajectory:
    """What happens in a world from q (nq,) and v (nv,), in m, rad and s; see `simulate`."""
    _check(world, method, duration, dt, record_every, most_contacts, directions)
    mechanism = world.mechanism
    q, v = mechanism._q(q), mechanism._v(v)
    refuse_what_is_not_stepped(world)
    world.check(q)
    hold = ZeroOrderHold(world, controller, dt)
    settings: dict[str, Any] = {"method": method, "dt": dt, "record_every": record_every}
    settings |= {} if directions is None else {"directions": directions}
    record = RunRecord(world, most_contacts)
    stepper = Stepper(world, most=most_contacts, directions=directions, record=record.buffer)
    stepper.start(q, v)
    return _Run(record, stepper, hold, dt, record_every).to_the_end(round(duration / dt), settings, progress)


class _Run:
    """One run, pause by pause."""

    def __init__(self, record: RunRecord, stepper: Stepper, hold: ZeroOrderHold, dt: float, every: int) -> None:
        self.world, self.record, self.stepper = record.world, record, stepper
        self.hold, self.dt, self.every = hold, dt, every
        self.pauses = 0 if isinstance(hold.controller, CompiledController) else hold.every  # steps between calls of Python
        self.hits = 0

    def to_the_end(self, steps: int, settings: Mapping[str, Any], progress: Progress | None) -> Trajectory:
        """All steps, or as many as can be taken."""
        try:
            end = self._go(steps, progress)
        except ControllerError as error:
            end = End(Outcome.CONTROLLER_FAILED, str(error))
            if self.record.empty:
                self.record.begin(self.stepper.q, self.stepper.v, np.full(self.world.mechanism.nu, np.nan))
        except KeyboardInterrupt:
            end = End(Outcome.INTERRUPTED)
        try:
            return self.record.trajectory(end, settings)
        except KeyboardInterrupt:  # while a long run was put together; whoever interrupts that as well gets nothing
            return self.record.trajectory(End(Outcome.INTERRUPTED), settings)

    def _go(self, steps: int, progress: Progress | None) -> End:
        stepper, status = self.stepper, PAUSED
        tau = self.hold.tau(0.0, stepper.q, stepper.v)
        self.record.begin(stepper.q, stepper.v, tau)
        if isinstance(self.hold.controller, CompiledController):
            stepper.obey(self.hold.controller.address, self.hold.every)
        while stepper.clock[STEPS] < steps and status == PAUSED:
            stepper.give(tau[None])
            status = self._on(steps)
            done = int(stepper.clock[STEPS])
            if progress is not None:
                progress(done * self.dt, self.hits)
            if status == PAUSED and self.pauses and done % self.pauses == 0 and done < steps:
                tau = self.hold.tau(done * self.dt, stepper.q, stepper.v)
        if status == PAUSED:
            return End(Outcome.FINISHED)
        return failure_of(self.world, status, int(stepper.clock[STEPS]) * self.dt, stepper.q, stepper.v, tau)

    def _on(self, steps: int) -> int:
        """To the next pause: a call of the controller in Python, a look around, or the end."""
        done = int(self.stepper.clock[STEPS])
        until = min(done + AT_ONCE, steps)
        if self.pauses:
            until = min(until, done - done % self.pauses + self.pauses)
        status = RECORD_FULL
        while status == RECORD_FULL:
            status = self.stepper.run(0.0, self.dt, MARGIN, until, self.every)
            self.hits += int(self.stepper.clock[EVENTS])
            self.record.collect(self.stepper.clock)
        return status


def _check(world: Any, method: str, duration: Any, dt: Any, every: Any, most: Any, directions: Any) -> None:
    if not isinstance(world, World):
        raise ArgumentError(f"what is simulated must be a World or a HybridSystem, not {shown(world)}.")
    if method == "event-driven":
        raise ArgumentError("event-driven simulation is not here yet; take method='time-stepping'.")
    if method != "time-stepping":
        raise ArgumentError(f"the method must be 'time-stepping', not {shown(method)}.")
    for value, what in ((duration, "the duration"), (dt, "the step dt")):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 < value < inf:
            raise ArgumentError(f"{what} must be a positive time in s, not {shown(value)}.")
    if duration / dt > MOST_STEPS:
        raise ArgumentError(f"the duration of {duration:g} s must have at most {MOST_STEPS} steps of {dt:g} s.")
    if abs(duration / dt - round(duration / dt)) > 1e-6:
        raise ArgumentError(f"the duration of {duration:g} s must be a whole number of steps of {dt:g} s.")
    refuse_number(every, 1, MOST_STEPS, "record_every")
    refuse_contacts(most, directions)
