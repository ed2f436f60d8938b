"""What a function may return in a sweep: what can be kept in a file and read back to the last bit, without pickle.

That is a number, a word, None, an array of numbers, a trajectory, sequences and mappings of numbers and words; or a mapping
from words to these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stickslip.mechanism.errors import ArgumentError
from stickslip.simulate import Trajectory
from stickslip.simulate.plain_data import frozen, thawed

NUMERIC = "biuf"  # NumPy's kinds of numbers: truth values, integers with and without sign, floats
WIDEST = 8  # bytes of a number: wider floats are not the same on all machines


def checked_value(value: Any) -> Any:
    """`value` in the form in which it is kept: sequences as tuples, numbers as Python's, arrays that cannot be changed."""
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ArgumentError(f"the keys of what the function returns must be words, but one is {key!r:.60}.")
        return {str(key): _entry(entry, f"{key!r:.60} in what the function returns") for key, entry in value.items()}
    return _entry(value, "what the function returns")


def _entry(value: Any, what: str) -> Any:
    if isinstance(value, Trajectory):
        return value
    if isinstance(value, np.ndarray):
        return unchanging(value, what)
    return thawed(frozen(value, what))


def unchanging(array: np.ndarray, what: str) -> np.ndarray:
    """A copy of an array of numbers, in the machine's own order of bytes, that cannot be changed."""
    if array.dtype.kind not in NUMERIC or array.dtype.itemsize > WIDEST:
        raise ArgumentError(f"{what} must be an array of numbers of at most {WIDEST} bytes, not of {array.dtype}.")
    copy = np.array(array, dtype=array.dtype.newbyteorder("="), order="C")
    copy.flags.writeable = False
    return copy
