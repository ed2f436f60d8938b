"""Arrays of a problem as users give them: finite float64 that nobody can change behind its back, or a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from stickslip.dynamics.arguments import ready
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError


def fixed(value: Any, shape: tuple[int, ...], what: str) -> Floats:
    """A read-only copy (shape) of `value`, all finite; `what` names it in the error."""
    array = ready(value, shape, what).copy()
    if not np.isfinite(array).all():
        raise ArgumentError(f"{what} must hold finite numbers only, not NaN or infinity.")
    array.flags.writeable = False
    return array


def matrix(value: Any, columns: int, what: str) -> Floats:
    """A read-only (any, columns) matrix; an empty sequence has no rows."""
    try:
        shape = np.shape(value)
    except ValueError:
        raise ArgumentError(f"{what} must be a matrix of {columns} columns, not a ragged sequence.") from None
    if shape in ((0,), (0, 0)):
        return fixed(np.zeros((0, columns)), (0, columns), what)
    if len(shape) != 2 or shape[1] != columns:
        raise ArgumentError(f"{what} must be a matrix of {columns} columns, not an array of shape {shape}.")
    return fixed(value, shape, what)


def for_each(value: Any, count: int, what: str) -> Floats:
    """One number for each of `count`, read-only; a single number stands for all of them."""
    single = np.ndim(value) == 0 if not isinstance(value, (list, tuple)) else False
    return fixed(np.full(count, value) if single else value, (count,), what)


def not_negative(value: Any, count: int, what: str, names: list[str]) -> Floats:
    """As `for_each`, none below zero; `names` say whose number is wrong."""
    numbers = for_each(value, count, what)
    for name, number in zip(names, numbers, strict=True):
        if number < 0:
            raise ArgumentError(f"{what} of {name!r} must not be negative, but is {number:g}.")
    return numbers
