"""The direction in which two solids are apart, or least deep in each other, by trying many: slow, and independent of Coal."""

from math import cos, inf, pi, sin, sqrt

from stickslip.contact.features import reach_along
from stickslip.contact.polytope_axis import unit
from stickslip.contact.scene import PLACE
from stickslip.contact.touch import tangents
from stickslip.dynamics.kernel import entry, kernel
from stickslip.dynamics.rotation import add3, scale3
from stickslip.dynamics.spatial import get3

DIRECTIONS = 500  # spread evenly over the sphere, about 0.16 rad apart
WIDEST = 0.2  # rad of the steps that improve the best of them
FINEST = 1e-6  # rad
GOLDEN = 2.399963229728653  # rad: turning by it each time spreads points evenly


@kernel
def apart(shapes, sizes, x, placed, a, b, n):
    """How far b is in front of a along n."""
    back = scale3(n, -1.0)
    return -reach_along(shapes, sizes, x, placed, a, n) - reach_along(shapes, sizes, x, placed, b, back)


@entry
def apart_along(shapes, sizes, x, placed, a, b, guide):
    """The same along the direction in the first three numbers of `guide`."""
    return apart(shapes, sizes, x, placed, a, b, (guide[0], guide[1], guide[2]))


@entry
def try_directions_into(shapes, sizes, x, placed, a, b, guide):
    """Put the best direction and the centres of both shapes into `guide` (9); how far they are apart along it, in m."""
    best, n = -inf, (0.0, 0.0, 1.0)
    for i in range(DIRECTIONS):
        z = 1.0 - (2.0 * i + 1.0) / DIRECTIONS
        r = sqrt(1.0 - z * z)
        m = (r * cos(GOLDEN * i), r * sin(GOLDEN * i), z)
        distance = apart(shapes, sizes, x, placed, a, b, m)
        if distance > best:
            best, n = distance, m
    step = WIDEST
    while step > FINEST:
        improved = False
        t1, t2 = tangents(n)
        for i in range(8):
            angle = 0.25 * pi * i
            m = unit(add3(n, add3(scale3(t1, step * cos(angle)), scale3(t2, step * sin(angle)))))
            distance = apart(shapes, sizes, x, placed, a, b, m)
            if distance > best:
                best, n, improved = distance, m, True
        if not improved:
            step *= 0.5
    first, second = get3(placed, a, PLACE), get3(placed, b, PLACE)
    for c in range(3):
        guide[c], guide[3 + c], guide[6 + c] = n[c], first[c], second[c]
    return best
