"""`rollout`: many starts at once, on all cores.

Each thread steps with arrays of its own, in compiled code that lets the other threads run. A start meets the same arithmetic
whichever thread takes it and whatever that thread did before, so its result is the same to the last bit.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from math import inf
from threading import Event
from typing import Any

import numpy as np

from stickslip.contact.overlap import OverlapError
from stickslip.contact.world import World
from stickslip.dynamics.arguments import ready
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, StickslipError
from stickslip.mechanism.numbers import shown
from stickslip.simulate.ending import failure_of
from stickslip.simulate.outcome import Outcome
from stickslip.simulate.run_record import RunRecord
from stickslip.simulate.running import AT_ONCE, MARGIN
from stickslip.simulate.samples import kept
from stickslip.simulate.scope import refuse_what_is_not_stepped
from stickslip.simulate.stepper import Stepper
from stickslip.simulate.stepping import CONTACTS, EVENTS, PAUSED, RECORD_FULL, SAMPLES, STEPS
from stickslip.simulate.trajectory import State
from stickslip.simulate.whole_numbers import MOST_STEPS, refuse_contacts, refuse_number

MOST_THREADS = 1000


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Rollout:
    """Where many starts led, one row for each: what `ss.rollout` returns. Nothing in it can be changed.

    `q` (starts, nq) in m and rad and `v` (starts, nv) in m/s and rad/s are the ends. `outcome` says how each start ended,
    `trouble` what else there is to say of it; the row of one that did not finish is NaN. `samples`, if asked for, hold `.time`
    (k,) in s, `.q` (starts, k, nq) and `.v` (starts, k, nv), NaN from where a start failed on.
    """

    q: Floats
    v: Floats
    outcome: tuple[Outcome, ...]
    trouble: tuple[str, ...]
    samples: State | None = None

    def __post_init__(self) -> None:
        for name in ("q", "v"):
            object.__setattr__(self, name, _unchanging(getattr(self, name)))
        if self.samples is not None:
            object.__setattr__(self, "samples", State(*map(_unchanging, self.samples)))

    def __len__(self) -> int:
        return len(self.outcome)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies are made anew: arrays that come out of a pickle could be changed."""
        return partial(type(self), **{one.name: getattr(self, one.name) for one in fields(self)}), ()

    def __repr__(self) -> str:
        return f"<Rollout of {len(self)} starts, of which {sum(map(bool, self.outcome))} finished>"


def rollout(
    world: World,
    q0s: Any,
    v0s: Any,
    steps: int,
    dt: float,
    inputs: Any = None,
    *,
    threads: int | None = None,
    record_every: int | None = None,
    most_contacts: int = 64,
    directions: int | None = None,
) -> Rollout:
    """Where `steps` of time stepping, of `dt` in s each, lead from q0s (starts, nq) and v0s (starts, nv), in m, rad and s.

    Every start ends as `ss.simulate` has it, bit for bit, whatever the number of `threads`: one for each core, unless given.
    `inputs`, in N and N m, are (steps, nu) for all starts alike or (starts, steps, nu), held for a step each. A sample is kept
    of every `record_every` steps, if that is given. `most_contacts` and `directions` are those of `ss.simulate`.

    What goes wrong with one start, an overlap to begin with or a failure on the way, ends that one alone.

    >>> import numpy as np
    >>> import stickslip as ss
    >>> world = ss.robots.pendulum(links=3).world
    >>> ss.rollout(world, np.linspace([1.5, 0, 0], [1.6, 0, 0], 8), np.zeros((8, 3)), steps=100, dt=1e-3)
    <Rollout of 8 starts, of which 8 finished>
    """
    if not isinstance(world, World):
        raise ArgumentError(f"what is simulated must be a World, not {shown(world)}.")
    _check(steps, dt, threads, record_every, most_contacts, directions)
    nq, nv, nu = world.mechanism.nq, world.mechanism.nv, world.mechanism.nu
    q0s = _rows(q0s, ("starts", nq), "q0s")
    v0s = _rows(v0s, (len(q0s), nv), "v0s")
    if inputs is None:
        inputs = np.zeros((1, nu))
    else:
        inputs = _rows(inputs, (steps, nu) if np.ndim(inputs) == 2 else (len(q0s), steps, nu), "inputs")
    refuse_what_is_not_stepped(world)
    job = _Job(world, q0s, v0s, steps, float(dt), inputs, record_every, most_contacts, directions)
    return job.done(threads or _cores())


@dataclass
class _Job:
    """All starts and where they lead. Threads take one start after the other, and write to rows that are theirs alone."""

    world: World
    q0s: Floats
    v0s: Floats
    steps: int
    dt: float
    inputs: Floats
    every: int | None
    most: int
    directions: int | None

    def __post_init__(self) -> None:
        starts, nq = self.q0s.shape
        self.q: Floats = np.full(self.q0s.shape, np.nan)
        self.v: Floats = np.full(self.v0s.shape, np.nan)
        self.time = np.arange(0, self.steps + 1, self.every or self.steps + 1) * self.dt
        self.samples = np.full((starts, len(self.time), nq + self.v0s.shape[1]), np.nan)
        self.outcome, self.trouble = [Outcome.INTERRUPTED] * starts, [""] * starts
        self.left, self.stop = deque(range(starts)), Event()

    def done(self, threads: int) -> Rollout:
        """All results; whoever interrupts gets those that there are."""
        with ThreadPoolExecutor(threads) as pool:
            workers = [pool.submit(self.work) for _ in range(min(threads, len(self.left)))]
            try:
                for worker in workers:
                    worker.result()
            except KeyboardInterrupt:
                pass  # starts that were not through keep the outcome that they begin with, INTERRUPTED
            finally:
                self.stop.set()
        nq = self.q.shape[1]
        samples = State(self.time, self.samples[:, :, :nq], self.samples[:, :, nq:]) if self.every else None
        return Rollout(q=self.q, v=self.v, outcome=tuple(self.outcome), trouble=tuple(self.trouble), samples=samples)

    def work(self) -> None:
        """What one thread does."""
        record = RunRecord(self.world, self.most)
        stepper = Stepper(
            self.world,
            most=self.most,
            directions=self.directions,
            record=record.buffer,
            scheduled=self.inputs.shape[-2],
        )
        while not self.stop.is_set():
            try:
                start = self.left.popleft()
            except IndexError:  # another thread took the last one
                return
            try:
                self.world.check(self.q0s[start])
                stepper.start(self.q0s[start], self.v0s[start])
            except StickslipError as error:
                self.outcome[start] = Outcome.OVERLAP if isinstance(error, OverlapError) else Outcome.TROUBLE
                self.trouble[start] = str(error)
            else:
                self.run(start, stepper, record)

    def run(self, start: int, stepper: Stepper, record: RunRecord) -> None:
        """The start that the stepper stands at, to its end, a failure, or an interruption."""
        clock, every, status = stepper.clock, self.every or self.steps + 1, PAUSED
        inputs = self.inputs if self.inputs.ndim == 2 else self.inputs[start]
        stepper.give(inputs)
        self.samples[start, 0] = np.concatenate([stepper.q, stepper.v])
        while clock[STEPS] < self.steps and not self.stop.is_set():
            status = stepper.run(0.0, self.dt, MARGIN, min(int(clock[STEPS]) + AT_ONCE, self.steps), every)
            count = int(clock[SAMPLES])
            last = int(clock[STEPS]) // every + 1
            self.samples[start, last - count : last] = record.buffer.samples[:count, 1 : 1 + self.samples.shape[2]]
            clock[[SAMPLES, CONTACTS, EVENTS]] = 0
            if status not in (PAUSED, RECORD_FULL):
                tau = inputs[min(int(clock[STEPS]), len(inputs) - 1)]
                ended = failure_of(self.world, status, int(clock[STEPS]) * self.dt, stepper.q, stepper.v, tau)
                self.outcome[start], self.trouble[start] = ended.outcome, ended.trouble
                return
        if clock[STEPS] == self.steps:
            self.q[start], self.v[start] = stepper.q, stepper.v
            self.outcome[start] = Outcome.FINISHED


def _cores() -> int:
    """How many threads can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _unchanging(array: Floats) -> Floats:
    return kept(array, array.shape, "a result")


def _check(steps: Any, dt: Any, threads: Any, every: Any, most: Any, directions: Any) -> None:
    if isinstance(dt, bool) or not isinstance(dt, (int, float)) or not 0.0 < dt < inf:
        raise ArgumentError(f"the step dt must be a positive time in s, not {shown(dt)}.")
    refuse_number(steps, 1, MOST_STEPS, "steps")
    if threads is not None:
        refuse_number(threads, 1, MOST_THREADS, "threads")
    if every is not None:
        refuse_number(every, 1, MOST_STEPS, "record_every")
    refuse_contacts(most, directions)


def _rows(value: Any, shape: tuple[int | str, ...], what: str) -> Floats:
    """`value` as finite floats of that shape, in which a word stands for any number; a row that is wrong is named."""
    try:
        given = np.shape(value)
    except ValueError:
        raise ArgumentError(f"{what} must be an array, not a ragged sequence.") from None
    if len(given) != len(shape) or any(n != m for n, m in zip(given, shape, strict=True) if not isinstance(m, str)):
        raise ArgumentError(f"{what} must have shape ({', '.join(map(str, shape))}), not {given}.")
    array = ready(value, given, what)
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        raise ArgumentError(f"{what} must be finite, but row {bad[0, 0]} is not.")
    return array
