"""Arrays as a run keeps them: C-contiguous, of one shape, and nobody can change them."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from stickslip.dynamics.arguments import DOUBLE, ready
from stickslip.dynamics.tree import Floats, Ints
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown

Array = TypeVar("Array", Floats, Ints)


def kept(value: Any, shape: tuple[int, ...], what: str) -> Floats:
    """`value` as a read-only array of that shape; NaN stands for what is not known. What nobody can change is not copied."""
    if type(value) is np.ndarray and value.dtype is DOUBLE and value.shape == shape and _is_safe(value):
        return value
    array = ready(value, shape, what)
    return _locked(array.copy() if array is value else array)


def kept_indices(value: Any, count: int, below: int, what: str) -> Ints:
    """`value` as read-only integers (count,), each at least zero and smaller than `below`."""
    given = np.asarray(value)
    if given.shape != (count,) or (given.dtype.kind not in "iu" and count):
        raise ArgumentError(f"{what} must be {count} integers, not an array of shape {given.shape} of {given.dtype}.")
    array = given.astype(np.int64)
    if count and not 0 <= array.min() <= array.max() < below:
        raise ArgumentError(f"{what} must lie between 0 and {below - 1}, but go from {array.min()} to {array.max()}.")
    return _locked(array)


def times_within(time: Floats, t: Any) -> Floats:
    """t in s, a number or a sequence (k,), as an array of times that lie within those of a run."""
    try:
        times = np.asarray(t)
    except ValueError:  # ragged
        times = np.empty((0, 0))
    if times.dtype.kind not in "fiu" or times.ndim > 1:
        raise ArgumentError(f"the time must be a number or a sequence of numbers, not {shown(t)}.")
    if not len(time):
        raise ArgumentError("this trajectory has no samples, and so no state at any time.")
    first, last = float(time[0]), float(time[-1])
    if not ((times >= first) & (times <= last)).all():
        raise ArgumentError(f"the time must lie within the run, from {first!r} s to {last!r} s, but is {shown(t)}.")
    return times.astype(np.float64)


def _locked(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _is_safe(array: Floats) -> bool:
    return array.base is None and array.flags.c_contiguous and not array.flags.writeable
