"""All contacts of two solids of any kinds, once the direction is roughly known in which they are apart.

The features of both that look that way are paired, and the common normal of each pair is made exact. Points, pegs, rims and
ellipsoids meet flat faces; lines, rims, points and ellipsoids meet each other. Most pairs count only where no other part of the
two solids is nearer along their normal; lines and rims that cross may lean, so that what stands or lies has all its contacts.
"""

from stickslip.contact.common_normal import common_normal, is_curve, witness
from stickslip.contact.cylinder_pairs import put_rim_tie
from stickslip.contact.ellipsoid_pairs import put_ellipsoid_tie
from stickslip.contact.feature_guesses import HALF_TURN, crossings, first_guess, may_lean, never_meet, places_on_flat
from stickslip.contact.features import (
    ALONG,
    AT,
    CODE,
    CROSSINGS,
    EXTENT,
    FEATURE,
    FLAT,
    LINE,
    RIM,
    ROUNDING,
    ROW,
    SMOOTH,
    STATIONARY,
    TYPE,
    farthest_along,
    features_along,
    reach_along,
)
from stickslip.contact.polytope_axis import over_face, small
from stickslip.contact.polytope_touch import put_edge_tie
from stickslip.contact.polytopes import LEAN, STEEP
from stickslip.contact.scene import EDGES, FIRST_EDGE, REACH, SIZE
from stickslip.contact.touch import (
    CODES,
    FIRST_TIE,
    FULL,
    SECOND_TIE,
    accepted,
    put_flat,
    put_identity,
    put_round,
    put_touch,
    sort_touches,
)
from stickslip.dynamics.kernel import entry, kernel, routine
from stickslip.dynamics.rotation import add3, dot3, minus3, scale3
from stickslip.dynamics.spatial import get3, get9

FOREMOST = 1  # the number of a contact that is none of two features; theirs are larger, and those of smooth surfaces 0
LOOSER = 1e3  # times the tolerance where rounding has hidden the only contact


@routine
def put_side(sizes, placed, side, i, touches, k, column, n, m, s):
    """The tie of feature i with the outward normal m = n or -n."""
    shape, floats, integers = side
    kind = integers[i, TYPE]
    if kind == FLAT:
        put_flat(touches, k, column)
    elif kind == LINE:
        put_edge_tie(touches, k, column, n, get3(floats, i, ALONG), floats[i, ROUNDING])
    elif kind == SMOOTH:
        put_ellipsoid_tie(touches, k, column, n, get9(placed, shape, 0), get3(sizes, shape, SIZE))
    elif kind == RIM:
        p, way, _ = witness(sizes, placed, side, i, m, s)
        radius = floats[i, EXTENT]
        out = scale3(minus3(p, get3(floats, i, AT)), 1.0 / radius)
        put_rim_tie(touches, k, column, n, scale3(way, 1.0 / radius), dot3(m, out) / radius)
    else:
        put_round(touches, k, column, floats[i, ROUNDING])


@kernel
def code_of(side, i, sub):
    return side[2][i, CODE] + (sub if side[2][i, TYPE] == RIM else 0)


@routine
def record(sizes, placed, A, i, s, B, j, r, n, sub, margin, touches, identities, k):
    """Write the touch of two features along n; `sub` is added to the code of whichever is a rim."""
    if not 0 <= k < touches.shape[0]:
        return FULL
    m = scale3(n, -1.0)
    p, _, _ = witness(sizes, placed, A, i, n, s)
    q, _, _ = witness(sizes, placed, B, j, m, r)
    distance = dot3(n, minus3(q, p))
    if A[2][i, TYPE] == FLAT:
        p = minus3(q, scale3(n, distance))
    else:
        q = add3(p, scale3(n, distance))
    radius_a, radius_b = A[1][i, ROUNDING], B[1][j, ROUNDING]
    on_a, on_b = add3(p, scale3(n, radius_a)), minus3(q, scale3(n, radius_b))
    put_touch(touches, k, distance - radius_a - radius_b, n, on_a, on_b)
    put_side(sizes, placed, A, i, touches, k, FIRST_TIE, n, n, s)
    put_side(sizes, placed, B, j, touches, k, SECOND_TIE, n, m, r)
    number = (1 + code_of(A, i, sub)) * CODES + code_of(B, j, sub)
    if A[2][i, TYPE] == SMOOTH or B[2][j, TYPE] == SMOOTH:
        number = 0
    put_identity(identities, k, A[0], A[2][i, FEATURE], B[0], B[2][j, FEATURE], number)
    return accepted(touches, identities, 0, k, margin, small(sizes, A[0], B[0]))


@routine
def over_flat(shapes, edges, x, side, i, point, tolerance):
    """Whether the foot of a point is in a flat face."""
    shape, floats, integers = side
    n = get3(floats, i, ALONG)
    if integers[i, ROW] >= 0:
        return over_face(edges, x, shapes[shape, FIRST_EDGE], shapes[shape, EDGES], integers[i, ROW], n, point, tolerance)
    arm = minus3(point, get3(floats, i, AT))
    arm = minus3(arm, scale3(n, dot3(n, arm)))
    return dot3(arm, arm) <= (floats[i, EXTENT] + tolerance) ** 2


@routine
def at_flats(shapes, sizes, edges, x, placed, A, i, B, j, margin, tolerance, touches, identities, k):
    """Contacts of a flat face of either with a feature of the other that is not flat."""
    on_first = A[2][i, TYPE] == FLAT
    if on_first == (B[2][j, TYPE] == FLAT):
        return k
    if on_first:
        n = get3(A[1], i, ALONG)
        places, first = places_on_flat(B, j, n)
    else:
        m = get3(B[1], j, ALONG)
        n = scale3(m, -1.0)
        places, first = places_on_flat(A, i, m)
    for sub in range(places):
        s = first + HALF_TURN * sub
        if on_first:
            p, _, _ = witness(sizes, placed, B, j, scale3(n, -1.0), s)
            over = over_flat(shapes, edges, x, A, i, p, tolerance)
        else:
            p, _, _ = witness(sizes, placed, A, i, n, s)
            over = over_flat(shapes, edges, x, B, j, p, tolerance)
        if over:
            k = record(sizes, placed, A, i, s, B, j, s, n, STATIONARY + sub, margin, touches, identities, k)
    return k


@routine
def on_feature(sizes, placed, side, i, m, s, tolerance):
    """Whether the place s is on the feature and m points out of the solid there, give or take a lean."""
    _, floats, integers = side
    if integers[i, TYPE] == LINE:
        return -tolerance <= s <= floats[i, EXTENT] + tolerance
    if integers[i, TYPE] == RIM:
        p, _, _ = witness(sizes, placed, side, i, m, s)
        out = minus3(p, get3(floats, i, AT))
        return dot3(m, out) >= -LEAN * floats[i, EXTENT] and dot3(m, get3(floats, i, ALONG)) >= -LEAN
    return True


@routine
def foremost(shapes, sizes, x, placed, a, b, n, gap, slack):
    """Whether no other part of the two solids is nearer along n, or nearer by the slack at most."""
    return (
        gap + reach_along(shapes, sizes, x, placed, a, n) + reach_along(shapes, sizes, x, placed, b, scale3(n, -1.0)) <= slack
    )


@routine
def at_curves(shapes, sizes, x, placed, A, i, B, j, guide, margin, tolerance, system, touches, identities, k):
    """Contacts of two features neither of which is flat."""
    if never_meet(A, i, B, j):
        return k
    n0 = guide[0], guide[1], guide[2]
    s0 = first_guess(A, i, n0, (guide[3], guide[4], guide[5]))
    r0 = first_guess(B, j, scale3(n0, -1.0), (guide[6], guide[7], guide[8]))
    count, s1, r1, s2, r2 = 0, 0.0, 0.0, 0.0, 0.0
    if A[2][i, TYPE] == RIM and is_curve(B, j):
        count, s1, r1, s2, r2 = crossings(A, i, B, j)
    elif A[2][i, TYPE] == LINE and B[2][j, TYPE] == RIM:
        count, r1, s1, r2, s2 = crossings(B, j, A, i)
    slack = 2.0 * LEAN * max(sizes[A[0], REACH], sizes[B[0], REACH]) if may_lean(A, i, B, j) else tolerance
    for guess in range(1 + count):
        s, r = (s0, r0) if guess == 0 else (s1, r1) if guess == 1 else (s2, r2)
        n, s, r, good = common_normal(sizes, placed, A, i, s, B, j, r, n0, system)
        m = scale3(n, -1.0)
        if not good or dot3(n, n0) < STEEP:
            continue
        if not on_feature(sizes, placed, A, i, n, s, tolerance) or not on_feature(sizes, placed, B, j, m, r, tolerance):
            continue
        p, _, _ = witness(sizes, placed, A, i, n, s)
        q, _, _ = witness(sizes, placed, B, j, m, r)
        gap = dot3(n, minus3(q, p)) - A[1][i, ROUNDING] - B[1][j, ROUNDING]
        if gap <= margin and foremost(shapes, sizes, x, placed, A[0], B[0], n, gap, slack):
            sub = STATIONARY if guess == 0 else CROSSINGS + guess - 1
            k = record(sizes, placed, A, i, s, B, j, r, n, sub, margin, touches, identities, k)
    return k


@entry
def touch_features_into(
    shapes,
    sizes,
    edges,
    faces,
    x,
    placed,
    a,
    b,
    guide,
    margin,
    floats_a,
    integers_a,
    floats_b,
    integers_b,
    system,
    touches,
    identities,
):
    """All contacts of a and b with gaps up to `margin`: how many, or FULL.

    `guide` (9) holds a direction from a to b and a point of each near the nearest; float and integer rows and `system` (4, 5)
    are scratch.
    """
    n0 = guide[0], guide[1], guide[2]
    back = scale3(n0, -1.0)
    tolerance = small(sizes, a, b)
    behind = reach_along(shapes, sizes, x, placed, a, n0) + reach_along(shapes, sizes, x, placed, b, back)
    slack = max(margin + behind, 0.0) + LOOSER * tolerance
    count_a = features_along(shapes, sizes, edges, faces, x, placed, a, n0, slack, floats_a, integers_a)
    count_b = features_along(shapes, sizes, edges, faces, x, placed, b, back, slack, floats_b, integers_b)
    A, B, k = (a, floats_a, integers_a), (b, floats_b, integers_b), 0
    for _ in range(3):
        for i in range(count_a):
            for j in range(count_b):
                k = at_flats(shapes, sizes, edges, x, placed, A, i, B, j, margin, tolerance, touches, identities, k)
        for i in range(count_a):
            for j in range(count_b):
                k = at_curves(shapes, sizes, x, placed, A, i, B, j, guide, margin, tolerance, system, touches, identities, k)
        if k != 0:
            break
        tolerance *= LOOSER
    sort_touches(touches, identities, 0, k)
    return k


@entry
def touch_foremost_into(shapes, sizes, x, placed, a, b, guide, touches, identities):
    """One touch of the points farthest along `guide`: what is left where two tips meet.

    Any normal between those of the surfaces around them would do as well, so the touch has a gap but no rows.
    """
    n = guide[0], guide[1], guide[2]
    p, radius = farthest_along(shapes, sizes, x, placed, a, n)
    q, rounding = farthest_along(shapes, sizes, x, placed, b, scale3(n, -1.0))
    distance = dot3(n, minus3(q, p))
    on_a, on_b = minus3(q, scale3(n, distance - radius)), minus3(q, scale3(n, rounding))
    put_touch(touches, 0, distance - radius - rounding, n, on_a, on_b)
    put_flat(touches, 0, FIRST_TIE)
    put_flat(touches, 0, SECOND_TIE)
    put_identity(identities, 0, a, 0, b, 0, FOREMOST)
    return 1
