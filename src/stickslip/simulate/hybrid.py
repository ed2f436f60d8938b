"""Hybrid systems: what flows, where and how it jumps (paper 1, section II).

A state x (n,) flows as `flow` says until it reaches the jump set, and then jumps as `jump` says. The jump set is where any of
the guards is not positive, and about to be negative; the flow set is the rest. What only ever jumps, such as modes,
counters and held measurements, is the discrete state z (k,).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, did_you_mean
from stickslip.mechanism.numbers import shown

if TYPE_CHECKING:
    from stickslip.simulate.hybrid_control import HybridController

Function = Any  # a callable of Python, or a compiled one with an `.address`


class HybridState(NamedTuple):
    """The state `x` (n,) that flows and the discrete state `z` (k,), at `time` in s; one row each of several times."""

    time: Any
    x: Floats
    z: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class HybridSystem:
    """What flows, where it jumps, and how; time in s, numbers in the units of the user.

    - `flow(t, x, z)` gives the rates (n,) of x (n,), which z (k,) does not have;
    - `guard(t, x, z)` gives a number for each of `events`, which are names: the event happens where its guard falls through
      zero, or at once where a flow begins below zero;
    - `jump(t, x, z, due)` gives x after the events whose names are in `due`, which happen together; in a system with a
      discrete state it gives (x, z);
    - `after_accumulation(t, x, z, due)` says like `jump` how to go on after infinitely many events in finite time; without it
      the run ends there.

    Events in `marks` are recorded, and change nothing. At those in `ends` the state leaves the flow set for good, and the run
    ends. `states` and `discrete` may name the numbers in x and z. A plant with a number of `inputs` u has a `flow(t, x, z, u)`
    and runs once it is `controlled_by` a controller.

    `flow` and `guard` may be compiled, as numba.cfunc does: `void(double t, double *x, double *p, double *out)`, with z and
    then the `parameters` at p. Where a function answers NaN, a shorter step is tried.

    >>> import stickslip as ss
    >>> ball = ss.HybridSystem(
    ...     flow=lambda t, x, z: (x[1], -9.81),
    ...     guard=lambda t, x, z: x[0],
    ...     events=["bounce"],
    ...     jump=lambda t, x, z, due: (0.0, -0.5 * x[1]),
    ... )
    >>> run = ss.simulate(ball, [1.0, 0.0], duration=1.0)
    >>> [round(event.time, 6) for event in run.events]
    [0.451524, 0.903047]
    """

    flow: Function
    guard: Function = None
    events: Sequence[str] = ()
    jump: Callable[..., Any] | None = None
    after_accumulation: Callable[..., Any] | None = None
    marks: Sequence[str] = ()
    ends: Sequence[str] = ()
    states: Sequence[str] = ()
    discrete: Sequence[str] = ()
    inputs: int = 0
    parameters: Sequence[float] = ()

    def __post_init__(self) -> None:
        _check_function(self.flow, "the flow")
        for name in ("events", "marks", "ends", "states", "discrete"):
            object.__setattr__(self, name, _names(getattr(self, name), name))
        if self.events and self.guard is None:
            raise ArgumentError("a hybrid system with events needs a guard that tells when they happen.")
        if self.guard is not None:
            _check_function(self.guard, "the guard")
            if not self.events:
                raise ArgumentError("a guard needs a name in `events` for each of its numbers.")
        for name in (*self.marks, *self.ends):
            if name not in self.events:
                raise ArgumentError(f"there is no event {name!r}{did_you_mean(name, self.events)}")
        leads = [name for name in self.events if name not in (*self.marks, *self.ends)]
        if leads and self.jump is None:
            raise ArgumentError(f"event {leads[0]!r} needs a `jump` that says what it does, or to be among the `marks`.")
        if isinstance(self.inputs, bool) or not isinstance(self.inputs, int) or self.inputs < 0:
            raise ArgumentError(f"inputs must be the number of them, not {shown(self.inputs)}.")

    def controlled_by(self, controller: HybridController) -> HybridSystem:
        """The closed loop of this plant and a hybrid controller (paper 1, (93)-(98)); its state is both states in a row.

        It flows where both flow. Where either jumps that one jumps, from what both were before; where both do, both.
        """
        from stickslip.simulate.hybrid_control import closed_loop

        return closed_loop(self, controller)

    def __repr__(self) -> str:
        told = ", ".join(self.events) or "no events"
        return f"<HybridSystem: {told}>"


def _check_function(function: Any, what: str) -> None:
    if not callable(function) and not isinstance(getattr(function, "address", None), int):
        raise ArgumentError(f"{what} must be a function of (t, x, z) or a compiled one, not {shown(function)}.")


def _names(value: Any, what: str) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(value)
    if not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        raise ArgumentError(f"{what} of a hybrid system must be names that differ, not {shown(value)}.")
    return names
