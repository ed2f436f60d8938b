"""Infinitely many jumps in finite time: seen coming, and the instant at which they are over.

The time between jumps of one kind shrinks as a geometric series, in the limit: a bouncing ball's by its restitution. When the
ratio has been steady for so many jumps, and what is left of the series is shorter than so many seconds, the sum is
taken. By then the series differs from a geometric one only by parts of that short time, so that its sum is known far better.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.dynamics.tree import Floats

STEADY = 1e-2  # by how much ratios may differ from the last, relative to how far that is from one
INTERVALS = 6  # that are looked at


class Limit(NamedTuple):
    """The instant in s at which infinitely many jumps are over, and the state x (n,) then."""

    time: float
    x: Floats


class Accumulation:
    """The jumps of each kind so far, those happening together being a kind of their own; sums nearer than `within` s."""

    def __init__(self, within: float) -> None:
        self.within = within
        self._past: dict[tuple[str, ...], list[tuple[float, Floats]]] = {}

    def after(self, due: tuple[str, ...], time: float, x: Floats) -> Limit | None:
        """Note a jump at `time` in s to x (n,); its limit, if there is one and it is near enough."""
        past = self._past.setdefault(due, [])
        past.append((time, x.copy()))
        del past[: -INTERVALS - 1]
        if len(past) <= INTERVALS or not self.within > 0.0:
            return None
        intervals = np.diff([then for then, _ in past])
        if not (intervals > 0.0).all() or intervals[-1] > self.within:
            return None
        ratio = (intervals[-1] / intervals[0]) ** (1.0 / (INTERVALS - 1))
        ratios = intervals[1:] / intervals[:-1]
        if not (ratio < 1.0 and np.abs(ratios - ratio).max() <= STEADY * (1.0 - ratio)):
            return None
        left = intervals[-1] * ratio / (1.0 - ratio)
        if left > self.within:
            return None
        self._past.clear()
        return Limit(time + float(left), _limit(*(state for _, state in past[-3:])))


def _limit(first: Floats, second: Floats, third: Floats) -> Floats:
    """Where three states of a series lead that is geometric in each number (Aitken)."""
    change, before = third - second, second - first
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = change / before
        rest = np.where((np.abs(ratio) < 1.0) & np.isfinite(ratio), change * ratio / (1.0 - ratio), 0.0)
    return np.asarray(third + rest)
