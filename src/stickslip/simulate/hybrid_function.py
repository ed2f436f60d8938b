"""A user's function as compiled code calls it: by its address, whether it is compiled or not."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, StickslipError
from stickslip.mechanism.numbers import shown

_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class FunctionError(StickslipError, RuntimeError):
    """A function of a hybrid system raised an error, or gave what it must not; the message says which and when."""


class Given:
    """What functions get besides time and state: the discrete state z (k,) and then parameters, in one array."""

    def __init__(self, z: Floats, parameters: Floats) -> None:
        self._array = np.concatenate([z, parameters])
        self._size = len(z)

    @property
    def address(self) -> int:
        """Where it is."""
        return int(self._array.ctypes.data)

    @property
    def z(self) -> Floats:
        """The discrete state (k,), of which nobody can change the numbers."""
        view = self._array[: self._size].view()
        view.flags.writeable = False
        return view

    def change(self, z: Floats) -> None:
        """Another discrete state (k,)."""
        self._array[: self._size] = z


class Called:
    """A function of (t, x, z) that answers `count` numbers for x (n,), to be called by `address`.

    A function of Python cannot raise through compiled code: what it raises is kept in `error`, and from then on it answers NaN.
    """

    def __init__(self, function: Any, size: int, count: int, given: Given, what: str) -> None:
        self.size, self.count, self.given, self.what = size, count, given, what
        self.error: BaseException | None = None
        self._function = function
        self._views: dict[int, Floats] = {}
        compiled = getattr(function, "address", None)
        self._code = _PROTOTYPE(compiled) if isinstance(compiled, int) else _PROTOTYPE(self._answer)
        self.address = int(ctypes.cast(self._code, ctypes.c_void_p).value or 0)

    def __call__(self, t: float, x: Floats) -> Floats:
        """Its numbers (count,) at time t in s and x (n,)."""
        x, out = np.ascontiguousarray(x), np.empty(self.count)
        self._code(t, x.ctypes.data, self.given.address, out.ctypes.data)
        self._views.clear()  # these arrays are gone in a moment
        self.check()
        return out

    def check(self) -> None:
        """Raise what the function raised."""
        error, self.error = self.error, None
        if error is not None:
            raise error

    def _answer(self, t: float, x: int, _given: int, out: int) -> None:
        target = self._view(out, self.count)
        if self.error is None:
            try:
                target[:] = self._checked(self._function(t, self._view(x, self.size).copy(), self.given.z), t)
                return
            except FunctionError as error:
                self.error = error
            except Exception as error:
                self.error = FunctionError(f"the {self.what} raised {type(error).__name__} at {t:.9g} s: {error}")
                self.error.__cause__ = error
            except BaseException as error:  # Ctrl-C, which is raised again where it does no harm
                self.error = error
        target[:] = np.nan

    def _checked(self, answer: Any, t: float) -> Floats:
        return numbers(answer, self.count, f"the {self.what} gave", t)

    def _view(self, address: int, count: int) -> Floats:
        view = self._views.get(address)
        if view is None:
            view = np.ctypeslib.as_array((ctypes.c_double * count).from_address(address))
            self._views[address] = view
        return view


def numbers(answer: Any, count: int, who: str, t: float) -> Floats:
    """What a user's function answered at time t in s, as numbers (count,); a single one may stand alone."""
    try:
        array = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        array = None
    if array is None or answer is None:
        raise FunctionError(f"{who} no numbers at {t:.9g} s, but {shown(answer)}.")
    if array.shape == () and count == 1:
        return array.reshape(1)
    if array.shape != (count,):
        raise FunctionError(f"{who} an answer of shape {array.shape} at {t:.9g} s, not ({count},).")
    return array


def start_state(value: Any, names: tuple[str, ...], what: str) -> Floats:
    """A start as a user gives it, as finite numbers (n,), as many as there are names if there are any."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"{what} must be numbers, not {shown(value)}.") from None
    if array.ndim != 1 or (names and array.shape != (len(names),)):
        wanted = f"({len(names)},), one for each of {', '.join(names)}" if names else "(n,)"
        raise ArgumentError(f"{what} must have shape {wanted}, not {array.shape}.")
    if not np.isfinite(array).all():
        raise ArgumentError(f"{what} must be finite, but is {shown(array.tolist())}.")
    return array
