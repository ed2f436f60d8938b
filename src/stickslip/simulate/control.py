"""A controller as users write it, asked for its inputs and never believed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stickslip.contact.world import World
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, StickslipError
from stickslip.mechanism.numbers import shown
from stickslip.simulate.compiled_controller import CompiledController

Controller = Callable[[float, Floats, Floats], Any] | CompiledController

WHOLE = 1e-9  # by how much a period may differ from a whole number of steps, relative to a step


class ControllerError(StickslipError, RuntimeError):
    """A controller raised an error, or gave inputs that are none; the message says when."""


class ZeroOrderHold:
    """Asks a controller every so many steps, and holds its inputs tau (nu,) in between; no controller means no inputs."""

    def __init__(self, world: World, controller: Controller | None, dt: float) -> None:
        self.nu = world.mechanism.nu
        self.controller = controller
        self.every = 0 if controller is None else _steps(controller, dt)

    def tau(self, time: float, q: Floats, v: Floats) -> Floats:
        """The inputs (nu,) from `time` in s on, as N and N m, for copies of q (nq,) and v (nv,)."""
        if self.controller is None:
            return np.zeros(self.nu)
        try:
            if isinstance(self.controller, CompiledController):
                answer = self.controller(time, q, v, self.nu)
            else:
                answer = self.controller(time, q.copy(), v.copy())
        except Exception as error:
            raise ControllerError(f"the controller raised {type(error).__name__} at {time:.9g} s: {error}") from error
        return self._checked(answer, time)

    def _checked(self, answer: Any, time: float) -> Floats:
        try:
            tau = np.array(answer, dtype=np.float64)
        except (TypeError, ValueError):
            raise ControllerError(f"the controller gave no numbers at {time:.9g} s, but {shown(answer)}.") from None
        if tau.shape != (self.nu,):
            raise ControllerError(f"the controller gave inputs of shape {tau.shape} at {time:.9g} s, not ({self.nu},).")
        if not np.isfinite(tau).all():
            raise ControllerError(f"the controller gave inputs that are not finite at {time:.9g} s: {shown(tau.tolist())}.")
        return tau


def _steps(controller: Controller, dt: float) -> int:
    """The steps of length dt in s between two calls."""
    if not callable(controller):
        raise ArgumentError(f"a controller must be callable as controller(t, q, v), not {shown(controller)}.")
    period = getattr(controller, "period", dt)
    if not isinstance(period, (int, float)) or not 0.0 < period < np.inf:
        raise ArgumentError(f"the controller's period must be a positive time in s, not {shown(period)}.")
    steps = round(period / dt)
    if steps < 1 or abs(period / dt - steps) > WHOLE:
        raise ArgumentError(f"the controller's period of {period:g} s must be a whole number of steps of {dt:g} s.")
    return steps
