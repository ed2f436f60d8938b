"""Where the shapes are at an instant: axes, centres, corners and boxes in the world."""

from __future__ import annotations

from math import sqrt

import numpy as np

from stickslip.contact.scene import (
    AXES,
    CENTRE,
    CORNERS,
    CYLINDER,
    ELLIPSOID,
    FIRST_CORNER,
    HALF_SPACE,
    KIND,
    LENGTH,
    LINK,
    LOWER,
    OUTWARDS,
    PLACE,
    PLACED_WIDTH,
    RADIUS,
    SIZE,
    TURN,
    UPPER,
    Scene,
)
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.kinematics import POSITION, ROTATION
from stickslip.dynamics.rotation import add3, compose, rotate
from stickslip.dynamics.spatial import get3, get9, put3, put9
from stickslip.dynamics.tree import Floats


def workspace(scene: Scene, plane: str | None) -> tuple[Floats, Floats]:
    """New arrays `placed` and `placed_corners`, one pair for each thread: what never moves is in them already."""
    placed = np.zeros((len(scene.shapes), PLACED_WIDTH))
    placed[:, AXES : AXES + 12] = scene.sizes[:, TURN : TURN + 12]
    dimensions = 3 if plane is None else 2
    for a in np.flatnonzero(scene.shapes[:, LINK] < 0):
        lower, upper = _box(scene, int(a), dimensions)
        placed[a, LOWER : LOWER + dimensions] = lower
        placed[a, UPPER : UPPER + dimensions] = upper
    return placed, scene.corners.copy()


def _box(scene: Scene, a: int, dimensions: int) -> tuple[Floats, Floats]:
    """The box of a static shape."""
    row = scene.sizes[a]
    kind, centre = scene.shapes[a, KIND], row[CENTRE : CENTRE + dimensions]
    axes = row[TURN : TURN + dimensions**2].reshape(dimensions, dimensions)
    if kind == HALF_SPACE:
        return np.full(dimensions, -np.inf), np.full(dimensions, np.inf)
    if kind == ELLIPSOID:
        half = np.sqrt(((axes * row[SIZE : SIZE + dimensions]) ** 2).sum(axis=1))
        return centre - half, centre + half
    if kind == CYLINDER:
        half = row[SIZE + 1] * np.abs(axes[:, 2]) + row[SIZE] * np.sqrt((1.0 - axes[:, 2] ** 2).clip(0.0))
        return centre - half, centre + half
    first = scene.shapes[a, FIRST_CORNER]
    corners = scene.corners[first : first + scene.shapes[a, CORNERS], :dimensions]
    return corners.min(axis=0) - row[RADIUS], corners.max(axis=0) + row[RADIUS]


@kernel
def turn2(m, x, y):
    return m[0] * x + m[1] * y, m[2] * x + m[3] * y


@kernel
def put_box2(placed, a, lower, upper, rounding):
    placed[a, LOWER], placed[a, LOWER + 1] = lower[0] - rounding, lower[1] - rounding
    placed[a, UPPER], placed[a, UPPER + 1] = upper[0] + rounding, upper[1] + rounding


@routine
def place_planar_shape(shapes, sizes, corners, a, up, work, placed, placed_corners):
    """`up` is 1 in the plane "xy" and 2 in "xz"."""
    k = shapes[a, LINK]
    m = work[k, ROTATION], work[k, ROTATION + up], work[k, ROTATION + 3 * up], work[k, ROTATION + 4 * up]
    px, py = work[k, POSITION], work[k, POSITION + up]
    if shapes[a, KIND] == ELLIPSOID:
        x, y = turn2(m, sizes[a, CENTRE], sizes[a, CENTRE + 1])
        x, y = px + x, py + y
        placed[a, PLACE], placed[a, PLACE + 1] = x, y
        c, s = turn2(m, sizes[a, TURN], sizes[a, TURN + 2])
        d, t = turn2(m, sizes[a, TURN + 1], sizes[a, TURN + 3])
        placed[a, AXES], placed[a, AXES + 1], placed[a, AXES + 2], placed[a, AXES + 3] = c, d, s, t
        u, v = sizes[a, SIZE], sizes[a, SIZE + 1]
        half = sqrt((u * c) ** 2 + (v * d) ** 2), sqrt((u * s) ** 2 + (v * t) ** 2)
        put_box2(placed, a, (x - half[0], y - half[1]), (x + half[0], y + half[1]), 0.0)
        return
    first = shapes[a, FIRST_CORNER]
    lower_x = lower_y = np.inf
    upper_x = upper_y = -np.inf
    for i in range(first, first + shapes[a, CORNERS]):
        x, y = turn2(m, corners[i, 0], corners[i, 1])
        x, y = px + x, py + y
        placed_corners[i, 0], placed_corners[i, 1] = x, y
        placed_corners[i, OUTWARDS], placed_corners[i, OUTWARDS + 1] = turn2(m, corners[i, OUTWARDS], corners[i, OUTWARDS + 1])
        placed_corners[i, LENGTH] = corners[i, LENGTH]
        lower_x, upper_x = min(lower_x, x), max(upper_x, x)
        lower_y, upper_y = min(lower_y, y), max(upper_y, y)
    put_box2(placed, a, (lower_x, lower_y), (upper_x, upper_y), sizes[a, RADIUS])


@kernel
def put_box3(placed, a, lower, upper, rounding):
    put3(placed, a, LOWER, (lower[0] - rounding, lower[1] - rounding, lower[2] - rounding))
    put3(placed, a, UPPER, (upper[0] + rounding, upper[1] + rounding, upper[2] + rounding))


@kernel
def half_of_cylinder(radius, half, z):
    """How far a cylinder reaches along a world axis of which z is the component along its own."""
    return half * abs(z) + radius * sqrt(max(0.0, 1.0 - z * z))


@kernel
def half_of_ellipsoid(size, x, y, z):
    return sqrt((size[0] * x) ** 2 + (size[1] * y) ** 2 + (size[2] * z) ** 2)


@routine
def place_spatial_shape(shapes, sizes, corners, a, work, placed, placed_corners):
    k = shapes[a, LINK]
    R, p = get9(work, k, ROTATION), get3(work, k, POSITION)
    axes, centre = compose(R, get9(sizes, a, TURN)), add3(p, rotate(R, get3(sizes, a, CENTRE)))
    put9(placed, a, AXES, axes)
    put3(placed, a, PLACE, centre)
    if shapes[a, KIND] == ELLIPSOID or shapes[a, KIND] == CYLINDER:
        s = get3(sizes, a, SIZE)
        if shapes[a, KIND] == CYLINDER:
            half = (
                half_of_cylinder(s[0], s[1], axes[2]),
                half_of_cylinder(s[0], s[1], axes[5]),
                half_of_cylinder(s[0], s[1], axes[8]),
            )
        else:
            half = (
                half_of_ellipsoid(s, axes[0], axes[1], axes[2]),
                half_of_ellipsoid(s, axes[3], axes[4], axes[5]),
                half_of_ellipsoid(s, axes[6], axes[7], axes[8]),
            )
        put_box3(placed, a, (centre[0] - half[0], centre[1] - half[1], centre[2] - half[2]), add3(centre, half), 0.0)
        return
    first = shapes[a, FIRST_CORNER]
    lower, upper = (np.inf, np.inf, np.inf), (-np.inf, -np.inf, -np.inf)
    for i in range(first, first + shapes[a, CORNERS]):
        x = add3(p, rotate(R, get3(corners, i, 0)))
        put3(placed_corners, i, 0, x)
        lower = min(lower[0], x[0]), min(lower[1], x[1]), min(lower[2], x[2])
        upper = max(upper[0], x[0]), max(upper[1], x[1]), max(upper[2], x[2])
    put_box3(placed, a, lower, upper, sizes[a, RADIUS])
