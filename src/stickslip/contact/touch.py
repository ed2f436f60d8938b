"""The record of a touch: what is known of two shapes that are near each other, one row of floats and one of integers.

The first shape is the environment's (or, between moving bodies, the one that comes first in the scene), the second the robot's.
The normal n points out of the first towards the second, and the two witness points are the ends of the gap:
second = first + gap n. A negative gap is an overlap. Everything is in world axes and metres.

How the surfaces curve is kept for each side as two matrices P and Q (2, 2), row by row, in the tangent frame that `tangents`
gives for n. They tie the witness point p to the *outward* normal m of that side (m = n on the first, m = -n on the second), as
seen in that body: for every motion

    P dp = Q dm

    corner, sphere, any point with a ball of radius r around it     P = 1         Q = r
    face: the normal stands still                                   P = 0         Q = 1
    edge along the unit vector e, with a radius r around it         P = 1 - e e^T Q = e e^T + r (1 - e e^T)
    smooth surface with curvature K                                 P = K         Q = 1

In a plane the tangent frame is (t, out of the plane) and only the first entry of each matrix is written and read.
"""

from math import sqrt

from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.rotation import cross3, dot3, minus3
from stickslip.dynamics.spatial import get3, put3

# ---- columns of `touches`, float64 ---------------------------------------------------------------------------------
GAP = 0
NORMAL = 1  # (3) out of the first towards the second, unit
ON_FIRST = 4  # (3) witness point
ON_SECOND = 7  # (3) witness point
FIRST_TIE = 10  # (8) P then Q of the first side
SECOND_TIE = 18  # (8) P then Q of the second side
TOUCH_WIDTH = 26

# ---- columns of `identities`, int64 --------------------------------------------------------------------------------
FIRST = 0  # shape, a row of the scene
FIRST_FEATURE = 1  # 3 i for the shape's corner i, 3 i + 1 for its edge i, 3 i + 2 for its face i; 0 where it is smooth
SECOND = 2
SECOND_FEATURE = 3
NUMBER = 4  # of the contact in its pair: the same from instant to instant, also where a contact rolls from edge to corner
IDENTITY_WIDTH = 5

CORNER, EDGE, FACE = 0, 1, 2  # added to 3 i
CODES = 1 << 24  # features of a shape at most, where a number is made of two of them

# ---- what detection answers instead of a number of touches ----------------------------------------------------------
FULL = -10  # more touches, or more pairs of near shapes, than fit the arrays
NO_NORMAL = -11  # coincident centres: the first row of `identities` names the two shapes


@kernel
def tangents(n):
    """The two tangents of a contact in space: x and y, turned along the shortest way that takes z to n.

    They depend on n alone, are x and y on a floor, and turn smoothly with n everywhere but at n = -z.
    """
    a, b, c = n
    if a == 0.0 and b == 0.0 and c < 0.0:  # upside down there is no shortest way: turn about x
        return (1.0, 0.0, 0.0), (0.0, -1.0, 0.0)
    s = 1.0 + c if c > 0.0 else (a * a + b * b) / (1.0 - c)  # the same number, without cancellation near -z
    return (1.0 - a * a / s, -a * b / s, -a), (-a * b / s, 1.0 - b * b / s, -b)


@kernel
def put_touch(touches, k, gap, normal, on_first, on_second):
    touches[k, GAP] = gap
    put3(touches, k, NORMAL, normal)
    put3(touches, k, ON_FIRST, on_first)
    put3(touches, k, ON_SECOND, on_second)


@kernel
def put_identity(identities, k, first, first_feature, second, second_feature, number):
    identities[k, FIRST] = first
    identities[k, FIRST_FEATURE] = first_feature
    identities[k, SECOND] = second
    identities[k, SECOND_FEATURE] = second_feature
    identities[k, NUMBER] = number


@kernel
def put_tie(touches, k, side, p11, p12, p22, q11, q12, q22):
    """Symmetric P and Q; `side` is FIRST_TIE or SECOND_TIE."""
    touches[k, side] = p11
    touches[k, side + 1] = p12
    touches[k, side + 2] = p12
    touches[k, side + 3] = p22
    touches[k, side + 4] = q11
    touches[k, side + 5] = q12
    touches[k, side + 6] = q12
    touches[k, side + 7] = q22


@kernel
def put_round(touches, k, side, radius):
    """A point with a ball around it: a corner, a sphere."""
    put_tie(touches, k, side, 1.0, 0.0, 1.0, radius, 0.0, radius)


@kernel
def put_flat(touches, k, side):
    """A face."""
    put_tie(touches, k, side, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0)


@kernel
def put_straight(touches, k, side, along, radius):
    """An edge, or the side of a cylinder; `along` are the two components of its unit direction in the tangent frame."""
    x, y = along
    length = sqrt(x * x + y * y)
    x, y = x / length, y / length
    put_tie(touches, k, side, y * y, -x * y, x * x, x * x + radius * y * y, (1.0 - radius) * x * y, y * y + radius * x * x)


@kernel
def put_smooth(touches, k, side, k11, k12, k22):
    """A smooth surface with the curvature (1/m) k in the tangent frame, positive where it is convex."""
    put_tie(touches, k, side, k11, k12, k22, 1.0, 0.0, 1.0)


@kernel
def planar_tangent(n, out):
    """The tangent in a plane with the unit normal `out`: n turned by -90 degrees as drawn with x to the right."""
    return cross3(n, out)


@kernel
def accepted(touches, identities, start, k, margin, tolerance):
    """k + 1 if row k is a contact of its own within the margin, k if it repeats a row since `start`."""
    if not touches[k, GAP] <= margin:
        return k
    for other in range(start, k):
        if identities[other, NUMBER] == identities[k, NUMBER]:
            return k
        u = minus3(get3(touches, other, ON_FIRST), get3(touches, k, ON_FIRST))
        w = minus3(get3(touches, other, ON_SECOND), get3(touches, k, ON_SECOND))
        if dot3(u, u) + dot3(w, w) <= 4.0 * tolerance * tolerance:  # two corners, each of which may be beside the other's edge
            return k
    return k + 1


@routine
def sort_touches(touches, identities, start, stop):
    """The touches of one pair by number; there are few."""
    for i in range(start + 1, stop):
        j = i
        while j > start and identities[j - 1, NUMBER] > identities[j, NUMBER]:
            for c in range(touches.shape[1]):
                touches[j - 1, c], touches[j, c] = touches[j, c], touches[j - 1, c]
            for c in range(identities.shape[1]):
                identities[j - 1, c], identities[j, c] = identities[j, c], identities[j - 1, c]
            j -= 1
