"""A run: what moved, what pushed, what happened, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from stickslip.complementarity import ContactProblem
from stickslip.contact.naming import is_meant
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.arguments import FilePath
from stickslip.mechanism.errors import ArgumentError, did_you_mean
from stickslip.mechanism.numbers import shown
from stickslip.simulate.contact_history import ContactHistory, ContactTrace
from stickslip.simulate.event import Event
from stickslip.simulate.interpolation import between
from stickslip.simulate.layout import Layout
from stickslip.simulate.outcome import Outcome
from stickslip.simulate.plain_data import frozen
from stickslip.simulate.recorded import Recorded
from stickslip.simulate.samples import kept, times_within
from stickslip.simulate.verdict import Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure


class State(NamedTuple):
    """Position `q` (nq,) in m and rad and velocity `v` (nv,) in m/s and rad/s at `time` in s; one row each of k times."""

    time: Any
    q: Floats
    v: Floats


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Trajectory(Recorded):
    """A run of n samples: what `ss.simulate` returns and `save` keeps without loss. Nothing in it can be changed.

    `time` (n,) in s never falls; where velocities jump, two samples may have one time, the first before and the second after
    the jump. `q` (n, nq) in m and rad, `v` (n, nv) in m/s and rad/s, `tau` (n, nu) in N and N m, and `energy` (n, 2) in J,
    kinetic and potential. `layout` says which joint each number belongs to, without the robot. `contacts` holds forces and
    modes of the contacts that were closed; `.contact(name)` shows one of them, `.mode` all modes as words.

    `events` and `certificates` are in the order of time; a certificate is kept as what it says. `outcome` says how the run
    ended, `trouble` what else there is to say of it, and `problem` is the contact problem that the run stopped at.
    `settings` are the method, its step, tolerances and versions.
    """

    layout: Layout
    time: Floats
    q: Floats
    v: Floats
    tau: Floats
    energy: Floats
    contacts: ContactHistory
    events: tuple[Event, ...] = ()
    certificates: tuple[Verdict, ...] = ()
    outcome: Outcome = Outcome.FINISHED
    trouble: str = ""
    problem: ContactProblem | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = int(np.size(self.time))
        for name, width in (("q", self.layout.nq), ("v", self.layout.nv), ("tau", self.layout.nu), ("energy", 2)):
            self._set(name, kept(getattr(self, name), (n, width), name))
        self._set("time", kept(self.time, (n,), "the time"))
        self._refuse_disorder()
        self._set("events", _all_of(Event, self.events, "the events"))
        self._set("certificates", _all_of(Verdict, self.certificates, "the certificates"))
        for name, kind in (("contacts", ContactHistory), ("outcome", Outcome), ("trouble", str)):
            if not isinstance(getattr(self, name), kind):
                raise ArgumentError(f"the {name} of a trajectory must be {kind.__name__}, not {shown(getattr(self, name))}.")
        if len(self.contacts) and self.contacts.sample[-1] >= n:
            raise ArgumentError(f"the contacts have a record of sample {self.contacts.sample[-1]}, but there are {n} samples.")
        if not isinstance(self.settings, Mapping):
            raise ArgumentError(f"the settings of a trajectory must be a mapping, not {shown(self.settings)}.")
        self._set("settings", frozen(self.settings, "the settings"))

    # ---- what was simulated ------------------------------------------------------------------------------------------

    @cached_property
    def mode(self) -> tuple[str, ...]:
        """For every sample the contact mode: one letter for each closed contact, in the order of their ids."""
        return self.contacts.words(len(self))

    @property
    def contact_names(self) -> tuple[str, ...]:
        """The names of all contacts that were closed at any sample."""
        return self.contacts.names

    def contact(self, name: str) -> ContactTrace:
        """One contact: `.force` (n, 2) or (n, 3) in N, normal first, `.mode` (n,) and `.gap` (n,) in m.

        Where it is not closed its force is zero, its mode the empty word and its gap NaN. "toe" is enough for "toe on floor" if
        the toe touched nothing else.
        """
        names = self.contact_names
        meant = [name] if name in names else [other for other in names if isinstance(name, str) and is_meant(other, name)]
        if len(meant) == 1:
            return self.contacts.trace(meant[0], len(self))
        if meant:
            raise ArgumentError(f"{name!r} stands for several contacts; name one of {', '.join(map(repr, meant))}.")
        near = did_you_mean(name, names) if isinstance(name, str) else "."
        raise ArgumentError(f"no contact {shown(name)} was ever closed in this run{near}")

    def at(self, t: Any) -> State:
        """The state at time t in s: `.q` (nq,) in m and rad, `.v` (nv,); of times t (k,), `.q` (k, nq) and `.v` (k, nv).

        At a sample it is the sample, of two with one time the later. In between it is the cubic through both samples with
        their velocities, in which bodies turn by less than half a turn.
        """
        times = times_within(self.time, t)
        q, v = self._at(times.reshape(-1))
        return State(float(times), q[0], v[0]) if times.ndim == 0 else State(times, q, v)

    def _at(self, times: Floats) -> tuple[Floats, Floats]:
        k = np.searchsorted(self.time, times, side="right") - 1
        q, v = self.q[k], self.v[k]
        inside = np.flatnonzero(times > self.time[k])
        a, b = k[inside], k[inside] + 1
        h = self.time[b] - self.time[a]
        s = (times[inside] - self.time[a]) / h
        q[inside], v[inside] = between(self.layout, h, s, (self.q[a], self.q[b]), (self.v[a], self.v[b]))
        return q, v

    # ---- looking at it ------------------------------------------------------------------------------------------------

    def plot(
        self,
        panels: Sequence[str] | str | None = None,
        *,
        joints: Sequence[str] | str | None = None,
        contacts: Sequence[str] | str | None = None,
        figure: Figure | SubFigure | None = None,
    ) -> Figure | SubFigure:
        """A figure of the run over time in s, one panel below the other; `.savefig(path)` keeps it.

        `panels` are some of "positions", "velocities", "inputs", "normal forces", "tangential forces", "modes", "events" and
        "energy", in any order; all that have something to show if none are named. `joints` and `contacts` choose by name, and
        "toe" stands for all contacts of the toe. A panel tells eight curves apart, those that change most; the others are grey.
        Quaternions are shown as roll, pitch and yaw. The figure is Matplotlib's; `figure` is one to draw in, else a new one.
        """
        from stickslip.view.plot import plot

        return plot(self, panels, joints=joints, contacts=contacts, figure=figure)

    # ---- keeping it --------------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: FilePath) -> Trajectory:
        """The trajectory that `save` wrote; a file that is missing, foreign, damaged or too new is a `StorageError`."""
        from stickslip.simulate.storage import load

        return load(path)

    # ---- for readers -------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Trajectory of {self.layout.mechanism!r}: {len(self)} samples in {self.duration:g} s, {self.outcome.name}>"

    def __str__(self) -> str:
        from stickslip.simulate.story import story_of_trajectory

        return story_of_trajectory(self)


def _all_of(kind: type, values: Any, what: str) -> tuple[Any, ...]:
    listed = tuple(values)
    for value in listed:
        if not isinstance(value, kind):
            raise ArgumentError(f"{what} of a trajectory must be {kind.__name__} objects, not {shown(value)}.")
    return listed
