"""Arrays as users give them, made ready for kernels: C-contiguous writable float64 of the right shape, or a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError

DOUBLE = np.dtype(np.float64)


def ready(value: Any, shape: tuple[int, ...], what: str) -> Floats:
    """`value` itself if a kernel can take it as it is, else a copy that it can; `what` names it in the error."""
    if type(value) is np.ndarray and value.dtype is DOUBLE and value.shape == shape and value.flags.carray:
        return value
    try:
        array = np.asarray(value)
    except ValueError:
        raise ArgumentError(f"{what} must be an array of shape {shape}, not a ragged sequence.") from None
    if array.dtype.kind not in "fiu":
        raise ArgumentError(f"{what} must hold real numbers, not {array.dtype}.")
    if array.shape != shape:
        raise ArgumentError(f"{what} must have shape {shape}, not {array.shape}.")
    with np.errstate(over="ignore"):  # a longer float becomes infinite, which the kernels refuse
        return np.array(array, dtype=DOUBLE)


def output(out: Any, shape: tuple[int, ...]) -> Floats:
    """`out` where the result can be written into it as it is; a new array where it is None."""
    if out is None:
        return np.empty(shape)
    if type(out) is np.ndarray and out.dtype is DOUBLE and out.shape == shape and out.flags.carray:
        return out
    raise ArgumentError(f"out must be a C-contiguous writable float64 array of shape {shape}.")
