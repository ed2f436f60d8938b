"""Touches of ellipses in the plane.

Seen along a direction n, two convex shapes are apart by phi(n) = n . c - h_a(n) - h_b(n), where c leads from one centre to the
other and h is how far a shape reaches. Their gap is the largest phi over all n, also (as the way out) where they overlap.
An ellipse reaches h(n) = |(a n . e1, b n . e2)|, a point nowhere, so that one search serves all pairs.
"""

from math import atan2, cos, inf, pi, sin, sqrt

from stickslip.contact.planar_touch import record
from stickslip.contact.rounded import beyond, dot2, get2, minus2, steepest
from stickslip.contact.scene import AXES, CORNERS, FIRST_CORNER, OUTWARDS, PLACE, RADIUS, SIZE
from stickslip.contact.touch import CORNER, EDGE, NO_NORMAL
from stickslip.dynamics.kernel import kernel, routine

ROUNDS = 100  # of the search: each halves the bracket at least
SECTORS = 32  # in which the way out of an overlap is looked for
DONE = 4e-16  # of an angle

POINT = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@kernel
def ellipse_of(sizes, placed, a):
    """Its axes in the plane, row by row, and its semi-axes."""
    return placed[a, AXES], placed[a, AXES + 1], placed[a, AXES + 2], placed[a, AXES + 3], sizes[a, SIZE], sizes[a, SIZE + 1]


@kernel
def reach(e, n):
    """How far an ellipse reaches along n, where it does so (from its centre), and its radius of curvature there."""
    a, b = e[4], e[5]
    x, y = a * (e[0] * n[0] + e[2] * n[1]), b * (e[1] * n[0] + e[3] * n[1])
    h = sqrt(x * x + y * y)
    if h == 0.0:
        return 0.0, (0.0, 0.0), 0.0
    x, y = a * x / h, b * y / h
    return h, (e[0] * x + e[1] * y, e[2] * x + e[3] * y), (a * b / h) ** 2 / h


@kernel
def apart(e, f, c, angle):
    """phi, its derivative and its second derivative at n = (cos, sin) of the angle, and the gap's vector."""
    n = cos(angle), sin(angle)
    h_e, p_e, rho_e = reach(e, n)
    h_f, p_f, rho_f = reach(f, n)
    phi = dot2(n, c) - h_e - h_f
    w = c[0] - p_e[0] - p_f[0], c[1] - p_e[1] - p_f[1]
    return phi, n[0] * w[1] - n[1] * w[0], -(phi + rho_e + rho_f), w


@routine
def climbed(e, f, c, angle, low, high, towards):
    """The angle of the largest phi between two others, by Newton's method, and phi at the last step but one.

    Where phi <= 0, phi / (n . c) is climbed instead if `towards` says so.
    """
    phi = 0.0
    for _ in range(ROUNDS):
        phi, slope, bend, w = apart(e, f, c, angle)
        uphill = slope if phi > 0.0 or not towards else c[0] * w[1] - c[1] * w[0]
        if uphill > 0.0:
            low = angle
        else:
            high = angle
        new = angle - slope / bend if bend < 0.0 else low
        if not low < new < high:
            new = 0.5 * (low + high)
        if abs(new - angle) <= DONE * (1.0 + abs(angle)):
            break
        angle = new
    return angle, phi


@routine
def facing(e, f, c):
    """The angle of the largest phi of two shapes whose centres are c != 0 apart.

    Where phi > 0 it has one maximum on the half circle around c, and where phi <= 0 the one of phi / (n . c), a concave
    function there, is the way to it.
    """
    middle = atan2(c[1], c[0])
    angle, phi = climbed(e, f, c, middle, middle - 0.5 * pi, middle + 0.5 * pi, True)
    return angle if phi > 0.0 else way_out(e, f, c, angle)


@kernel
def way_out(e, f, c, guess):
    """The same where the shapes touch or overlap: the highest of all tops, of which there may be one on either side.

    A direction that is no lower than its neighbours on both sides, `guess` among them, has a top between these.
    """
    step = 2.0 * pi / SECTORS
    angle, _ = climbed(e, f, c, guess, guess - step, guess + step, False)
    best, _, _, _ = apart(e, f, c, angle)
    before, _, _, _ = apart(e, f, c, -step)
    here, _, _, _ = apart(e, f, c, 0.0)
    for i in range(SECTORS):
        after, _, _, _ = apart(e, f, c, (i + 1) * step)
        if here >= before and here >= after:
            top, _ = climbed(e, f, c, i * step, (i - 1) * step, (i + 1) * step, False)
            phi, _, _, _ = apart(e, f, c, top)
            if phi > best:
                best, angle = phi, top
        before, here = here, after
    return angle


@routine
def ellipses(sizes, placed, up, margin, a, b, touches, identities, k):
    c = minus2(get2(placed, b, PLACE), get2(placed, a, PLACE))
    if c[0] == 0.0 and c[1] == 0.0:
        return NO_NORMAL
    e, f = ellipse_of(sizes, placed, a), ellipse_of(sizes, placed, b)
    angle = facing(e, f, c)
    gap, _, _, _ = apart(e, f, c, angle)
    if gap > margin:
        return k
    n = cos(angle), sin(angle)
    _, p, rho = reach(e, n)
    _, _, rho_b = reach(f, n)
    on_a = beyond(get2(placed, a, PLACE), p, 1.0)
    return record(touches, identities, k, up, False, (a, 0), (b, 0), 0, gap, n, on_a, (1.0, rho), (1.0, rho_b))


@routine
def ellipse_and_polygon(shapes, sizes, placed, corners, up, margin, swapped, a, b, touches, identities, k):
    """a is the ellipse and b a rounded polygon of one corner or more; `swapped` if b is the first."""
    e, centre = ellipse_of(sizes, placed, a), get2(placed, a, PLACE)
    first, count, s = shapes[b, FIRST_CORNER], shapes[b, CORNERS], sizes[b, RADIUS]
    best, n, feature = -inf, (0.0, 0.0), CORNER
    for i in range(first, first + count):  # what each edge says
        if count == 1:
            break
        out = get2(corners, i, OUTWARDS)
        h, _, _ = reach(e, out)
        phi = dot2(minus2(centre, get2(corners, i, 0)), out) - h
        if phi > best:
            best, n, feature = phi, (-out[0], -out[1]), 3 * (i - first) + EDGE
    if best - s > margin:
        return k
    for i in range(first, first + count):  # what each corner says, where it is the foremost
        c = minus2(get2(corners, i, 0), centre)
        if c[0] == 0.0 and c[1] == 0.0:
            if count == 1:
                return NO_NORMAL
            continue
        angle = facing(e, POINT, c)
        phi, _, _, _ = apart(e, POINT, c, angle)
        m = cos(angle), sin(angle)
        if phi > best and (count == 1 or steepest(corners, first, count, i, m) >= 0.0):
            best, n, feature = phi, m, 3 * (i - first) + CORNER
    if best - s > margin:
        return k
    _, p, rho = reach(e, n)
    tie = (0.0, 1.0) if feature % 3 == EDGE else (1.0, s)
    on_a = beyond(centre, p, 1.0)
    return record(touches, identities, k, up, swapped, (a, 0), (b, feature), 0, best - s, n, on_a, (1.0, rho), tie)
