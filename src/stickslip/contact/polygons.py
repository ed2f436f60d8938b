"""Touches of two rounded polygons, each with two corners or more."""

from math import inf, sqrt

from stickslip.contact.planar_touch import record
from stickslip.contact.rounded import (
    SAME,
    SNUG,
    beyond,
    dot2,
    edge_under,
    get2,
    minus2,
    recorded,
    steepest,
    widest,
)
from stickslip.contact.scene import CORNERS, FIRST_CORNER, LENGTH, OUTWARDS, RADIUS
from stickslip.contact.touch import CORNER, EDGE, sort_touches
from stickslip.dynamics.kernel import kernel, routine


@routine
def polygons(shapes, sizes, corners, up, margin, a, b, touches, identities, k):
    first, count = shapes[a, FIRST_CORNER], shapes[a, CORNERS]
    other, others = shapes[b, FIRST_CORNER], shapes[b, CORNERS]
    apart_a, edge_a, corner_b = widest(corners, first, count, other, others)
    apart_b, edge_b, corner_a = widest(corners, other, others, first, count)
    apart = max(apart_a, apart_b)
    if apart - sizes[a, RADIUS] - sizes[b, RADIUS] > margin:
        return k
    start = k
    way = way_out(corners, edge_a, edge_b, apart_a, apart_b)
    back = -way[0], -way[1]
    k, deepest = corners_on_edges(shapes, sizes, corners, up, margin, False, a, b, way, touches, identities, start, k)
    if k >= 0:
        k, deeper = corners_on_edges(shapes, sizes, corners, up, margin, True, b, a, back, touches, identities, start, k)
        deepest = min(deepest, deeper)
    meeting = False
    if k >= 0 and apart > 0.0:
        k, meeting = corners_on_corners(shapes, sizes, corners, up, margin, a, b, touches, identities, k)
    if k < 0:
        return k
    slack = SNUG * min(corners[edge_a, LENGTH], corners[edge_b, LENGTH])
    if (apart <= 0.0 and (k == start or deepest > apart + slack)) or (meeting and k == start):
        last = count + others  # a number of its own: this touch only says which way is out
        if apart_a >= apart_b:
            return corner_on_edge(shapes, sizes, corners, up, False, a, b, edge_a, corner_b, last, touches, identities, start)
        return corner_on_edge(shapes, sizes, corners, up, True, b, a, edge_b, corner_a, last, touches, identities, start)
    sort_touches(touches, identities, start, k)
    return k


@kernel
def way_out(corners, edge_a, edge_b, apart_a, apart_b):
    """The direction, out of a, in which two polygons in each other get apart soonest; zero where they are apart."""
    if max(apart_a, apart_b) > 0.0:
        return 0.0, 0.0
    n = get2(corners, edge_a if apart_a >= apart_b else edge_b, OUTWARDS)
    return n if apart_a >= apart_b else (-n[0], -n[1])


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


@routine
def corners_on_edges(shapes, sizes, corners, up, margin, swapped, a, b, way, touches, identities, start, k):
    """Record b's corners on a's edges that face `way`: the number of touches, and the smallest distance of the cores."""
    first, count = shapes[a, FIRST_CORNER], shapes[a, CORNERS]
    other, others = shapes[b, FIRST_CORNER], shapes[b, CORNERS]
    rounding = sizes[a, RADIUS] + sizes[b, RADIUS]
    deepest = inf
    for corner in range(other, other + others):
        distance, edge, _ = edge_under(corners, first, count, corner, other, others, not swapped, way)
        if edge < 0 or distance - rounding > margin:
            continue
        number = corner - other
        if swapped:  # b is the first shape: its corners are counted after those of the second
            number += count
            tip = beyond(get2(corners, corner, 0), get2(corners, edge, OUTWARDS), -sizes[b, RADIUS])
            if recorded(touches, start, k, up, tip, SAME * corners[edge, LENGTH]):
                continue
        k = corner_on_edge(shapes, sizes, corners, up, swapped, a, b, edge, corner, number, touches, identities, k)
        deepest = min(deepest, distance)
        if k < 0:
            break
    return k, deepest


@routine
def corners_on_corners(shapes, sizes, corners, up, margin, a, b, touches, identities, k):
    """Record b's corners that are opposite to a corner of a; returns the number of touches, and whether two are one point."""
    first, count = shapes[a, FIRST_CORNER], shapes[a, CORNERS]
    other, others = shapes[b, FIRST_CORNER], shapes[b, CORNERS]
    r, s = sizes[a, RADIUS], sizes[b, RADIUS]
    meeting = False
    for corner in range(other, other + others):
        _, edge, free = edge_under(corners, first, count, corner, other, others, True, (0.0, 0.0))
        if edge >= 0 or not free:
            continue
        q = get2(corners, corner, 0)
        square, near = inf, first
        for i in range(first, first + count):
            d = minus2(q, get2(corners, i, 0))
            if dot2(d, d) < square:
                square, near = dot2(d, d), i
        distance = sqrt(square)
        if distance - r - s > margin:
            continue
        if distance <= SAME * corners[near, LENGTH]:
            meeting = True
            continue
        p = get2(corners, near, 0)
        n = (q[0] - p[0]) / distance, (q[1] - p[1]) / distance
        if steepest(corners, other, others, corner, n) < -SAME:
            continue  # b comes nearer to a elsewhere
        tip, facing = (b, 3 * (corner - other) + CORNER), (a, 3 * (near - first) + CORNER)
        gap, on_a = distance - r - s, beyond(p, n, r)
        k = record(touches, identities, k, up, False, facing, tip, corner - other, gap, n, on_a, (1.0, r), (1.0, s))
        if k < 0:
            break
    return k, meeting
