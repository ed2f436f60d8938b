"""Writing down a touch in the plane, from its two coordinates there."""

from stickslip.contact.touch import FIRST_TIE, FULL, GAP, NORMAL, ON_FIRST, ON_SECOND, SECOND_TIE, put_identity
from stickslip.dynamics.kernel import kernel, routine


@kernel
def put_flat3(rows, k, c, up, x, y):
    """Coordinates x, y of the plane as a vector in space; `up` is 1 in the plane "xy" and 2 in "xz"."""
    rows[k, c + 1] = rows[k, c + 2] = 0.0
    rows[k, c] = x
    rows[k, c + up] = y


@kernel
def put_tie2(touches, k, side, tie):
    touches[k, side] = tie[0]
    touches[k, side + 4] = tie[1]


@routine
def record(touches, identities, k, up, swapped, a, b, number, gap, n, on_a, tie_a, tie_b):
    """Write touch k between a and b, each a pair (shape, feature); n points out of a, which is the first unless `swapped`.

    The number of touches then, or FULL.
    """
    if k >= touches.shape[0]:
        return FULL
    x, y = on_a[0] + gap * n[0], on_a[1] + gap * n[1]
    touches[k, GAP] = gap
    if swapped:
        put_flat3(touches, k, NORMAL, up, -n[0], -n[1])
        put_flat3(touches, k, ON_FIRST, up, x, y)
        put_flat3(touches, k, ON_SECOND, up, on_a[0], on_a[1])
        put_tie2(touches, k, FIRST_TIE, tie_b)
        put_tie2(touches, k, SECOND_TIE, tie_a)
        put_identity(identities, k, b[0], b[1], a[0], a[1], number)
    else:
        put_flat3(touches, k, NORMAL, up, n[0], n[1])
        put_flat3(touches, k, ON_FIRST, up, on_a[0], on_a[1])
        put_flat3(touches, k, ON_SECOND, up, x, y)
        put_tie2(touches, k, FIRST_TIE, tie_a)
        put_tie2(touches, k, SECOND_TIE, tie_b)
        put_identity(identities, k, a[0], a[1], b[0], b[1], number)
    return k + 1
