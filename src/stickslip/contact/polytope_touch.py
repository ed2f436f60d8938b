"""Touches between two features of rounded polytopes: a corner, a straight edge or a flat face of each.

The number of a contact is that of its corner in the second shape, or of its corner in the first, or of its two edges: a corner
that rolls from a face over an edge to a corner is one and the same contact.
"""

from math import sqrt

from stickslip.contact.polytope_axis import aside, crossing, edge_of, lowest, unit
from stickslip.contact.scene import CORNERS, EDGES, FIRST_CORNER, FIRST_EDGE, FIRST_FACE, RADIUS
from stickslip.contact.touch import (
    CORNER,
    EDGE,
    FACE,
    FIRST_TIE,
    FULL,
    SECOND_TIE,
    accepted,
    put_flat,
    put_identity,
    put_round,
    put_straight,
    put_touch,
    tangents,
)
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.rotation import add3, cross3, dot3, minus3, scale3
from stickslip.dynamics.spatial import get3


@kernel
def put_cores(sizes, a, b, touches, k, n, on_core_a, on_core_b):
    """A touch along n between two points of the cores."""
    first = add3(on_core_a, scale3(n, sizes[a, RADIUS]))
    second = minus3(on_core_b, scale3(n, sizes[b, RADIUS]))
    gap = dot3(n, minus3(on_core_b, on_core_a)) - sizes[a, RADIUS] - sizes[b, RADIUS]
    put_touch(touches, k, gap, n, first, second)


@kernel
def put_edge_tie(touches, k, side, n, way, radius):
    t1, t2 = tangents(n)
    put_straight(touches, k, side, (dot3(t1, way), dot3(t2, way)), radius)


@kernel
def put_features(identities, k, shapes, a, kind_a, i, b, kind_b, j):
    """Who touches whom, with which feature; i and j are rows of the arrays of corners, edges or faces."""
    i -= first_of(shapes, a, kind_a)
    j -= first_of(shapes, b, kind_b)
    corners_a, corners_b = shapes[a, CORNERS], shapes[b, CORNERS]
    if kind_b == CORNER and not (kind_a == CORNER and corners_a == 1 and corners_b > 1):
        number = j
    elif kind_a == CORNER:
        number = corners_b + i
    else:
        number = corners_b + corners_a + shapes[b, EDGES] * i + j
    put_identity(identities, k, a, 3 * i + kind_a, b, 3 * j + kind_b, number)


@kernel
def first_of(shapes, a, kind):
    return shapes[a, FIRST_CORNER] if kind == CORNER else shapes[a, FIRST_EDGE] if kind == EDGE else shapes[a, FIRST_FACE]


@routine
def touch_face(
    shapes, sizes, x, holder, face, n, height, other, corner, flipped, touches, identities, k, start, margin, tolerance
):
    """A corner of `other` at a height over a face of `holder` with the normal n; flipped: the holder is second."""
    if not 0 <= k < touches.shape[0]:
        return FULL
    point = get3(x, corner, 0)
    on_face = minus3(point, scale3(n, height))
    if flipped:
        put_cores(sizes, other, holder, touches, k, scale3(n, -1.0), point, on_face)
        put_round(touches, k, FIRST_TIE, sizes[other, RADIUS])
        put_flat(touches, k, SECOND_TIE)
        put_features(identities, k, shapes, other, CORNER, corner, holder, FACE, face)
    else:
        put_cores(sizes, holder, other, touches, k, n, on_face, point)
        put_flat(touches, k, FIRST_TIE)
        put_round(touches, k, SECOND_TIE, sizes[other, RADIUS])
        put_features(identities, k, shapes, holder, FACE, face, other, CORNER, corner)
    return accepted(touches, identities, start, k, margin, tolerance)


@routine
def touch_edges(shapes, sizes, edges, x, a, e, b, f, guide, touches, identities, k, start, margin, tolerance):
    """Two edges that cross; their common normal is taken on the side of `guide`."""
    if not 0 <= k < touches.shape[0]:
        return FULL
    p, way = edge_of(x, edges, e)
    r, other = edge_of(x, edges, f)
    s, t = crossing(p, way, r, other)
    n = unit(cross3(way, other))
    if dot3(n, guide) < 0.0:
        n = scale3(n, -1.0)
    h = dot3(n, minus3(r, p))
    on_a = add3(p, scale3(way, s))
    # across n the two points are the same: what rounding leaves between them is halved
    on_b = add3(r, scale3(other, t))
    middle = scale3(add3(on_a, on_b), 0.5)
    on_a, on_b = add3(middle, scale3(n, -0.5 * h)), add3(middle, scale3(n, 0.5 * h))
    put_cores(sizes, a, b, touches, k, n, on_a, on_b)
    put_edge_tie(touches, k, FIRST_TIE, n, way, sizes[a, RADIUS])
    put_edge_tie(touches, k, SECOND_TIE, n, other, sizes[b, RADIUS])
    put_features(identities, k, shapes, a, EDGE, e, b, EDGE, f)
    return accepted(touches, identities, start, k, margin, tolerance)


@routine
def touch_edge(shapes, sizes, edges, x, holder, e, other, corner, flipped, touches, identities, k, start, margin, tolerance):
    """A corner of `other` beside an edge of `holder`, not on its line; flipped: the holder is second."""
    if not 0 <= k < touches.shape[0]:
        return FULL
    p, way = edge_of(x, edges, e)
    point = get3(x, corner, 0)
    arm = aside(p, way, point)
    n = unit(arm)
    on_edge = minus3(point, arm)
    if flipped:
        n = scale3(n, -1.0)
        put_cores(sizes, other, holder, touches, k, n, point, on_edge)
        put_round(touches, k, FIRST_TIE, sizes[other, RADIUS])
        put_edge_tie(touches, k, SECOND_TIE, n, way, sizes[holder, RADIUS])
        put_features(identities, k, shapes, other, CORNER, corner, holder, EDGE, e)
    else:
        put_cores(sizes, holder, other, touches, k, n, on_edge, point)
        put_edge_tie(touches, k, FIRST_TIE, n, way, sizes[holder, RADIUS])
        put_round(touches, k, SECOND_TIE, sizes[other, RADIUS])
        put_features(identities, k, shapes, holder, EDGE, e, other, CORNER, corner)
    return accepted(touches, identities, start, k, margin, tolerance)


@routine
def touch_corners(shapes, sizes, x, a, i, b, j, touches, identities, k, start, margin, tolerance):
    """Two corners that are not in one place."""
    if not 0 <= k < touches.shape[0]:
        return FULL
    p, r = get3(x, i, 0), get3(x, j, 0)
    arm = minus3(r, p)
    put_cores(sizes, a, b, touches, k, scale3(arm, 1.0 / sqrt(dot3(arm, arm))), p, r)
    put_round(touches, k, FIRST_TIE, sizes[a, RADIUS])
    put_round(touches, k, SECOND_TIE, sizes[b, RADIUS])
    put_features(identities, k, shapes, a, CORNER, i, b, CORNER, j)
    return accepted(touches, identities, start, k, margin, tolerance)


@routine
def touch_foremost(shapes, sizes, x, a, b, n, touches, identities, k, margin, tolerance):
    """The corners that are farthest along n: what is left where two corners meet in a point.

    Any normal between those of the faces around them would do as well, so the touch has a gap but no rows.
    """
    if not 0 <= k < touches.shape[0]:
        return FULL
    i, far = lowest(shapes, x, a, scale3(n, -1.0))
    j, near = lowest(shapes, x, b, n)
    point = get3(x, j, 0)
    put_cores(sizes, a, b, touches, k, n, minus3(point, scale3(n, near + far)), point)
    put_flat(touches, k, FIRST_TIE)
    put_flat(touches, k, SECOND_TIE)
    put_features(identities, k, shapes, a, CORNER, i, b, CORNER, j)
    return accepted(touches, identities, k, k, margin, tolerance)
