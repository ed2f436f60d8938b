"""Arrays as a run keeps them: C-contiguous, of one shape, and nobody can change them."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from stickslip.dynamics.arguments import DOUBLE, ready
from stickslip.dynamics.tree import Floats, Ints
from stickslip.mechanism.errors import ArgumentError

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


def _locked(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _is_safe(array: Floats) -> bool:
    return array.base is None and array.flags.c_contiguous and not array.flags.writeable
