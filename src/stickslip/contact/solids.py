"""All touches of two shapes of a scene in space."""

from stickslip.contact.cylinder_pairs import cylinder_and_ball, half_space_and_cylinder
from stickslip.contact.ellipsoid_pairs import ellipsoid_and_ball, half_space_and_ellipsoid
from stickslip.contact.polytopes import touch_polytopes
from stickslip.contact.scene import CORNERS, CYLINDER, ELLIPSOID, FIRST_CORNER, HALF_SPACE, KIND, OFFSET, RADIUS, ROUNDED, SIZE
from stickslip.contact.touch import (
    CORNER,
    FACE,
    FIRST_TIE,
    FULL,
    SECOND_TIE,
    put_flat,
    put_identity,
    put_round,
    put_touch,
)
from stickslip.dynamics.kernel import routine
from stickslip.dynamics.rotation import dot3, minus3, scale3
from stickslip.dynamics.spatial import get3

SEARCHED = -13  # what `spatial_pair` answers for pairs that it leaves to `convex.py`
MANY = 32  # corners of a polytope beyond which a search beats trying all pairs of edges


@routine
def half_space_and_corners(shapes, sizes, corners, margin, a, b, touches, identities, k):
    """Every corner near the half-space touches it, be it the foremost or not."""
    n, level, radius = get3(sizes, a, SIZE), sizes[a, OFFSET], sizes[b, RADIUS]
    first = shapes[b, FIRST_CORNER]
    for corner in range(first, first + shapes[b, CORNERS]):
        p = get3(corners, corner, 0)
        height = dot3(n, p) - level
        if height - radius > margin:
            continue
        if k >= touches.shape[0]:
            return FULL
        put_touch(touches, k, height - radius, n, minus3(p, scale3(n, height)), minus3(p, scale3(n, radius)))
        put_flat(touches, k, FIRST_TIE)
        put_round(touches, k, SECOND_TIE, radius)
        put_identity(identities, k, a, FACE, b, 3 * (corner - first) + CORNER, corner - first)
        k += 1
    return k


@routine
def spatial_pair(shapes, sizes, edges, faces, placed, corners, margin, a, b, touches, identities, k):
    """Record the touches of shapes a (first) and b (second) from row k on: the number of touches then, or a status below 0."""
    one, other = shapes[a, KIND], shapes[b, KIND]
    if one == HALF_SPACE:
        if other == CYLINDER:
            return half_space_and_cylinder(sizes, placed, margin, a, b, touches, identities, k)
        if other == ELLIPSOID:
            return half_space_and_ellipsoid(sizes, placed, margin, a, b, touches, identities, k)
        return half_space_and_corners(shapes, sizes, corners, margin, a, b, touches, identities, k)
    if one == ROUNDED and other == ROUNDED:
        if min(shapes[a, CORNERS], shapes[b, CORNERS]) > 1 and max(shapes[a, CORNERS], shapes[b, CORNERS]) > MANY:
            return SEARCHED
        return touch_polytopes(shapes, sizes, edges, faces, corners, placed, a, b, margin, touches, identities, k)
    swapped = one == ROUNDED
    smooth, ball = (b, a) if swapped else (a, b)
    if shapes[ball, KIND] == ROUNDED and shapes[ball, CORNERS] == 1:
        if shapes[smooth, KIND] == CYLINDER:
            return cylinder_and_ball(shapes, sizes, placed, corners, margin, swapped, smooth, ball, touches, identities, k)
        return ellipsoid_and_ball(shapes, sizes, placed, corners, margin, swapped, smooth, ball, touches, identities, k)
    return SEARCHED
