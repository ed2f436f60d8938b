"""The run of a hybrid system: what flowed, what jumped, and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.mechanism.arguments import FilePath
from stickslip.mechanism.errors import ArgumentError, did_you_mean
from stickslip.mechanism.numbers import shown
from stickslip.simulate.event import Event
from stickslip.simulate.hybrid import HybridState
from stickslip.simulate.integrate import between
from stickslip.simulate.outcome import Outcome
from stickslip.simulate.plain_data import frozen
from stickslip.simulate.recorded import Recorded
from stickslip.simulate.samples import kept, times_within


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class HybridTrajectory(Recorded):
    """A run of a hybrid system in m samples: what `ss.simulate` returns for one. Nothing in it can be changed.

    `time` (m,) in s never falls; where the state jumps, two samples have one time, before and after. `x` (m, n) is what flows,
    `z` (m, k) the discrete state, in the units of the user; `states` and `discrete` are their names, if they have any.
    `bends` (m, 3, n) is how the flow that led to each sample differs from a straight line; `.at(t)` makes use of it.
    `events` are in the order of time, those that happen together in the order of the system. `outcome` says how the run ended,
    `trouble` what else there is to say of it, and `settings` are tolerances and the numbers of evaluations.
    """

    time: Floats
    x: Floats
    z: Floats
    bends: Floats
    states: tuple[str, ...] = ()
    discrete: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    outcome: Outcome = Outcome.FINISHED
    trouble: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        m, n, k = len(self.time), np.shape(self.x)[1], np.shape(self.z)[1]
        for name, shape in (("time", (m,)), ("x", (m, n)), ("z", (m, k)), ("bends", (m, 3, n))):
            self._set(name, kept(getattr(self, name), shape, name))
        self._refuse_disorder()
        self._set("events", tuple(self.events))
        self._set("settings", frozen(self.settings, "the settings"))

    def value(self, name: str) -> Floats:
        """The samples (m,) of the state, or discrete state, of this name, in the unit that the user gave it."""
        if name in self.states:
            return self.x[:, self.states.index(name)]
        if name in self.discrete:
            return self.z[:, self.discrete.index(name)]
        near = did_you_mean(name, (*self.states, *self.discrete)) if isinstance(name, str) else "."
        raise ArgumentError(f"the system has no state {shown(name)}{near}")

    def at(self, t: Any) -> HybridState:
        """The state at time t in s: `.x` (n,), `.z` (k,); of times t (j,), `.x` (j, n) and `.z` (j, k).

        At a sample it is the sample, of several with one time the last. In between it is the integrator's own dense output.
        """
        times = times_within(self.time, t)
        x, z = self._at(times.reshape(-1))
        return HybridState(float(times), x[0], z[0]) if times.ndim == 0 else HybridState(times, x, z)

    def _at(self, times: Floats) -> tuple[Floats, Floats]:
        k = np.searchsorted(self.time, times, side="right") - 1
        x, z = self.x[k], self.z[k]
        inside = np.flatnonzero(times > self.time[k])
        a, b = k[inside], k[inside] + 1
        theta = (times[inside] - self.time[a]) / (self.time[b] - self.time[a])
        x[inside] = between(theta, self.x[a], self.x[b], self.bends[b])
        return x, z

    @classmethod
    def load(cls, path: FilePath) -> HybridTrajectory:
        """The run that `save` wrote; a file that is missing, foreign, damaged or too new is a `StorageError`."""
        from stickslip.simulate.storage import load_hybrid

        return load_hybrid(path)

    def __repr__(self) -> str:
        return f"<HybridTrajectory: {len(self)} samples in {self.duration:g} s, {self.outcome.name}>"

    def __str__(self) -> str:
        lines = [f"run of a hybrid system: {len(self)} samples from {self.time[0]:g} s to {self.time[-1]:g} s"]
        kinds = Counter(str(event.kind) for event in self.events)
        if kinds:
            told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
            lines.append(f"  events: {told}; the first: {self.events[0]}")
        lines += [f"  {line}" for line in (self.outcome.value, *self.trouble.splitlines())]
        return "\n".join(lines)
