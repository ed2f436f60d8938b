"""The common normal of two features, by Newton's method.

The unknowns are the normal n and, for a line or a rim, how far along it the witness is. The points must be on one normal, and
the normal square to every curve:

    t . (p_b - p_a) = 0 for both tangents t of n,        n . c = 0 for the direction c of a curve at its witness

An ellipsoid's point follows from n. Written so the equations are regular where the features touch and where they overlap.

A `side` is a triple (shape, float rows, integer rows) of `features`.
"""

from math import atan2, cos, sin, sqrt

from stickslip.contact.ellipsoid_pairs import ellipsoid_reach, in_axes, stretched
from stickslip.contact.features import ALONG, AT, EXTENT, LINE, RIM, SMOOTH, TYPE
from stickslip.contact.polytope_axis import unit
from stickslip.contact.rows import solved
from stickslip.contact.scene import SIZE
from stickslip.contact.touch import tangents
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.rotation import add3, dot3, minus3, scale3
from stickslip.dynamics.spatial import get3, get9

STEPS = 50  # of Newton's method, which takes about five
LARGEST_TURN = 0.5  # rad a step
SETTLED = 1e-13  # rad, and of a length: a step as small as this is the last, and leaves only rounding
GOOD_ENOUGH = 1e-9  # the same, where rounding keeps the steps from getting smaller


@kernel
def angle_on(up, direction):
    """The angle of a direction on a rim with the axis `up`; the rim's frame is that of its tangents."""
    e1, e2 = tangents(up)
    return atan2(dot3(e2, direction), dot3(e1, direction))


@kernel
def is_curve(side, i):
    return side[2][i, TYPE] == LINE or side[2][i, TYPE] == RIM


@routine
def witness(sizes, placed, side, i, m, s):
    """The witness of feature i for the outward normal m and the place s: point, direction of the curve, its rate in s."""
    shape, floats, integers = side
    kind, at, along = integers[i, TYPE], get3(floats, i, AT), get3(floats, i, ALONG)
    zero = (0.0, 0.0, 0.0)
    if kind == LINE:
        return add3(at, scale3(along, s)), along, zero
    if kind == RIM:
        e1, e2 = tangents(along)
        out = scale3(add3(scale3(e1, cos(s)), scale3(e2, sin(s))), floats[i, EXTENT])
        way = scale3(add3(scale3(e1, -sin(s)), scale3(e2, cos(s))), floats[i, EXTENT])
        return add3(at, out), way, scale3(out, -1.0)
    if kind == SMOOTH:
        _, p = ellipsoid_reach(get9(placed, shape, 0), get3(sizes, shape, SIZE), m)
        return add3(at, p), zero, zero
    return at, zero, zero


@kernel
def bending(sizes, placed, side, i, n, t1, t2):
    """How an ellipsoid's point moves with its normal: the symmetric matrix of its tie, zero for anything else."""
    if side[2][i, TYPE] != SMOOTH:
        return 0.0, 0.0, 0.0
    R, s = get9(placed, side[0], 0), get3(sizes, side[0], SIZE)
    h, p = ellipsoid_reach(R, s, n)
    a, b = stretched(in_axes(R, t1), s), stretched(in_axes(R, t2), s)
    x, y = dot3(p, t1), dot3(p, t2)
    return (dot3(a, a) - x * x) / h, (dot3(a, b) - x * y) / h, (dot3(b, b) - y * y) / h


@kernel
def put_curve(system, row, sign, n, t1, t2, way, rate, curve):
    """The column and the equation of the place along one curve; without a curve, that it stays."""
    system[0, row], system[1, row] = sign * dot3(t1, way), sign * dot3(t2, way)
    system[row, 0], system[row, 1] = dot3(t1, way), dot3(t2, way)
    system[row, 2] = system[row, 3] = 0.0
    system[row, row] = dot3(n, rate) if curve else 1.0
    system[row, 4] = -dot3(n, way) if curve else 0.0


@routine
def common_normal(sizes, placed, A, i, s, B, j, r, n, system):
    """Improve the guesses n, s (along feature i of A) and r (along feature j of B); the last is whether that succeeded."""
    pace_a = A[1][i, EXTENT] if A[2][i, TYPE] == RIM else 1.0
    pace_b = B[1][j, EXTENT] if B[2][j, TYPE] == RIM else 1.0
    turn = size = scale = 1.0
    for _ in range(STEPS):
        t1, t2 = tangents(n)
        p, way_a, rate_a = witness(sizes, placed, A, i, n, s)
        q, way_b, rate_b = witness(sizes, placed, B, j, scale3(n, -1.0), r)
        w = minus3(q, p)
        g = dot3(n, w)
        a11, a12, a22 = bending(sizes, placed, A, i, n, t1, t2)
        b11, b12, b22 = bending(sizes, placed, B, j, n, t1, t2)
        system[0, 0], system[0, 1], system[0, 4] = -(g + a11 + b11), -(a12 + b12), -dot3(t1, w)
        system[1, 0], system[1, 1], system[1, 4] = -(a12 + b12), -(g + a22 + b22), -dot3(t2, w)
        put_curve(system, 2, -1.0, n, t1, t2, way_a, rate_a, is_curve(A, i))
        put_curve(system, 3, 1.0, n, t1, t2, way_b, rate_b, is_curve(B, j))
        if not solved(system):
            return n, s, r, False
        x, y, ds, dr = system[0, 4], system[1, 4], system[2, 4], system[3, 4]
        turn = sqrt(x * x + y * y)
        largest = max(turn, abs(ds) if A[2][i, TYPE] == RIM else 0.0, abs(dr) if B[2][j, TYPE] == RIM else 0.0)
        cut = min(1.0, LARGEST_TURN / largest) if largest > 0.0 else 1.0
        n = unit(add3(n, scale3(add3(scale3(t1, x), scale3(t2, y)), cut)))
        s, r = s + cut * ds, r + cut * dr
        size = pace_a * abs(ds) + pace_b * abs(dr)
        scale = abs(g) + A[1][i, EXTENT] + B[1][j, EXTENT]
        if turn <= SETTLED and size <= SETTLED * scale:
            return n, s, r, True
    return n, s, r, turn <= GOOD_ENOUGH and size <= GOOD_ENOUGH * scale
