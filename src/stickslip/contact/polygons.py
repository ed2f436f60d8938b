"""Touches of two rounded polygons, each with two corners or more.

First the direction in which they are apart, or least deep in each other; then every corner that stands on an edge along it, so
that what lies flat touches at both ends, before, while and after it lands. Lengths below a tolerance are round-off.
"""

from math import inf, sqrt

from stickslip.contact.planar_touch import record
from stickslip.contact.rounded import beyond, dot2, get2, minus2, next_of, steepest, widest
from stickslip.contact.scene import CORNERS, FIRST_CORNER, LENGTH, OUTWARDS, RADIUS, REACH
from stickslip.contact.touch import CORNER, EDGE, GAP, NO_NORMAL, accepted, sort_touches
from stickslip.dynamics.kernel import kernel, routine

EXACT = 1e-9  # of the size of two shapes: lengths below this are round-off
FACING = 0.99  # cosine: edges that look this much the same way belong to one contact of two polygons
ASKEW = -0.5  # cosine: where an edge at a corner runs into the other polygon steeper than this, the corner does not stand on it


@routine
def polygons(shapes, sizes, corners, up, margin, a, b, touches, identities, k):
    first, count = shapes[a, FIRST_CORNER], shapes[a, CORNERS]
    other, others = shapes[b, FIRST_CORNER], shapes[b, CORNERS]
    r, s = sizes[a, RADIUS], sizes[b, RADIUS]
    tolerance = EXACT * (sizes[a, REACH] + sizes[b, REACH])
    tight = 1e-3 * tolerance
    front, edge_a, corner_b = widest(corners, first, count, other, others)
    back, edge_b, corner_a = widest(corners, other, others, first, count)
    distance = max(front, back)
    if distance - r - s > margin:
        return k
    start = k
    n = get2(corners, edge_a, OUTWARDS) if front >= back else turned(get2(corners, edge_b, OUTWARDS))
    in_line = count == 2 and others == 2 and is_in_line(corners, first, other, tight)
    if distance > tight or in_line:
        distance, n, i, j = nearest_features(corners, first, count, other, others, tight)
        if in_line and distance <= tight:  # neither has a side on which the other is
            return NO_NORMAL
        if distance - r - s > margin:
            return k
        if i >= 0:
            k = corner_on_corner(shapes, sizes, corners, up, a, b, i, j, n, distance, touches, identities, k)
    if k >= 0:
        k = corners_on_edges(shapes, sizes, corners, up, margin, False, a, b, n, tolerance, touches, identities, start, k)
    if k >= 0:
        k = corners_on_edges(
            shapes, sizes, corners, up, margin, True, b, a, turned(n), tolerance, touches, identities, start, k
        )
    if k < 0:
        return k
    if distance <= tight and lacks(touches, start, k, distance - r - s, tolerance):
        last = count + others  # a number of its own: this touch only says which way is out
        if front >= back:
            return corner_on_edge(shapes, sizes, corners, up, False, a, b, edge_a, corner_b, last, touches, identities, start)
        return corner_on_edge(shapes, sizes, corners, up, True, b, a, edge_b, corner_a, last, touches, identities, start)
    sort_touches(touches, identities, start, k)
    return k


@kernel
def is_in_line(corners, first, other, tolerance):
    """Whether both ends of one segment are on the line of another."""
    p, out = get2(corners, first, 0), get2(corners, first, OUTWARDS)
    start, end = minus2(get2(corners, other, 0), p), minus2(get2(corners, other + 1, 0), p)
    return max(abs(dot2(start, out)), abs(dot2(end, out))) <= tolerance


@kernel
def turned(n):
    return -n[0], -n[1]


@routine
def nearest_edge(corners, first, count, other, others, tolerance):
    """Of the other's corners in front of an edge the nearest: its distance, and the edge's normal."""
    best, n = inf, (0.0, 0.0)
    for i in range(first, first + count):
        a, out = get2(corners, i, 0), get2(corners, i, OUTWARDS)
        way = minus2(get2(corners, next_of(first, count, i), 0), a)
        for j in range(other, other + others):
            arm = minus2(get2(corners, j, 0), a)
            height, along = dot2(arm, out), dot2(arm, way) / corners[i, LENGTH]
            if -tolerance <= height < best and -tolerance <= along <= corners[i, LENGTH] + tolerance:
                best, n = height, out
    return best, n


@routine
def nearest_features(corners, first, count, other, others, tolerance):
    """Of two polygons apart: their distance, its direction, and the rows of both corners if it is between corners, else -1."""
    best, n = nearest_edge(corners, first, count, other, others, tolerance)
    distance, m = nearest_edge(corners, other, others, first, count, tolerance)
    if distance < best:
        best, n = distance, turned(m)
    one, two = -1, -1
    for i in range(first, first + count):
        for j in range(other, other + others):
            arm = minus2(get2(corners, j, 0), get2(corners, i, 0))
            distance = sqrt(dot2(arm, arm))
            if distance < best - tolerance:
                best, one, two, n = distance, i, j, (arm[0] / distance, arm[1] / distance)
    return best, n, one, two


@kernel
def corner_on_edge(shapes, sizes, corners, up, swapped, a, b, edge, corner, number, touches, identities, k):
    """Record b's corner on a's edge."""
    p, n = get2(corners, corner, 0), get2(corners, edge, OUTWARDS)
    distance = dot2(minus2(p, get2(corners, edge, 0)), n)
    r, s = sizes[a, RADIUS], sizes[b, RADIUS]
    face = a, 3 * (edge - shapes[a, FIRST_CORNER]) + EDGE
    tip = b, 3 * (corner - shapes[b, FIRST_CORNER]) + CORNER
    on_a = beyond(p, n, r - distance)
    return record(touches, identities, k, up, swapped, face, tip, number, distance - r - s, n, on_a, (0.0, 1.0), (1.0, s))


@kernel
def corner_on_corner(shapes, sizes, corners, up, a, b, i, j, n, distance, touches, identities, k):
    """Record b's corner j opposite to a's corner i."""
    r, s, number = sizes[a, RADIUS], sizes[b, RADIUS], j - shapes[b, FIRST_CORNER]
    tip, facing = (b, 3 * number + CORNER), (a, 3 * (i - shapes[a, FIRST_CORNER]) + CORNER)
    on_a = beyond(get2(corners, i, 0), n, r)
    return record(touches, identities, k, up, False, facing, tip, number, distance - r - s, n, on_a, (1.0, r), (1.0, s))


@routine
def corners_on_edges(shapes, sizes, corners, up, margin, swapped, a, b, n, tolerance, touches, identities, start, k):
    """Record b's corners on a's edges that look along n; of several edges the one that the corner is farthest in front of."""
    first, count = shapes[a, FIRST_CORNER], shapes[a, CORNERS]
    other, others = shapes[b, FIRST_CORNER], shapes[b, CORNERS]
    for corner in range(other, other + others):
        best, edge = -inf, -1
        for i in range(first, first + count):
            out = get2(corners, i, OUTWARDS)
            if dot2(out, n) < FACING or steepest(corners, other, others, corner, out) < ASKEW:
                continue
            start_of = get2(corners, i, 0)
            arm, way = minus2(get2(corners, corner, 0), start_of), minus2(get2(corners, next_of(first, count, i), 0), start_of)
            height, along = dot2(arm, out), dot2(arm, way) / corners[i, LENGTH]
            if height > best and -tolerance <= along <= corners[i, LENGTH] + tolerance:
                best, edge = height, i
        if edge >= 0:
            number = (
                corner - other + (count if swapped else 0)
            )  # a swapped corner is the first shape's: counted after the second's
            row = corner_on_edge(shapes, sizes, corners, up, swapped, a, b, edge, corner, number, touches, identities, k)
            if row < 0:
                return row
            k = accepted(touches, identities, start, k, margin, tolerance)
    return k


@kernel
def lacks(touches, start, k, gap, tolerance):
    """Whether no touch from `start` on has that gap."""
    for i in range(start, k):
        if abs(touches[i, GAP] - gap) <= tolerance:
            return False
    return True
