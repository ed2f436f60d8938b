"""How far two polytopes are apart, and along which direction: the reference for all contacts between them.

Directions are looked for where they can be: normals of faces, normals common to two edges and, for bodies apart, lines from
corners to edges and corners. Where several are equally good the first in this order is taken, so that the choice does not hang
on rounding.
"""

from math import inf, sqrt

from stickslip.contact.scene import (
    CENTRE,
    CORNERS,
    EDGES,
    FACES,
    FIRST_CORNER,
    FIRST_EDGE,
    FIRST_FACE,
    FROM,
    LEFT,
    LEVEL,
    OUT,
    PLACE,
    REACH,
    RIGHT,
    TO,
    TURN,
)
from stickslip.contact.touch import CORNER, EDGE, FACE
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.rotation import add3, cross3, dot3, minus3, rotate, scale3
from stickslip.dynamics.spatial import get3, get9

EXACT = 1e-9  # of the size of two shapes: lengths below this are round-off
PARALLEL = 1e-5  # sine of the angle below which two edges count as parallel
NOTHING = -1  # instead of a feature


@kernel
def unit(x):
    length = sqrt(dot3(x, x))
    return scale3(x, 1.0 / length)


@kernel
def link_frame(sizes, placed, a):
    """Axes and place of the body that holds shape a: its faces are given there."""
    S, T = get9(placed, a, 0), get9(sizes, a, TURN)
    R = (  # S T^T
        S[0] * T[0] + S[1] * T[1] + S[2] * T[2],
        S[0] * T[3] + S[1] * T[4] + S[2] * T[5],
        S[0] * T[6] + S[1] * T[7] + S[2] * T[8],
        S[3] * T[0] + S[4] * T[1] + S[5] * T[2],
        S[3] * T[3] + S[4] * T[4] + S[5] * T[5],
        S[3] * T[6] + S[4] * T[7] + S[5] * T[8],
        S[6] * T[0] + S[7] * T[1] + S[8] * T[2],
        S[6] * T[3] + S[7] * T[4] + S[8] * T[5],
        S[6] * T[6] + S[7] * T[7] + S[8] * T[8],
    )
    return R, minus3(get3(placed, a, PLACE), rotate(R, get3(sizes, a, CENTRE)))


@kernel
def small(sizes, a, b):
    """A length that is round-off beside the two shapes."""
    return EXACT * (sizes[a, REACH] + sizes[b, REACH])


@kernel
def edge_of(x, edges, e):
    """Its first corner and the way to its second."""
    start = get3(x, edges[e, FROM], 0)
    return start, minus3(get3(x, edges[e, TO], 0), start)


@routine
def lowest(shapes, x, b, n):
    """The corner of b that is deepest along -n, and n . of it."""
    first = shapes[b, FIRST_CORNER]
    best, depth = first, dot3(n, get3(x, first, 0))
    for i in range(first + 1, first + shapes[b, CORNERS]):
        level = dot3(n, get3(x, i, 0))
        if level < depth:
            best, depth = i, level
    return best, depth


@routine
def over_face(edges, x, first, count, face, n, point, tolerance):
    """Whether the foot of `point` is in a face; `first` and `count` are its shape's edges."""
    for e in range(first, first + count):
        if edges[e, LEFT] == face or edges[e, RIGHT] == face:
            start, way = edge_of(x, edges, e)
            side = dot3(cross3(way, n), minus3(point, start))
            if edges[e, LEFT] != face:
                side = -side
            if side > tolerance * sqrt(dot3(way, way)):
                return False
    return True


@routine
def best_face(shapes, sizes, faces, x, placed, a, b, tolerance):
    """The face of a that b is farthest in front of: that distance, the face, b's nearest corner."""
    R, o = link_frame(sizes, placed, a)
    most, face, corner = -inf, NOTHING, NOTHING
    for f in range(shapes[a, FIRST_FACE], shapes[a, FIRST_FACE] + shapes[a, FACES]):
        n = rotate(R, get3(faces, f, OUT))
        i, level = lowest(shapes, x, b, n)
        gap = level - dot3(n, o) - faces[f, LEVEL]
        if gap > most + tolerance:
            most, face, corner = gap, f, i
    return most, face, corner


@routine
def repeats(edges, x, first, e):
    """Whether an earlier edge of the shape has the same direction."""
    _, way = edge_of(x, edges, e)
    for other in range(first, e):
        _, with_it = edge_of(x, edges, other)
        across = cross3(way, with_it)
        if dot3(across, across) < 1e-24 * dot3(way, way) * dot3(with_it, with_it):
            return True
    return False


@routine
def best_edges(shapes, edges, x, a, b, most):
    """The normal common to an edge of each along which b is farthest in front of a, if that is farther than `most`."""
    normal, first_a, first_b = (0.0, 0.0, 0.0), shapes[a, FIRST_EDGE], shapes[b, FIRST_EDGE]
    for e in range(first_a, first_a + shapes[a, EDGES]):
        if repeats(edges, x, first_a, e):
            continue
        _, way = edge_of(x, edges, e)
        for f in range(first_b, first_b + shapes[b, EDGES]):
            _, other = edge_of(x, edges, f)
            n = cross3(way, other)
            if dot3(n, n) <= PARALLEL * PARALLEL * dot3(way, way) * dot3(other, other) or repeats(edges, x, first_b, f):
                continue
            n = unit(n)
            for sign in (1.0, -1.0):
                m = scale3(n, sign)
                _, near = lowest(shapes, x, b, m)
                _, far = lowest(shapes, x, a, scale3(m, -1.0))
                if near + far > most:
                    most, normal = near + far, m
    return most, normal


@kernel
def crossing(start, way, other_start, other_way):
    """Where two lines come nearest to each other, as fractions of the two ways; they must not be parallel."""
    n = cross3(way, other_way)
    between = minus3(other_start, start)
    square = dot3(n, n)
    return dot3(cross3(between, other_way), n) / square, dot3(cross3(between, way), n) / square


@kernel
def within(fraction, way, tolerance):
    slack = tolerance / sqrt(dot3(way, way))
    return -slack <= fraction <= 1.0 + slack


@kernel
def foot(start, way, point):
    """How far along the edge the point is, as a fraction."""
    return dot3(minus3(point, start), way) / dot3(way, way)


@kernel
def aside(start, way, point):
    """From the line of an edge to the point, square to the line."""
    return minus3(point, add3(start, scale3(way, foot(start, way, point))))


@routine
def nearest_edges(shapes, edges, x, a, b, tolerance):
    """Of edges that cross: distance and edges of the nearest."""
    best, one, other = inf, NOTHING, NOTHING
    for e in range(shapes[a, FIRST_EDGE], shapes[a, FIRST_EDGE] + shapes[a, EDGES]):
        start, way = edge_of(x, edges, e)
        for f in range(shapes[b, FIRST_EDGE], shapes[b, FIRST_EDGE] + shapes[b, EDGES]):
            begin, track = edge_of(x, edges, f)
            n = cross3(way, track)
            square = dot3(n, n)
            if square <= PARALLEL * PARALLEL * dot3(way, way) * dot3(track, track):
                continue
            distance = abs(dot3(n, minus3(begin, start))) / sqrt(square)
            if distance >= best - tolerance:
                continue
            s, t = crossing(start, way, begin, track)
            if within(s, way, tolerance) and within(t, track, tolerance):
                best, one, other = distance, e, f
    return best, one, other


@routine
def nearest_edge(shapes, edges, x, a, b, tolerance):
    """Of corners of b beside edges of a: distance, edge and corner of the nearest."""
    best, edge, corner = inf, NOTHING, NOTHING
    for i in range(shapes[b, FIRST_CORNER], shapes[b, FIRST_CORNER] + shapes[b, CORNERS]):
        point = get3(x, i, 0)
        for e in range(shapes[a, FIRST_EDGE], shapes[a, FIRST_EDGE] + shapes[a, EDGES]):
            start, way = edge_of(x, edges, e)
            s = foot(start, way, point)
            if 0.0 <= s <= 1.0:
                arm = minus3(minus3(point, start), scale3(way, s))
                distance = sqrt(dot3(arm, arm))
                if distance < best - tolerance:
                    best, edge, corner = distance, e, i
    return best, edge, corner


@routine
def nearest_corners(shapes, x, a, b, tolerance):
    best, one, other = inf, NOTHING, NOTHING
    for i in range(shapes[a, FIRST_CORNER], shapes[a, FIRST_CORNER] + shapes[a, CORNERS]):
        for j in range(shapes[b, FIRST_CORNER], shapes[b, FIRST_CORNER] + shapes[b, CORNERS]):
            arm = minus3(get3(x, j, 0), get3(x, i, 0))
            distance = sqrt(dot3(arm, arm))
            if distance < best - tolerance:
                best, one, other = distance, i, j
    return best, one, other


@routine
def nearest(shapes, edges, x, a, b, tolerance):
    """The nearest features of polytopes apart, neither of them a face: distance, kind and row of a's, kind and row of b's."""
    best, one, other = nearest_edges(shapes, edges, x, a, b, tolerance)
    kind_a, kind_b = EDGE, EDGE
    distance, e, i = nearest_edge(shapes, edges, x, a, b, tolerance)
    if distance < best - tolerance:
        best, kind_a, one, kind_b, other = distance, EDGE, e, CORNER, i
    distance, e, i = nearest_edge(shapes, edges, x, b, a, tolerance)
    if distance < best - tolerance:
        best, kind_a, one, kind_b, other = distance, CORNER, i, EDGE, e
    distance, i, j = nearest_corners(shapes, x, a, b, tolerance)
    if distance < best - tolerance:
        best, kind_a, one, kind_b, other = distance, CORNER, i, CORNER, j
    return best, kind_a, one, kind_b, other


@routine
def is_over(shapes, sizes, edges, faces, x, placed, a, face, corner):
    """Whether a corner of another polytope is over a face of a, and that face's normal."""
    R, _ = link_frame(sizes, placed, a)
    n = rotate(R, get3(faces, face, OUT))
    over = over_face(edges, x, shapes[a, FIRST_EDGE], shapes[a, EDGES], face, n, get3(x, corner, 0), small(sizes, a, a))
    return over, n


@routine
def best_axis(shapes, sizes, edges, faces, x, placed, a, b, reach):
    """The reference: how far b is in front of a, the direction n, and the nearest features if they are neither faces.

    Faces are named by kind FACE on either side; kind EDGE on both sides without rows is a common normal of overlapping bodies.
    Beyond `reach` the distance is only a lower bound. A direction of zeros means that none is defined.
    """
    tolerance = small(sizes, a, b)
    n = (0.0, 0.0, 0.0)
    front, face, corner = best_face(shapes, sizes, faces, x, placed, a, b, tolerance)
    back, other_face, other_corner = best_face(shapes, sizes, faces, x, placed, b, a, tolerance)
    most = back if back > front + tolerance else front
    if most > reach:
        return most, n, FACE, NOTHING, FACE, NOTHING
    # parallel faces are a tie; the smaller has its corners over the larger, whichever of the two that is
    if face != NOTHING and front >= most - tolerance:
        over, n = is_over(shapes, sizes, edges, faces, x, placed, a, face, corner)
        if over and most > -tolerance:
            return most, n, FACE, NOTHING, FACE, NOTHING
    if other_face != NOTHING and back >= most - tolerance:
        over, m = is_over(shapes, sizes, edges, faces, x, placed, b, other_face, other_corner)
        m = scale3(m, -1.0)
        if over and most > -tolerance:
            return most, m, FACE, NOTHING, FACE, NOTHING
        if back > front + tolerance:
            n = m
    between, m = best_edges(shapes, edges, x, a, b, most + tolerance)
    if between > most + tolerance:
        most, n = between, m
        if most > reach:
            return most, n, EDGE, NOTHING, EDGE, NOTHING
    solid = shapes[a, FACES] > 2 or shapes[b, FACES] > 2
    lines = shapes[a, FACES] == 0 and shapes[b, FACES] == 0
    if most <= tolerance and (solid or (most < -tolerance and not lines)):
        return most, n, EDGE, NOTHING, EDGE, NOTHING
    distance, kind_a, one, kind_b, other = nearest(shapes, edges, x, a, b, 1e-3 * tolerance)
    if distance <= tolerance and not lines:  # plates and lines in one plane are apart along none of those axes, but may touch
        return most, n, EDGE, NOTHING, EDGE, NOTHING
    return distance, n, kind_a, one, kind_b, other
