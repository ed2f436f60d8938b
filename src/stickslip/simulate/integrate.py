"""An integrator of one flow: the arrays of its compiled loop, and what it answers.

    flow = Integrator(rates, size=2, guards=guards, watch=[FALLING])
    flow.start(0.0, y0)
    while (status := flow.advance(end=10.0)) == EVENT: ...

`rates` and `guards` are addresses of functions void(double t, double *y, double *p, double *out); see `integrate_call.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from stickslip.dynamics.piece import address_of, block_of, start
from stickslip.dynamics.tree import Floats, Ints
from stickslip.simulate.integrate_loop import advance
from stickslip.simulate.integrate_parts import (
    ANY,
    CLOCK,
    END,
    EVALUATIONS,
    FALLING,
    FRESH,
    GIVEN,
    GUARD_ROWS,
    INSIDE,
    LOCATION,
    LONGEST,
    NOW,
    PACE,
    RELATIVE,
    RISING,
    SAMPLES,
    STATE,
    UNTIL,
    Y_ROWS,
    Integration,
)

ROOM = 1024  # steps that are recorded before somebody has to take them over
UNKNOWN = 2  # of `zero`

_AFTER = {FALLING: -1, INSIDE: -1, RISING: 1, ANY: 0}  # side of a guard that has crossed zero


class Steps(NamedTuple):
    """What was recorded: at the end of m steps `time` (m,) in s and the state (m, n); the `bends` (m, 3, n) of each step."""

    time: Floats
    y: Floats
    bends: Floats


class Integrator:
    """Integrates n numbers whose rates are a function of time and of themselves, and stops where guards cross zero.

    `watch` (m,) says which crossings of each guard count. `given` is the address that both functions get as `p`. The error of a
    step is at most `absolute` (n,) plus `relative` of the state; events are located to `location` in s.
    """

    def __init__(
        self,
        rates: int,
        *,
        size: int,
        guards: int = 0,
        watch: Sequence[int] = (),
        given: int = 0,
        relative: float,
        absolute: Floats,
        location: float = 1e-12,
        longest: float = np.inf,
        room: int = ROOM,
    ) -> None:
        count = len(watch)
        self.parts = Integration(
            codes=np.array([rates, guards, given], dtype=np.int64),
            clock=np.zeros(CLOCK, dtype=np.int64),
            pace=np.zeros(PACE),
            absolute=np.array(absolute, dtype=np.float64),
            y=np.zeros((Y_ROWS, size)),
            rates=np.zeros((7, size)),
            bends=np.zeros((3, size)),
            guards=np.zeros((GUARD_ROWS, count)),
            watch=np.array(watch, dtype=np.int64),
            side=np.zeros(count, dtype=np.int64),
            zero=np.zeros(count, dtype=np.int64),
            verdicts=np.zeros(count, dtype=np.int64),
            fired=np.zeros(count, dtype=np.int64),
            samples=np.zeros((room, 1 + size)),
            bent=np.zeros((room, 3 * size)),
        )
        self.parts.pace[[LONGEST, RELATIVE, LOCATION]] = longest, relative, location
        self._block = block_of(self.parts)
        self._advance = _machine()

    # ---- where it is ---------------------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Now, in s."""
        return float(self.parts.pace[NOW])

    @property
    def state(self) -> Floats:
        """The state (n,) itself; who writes to it must `restart`."""
        state: Floats = self.parts.y[STATE]
        return state

    @property
    def fired(self) -> Ints:
        """The guards that the last event is of."""
        return np.flatnonzero(self.parts.fired)

    @property
    def crossed(self) -> Ints:
        """Those of them that crossed zero, or left it; the flow began below zero for the others."""
        return np.flatnonzero(self.parts.fired == 1)

    @property
    def evaluations(self) -> int:
        """How often the rates were asked for."""
        return int(self.parts.clock[EVALUATIONS])

    # ---- going on ------------------------------------------------------------------------------------------------------

    def start(self, time: float, y: Any) -> None:
        """Begin at `time` in s and the state y (n,); nothing of an earlier flow is remembered."""
        self.parts.clock[:] = 0
        self.move(time, y)
        self.restart()

    def move(self, time: float, y: Any) -> None:
        """Be at another `time` in s and in another state y (n,), to `restart` from there; what is recorded is kept."""
        self.parts.pace[NOW] = time
        self.parts.y[STATE] = y

    def restart(self, *, at_zero: Sequence[int] = (), passed: Sequence[int] = ()) -> None:
        """Go on from where it is with a state, rates or guards that may have changed.

        The guards `at_zero` are taken to begin at zero: only where they go from there counts. Those that have `passed` zero
        were seen to do so, and are no event again for it.
        """
        self.parts.clock[FRESH] = 1
        self.parts.zero[:] = UNKNOWN
        for k in at_zero:
            self.parts.zero[k], self.parts.side[k] = 1, 0
        for k in passed:
            self.parts.zero[k], self.parts.side[k] = 1, _AFTER[int(self.parts.watch[k])]

    def give(self, address: int) -> None:
        """Another address for `p`."""
        self.parts.codes[GIVEN] = address

    def advance(self, *, end: float, until: float = np.inf) -> int:
        """Go on to `end`, or to the instant `until` at which somebody decides, in s; answers a status."""
        self.parts.pace[[END, UNTIL]] = end, until
        return int(start(self._advance, self._block.ctypes.data))  # type: ignore[no-untyped-call]

    def take(self) -> Steps:
        """What was recorded since the last time, and room for more."""
        count, size = int(self.parts.clock[SAMPLES]), self.parts.y.shape[1]
        self.parts.clock[SAMPLES] = 0
        rows, bent = self.parts.samples[:count].copy(), self.parts.bent[:count].reshape(count, 3, size).copy()
        return Steps(rows[:, 0], rows[:, 1:], bent)


@cache
def _machine() -> int:
    """The address of the loop."""
    return address_of(advance)


def between(theta: Floats, first: Floats, last: Floats, bends: Floats) -> Floats:
    """States (m, n) at the parts theta (m,) of m steps from `first` (m, n) to `last` (m, n) with their `bends` (m, 3, n)."""
    theta = theta[:, None]
    rest = 1.0 - theta
    inner = bends[:, 0] + theta * (bends[:, 1] + rest * bends[:, 2])
    return np.asarray(first + theta * (last - first + rest * inner))
