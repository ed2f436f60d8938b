"""Controllers in machine code, which a run calls without coming back to Python."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import carray, types

from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown

_NUMBERS = types.CPointer(types.float64)
_SIGNATURE = types.void(types.float64, _NUMBERS, types.int64, _NUMBERS, types.int64, _NUMBERS, types.int64)


class CompiledController:
    """What `ss.compiled_controller` makes of a function: its machine code, and how often it is asked."""

    def __init__(self, function: Callable[[float, Floats, Floats, Floats], None], period: float | None) -> None:
        if not isinstance(function, FunctionType):
            raise ArgumentError(f"a compiled controller is made of a function(t, q, v, tau), not of {shown(function)}.")
        if period is not None:
            self.period = period
        self.__name__ = function.__name__
        compiled: Any = numba.njit(error_model="numpy")(function)

        def controller(t, q, nq, v, nv, tau, nu):  # type: ignore[no-untyped-def]
            inputs = carray(tau, (nu,))
            try:
                compiled(t, carray(q, (nq,)).copy(), carray(v, (nv,)).copy(), inputs)
            except Exception:  # machine code cannot hand it on: no number says so
                inputs[:] = nan

        self._function = compiled
        try:
            self._code: Any = numba.cfunc(_SIGNATURE)(controller)
        except Exception as error:  # Numba has errors of many families
            raise ArgumentError(f"{function.__name__} cannot be compiled as controller(t, q, v, tau): {error}") from None

    @property
    def address(self) -> int:
        """Where its machine code begins: a C function of (t, q, nq, v, nv, tau, nu)."""
        return int(self._code.address)

    def __call__(self, t: float, q: Any, v: Any, nu: int) -> Floats:
        """Its inputs (nu,), in N and N m, at time t in s: what a run would get."""
        tau = np.zeros(nu)
        self._function(float(t), np.array(q, dtype=float), np.array(v, dtype=float), tau)
        return tau

    def __repr__(self) -> str:
        return f"<CompiledController {self.__name__}>"


def compiled_controller(
    function: Callable[[float, Floats, Floats, Floats], None] | None = None, *, period: float | None = None
) -> Any:
    """Make a controller of a function(t, q, v, tau) that Numba can compile; it writes the inputs tau (nu,), in N and N m.

    t is in s, q (nq,) in m and rad, v (nv,) in m/s and rad/s; tau holds the last inputs. It is asked every `period` in s, or
    every step without one. Runs call it without coming back to Python: q and v are copies, and an error that it raises ends
    the run, but cannot be told.

    >>> import stickslip as ss
    >>> @ss.compiled_controller(period=0.01)
    ... def damper(t, q, v, tau):
    ...     tau[0] = -2.0 * v[0]
    >>> b = ss.MechanismBuilder(plane="xz")
    >>> b.body("cart", mass=1.0, inertia=1.0)
    >>> b.prismatic("rail", child="cart", axis=(1, 0))
    >>> b.motor("rail")
    >>> run = ss.simulate(ss.World(ss.Mechanism(b)), [0.0], [1.0], 1.0, "time-stepping", controller=damper)
    >>> round(float(run.v[-1, 0]), 3)
    0.133
    """
    if period is not None and (isinstance(period, bool) or not isinstance(period, (int, float)) or not 0.0 < period < inf):
        raise ArgumentError(f"the controller's period must be a positive time in s, not {shown(period)}.")
    if function is None:
        return lambda function: CompiledController(function, period)
    return CompiledController(function, period)
