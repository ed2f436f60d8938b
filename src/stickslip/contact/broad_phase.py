"""Which shapes are near each other: a grid of cells for what never moves, boxes for everything.

Every shape has a box with edges along the world's axes. A static shape is entered in all cells that its box meets, once and for
all; a moving one looks into the cells of its own box. Of the cells that two boxes share the lowest reports the pair, so that
none comes twice. Half-spaces, and what would fill too many cells, are always looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from stickslip.contact.scene import HALF_SPACE, KIND, LINK, LOWER, OFFSET, SIZE, UPPER, Scene
from stickslip.contact.touch import FULL
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.tree import Floats, Ints

# ---- columns of `movers`, int64, one row for each moving shape that may touch anything -------------------------------------
MOVER = 0  # the shape
FIRST_PARTNER = 1  # rows of `partners`: the shapes that it is tested with by name, because they move or cannot be in the grid
PARTNERS = 2
FIRST_BARRED = 3  # rows of `partners`: static shapes of the grid that it is not tested with, ascending
BARRED = 4
MOVER_WIDTH = 5

# ---- rows of `grid`, float64 (3) each ---------------------------------------------------------------------------------
ORIGIN = 0
PER_METRE = 1  # cells
NUMBERS = 2  # of cells

MOST_CELLS = 256  # of one shape: larger ones are always looked at
CELLS_PER_SHAPE = 4


class BroadPhase(NamedTuple):
    """The arrays that kernels take, in this order."""

    movers: Ints  # (movers, MOVER_WIDTH)
    partners: Ints  # shapes, in lists that `movers` points to
    grid: Floats  # (3, 3)
    starts: Ints  # (cells + 1,) where each cell's list begins in `members`
    members: Ints  # static shapes


def compile_broad_phase(scene: Scene, placed: Floats, pairs: Iterable[tuple[int, int]]) -> BroadPhase:
    """The broad phase of a scene in which `pairs` (first, second) may touch; `placed` holds the boxes of what is static."""
    firsts: dict[int, set[int]] = {}
    for first, second in pairs:
        firsts.setdefault(second, set()).add(first)
        if scene.shapes[first, LINK] >= 0:
            firsts.setdefault(first, set())
    meets: set[int] = set().union(*firsts.values())
    static = [s for s in sorted(meets) if scene.shapes[s, LINK] < 0 and scene.shapes[s, KIND] != HALF_SPACE]
    gridded, grid, starts, members = _grid(np.array(static, dtype=np.int64), placed)
    movers = np.zeros((len(firsts), MOVER_WIDTH), dtype=np.int64)
    partners: list[int] = []
    for row, (second, met) in enumerate(sorted(firsts.items())):
        named, barred = sorted(met - gridded), sorted(gridded - met)
        movers[row] = second, len(partners), len(named), len(partners) + len(named), len(barred)
        partners += named + barred
    return BroadPhase(movers, np.array(partners, dtype=np.int64), grid, starts, members)


def _grid(static: Ints, placed: Floats) -> tuple[set[int], Floats, Ints, Ints]:
    """Cells about as large as the shapes, and about as many; those shapes that are in them."""
    if not len(static):
        return set(), np.array([[0.0] * 3, [0.0] * 3, [1.0] * 3]), np.zeros(2, dtype=np.int64), np.empty(0, dtype=np.int64)
    lower, upper = placed[static, LOWER : LOWER + 3], placed[static, UPPER : UPPER + 3]
    origin, extent = lower.min(axis=0), upper.max(axis=0) - lower.min(axis=0)
    edge = np.maximum((upper - lower).mean(axis=0), 1e-9 * extent.max())
    most = CELLS_PER_SHAPE * len(static)
    ratios = np.divide(extent, edge, out=np.ones(3), where=edge > 0.0)  # all edges are zero where there is a single point
    numbers = np.floor(np.minimum(ratios, most)).clip(1)
    while numbers.prod() > most:
        numbers = np.ceil(np.where(numbers == numbers.max(), numbers / 2, numbers))
    per_metre = np.where(extent > 0.0, numbers / np.where(extent > 0.0, extent, 1.0), 0.0)
    grid = np.array([origin, per_metre, numbers])
    low = _cells_of(grid, lower)
    high = _cells_of(grid, upper)
    small = (high - low + 1).prod(axis=1) <= MOST_CELLS
    lists: list[list[int]] = [[] for _ in range(int(numbers.prod()))]
    for shape, (i, j, k), (u, v, w) in zip(static[small].tolist(), low[small].tolist(), high[small].tolist(), strict=True):
        for x in range(i, u + 1):
            for y in range(j, v + 1):
                for z in range(k, w + 1):
                    lists[int((x * numbers[1] + y) * numbers[2] + z)].append(shape)
    starts = np.concatenate([[0], np.cumsum([len(members) for members in lists])]).astype(np.int64)
    return set(static[small].tolist()), grid, starts, np.array([s for members in lists for s in members], dtype=np.int64)


def _cells_of(grid: Floats, points: Floats) -> Ints:
    """As `cell_of` does it."""
    cells: Ints = np.floor(((points - grid[ORIGIN]) * grid[PER_METRE]).clip(0.0, grid[NUMBERS] - 1.0)).astype(np.int64)
    return cells


@kernel
def cell_of(grid, axis, x):
    """The cell that x is in along one axis; the first or the last for what is outside."""
    f = (x - grid[ORIGIN, axis]) * grid[PER_METRE, axis]
    if not f > 0.0:
        return 0
    return int(min(f, grid[NUMBERS, axis] - 1.0))


@kernel
def boxes_meet(placed, a, b, margin):
    for axis in range(3):
        if (
            placed[a, LOWER + axis] > placed[b, UPPER + axis] + margin
            or placed[b, LOWER + axis] > placed[a, UPPER + axis] + margin
        ):
            return False
    return True


@kernel
def box_meets_half_space(sizes, placed, half_space, a, margin):
    """Whether the corner of the box that is farthest into the half-space is within the margin of it."""
    level = -sizes[half_space, OFFSET]
    for axis in range(3):
        n = sizes[half_space, SIZE + axis]
        level += n * (placed[a, LOWER + axis] if n > 0.0 else placed[a, UPPER + axis])
    return level <= margin


@kernel
def come_near(shapes, sizes, placed, first, second, margin):
    """Whether the box of the second shape comes within the margin of the first, a half-space or a box."""
    if shapes[first, KIND] == HALF_SPACE:
        return box_meets_half_space(sizes, placed, first, second, margin)
    return boxes_meet(placed, second, first, margin)


@kernel
def is_barred(partners, first, count, shape):
    for i in range(first, first + count):
        if partners[i] == shape:
            return True
    return False


@kernel
def sort_pairs(near, start, count):
    """By the first shape; there are few."""
    for i in range(start + 1, count):
        first, j = near[i, 0], i
        while j > start and near[j - 1, 0] > first:
            near[j, 0] = near[j - 1, 0]
            j -= 1
        near[j, 0] = first


@routine
def near_pairs(shapes, sizes, placed, movers, partners, grid, starts, members, margin, near):
    """Fill `near` (pairs, 2) with pairs (first, second) whose boxes come within the margin; their number, or FULL.

    They come in the order of the second shape, then of the first.
    """
    count = 0
    for row in range(movers.shape[0]):
        a, start = movers[row, MOVER], count
        first = movers[row, FIRST_PARTNER]
        for i in range(first, first + movers[row, PARTNERS]):
            b = partners[i]
            if come_near(shapes, sizes, placed, b, a, margin):
                if count >= near.shape[0]:
                    return FULL
                near[count, 0], near[count, 1] = b, a
                count += 1
        if members.shape[0] > 0:
            count = look_into_cells(placed, movers, row, partners, grid, starts, members, margin, near, count)
            if count < 0:
                return count
        sort_pairs(near, start, count)
    return count


@kernel
def look_into_cells(placed, movers, row, partners, grid, starts, members, margin, near, count):
    """Add the pairs of a moving shape with the static ones of the grid."""
    a = movers[row, MOVER]
    i, u = cell_of(grid, 0, placed[a, LOWER] - margin), cell_of(grid, 0, placed[a, UPPER] + margin)
    j, v = cell_of(grid, 1, placed[a, LOWER + 1] - margin), cell_of(grid, 1, placed[a, UPPER + 1] + margin)
    k, w = cell_of(grid, 2, placed[a, LOWER + 2] - margin), cell_of(grid, 2, placed[a, UPPER + 2] + margin)
    ny, nz = int(grid[NUMBERS, 1]), int(grid[NUMBERS, 2])
    for x in range(i, u + 1):
        for y in range(j, v + 1):
            for z in range(k, w + 1):
                cell = (x * ny + y) * nz + z
                for m in range(starts[cell], starts[cell + 1]):
                    b = members[m]
                    if not boxes_meet(placed, a, b, margin):
                        continue
                    if x != max(i, cell_of(grid, 0, placed[b, LOWER])):
                        continue
                    if y != max(j, cell_of(grid, 1, placed[b, LOWER + 1])):
                        continue
                    if z != max(k, cell_of(grid, 2, placed[b, LOWER + 2])):
                        continue
                    if is_barred(partners, movers[row, FIRST_BARRED], movers[row, BARRED], b):
                        continue
                    if count >= near.shape[0]:
                        return FULL
                    near[count, 0], near[count, 1] = b, a
                    count += 1
    return count
