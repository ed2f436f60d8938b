"""One run of a hybrid system: flow until the jump set, jump, and go on."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown
from stickslip.simulate.event import Event
from stickslip.simulate.hybrid import HybridSystem
from stickslip.simulate.hybrid_accumulation import Accumulation
from stickslip.simulate.hybrid_control import state_after
from stickslip.simulate.hybrid_function import Called, FunctionError, Given, start_state
from stickslip.simulate.hybrid_trajectory import HybridTrajectory
from stickslip.simulate.integrate import Integrator, Steps
from stickslip.simulate.integrate_parts import DONE, EVENT, FALLING, FULL, INSIDE, NO_GUARD, NOT_FINITE
from stickslip.simulate.outcome import Outcome

if TYPE_CHECKING:
    from stickslip.simulate.running import Progress

ROUNDING = 1e-15  # relative to the largest number in x: a guard that a jump left at zero may differ from it by that

_TROUBLE = {
    NOT_FINITE: "the flow is not finite from {:.9g} s on.",
    NO_GUARD: "the guard gave NaN after {:.9g} s.",
}
_TOO_SHORT = "no step from {:.9g} s on that the clock can tell is short enough for the tolerances."


def simulate_hybrid(
    system: HybridSystem,
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
) -> HybridTrajectory:
    """What a hybrid system does from x (n,) and z (k,) for a `duration` in s from the time `start` in s; see `simulate`."""
    if system.inputs:
        raise ArgumentError("a plant with inputs must be `controlled_by` a controller before it can be simulated.")
    x, z = start_state(x, tuple(system.states), "x"), start_state(z, tuple(system.discrete), "z")
    if not x.size:
        raise ArgumentError("x must hold at least one number that flows; a clock, for instance, with rate 1.")
    for value, what in ((relative, "relative"), (location, "location"), (longest_step, "longest_step")):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0.0:
            raise ArgumentError(f"{what} must be a positive number, not {shown(value)}.")
    for value, what in ((accumulation_within, "accumulation_within"), (most_jumps_at_once, "most_jumps_at_once")):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0.0:
            raise ArgumentError(f"{what} must not be negative, but is {shown(value)}.")
    allowed = np.asarray(absolute, dtype=np.float64)
    if allowed.shape not in ((), x.shape) or not (allowed > 0.0).all():
        raise ArgumentError(f"absolute must be a positive number, or one for each of x {x.shape}, not {shown(absolute)}.")
    settings = {"method": "event-driven", "relative": relative, "absolute": allowed.tolist(), "location": location}
    settings |= {"longest_step": longest_step, "accumulation_within": accumulation_within}
    settings |= {"most_jumps_at_once": most_jumps_at_once}
    first, last = _span(start, duration)
    run = _Run(system, x, z, settings, np.broadcast_to(allowed, x.shape))
    return run.to_the_end(first, last, progress)


def _span(start: Any, duration: Any) -> tuple[float, float]:
    """From when to when, in s."""
    if isinstance(duration, bool) or not isinstance(duration, (int, float)) or not 0.0 < duration < inf:
        raise ArgumentError(f"the duration must be a positive time in s, not {shown(duration)}.")
    if isinstance(start, bool) or not isinstance(start, (int, float)) or not -inf < start < inf:
        raise ArgumentError(f"the start must be a finite time in s, not {shown(start)}.")
    return float(start), float(start) + float(duration)


class _Run:
    """One run, from stop to stop of the integrator."""

    def __init__(self, system: HybridSystem, x: Floats, z: Floats, settings: dict[str, Any], absolute: Floats) -> None:
        self.system, self.x, self.z, self.settings = system, x, z, settings
        self.given = Given(z, np.asarray(system.parameters, dtype=np.float64).reshape(-1))
        self.flow = Called(system.flow, x.size, x.size, self.given, "flow")
        self.guard = Called(system.guard, x.size, len(system.events), self.given, "guard") if system.events else None
        self.integrator = Integrator(
            self.flow.address,
            size=x.size,
            guards=self.guard.address if self.guard else 0,
            watch=[FALLING if name in system.marks else INSIDE for name in system.events],
            given=self.given.address,
            relative=settings["relative"],
            absolute=absolute,
            location=settings["location"],
            longest=settings["longest_step"],
        )
        self.accumulation = Accumulation(settings["accumulation_within"])
        self.steps: list[Steps] = []  # a jump is one of them, without length
        self.modes: list[Floats] = []  # z during each entry of `steps`
        self.no_bend = np.zeros((1, 3, x.size))
        self.events: list[Event] = []
        self.at_once, self.last_jump = 0, -inf

    def to_the_end(self, start: float, end: float, progress: Progress | None) -> HybridTrajectory:
        """All of it, or as much as there is before something goes wrong."""
        self.integrator.start(start, self.x)
        self._sample(start, self.x, self.z)
        outcome: Outcome | None = None
        trouble = ""
        try:
            while outcome is None:
                outcome, trouble = self._on(end)
                if progress is not None:
                    progress(self.integrator.time, len(self.events))
        except FunctionError as error:
            outcome, trouble = Outcome.TROUBLE, str(error)
        except KeyboardInterrupt:
            outcome = Outcome.INTERRUPTED
        assert outcome is not None
        self._collect()
        return self._trajectory(outcome, trouble)

    def _on(self, end: float) -> tuple[Outcome | None, str]:
        """To the next stop of the integrator; how the run ends there, if it does."""
        status = self.integrator.advance(end=end)
        self._collect()
        for function in (self.flow, self.guard):
            if function is not None:
                function.check()
        if status == DONE:
            return Outcome.FINISHED, ""
        if status == FULL:
            return None, ""
        if status == EVENT:
            return self._meet(end), ""
        outcome = Outcome.NOT_FINITE if status == NOT_FINITE else Outcome.TROUBLE
        return outcome, _TROUBLE.get(status, _TOO_SHORT).format(self.integrator.time)

    # ---- jumps --------------------------------------------------------------------------------------------------------

    def _meet(self, end: float) -> Outcome | None:
        """What happens at an event."""
        time, x = self.integrator.time, self.integrator.state.copy()
        names = self.system.events
        fired = self.integrator.fired.tolist()
        due = tuple(names[k] for k in fired)
        self.events += [Event(time, name) for name in due]
        if any(name in self.system.ends for name in due):
            return Outcome.LEFT_FLOW_SET
        leading = tuple(name for name in due if name not in self.system.marks)
        passed = [k for k in fired if names[k] in self.system.marks]
        if not leading:
            self.integrator.restart(passed=passed)
            return None
        self.at_once = self.at_once + 1 if time - self.last_jump <= self.settings["location"] else 1
        self.last_jump = time
        if self.at_once > self.settings["most_jumps_at_once"]:
            return Outcome.TOO_MANY_JUMPS
        self._jump(self.system.jump, "the jump gave", time, x, leading, passed)
        return self._check_accumulation(leading, end)

    def _jump(self, jump: Any, who: str, time: float, x: Floats, due: tuple[str, ...], passed: list[Any]) -> None:
        """Go on after what `jump` says that events do."""
        before = self.guard(time, x) if self.guard else np.zeros(0)
        try:
            answer = jump(time, x.copy(), self.z.copy(), due)
        except FunctionError:
            raise
        except Exception as error:
            raise FunctionError(f"{who.split()[1]} raised {type(error).__name__} at {time:.9g} s: {error}") from error
        after, z = state_after(answer, x.size, self.z.size, who, time)
        if not (np.isfinite(after).all() and np.isfinite(z).all()):
            raise FunctionError(f"{who} a state that is not finite at {time:.9g} s.")
        self.z = z.copy()
        self.given.change(z)
        crossed = self.integrator.crossed.tolist()
        self.integrator.move(time, after)
        self._sample(time, after, z)
        here = self.guard(time, after) if self.guard else np.zeros(0)
        slack = ROUNDING * max(np.abs(x).max(), np.abs(after).max())
        stays = [k for k in crossed if k not in passed and abs(here[k]) <= max(2.0 * abs(before[k]), slack)]
        self.integrator.restart(at_zero=stays, passed=passed)

    def _check_accumulation(self, due: tuple[str, ...], end: float) -> Outcome | None:
        """Whether infinitely many jumps are near; then they are passed over at once, if the system says what follows."""
        limit = self.accumulation.after(due, self.integrator.time, self.integrator.state)
        if limit is None or limit.time > end:
            return None
        self._sample(limit.time, limit.x, self.z)
        self.events.append(Event(limit.time, "accumulation", due))
        self.integrator.move(limit.time, limit.x)
        if self.system.after_accumulation is None:
            return Outcome.ACCUMULATION
        self._jump(self.system.after_accumulation, "the after_accumulation gave", limit.time, limit.x, due, [])
        return None

    # ---- what is kept -------------------------------------------------------------------------------------------------

    def _sample(self, time: float, x: Floats, z: Floats) -> None:
        self.steps.append(Steps(np.array([time]), x[None].copy(), self.no_bend))
        self.modes.append(z)

    def _collect(self) -> None:
        steps = self.integrator.take()
        if len(steps.time):
            self.steps.append(steps)
            self.modes.append(self.z)

    def _trajectory(self, outcome: Outcome, trouble: str) -> HybridTrajectory:
        time, x, bends = (np.concatenate(parts) for parts in zip(*self.steps, strict=True))
        z = np.repeat(np.array(self.modes), [len(steps.time) for steps in self.steps], axis=0)
        return HybridTrajectory(
            time=time,
            x=x,
            z=z,
            bends=bends,
            states=tuple(self.system.states),
            discrete=tuple(self.system.discrete),
            events=tuple(self.events),
            outcome=outcome,
            trouble=trouble,
            settings=self.settings | {"evaluations": self.integrator.evaluations},
        )
