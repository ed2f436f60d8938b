"""Cylinders, and flat discs as cylinders of no length, against half-spaces and balls.

A cylinder ends in two rims. On a half-space the lowest point of either rim is a contact: both together are the line on which it
lies. When it is about to come down on an end, that rim's highest point is a contact, too; once it stands, to within `UPRIGHT`,
the lowest point could be any, and `STANDING` points fixed in the body take over. They are a polygon in the rim: a standing
cylinder tips over the polygon's edge, which is nearer to its axis than the rim by up to a factor of cos(pi / STANDING).
"""

from math import cos, pi, sin, sqrt

from stickslip.contact.scene import FIRST_CORNER, OFFSET, PLACE, RADIUS, SIZE
from stickslip.contact.touch import (
    CORNER,
    EDGE,
    FACE,
    FIRST_TIE,
    FULL,
    NO_NORMAL,
    SECOND_TIE,
    put_flat,
    put_identity,
    put_round,
    put_straight,
    put_tie,
    put_touch,
    tangents,
)
from stickslip.dynamics.kernel import kernel, routine
from stickslip.dynamics.rotation import add3, column, cross3, dot3, minus3, scale3
from stickslip.dynamics.spatial import get3, get9

UPRIGHT = 1e-6  # sine of the tilt below which a cylinder stands
STANDING = 4  # points of a rim on which it then stands
NEARLY = 0.14  # sine of the tilt below which a rim's highest point is a contact, too


@kernel
def put_rim_tie(touches, k, side, n, tangent, bend):
    """A rim with the unit `tangent`; `bend` (1/m) is how its outward normal turns towards the tangent along it."""
    t1, t2 = tangents(n)
    x, y = dot3(t1, tangent), dot3(t2, tangent)
    length = sqrt(x * x + y * y)
    x, y = x / length, y / length
    put_tie(touches, k, side, bend * x * x + y * y, (bend - 1.0) * x * y, bend * y * y + x * x, x * x, x * y, y * y)


@kernel
def put_on_half_space(touches, k, n, level, point):
    gap = dot3(n, point) - level
    put_touch(touches, k, gap, n, minus3(point, scale3(n, gap)), point)
    put_flat(touches, k, FIRST_TIE)


@routine
def half_space_and_cylinder(sizes, placed, margin, a, b, touches, identities, k):
    n, level = get3(sizes, a, SIZE), sizes[a, OFFSET]
    axes, centre = get9(placed, b, 0), get3(placed, b, PLACE)
    radius, half = sizes[b, SIZE], sizes[b, SIZE + 1]
    axis = column(axes, 2)
    across = minus3(scale3(axis, dot3(axis, n)), n)  # downwards, square to the axis
    tilt = sqrt(dot3(across, across))
    for cap in range(1 if half == 0.0 else 2):
        end = add3(centre, scale3(axis, half if cap else -half))
        if dot3(n, end) - level - radius * tilt > margin:
            continue
        if tilt > UPRIGHT:
            k = rim_points(
                n, level, margin, a, b, cap, end, axis, scale3(across, 1.0 / tilt), radius, tilt, touches, identities, k
            )
        else:
            k = standing_points(n, level, margin, a, b, cap, end, axes, radius, touches, identities, k)
    return k


@routine
def rim_points(n, level, margin, a, b, cap, end, axis, down, radius, tilt, touches, identities, k):
    """The lowest point of a rim and, if it is nearly level, the highest: numbers 0 and 1 of one end, 2 and 3 of the other."""
    for side in range(2):
        if side == 1 and tilt > NEARLY:
            break
        sign = 1.0 if side == 0 else -1.0
        point = add3(end, scale3(down, sign * radius))
        if dot3(n, point) - level > margin:
            continue
        if not 0 <= k < touches.shape[0]:
            return FULL
        put_on_half_space(touches, k, n, level, point)
        put_rim_tie(touches, k, SECOND_TIE, n, cross3(axis, down), sign * tilt / radius)
        put_identity(identities, k, a, FACE, b, 3 * cap + EDGE, 2 * cap + side)
        k += 1
    return k


@kernel
def standing_arm(axes, radius, i):
    """From the centre of a rim to the i-th of the points on which it stands."""
    angle = 2.0 * pi * i / STANDING
    return add3(scale3(column(axes, 0), radius * cos(angle)), scale3(column(axes, 1), radius * sin(angle)))


@routine
def standing_points(n, level, margin, a, b, cap, end, axes, radius, touches, identities, k):
    """Points of a level rim, fixed in the body; their numbers begin with 4."""
    for i in range(STANDING):
        point, number = add3(end, standing_arm(axes, radius, i)), STANDING * cap + i
        if dot3(n, point) - level > margin:
            continue
        if not 0 <= k < touches.shape[0]:
            return FULL
        put_on_half_space(touches, k, n, level, point)
        put_round(touches, k, SECOND_TIE, 0.0)
        put_identity(identities, k, a, FACE, b, 3 * number + CORNER, 4 + number)
        k += 1
    return k


@routine
def cylinder_and_ball(shapes, sizes, placed, x, margin, swapped, a, b, touches, identities, k):
    """a is the cylinder and b a shape of one corner with its rounding; `swapped` if b is the first. The number is 0."""
    axis, radius, half, ball = column(get9(placed, a, 0), 2), sizes[a, SIZE], sizes[a, SIZE + 1], sizes[b, RADIUS]
    corner = get3(x, shapes[b, FIRST_CORNER], 0)
    arm = minus3(corner, get3(placed, a, PLACE))
    z = dot3(arm, axis)
    radial = minus3(arm, scale3(axis, z))
    r = sqrt(dot3(radial, radial))
    beyond, beside = abs(z) - half, r - radius
    if max(beyond, beside) - ball > margin:
        return k
    cap = 1 if z >= 0.0 else 0
    up = axis if cap else scale3(axis, -1.0)
    out = scale3(radial, 1.0 / r) if r > 0.0 else radial
    rim = beyond > 0.0 and beside > 0.0
    flat = not rim and beyond >= beside
    if r == 0.0 and not flat:
        put_identity(identities, 0, b if swapped else a, 0, a if swapped else b, 0, 0)
        return NO_NORMAL
    n, distance = up if flat else out, beyond if flat else beside
    if rim:
        distance = sqrt(beyond * beyond + beside * beside)
        n = add3(scale3(up, beyond / distance), scale3(out, beside / distance))
    if distance - ball > margin:
        return k
    if not 0 <= k < touches.shape[0]:
        return FULL
    on_cylinder, on_ball, gap = minus3(corner, scale3(n, distance)), minus3(corner, scale3(n, ball)), distance - ball
    feature = 3 * cap + EDGE if rim else 3 * cap + FACE if flat else 0
    side, other = FIRST_TIE, SECOND_TIE
    if swapped:
        n, side, other = scale3(n, -1.0), SECOND_TIE, FIRST_TIE
        put_touch(touches, k, gap, n, on_ball, on_cylinder)
        put_identity(identities, k, b, CORNER, a, feature, 0)
    else:
        put_touch(touches, k, gap, n, on_cylinder, on_ball)
        put_identity(identities, k, a, feature, b, CORNER, 0)
    put_round(touches, k, other, ball)
    if rim:
        put_rim_tie(touches, k, side, n, cross3(axis, out), beside / distance / radius)
    elif flat:
        put_flat(touches, k, side)
    else:
        t1, t2 = tangents(n)
        put_straight(touches, k, side, (dot3(t1, axis), dot3(t2, axis)), radius)
    return k + 1
