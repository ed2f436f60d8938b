"""Where two features may meet, before it is known exactly."""

from math import pi, sqrt

from stickslip.contact.common_normal import angle_on
from stickslip.contact.cylinder_pairs import NEARLY, UPRIGHT
from stickslip.contact.features import ALONG, AT, EXTENT, LINE, PEG, POINT, RIM, ROUNDING, SMOOTH, TYPE
from stickslip.contact.polytope_axis import PARALLEL
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.rotation import add3, cross3, dot3, minus3, scale3
from stickslip.dynamics.spatial import get3

HALF_TURN = pi


@kernel
def flattened(up, x):
    """What is left of x in the plane of a rim."""
    return minus3(x, scale3(up, dot3(up, x)))


@routine
def places_on_flat(side, i, n):
    """Where a feature meets a flat face with the outward normal n: at how many places, and the first, if it is an angle.

    On a rim the second is opposite: the rim's highest point.
    """
    kind = side[2][i, TYPE]
    if kind == POINT or kind == SMOOTH:
        return 1, 0.0
    if kind != RIM and kind != PEG:
        return 0, 0.0
    up = get3(side[1], i, ALONG)
    down = scale3(flattened(up, n), -1.0)
    tilt = sqrt(dot3(down, down))
    if kind == PEG:
        return (1 if tilt <= UPRIGHT else 0), 0.0
    return (0 if tilt <= UPRIGHT else 2 if tilt <= NEARLY else 1), angle_on(up, down)


@routine
def crossings(A, i, B, j):
    """Where rim i crosses a line or another rim, j, as seen along its axis: how many times, the places of each on both."""
    up, radius = get3(A[1], i, ALONG), A[1][i, EXTENT]
    arm = flattened(up, minus3(get3(B[1], j, AT), get3(A[1], i, AT)))
    if B[2][j, TYPE] == LINE:
        way = flattened(up, get3(B[1], j, ALONG))
        square, half = dot3(way, way), dot3(way, arm)
        rest = half * half - square * (dot3(arm, arm) - radius * radius)
        if square > 0.0 and rest >= 0.0:
            r1, r2 = (-half - sqrt(rest)) / square, (-half + sqrt(rest)) / square
            return 2, angle_on(up, add3(arm, scale3(way, r1))), r1, angle_on(up, add3(arm, scale3(way, r2))), r2
        return 0, 0.0, 0.0, 0.0, 0.0
    distance, second = sqrt(dot3(arm, arm)), B[1][j, EXTENT]
    along = 0.5 * (distance + (radius - second) * (radius + second) / distance) if distance > 0.0 else radius
    rest = radius * radius - along * along
    if distance == 0.0 or rest < 0.0:
        return 0, 0.0, 0.0, 0.0, 0.0
    way = scale3(arm, 1.0 / distance)
    across, axis = scale3(cross3(up, way), sqrt(rest)), get3(B[1], j, ALONG)
    one, other = minus3(scale3(way, along), across), add3(scale3(way, along), across)
    return 2, angle_on(up, one), angle_on(axis, minus3(one, arm)), angle_on(up, other), angle_on(axis, minus3(other, arm))


@kernel
def first_guess(side, i, d, near):
    """Where on a curve the witness is likely: near the point, or where the rim is farthest along d."""
    along = get3(side[1], i, ALONG)
    if side[2][i, TYPE] == LINE:
        return min(max(dot3(along, minus3(near, get3(side[1], i, AT))), 0.0), side[1][i, EXTENT])
    if side[2][i, TYPE] == RIM:
        out = flattened(along, d)
        return angle_on(along, out if dot3(out, out) > 1e-6 else minus3(near, get3(side[1], i, AT)))
    return 0.0


@kernel
def may_lean(A, i, B, j):
    """Lines and rims that cross; the rounded end of a capsule beside a line."""
    one, other = A[2][i, TYPE], B[2][j, TYPE]
    curves = (one == LINE or one == RIM) and (other == LINE or other == RIM)
    end_of_a = one == POINT and A[1][i, ROUNDING] > 0.0 and other == LINE
    end_of_b = other == POINT and B[1][j, ROUNDING] > 0.0 and one == LINE
    return curves or end_of_a or end_of_b


@kernel
def never_meet(A, i, B, j):
    """Faces and pegs, which only meet in `flats`, and parallel lines, which do not cross."""
    one, other = A[2][i, TYPE], B[2][j, TYPE]
    if one >= PEG or other >= PEG:
        return True
    across = cross3(get3(A[1], i, ALONG), get3(B[1], j, ALONG))
    return one == LINE and other == LINE and dot3(across, across) <= PARALLEL * PARALLEL
