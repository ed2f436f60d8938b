"""All contacts of two rounded polytopes: points, segments, plates and bodies with flat faces, with or without a rounding.

First the direction in which they are apart, or least deep in each other; then every pair of features that is close along it:
corners over faces, edges that cross and, where a capsule lies along an edge, the ends of both beside each other. Each has a gap
of its own: a box that lands flat has four contacts before, while and after it lands. Contacts in one place are reported once.
"""

from math import inf

from stickslip.contact.polytope_axis import (
    NOTHING,
    aside,
    best_axis,
    crossing,
    edge_of,
    foot,
    link_frame,
    lowest,
    over_face,
    small,
    unit,
    within,
)
from stickslip.contact.polytope_touch import touch_corners, touch_edge, touch_edges, touch_face, touch_foremost
from stickslip.contact.scene import (
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
    RADIUS,
    REACH,
    RIGHT,
    TO,
)
from stickslip.contact.touch import EDGE, NO_NORMAL, put_identity, sort_touches
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.rotation import add3, cross3, dot3, minus3, rotate, scale3
from stickslip.dynamics.spatial import get3

LEAN = 0.14  # sine of the largest angle between the direction of a pair and the normal of one of its contacts
STEEP = 0.99  # its cosine
LOOSER = 1e4  # times the tolerance, if rounding has hidden the contact of two bodies in each other


@routine
def touch_polytopes(shapes, sizes, edges, faces, x, placed, a, b, margin, touches, identities, k):
    """Write all contacts with a gap up to `margin` from row k on, by number. The next free row, FULL or NO_NORMAL."""
    reach = margin + sizes[a, RADIUS] + sizes[b, RADIUS]
    distance, n, kind_a, i, kind_b, j = best_axis(shapes, sizes, edges, faces, x, placed, a, b, reach)
    if distance > reach:
        return k
    start, tolerance = k, small(sizes, a, b)
    if i != NOTHING:
        n = direction(edges, x, kind_a, i, kind_b, j, distance, tolerance)
        if dot3(n, n) == 0.0:
            put_identity(identities, 0, a, 0, b, 0, 0)
            return NO_NORMAL
        k = touch_nearest(shapes, sizes, edges, x, a, kind_a, i, b, kind_b, j, n, touches, identities, k, margin, tolerance)
        if shapes[a, CORNERS] == 1 or shapes[b, CORNERS] == 1:
            return k
    found = touch_along(shapes, sizes, edges, faces, x, placed, a, b, n, touches, identities, k, start, margin, tolerance)
    if found == start and distance <= tolerance:
        tolerance *= LOOSER
        found = touch_along(shapes, sizes, edges, faces, x, placed, a, b, n, touches, identities, k, start, margin, tolerance)
        if found == start:
            found = touch_foremost(shapes, sizes, x, a, b, n, touches, identities, k, margin, tolerance)
    sort_touches(touches, identities, start, found)
    return found


@routine
def direction(edges, x, kind_a, i, kind_b, j, distance, tolerance):
    """From the nearest feature of a to that of b; zeros where they are in one place and do not cross."""
    if kind_a == EDGE and kind_b == EDGE:
        p, way = edge_of(x, edges, i)
        r, other = edge_of(x, edges, j)
        n = unit(cross3(way, other))
        between = minus3(r, p)
        if distance <= tolerance:  # two segments in each other: towards the middle of the second
            between = add3(between, scale3(minus3(other, way), 0.5))
        return n if dot3(n, between) >= 0.0 else scale3(n, -1.0)
    if distance <= tolerance:
        return 0.0, 0.0, 0.0
    if kind_a == EDGE:
        p, way = edge_of(x, edges, i)
        return unit(aside(p, way, get3(x, j, 0)))
    if kind_b == EDGE:
        p, way = edge_of(x, edges, j)
        return scale3(unit(aside(p, way, get3(x, i, 0))), -1.0)
    return unit(minus3(get3(x, j, 0), get3(x, i, 0)))


@routine
def touch_nearest(shapes, sizes, edges, x, a, kind_a, i, b, kind_b, j, n, touches, identities, k, margin, tolerance):
    if kind_a == EDGE and kind_b == EDGE:
        return touch_edges(shapes, sizes, edges, x, a, i, b, j, n, touches, identities, k, k, margin, tolerance)
    if kind_a == EDGE:
        return touch_edge(shapes, sizes, edges, x, a, i, b, j, False, touches, identities, k, k, margin, tolerance)
    if kind_b == EDGE:
        return touch_edge(shapes, sizes, edges, x, b, j, a, i, True, touches, identities, k, k, margin, tolerance)
    return touch_corners(shapes, sizes, x, a, i, b, j, touches, identities, k, k, margin, tolerance)


@routine
def touch_along(shapes, sizes, edges, faces, x, placed, a, b, n, touches, identities, k, start, margin, tolerance):
    """All contacts whose normals are near n."""
    back = scale3(n, -1.0)
    _, bottom = lowest(shapes, x, b, n)
    _, top = lowest(shapes, x, a, back)
    slack = max(margin + sizes[a, RADIUS] + sizes[b, RADIUS] - (bottom + top), 0.0)
    low = bottom + min(slack, 2.0 * LEAN * sizes[b, REACH]) + tolerance  # what is higher in b is out of the question
    high = top + min(slack, 2.0 * LEAN * sizes[a, REACH]) + tolerance  # and so is in a what is farther along -n
    k = corners_over_faces(
        shapes, sizes, edges, faces, x, placed, a, b, n, low, False, touches, identities, k, start, margin, tolerance
    )
    k = corners_over_faces(
        shapes, sizes, edges, faces, x, placed, b, a, back, high, True, touches, identities, k, start, margin, tolerance
    )
    k = edges_across(
        shapes, sizes, edges, faces, x, placed, a, b, n, low, high, touches, identities, k, start, margin, tolerance
    )
    # without a rounding the normal would turn about the edge as fast as the gap closes
    if (shapes[b, EDGES] == 1 or shapes[a, EDGES] == 1) and sizes[a, RADIUS] + sizes[b, RADIUS] > 0.0:
        k = ends_beside_edges(shapes, sizes, edges, x, a, b, n, low, False, touches, identities, k, start, margin, tolerance)
        k = ends_beside_edges(shapes, sizes, edges, x, b, a, back, high, True, touches, identities, k, start, margin, tolerance)
    return k


@routine
def corners_over_faces(
    shapes, sizes, edges, faces, x, placed, a, b, n, low, flipped, touches, identities, k, start, margin, tolerance
):
    """Corners of b over faces of a that look along n; of several faces the one that the corner is farthest in front of."""
    R, o = link_frame(sizes, placed, a)
    for i in range(shapes[b, FIRST_CORNER], shapes[b, FIRST_CORNER] + shapes[b, CORNERS]):
        point = get3(x, i, 0)
        if dot3(n, point) > low:
            continue
        best, face = -inf, NOTHING
        for f in range(shapes[a, FIRST_FACE], shapes[a, FIRST_FACE] + shapes[a, FACES]):
            m = rotate(R, get3(faces, f, OUT))
            height = dot3(m, minus3(point, o)) - faces[f, LEVEL]
            if not (dot3(m, n) >= STEEP and height > best):
                continue
            if over_face(edges, x, shapes[a, FIRST_EDGE], shapes[a, EDGES], f, m, point, tolerance):
                best, face = height, f
        if face != NOTHING:
            m = rotate(R, get3(faces, face, OUT))
            k = touch_face(shapes, sizes, x, a, face, m, best, b, i, flipped, touches, identities, k, start, margin, tolerance)
    return k


@kernel
def looks_out(edges, faces, R, e, way, n):
    """Whether n, give or take a lean, points out of both faces at an edge."""
    limit = LEAN * LEAN * dot3(way, way)
    for side in (LEFT, RIGHT):
        if edges[e, side] >= 0:
            into = cross3(rotate(R, get3(faces, edges[e, side], OUT)), way)
            inward = dot3(into, n) if side == LEFT else -dot3(into, n)
            if inward > 0.0 and inward * inward > limit:
                return False
    return True


@routine
def edges_across(shapes, sizes, edges, faces, x, placed, a, b, n, low, high, touches, identities, k, start, margin, tolerance):
    """Edges that cross each other, with a common normal near n."""
    A, _ = link_frame(sizes, placed, a)
    B, _ = link_frame(sizes, placed, b)
    back = scale3(n, -1.0)
    for e in range(shapes[a, FIRST_EDGE], shapes[a, FIRST_EDGE] + shapes[a, EDGES]):
        p, way = edge_of(x, edges, e)
        if min(dot3(back, p), dot3(back, add3(p, way))) > high or not looks_out(edges, faces, A, e, way, n):
            continue
        for f in range(shapes[b, FIRST_EDGE], shapes[b, FIRST_EDGE] + shapes[b, EDGES]):
            r, other = edge_of(x, edges, f)
            m = cross3(way, other)
            square, along = dot3(m, m), dot3(m, n)
            if along * along < STEEP * STEEP * square or square < 1e-10 * dot3(way, way) * dot3(other, other):
                continue
            s, t = crossing(p, way, r, other)
            if (
                within(s, way, tolerance)
                and within(t, other, tolerance)
                and dot3(back, add3(p, scale3(way, s))) <= high
                and dot3(n, add3(r, scale3(other, t))) <= low
                and looks_out(edges, faces, B, f, other, back)
            ):
                k = touch_edges(shapes, sizes, edges, x, a, e, b, f, n, touches, identities, k, start, margin, tolerance)
    return k


@routine
def ends_beside_edges(shapes, sizes, edges, x, a, b, n, low, flipped, touches, identities, k, start, margin, tolerance):
    """Ends of edges of b beside edges of a that run along them."""
    for f in range(shapes[b, FIRST_EDGE], shapes[b, FIRST_EDGE] + shapes[b, EDGES]):
        _, other = edge_of(x, edges, f)
        for end in (FROM, TO):
            point = get3(x, edges[f, end], 0)
            if dot3(n, point) > low:
                continue
            best, edge = inf, NOTHING
            for e in range(shapes[a, FIRST_EDGE], shapes[a, FIRST_EDGE] + shapes[a, EDGES]):
                p, way = edge_of(x, edges, e)
                across = cross3(way, other)
                if dot3(across, across) > LEAN * LEAN * dot3(way, way) * dot3(other, other):
                    continue
                arm = aside(p, way, point)
                square, along = dot3(arm, arm), dot3(arm, n)
                if (
                    square < best
                    and square > tolerance * tolerance
                    and along > 0.0
                    and along * along >= STEEP * STEEP * square
                    and within(foot(p, way, point), way, tolerance)
                ):
                    best, edge = square, e
            if edge != NOTHING:
                i = edges[f, end]
                k = touch_edge(
                    shapes, sizes, edges, x, a, edge, b, i, flipped, touches, identities, k, start, margin, tolerance
                )
    return k
