"""Touches of rounded polygons in the plane: circles, capsules, segments, boxes, polygons.

Circles, which are polygons of one corner and touch once, and what polygons need to know of each other. The gap is the distance
of the cores less both roundings; where cores overlap, it is negative and the normal is that of the edge that is the nearest way
out.
"""

from math import inf, sqrt

from stickslip.contact.planar_touch import record
from stickslip.contact.scene import CORNERS, FIRST_CORNER, LENGTH, OUTWARDS, RADIUS
from stickslip.contact.touch import CORNER, EDGE, NO_NORMAL
from stickslip.dynamics.kernel import kernel, routine


@kernel
def get2(rows, i, c):
    return rows[i, c], rows[i, c + 1]


@kernel
def dot2(a, b):
    return a[0] * b[0] + a[1] * b[1]


@kernel
def minus2(a, b):
    return a[0] - b[0], a[1] - b[1]


@kernel
def beyond(p, n, s):
    """The point at the distance s from p along n."""
    return p[0] + s * n[0], p[1] + s * n[1]


@kernel
def next_of(first, count, i):
    return first if i == first + count - 1 else i + 1


@kernel
def previous_of(first, count, i):
    return first + count - 1 if i == first else i - 1


@routine
def circles(shapes, sizes, corners, up, margin, a, b, touches, identities, k):
    p, q = get2(corners, shapes[a, FIRST_CORNER], 0), get2(corners, shapes[b, FIRST_CORNER], 0)
    r, s = sizes[a, RADIUS], sizes[b, RADIUS]
    d = minus2(q, p)
    square = dot2(d, d)
    if square > (margin + r + s) ** 2:
        return k
    distance = sqrt(square)
    if distance == 0.0:
        return NO_NORMAL
    n = d[0] / distance, d[1] / distance
    on_a = beyond(p, n, r)
    return record(touches, identities, k, up, False, (a, CORNER), (b, CORNER), 0, distance - r - s, n, on_a, (1.0, r), (1.0, s))


@kernel
def nearest(corners, first, count, p):
    """The distance of p from a polygon, negative inside, its normal there, and the corner or else the edge that is nearest.

    Returns (distance, normal, row, whether it is an edge). A segment has no inside.
    """
    out, out_row = -inf, first
    square, row, on_edge = inf, first, False
    for i in range(first, first + count):
        a, n = get2(corners, i, 0), get2(corners, i, OUTWARDS)
        d = minus2(p, a)
        s = dot2(d, n)
        if s > out:
            out, out_row = s, i
        if s >= 0.0:
            j = next_of(first, count, i)
            c = minus2(get2(corners, j, 0), a)
            t, length = dot2(d, c), corners[i, LENGTH]
            if 0.0 <= t <= length * length:
                if s * s < square:
                    square, row, on_edge = s * s, i, True
            else:
                j = i if t < 0.0 else j
                d = minus2(p, get2(corners, j, 0))
                if dot2(d, d) < square:
                    square, row, on_edge = dot2(d, d), j, False
    if out <= 0.0 and count > 2:
        return out, get2(corners, out_row, OUTWARDS), out_row, True
    if on_edge:
        n = get2(corners, row, OUTWARDS)
        return dot2(minus2(p, get2(corners, row, 0)), n), n, row, True
    distance = sqrt(square)
    d = minus2(p, get2(corners, row, 0))
    return distance, (d[0] / distance, d[1] / distance), row, False


@routine
def circle_and_polygon(shapes, sizes, corners, up, margin, swapped, a, b, touches, identities, k):
    """a is the polygon and b the circle; `swapped` if b is the first."""
    first, p = shapes[a, FIRST_CORNER], get2(corners, shapes[b, FIRST_CORNER], 0)
    r, s = sizes[a, RADIUS], sizes[b, RADIUS]
    distance, n, row, on_edge = nearest(corners, first, shapes[a, CORNERS], p)
    gap = distance - r - s
    if gap > margin:
        return k
    if distance == 0.0 and (shapes[a, CORNERS] == 2 or not on_edge):
        return NO_NORMAL
    feature = 3 * (row - first) + (EDGE if on_edge else CORNER)
    tie = (0.0, 1.0) if on_edge else (1.0, r)
    on_a = beyond(p, n, r - distance)
    return record(touches, identities, k, up, swapped, (a, feature), (b, CORNER), 0, gap, n, on_a, tie, (1.0, s))


@kernel
def slant(corners, b, other, n):
    """The cosine of the edge from corner b to corner `other` against n: negative where it runs against it."""
    d = minus2(get2(corners, other, 0), get2(corners, b, 0))
    return dot2(d, n) / sqrt(dot2(d, d))


@kernel
def steepest(corners, first, count, b, n):
    """The smaller of the slants of both edges at corner b."""
    before, after = previous_of(first, count, b), next_of(first, count, b)
    return min(slant(corners, b, before, n), slant(corners, b, after, n))


@kernel
def widest(corners, first, count, other_first, other_count):
    """The edge of a polygon that the other is farthest outside of: (distance, edge, the other's corner nearest to it)."""
    best, edge, corner = -inf, first, other_first
    for i in range(first, first + count):
        a, n = get2(corners, i, 0), get2(corners, i, OUTWARDS)
        least, at = inf, other_first
        for j in range(other_first, other_first + other_count):
            s = dot2(minus2(get2(corners, j, 0), a), n)
            if s < least:
                least, at = s, j
        if least > best:
            best, edge, corner = least, i, at
    return best, edge, corner
