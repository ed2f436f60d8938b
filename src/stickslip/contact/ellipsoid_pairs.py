"""Ellipsoids against half-spaces, in closed form, and against balls, by a Newton iteration that cannot leave its bracket.

An ellipsoid reaches h(m) = |A m| along the unit vector m, where A is symmetric with the semi-axes as eigenvalues, at the point
p = A^2 m / h. Where its normal turns by dm, that point moves by (A^2 - p p^T) dm / h: its tie, with P = 1.
"""

from math import sqrt

from stickslip.contact.scene import FIRST_CORNER, OFFSET, PLACE, RADIUS, SIZE
from stickslip.contact.touch import (
    CORNER,
    FACE,
    FIRST_TIE,
    FULL,
    NO_NORMAL,
    SECOND_TIE,
    put_flat,
    put_identity,
    put_round,
    put_tie,
    put_touch,
    tangents,
)
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.rotation import add3, column, dot3, minus3, rotate, scale3
from stickslip.dynamics.spatial import get3, get9

ROUNDS = 100  # of Newton's iteration; a handful is usual, and each halves the bracket at least


@kernel
def in_axes(R, x):
    """R^T x"""
    return dot3(column(R, 0), x), dot3(column(R, 1), x), dot3(column(R, 2), x)


@kernel
def stretched(x, s):
    """Each coordinate times that of s."""
    return x[0] * s[0], x[1] * s[1], x[2] * s[2]


@kernel
def ellipsoid_reach(R, s, m):
    """How far an ellipsoid with semi-axes s along the columns of R reaches along m, and where, from its centre."""
    scaled = stretched(in_axes(R, m), s)
    h = sqrt(dot3(scaled, scaled))
    return h, rotate(R, scale3(stretched(scaled, s), 1.0 / h))


@kernel
def put_ellipsoid_tie(touches, k, side, n, R, s):
    """The tie of an ellipsoid where its normal is n or -n, which makes no difference."""
    h, p = ellipsoid_reach(R, s, n)
    t1, t2 = tangents(n)
    a, b = stretched(in_axes(R, t1), s), stretched(in_axes(R, t2), s)
    x, y = dot3(p, t1), dot3(p, t2)
    put_tie(touches, k, side, 1.0, 0.0, 1.0, (dot3(a, a) - x * x) / h, (dot3(a, b) - x * y) / h, (dot3(b, b) - y * y) / h)


@routine
def half_space_and_ellipsoid(sizes, placed, margin, a, b, touches, identities, k):
    n, R, s = get3(sizes, a, SIZE), get9(placed, b, 0), get3(sizes, b, SIZE)
    _, p = ellipsoid_reach(R, s, n)
    point = minus3(get3(placed, b, PLACE), p)
    gap = dot3(n, point) - sizes[a, OFFSET]
    if gap > margin:
        return k
    if not 0 <= k < touches.shape[0]:
        return FULL
    put_touch(touches, k, gap, n, minus3(point, scale3(n, gap)), point)
    put_flat(touches, k, FIRST_TIE)
    put_ellipsoid_tie(touches, k, SECOND_TIE, n, R, s)
    put_identity(identities, k, a, FACE, b, 0, 0)
    return k + 1


@kernel
def shortest(s):
    return 0 if s[0] <= s[1] and s[0] <= s[2] else 1 if s[1] <= s[2] else 2


@routine
def multiplier(s, y):
    """How the point y hangs from its foot x on the ellipsoid: t + min(s)^2 where y - x = t (x / s^2).

    The root of sum (s y / (s^2 + t))^2 = 1, which falls in t; zero where y is so deep that the foot is not unique.
    """
    i = shortest(s)
    least = s[i] * s[i]
    more = (s[0] * s[0] - least, s[1] * s[1] - least, s[2] * s[2] - least)
    w = stretched(s, y)
    low = max(abs(w[0]) - more[0], abs(w[1]) - more[1], abs(w[2]) - more[2])  # where one term alone is 1
    high = sqrt(dot3(w, w))
    if low <= 0.0:  # nothing along the shortest axes: there may be no root
        rest = 0.0
        for j in range(3):
            if more[j] > 0.0:
                rest += (w[j] / more[j]) ** 2
        if rest <= 1.0:
            return 0.0
        low = 0.0
    t = low if low > 0.0 else 0.5 * high
    for _ in range(ROUNDS):
        square, slope = 0.0, 0.0
        for j in range(3):
            below = more[j] + t
            term = (w[j] / below) ** 2
            square += term
            slope += term / below
        if square > 1.0:
            low = t
        else:
            high = t
        length = sqrt(square)
        new = t + (length - 1.0) * square / slope  # Newton for 1 / length = 1, which is almost straight
        if not low < new < high:
            new = 0.5 * (low + high)
        if abs(new - t) <= 2e-16 * t:
            return new
        t = new
    return t


@routine
def ellipsoid_foot(s, y):
    """The point of the ellipsoid nearest to y, and the outward unit normal there, in the ellipsoid's axes."""
    i = shortest(s)
    least = s[i] * s[i]
    t = multiplier(s, y)
    x = (0.0, 0.0, 0.0)
    if t > 0.0:
        slope = (y[0] / (s[0] * s[0] - least + t), y[1] / (s[1] * s[1] - least + t), y[2] / (s[2] * s[2] - least + t))
        x = stretched(slope, stretched(s, s))
    else:
        a = 0.0 if s[0] * s[0] == least else s[0] * s[0] * y[0] / (s[0] * s[0] - least)
        b = 0.0 if s[1] * s[1] == least else s[1] * s[1] * y[1] / (s[1] * s[1] - least)
        c = 0.0 if s[2] * s[2] == least else s[2] * s[2] * y[2] / (s[2] * s[2] - least)
        rest = s[i] * sqrt(max(1.0 - (a / s[0]) ** 2 - (b / s[1]) ** 2 - (c / s[2]) ** 2, 0.0))
        x = (rest if i == 0 else a, rest if i == 1 else b, rest if i == 2 else c)
        slope = (x[0] / (s[0] * s[0]), x[1] / (s[1] * s[1]), x[2] / (s[2] * s[2]))
    return x, scale3(slope, 1.0 / sqrt(dot3(slope, slope)))


@routine
def ellipsoid_and_ball(shapes, sizes, placed, corners, margin, swapped, a, b, touches, identities, k):
    """a is the ellipsoid and b a shape of one corner with its rounding; `swapped` if b is the first."""
    R, s, centre, ball = get9(placed, a, 0), get3(sizes, a, SIZE), get3(placed, a, PLACE), sizes[b, RADIUS]
    corner = get3(corners, shapes[b, FIRST_CORNER], 0)
    y = in_axes(R, minus3(corner, centre))
    if dot3(y, y) == 0.0:
        put_identity(identities, 0, b if swapped else a, 0, a if swapped else b, 0, 0)
        return NO_NORMAL
    x, m = ellipsoid_foot(s, y)
    gap = dot3(m, minus3(y, x)) - ball
    if gap > margin:
        return k
    if not 0 <= k < touches.shape[0]:
        return FULL
    n = rotate(R, m)
    on_ellipsoid, on_ball = add3(centre, rotate(R, x)), minus3(corner, scale3(n, ball))
    side, other = FIRST_TIE, SECOND_TIE
    if swapped:
        n, side, other = scale3(n, -1.0), SECOND_TIE, FIRST_TIE
        put_touch(touches, k, gap, n, on_ball, on_ellipsoid)
        put_identity(identities, k, b, CORNER, a, 0, 0)
    else:
        put_touch(touches, k, gap, n, on_ellipsoid, on_ball)
        put_identity(identities, k, a, 0, b, CORNER, 0)
    put_ellipsoid_tie(touches, k, side, n, R, s)
    put_round(touches, k, other, ball)
    return k + 1
