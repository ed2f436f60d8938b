"""The Scenario: everything that a run needs."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from math import inf
from typing import Any

from stickslip.contact.world import World
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.arguments import FilePath
from stickslip.mechanism.errors import ArgumentError, MechanismError, StickslipError, did_you_mean
from stickslip.mechanism.numbers import checked_name, shown
from stickslip.simulate import Trajectory
from stickslip.simulate.control import Controller
from stickslip.simulate.plain_data import frozen, thawed
from stickslip.simulate.running import Progress, simulate_world
from stickslip.simulate.samples import kept

SETTINGS = tuple(
    name
    for name, parameter in inspect.signature(simulate_world).parameters.items()
    if parameter.kind is inspect.Parameter.KEYWORD_ONLY and name not in ("controller", "progress")
)


class ScenarioError(StickslipError, ValueError):
    """A scenario file cannot be read; the message names the file, the key in it, and what was expected."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Scenario:
    """What is to be simulated: a world, a start, a controller, a duration, and how. Nothing in it can be changed.

    It starts at `q` (nq,) in m and rad with `v` (nv,) in m/s and rad/s, and lasts for `duration` in s. `controller`, `method`
    and `settings`, as in {"dt": 1e-3}, are those of `ss.simulate`. `name` is what to call it, `about` a sentence on what it
    shows.

    >>> import stickslip as ss
    >>> scenario = ss.robots.pendulum(links=3)
    >>> scenario.duration, scenario.settings["dt"], scenario.changed(dt=1e-4).settings["dt"]
    (5.0, 0.001, 0.0001)
    >>> scenario.run(duration=0.1)
    <Trajectory of 'pendulum': 101 samples in 0.1 s, FINISHED>
    """

    name: str
    about: str
    world: World
    q: Floats
    v: Floats
    duration: float
    controller: Controller | None = None
    method: str = "event-driven"
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for text, what in ((self.name, "the name of a scenario"), (self.about, "the sentence about a scenario")):
            _check_text(text, what)
        if not isinstance(self.world, World):
            raise ArgumentError(f"the world of scenario {self.name!r} must be a World, not {shown(self.world)}.")
        mechanism = self.world.mechanism
        self._set("q", kept(self.q, (mechanism.nq,), f"q of scenario {self.name!r}"))
        self._set("v", kept(self.v, (mechanism.nv,), f"v of scenario {self.name!r}"))
        mechanism.energy(self.q, self.v)  # which refuses what is not finite, and quaternions of no length
        duration = self.duration
        if isinstance(duration, bool) or not isinstance(duration, (int, float)) or not 0.0 < duration < inf:
            raise ArgumentError(f"the duration of scenario {self.name!r} must be a positive time in s, not {shown(duration)}.")
        if self.controller is not None and not callable(self.controller):
            raise ArgumentError(f"the controller of scenario {self.name!r} must be callable, not {shown(self.controller)}.")
        _check_text(self.method, f"the method of scenario {self.name!r}")
        if not isinstance(self.settings, Mapping):
            raise ArgumentError(f"the settings of scenario {self.name!r} must be a mapping, not {shown(self.settings)}.")
        for setting in self.settings:
            if setting not in SETTINGS:
                raise ArgumentError(f"ss.simulate has no setting {shown(setting)}{did_you_mean(str(setting), SETTINGS)}")
        self._set("settings", frozen(self.settings, f"the settings of scenario {self.name!r}"))

    @classmethod
    def load(cls, path: FilePath) -> Scenario:
        """The scenario in a TOML file; whatever is wrong with it is a `ScenarioError` that names the key."""
        from stickslip.scenario.file import load

        return load(path)

    def changed(self, **changes: Any) -> Scenario:
        """The same scenario but for some of its parts or settings, as in `changed(duration=1.0, dt=1e-4)`; all units are SI.

        A setting that is not named keeps its value; `settings=` replaces all of them.
        """
        values = self._values()
        for name in changes:
            if name not in values and name not in SETTINGS:
                raise ArgumentError(f"a scenario has nothing called {name!r}{did_you_mean(name, (*values, *SETTINGS))}")
        values |= {name: value for name, value in changes.items() if name in values}
        single = {name: value for name, value in changes.items() if name in SETTINGS}
        return Scenario(**values | ({"settings": {**values["settings"], **single}} if single else {}))

    def run(self, *, progress: Progress | None = None, **changes: Any) -> Trajectory:
        """What happens, as `ss.simulate` has it, `progress` too; with `changes` as of `changed`."""
        this = self.changed(**changes) if changes else self
        more: dict[str, Any] = {"controller": this.controller, "progress": progress, **thawed(this.settings)}
        return simulate_world(this.world, this.q, this.v, this.duration, this.method, **more)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies are made anew: arrays that come out of a pickle could be changed."""
        return partial(type(self), **self._values() | {"settings": thawed(self.settings)}), ()

    def __repr__(self) -> str:
        return f"<Scenario {self.name!r}: {self.duration:g} s, {self.method}>"

    def __str__(self) -> str:
        return f"{self.name}: {self.about}"

    def _values(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


def _check_text(value: Any, what: str) -> None:
    try:
        checked_name(value, what)
    except MechanismError as error:
        raise ArgumentError(str(error)) from None
