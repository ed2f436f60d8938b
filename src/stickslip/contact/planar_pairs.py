"""All touches of two shapes of a planar scene."""

from stickslip.contact.ellipse import ellipse_and_polygon, ellipse_of, ellipses, reach
from stickslip.contact.planar_touch import record
from stickslip.contact.polygons import polygons
from stickslip.contact.rounded import beyond, circle_and_polygon, circles, dot2, get2
from stickslip.contact.scene import CORNERS, ELLIPSOID, FIRST_CORNER, HALF_SPACE, KIND, OFFSET, PLACE, RADIUS, SIZE
from stickslip.contact.touch import CORNER, FACE
from stickslip.dynamics.kernel import routine


@routine
def half_plane_and_polygon(shapes, sizes, corners, up, margin, a, b, touches, identities, k):
    """Every corner near the half-plane touches it, be it the foremost or not."""
    n, s = get2(sizes, a, SIZE), sizes[b, RADIUS]
    first = shapes[b, FIRST_CORNER]
    for corner in range(first, first + shapes[b, CORNERS]):
        p = get2(corners, corner, 0)
        distance = dot2(n, p) - sizes[a, OFFSET]
        if distance - s <= margin:
            tip, on_a, number = (b, 3 * (corner - first) + CORNER), beyond(p, n, -distance), corner - first
            k = record(touches, identities, k, up, False, (a, FACE), tip, number, distance - s, n, on_a, (0.0, 1.0), (1.0, s))
            if k < 0:
                break
    return k


@routine
def half_plane_and_ellipse(sizes, placed, up, margin, a, b, touches, identities, k):
    n, centre = get2(sizes, a, SIZE), get2(placed, b, PLACE)
    h, p, rho = reach(ellipse_of(sizes, placed, b), n)
    gap = dot2(n, centre) - h - sizes[a, OFFSET]
    if gap > margin:
        return k
    on_a = beyond(beyond(centre, p, -1.0), n, -gap)
    return record(touches, identities, k, up, False, (a, FACE), (b, 0), 0, gap, n, on_a, (0.0, 1.0), (1.0, rho))


@routine
def planar_pair(shapes, sizes, placed, corners, up, margin, a, b, touches, identities, k):
    """Record the touches of shapes a (first) and b (second) from row k on: the number of touches then, or a status below 0."""
    if shapes[a, KIND] == HALF_SPACE:
        if shapes[b, KIND] == ELLIPSOID:
            return half_plane_and_ellipse(sizes, placed, up, margin, a, b, touches, identities, k)
        return half_plane_and_polygon(shapes, sizes, corners, up, margin, a, b, touches, identities, k)
    if shapes[a, KIND] == ELLIPSOID:
        if shapes[b, KIND] == ELLIPSOID:
            return ellipses(sizes, placed, up, margin, a, b, touches, identities, k)
        return ellipse_and_polygon(shapes, sizes, placed, corners, up, margin, False, a, b, touches, identities, k)
    if shapes[b, KIND] == ELLIPSOID:
        return ellipse_and_polygon(shapes, sizes, placed, corners, up, margin, True, b, a, touches, identities, k)
    if shapes[b, CORNERS] == 1:
        if shapes[a, CORNERS] == 1:
            return circles(shapes, sizes, corners, up, margin, a, b, touches, identities, k)
        return circle_and_polygon(shapes, sizes, corners, up, margin, False, a, b, touches, identities, k)
    if shapes[a, CORNERS] == 1:
        return circle_and_polygon(shapes, sizes, corners, up, margin, True, b, a, touches, identities, k)
    return polygons(shapes, sizes, corners, up, margin, a, b, touches, identities, k)
