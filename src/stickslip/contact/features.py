"""Features of any solid that may touch along a direction: points, straight lines, rims, flat faces and smooth surfaces.

A row describes one feature in the world. A line is a polytope's edge, a capsule's axis, or the axis of a cylinder whose side it
stands for; with points and lines goes the radius of the rounding.
"""

from math import sqrt

from stickslip.contact.cylinder_pairs import STANDING, standing_arm
from stickslip.contact.ellipsoid_pairs import ellipsoid_reach
from stickslip.contact.polytope_axis import edge_of, link_frame, lowest
from stickslip.contact.polytopes import LEAN, STEEP, looks_out
from stickslip.contact.scene import (
    CORNERS,
    CYLINDER,
    EDGES,
    ELLIPSOID,
    FACES,
    FIRST_CORNER,
    FIRST_EDGE,
    FIRST_FACE,
    KIND,
    LEVEL,
    OUT,
    PLACE,
    RADIUS,
    REACH,
    SIZE,
)
from stickslip.contact.touch import CORNER, EDGE, FACE
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.rotation import add3, column, dot3, minus3, rotate, scale3
from stickslip.dynamics.spatial import get3, get9, put3

# ---- columns of float rows -------------------------------------------------------------------------------------------
AT = 0  # (3) the point; a line's beginning; a rim's centre; any point of a face; an ellipsoid's centre
ALONG = 3  # (3) unit direction of a line; a rim's axis, outwards; a face's outward normal
EXTENT = 6  # length of a line; radius of a rim; radius of a round face, zero for a polygon
ROUNDING = 7
FLOATS = 8

# ---- columns of integer rows -----------------------------------------------------------------------------------------
TYPE = 0
FEATURE = 1  # as in the record of a touch
CODE = 2  # the number of the feature in its shape
ROW = 3  # of a polytope's face
INTEGERS = 4

POINT, LINE, RIM, SMOOTH, PEG, FLAT = range(6)  # a peg: a point of a rim, fixed in the body, to stand on

# ---- codes of a cylinder's features; those of a rim's points follow on the rim's -----------------------------------------
SIDE = 0
CAPS = 1
RIMS = 3
STATIONARY, CROSSINGS, PEGS, RIM_CODES = 0, 2, 4, 4 + STANDING


@routine
def farthest_along(shapes, sizes, x, placed, a, d):
    """A point of the shape's core that is as far along the unit vector d as any, and the radius of the rounding there."""
    kind = shapes[a, KIND]
    if kind == ELLIPSOID:
        _, p = ellipsoid_reach(get9(placed, a, 0), get3(sizes, a, SIZE), d)
        return add3(get3(placed, a, PLACE), p), 0.0
    if kind == CYLINDER:
        axis = column(get9(placed, a, 0), 2)
        along = dot3(d, axis)
        across = minus3(d, scale3(axis, along))
        length = sqrt(dot3(across, across))
        arm = scale3(across, sizes[a, SIZE] / length if length > 0.0 else 0.0)
        end = scale3(axis, sizes[a, SIZE + 1] if along >= 0.0 else -sizes[a, SIZE + 1])
        return add3(get3(placed, a, PLACE), add3(end, arm)), 0.0
    i, _ = lowest(shapes, x, a, scale3(d, -1.0))
    return get3(x, i, 0), sizes[a, RADIUS]


@routine
def reach_along(shapes, sizes, x, placed, a, d):
    """The largest d . x of any point of the shape, for a unit vector d."""
    point, radius = farthest_along(shapes, sizes, x, placed, a, d)
    return dot3(d, point) + radius


@kernel
def put_feature(floats, integers, k, kind, at, along, extent, rounding, feature, code, row):
    put3(floats, k, AT, at)
    put3(floats, k, ALONG, along)
    floats[k, EXTENT] = extent
    floats[k, ROUNDING] = rounding
    integers[k, TYPE] = kind
    integers[k, FEATURE] = feature
    integers[k, CODE] = code
    integers[k, ROW] = row


@routine
def features_along(shapes, sizes, edges, faces, x, placed, a, d, slack, floats, integers):
    """Fill rows with the features of shape a that are within `slack` of the farthest along d and look that way; how many.

    The arrays must have a row for each corner, edge and face of the shape, and at least `MOST_OF_CYLINDER`.
    """
    kind = shapes[a, KIND]
    if kind == ELLIPSOID:
        put_feature(floats, integers, 0, SMOOTH, get3(placed, a, PLACE), d, 0.0, 0.0, 0, 0, -1)
        return 1
    if kind == CYLINDER:
        return features_of_cylinder(sizes, placed, a, d, floats, integers)
    return features_of_polytope(shapes, sizes, edges, faces, x, placed, a, d, slack, floats, integers)


MOST_OF_CYLINDER = 4 + STANDING  # near caps are one, but for discs


@routine
def features_of_cylinder(sizes, placed, a, d, floats, integers):
    axes, centre, k = get9(placed, a, 0), get3(placed, a, PLACE), 0
    axis = column(axes, 2)
    radius, half = sizes[a, SIZE], sizes[a, SIZE + 1]
    along = dot3(axis, d)
    if (
        abs(along) < LEAN and half > 0.0
    ):  # before the rims: where two of them meet flush, each is a contact with the other's side
        put_feature(floats, integers, k, LINE, minus3(centre, scale3(axis, half)), axis, 2.0 * half, radius, 0, SIDE, -1)
        k += 1
    for cap in range(2):
        up = axis if cap else scale3(axis, -1.0)
        end, looks = add3(centre, scale3(up, half)), along if cap else -along
        if looks >= STEEP:
            put_feature(floats, integers, k, FLAT, end, up, radius, 0.0, 3 * cap + FACE, CAPS + cap, -1)
            k += 1
            for i in range(STANDING):
                peg, row = add3(end, standing_arm(axes, radius, i)), STANDING * cap + i
                code = RIMS + cap * RIM_CODES + PEGS + i
                put_feature(floats, integers, k, PEG, peg, up, 0.0, 0.0, 3 * row + CORNER, code, -1)
                k += 1
        if looks > -LEAN and (half > 0.0 or looks > 0.0 or (looks == 0.0 and cap)):  # a disc has one rim
            put_feature(floats, integers, k, RIM, end, up, radius, 0.0, 3 * cap + EDGE, RIMS + cap * RIM_CODES, -1)
            k += 1
    return k


@routine
def features_of_polytope(shapes, sizes, edges, faces, x, placed, a, d, slack, floats, integers):
    R, o = link_frame(sizes, placed, a)
    back, radius, k = scale3(d, -1.0), sizes[a, RADIUS], 0
    _, bottom = lowest(shapes, x, a, back)
    high = bottom + min(slack, 2.0 * LEAN * sizes[a, REACH])
    first, corners, count = shapes[a, FIRST_CORNER], shapes[a, CORNERS], shapes[a, EDGES]
    for f in range(shapes[a, FACES]):
        row = shapes[a, FIRST_FACE] + f
        n = rotate(R, get3(faces, row, OUT))
        if dot3(n, d) >= STEEP:
            at = add3(o, scale3(n, faces[row, LEVEL]))
            put_feature(floats, integers, k, FLAT, at, n, 0.0, 0.0, 3 * f + FACE, corners + count + f, row)
            k += 1
    for e in range(count):
        start, way = edge_of(x, edges, shapes[a, FIRST_EDGE] + e)
        if min(dot3(back, start), dot3(back, add3(start, way))) > high:
            continue
        if looks_out(edges, faces, R, shapes[a, FIRST_EDGE] + e, way, d):
            length = sqrt(dot3(way, way))
            put_feature(
                floats, integers, k, LINE, start, scale3(way, 1.0 / length), length, radius, 3 * e + EDGE, corners + e, -1
            )
            k += 1
    for i in range(corners):
        point = get3(x, first + i, 0)
        if dot3(back, point) <= high:
            put_feature(floats, integers, k, POINT, point, d, 0.0, radius, 3 * i + CORNER, i, -1)
            k += 1
    return k
