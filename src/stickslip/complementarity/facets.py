"""A polygon around the circle of friction, and the sectors of directions that its sides stand for."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import NamedTuple

MARGIN = 1e-12  # by which the polygon is a little too large, so that rounding cannot cut off anything of the circle


class Facets(NamedTuple):
    """Directions, dimensionless: `outward` of the sides, `corners` between them (side k lies between corners k and k + 1).

    The circle of radius one lies within `outer` along each outward direction; its arc over one side beyond `inner`.
    """

    outward: tuple[tuple[float, float], ...]
    corners: tuple[tuple[float, float], ...]
    outer: float
    inner: float


@cache
def facets(number: int) -> Facets:
    """A regular polygon of at least three sides."""
    step = 2 * pi / number
    directions = [(cos(step * k / 2), sin(step * k / 2)) for k in range(2 * number)]
    return Facets(tuple(directions[1::2]), tuple(directions[0::2]), 1 + MARGIN, cos(step / 2) - MARGIN)
