"""Pairs of shapes that may soon be near each other, kept from look to look: most pairs stay far apart for a long time.

The list holds all pairs whose boxes came within a reach when it was made. While no box has grown beyond what it was then by
more than half of what the reach is above the margin, all pairs within the margin are among them, in the same order.
"""

from __future__ import annotations

from typing import NamedTuple

from stickslip.contact.broad_phase import MOVER, come_near, near_pairs
from stickslip.contact.scene import LOWER, UPPER
from stickslip.contact.touch import FULL
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.piece import Floats1, Floats2, Ints1, Ints2

LOOKS = 8  # for which a list is meant to do
NO_LIST = -1

PAIRS, AGE = 0, 1  # of `counts`: how many pairs, or NO_LIST; looks since it was made


class Neighbours(NamedTuple):
    """The list, and what is needed to know that it still holds."""

    pairs: Ints2  # (most, 2) first and second shape
    boxes: Floats2  # (shapes, 6) lower and upper corners of movers when it was made
    reach: Floats1  # (1,) m
    counts: Ints1  # (2,)


@kernel
def growth(placed, movers, boxes):
    """By how much any mover's box reaches beyond what it was, in m."""
    most = 0.0
    for row in range(movers.shape[0]):
        a = movers[row, MOVER]
        for axis in range(3):
            most = max(most, boxes[a, axis] - placed[a, LOWER + axis], placed[a, UPPER + axis] - boxes[a, 3 + axis])
    return most


@kernel
def remember_boxes(placed, movers, boxes):
    for row in range(movers.shape[0]):
        a = movers[row, MOVER]
        for axis in range(3):
            boxes[a, axis], boxes[a, 3 + axis] = placed[a, LOWER + axis], placed[a, UPPER + axis]


@routine
def pairs_again(shapes, sizes, placed, movers, partners, grid, starts, members, margin, near, neighbours):
    """What `near_pairs` answers, from the list if that still holds."""
    pairs, counts, reach = neighbours.pairs, neighbours.counts, neighbours.reach
    grown = growth(placed, movers, neighbours.boxes)
    counts[AGE] += 1
    if counts[PAIRS] == NO_LIST or 2.0 * grown > reach[0] - margin:
        reach[0] = margin if counts[PAIRS] == NO_LIST else margin + 2.0 * LOOKS * grown / counts[AGE]
        counts[PAIRS] = near_pairs(shapes, sizes, placed, movers, partners, grid, starts, members, reach[0], pairs)
        counts[AGE] = 0
        remember_boxes(placed, movers, neighbours.boxes)
        if counts[PAIRS] == FULL:
            counts[PAIRS] = NO_LIST
            return near_pairs(shapes, sizes, placed, movers, partners, grid, starts, members, margin, near)
    count = 0
    for i in range(counts[PAIRS]):
        b, a = pairs[i, 0], pairs[i, 1]
        if come_near(shapes, sizes, placed, b, a, margin):
            if count >= near.shape[0]:
                return FULL
            near[count, 0], near[count, 1] = b, a
            count += 1
    return count
