"""A polygon around the circle of friction, and sectors of the directions in which a contact may begin to slide."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import cos, pi, sin
from typing import NamedTuple

MARGIN = 1e-12  # by which polygons are a little too large, so that rounding cannot cut off anything of the circle
THICKNESS = 1e-9  # by which at least they are thick between chord and arc: what is thinner gets lost in round-off
OUTER = 1 + MARGIN  # the circle of radius one lies within this along each direction

Direction = tuple[float, float]


class Sector(NamedTuple):
    """All directions from `first` to `last`, counterclockwise, less than half a turn; `middle` lies halfway between them.

    The arc of the circle of radius one between both lies beyond `inner` along `middle`. All dimensionless.
    """

    first: Direction
    last: Direction
    middle: Direction
    inner: float


def sectors(angles: Sequence[float], *, whole_turn: bool = False) -> tuple[Sector, ...]:
    """Between each of the `angles`, in rad, and the next; in a `whole_turn` the last sector ends where the first begins.

    Neighbours share a direction to the last digit: nothing is left out between them.
    """
    corners = [_direction(angle) for angle in angles]
    ends = list(angles)
    if whole_turn:
        corners.append(corners[0])
        ends.append(angles[0] + 2 * pi)
    return tuple(
        Sector(first, last, _direction((a + b) / 2), cos((b - a) / 2) - THICKNESS)
        for (first, last), (a, b) in zip(pairwise(corners), pairwise(ends), strict=True)
    )


@cache
def regular(number: int) -> tuple[Sector, ...]:
    """A whole turn in equal parts, at least three."""
    return sectors([2 * pi * k / number for k in range(number)], whole_turn=True)


def _direction(angle: float) -> Direction:
    return cos(angle), sin(angle)
