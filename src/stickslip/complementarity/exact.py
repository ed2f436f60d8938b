"""Floating-point numbers as what they are: integers times a power of two, so that sums and products of them are exact.

Arrays become nested lists of Python's integers with one common exponent. A proof that is replayed with them has no round-off;
`fractions.Fraction` would give the same answers, and take ten times as long over common denominators.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

MANTISSA = 53  # bits


def dyadic(array: Any) -> tuple[Any, int]:
    """(integers, exponent) with array = integers * 2^exponent exactly, the integers nested as the array is; exponent <= 0."""
    mantissa, exponent = np.frexp(np.asarray(array, dtype=np.float64))
    whole = np.ldexp(mantissa, MANTISSA).astype(np.int64)
    shift = np.where(whole == 0, 0, exponent.astype(np.int64) - MANTISSA)
    lowest = min(int(shift.min(initial=0)), 0)
    flat = [int(number) << int(by) for number, by in zip(whole.ravel(), (shift - lowest).ravel(), strict=True)]
    return _nested(flat, whole.shape), lowest


def _nested(flat: list[int], shape: tuple[int, ...]) -> Any:
    if not shape:
        return flat[0]
    if len(shape) == 1:
        return flat
    size = len(flat) // shape[0] if shape[0] else 0
    return [_nested(flat[k * size : (k + 1) * size], shape[1:]) for k in range(shape[0])]


def fractions(array: Any) -> Any:
    """The numbers of an array as `Fraction`, nested lists as the array is."""
    array = np.asarray(array, dtype=np.float64)
    if array.ndim == 0:
        return Fraction(float(array))
    return [fractions(row) for row in array]
