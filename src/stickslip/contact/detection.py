"""Detection in a plane: from a position to the touches of all pairs of shapes that are near each other."""

from stickslip.contact.broad_phase import MOVER, near_pairs
from stickslip.contact.placing import place_planar_shape
from stickslip.contact.planar_pairs import planar_pair
from stickslip.contact.touch import FIRST, NO_NORMAL, SECOND
from stickslip.dynamics.kernel import entry, kernel, routine
from stickslip.dynamics.kinematics import BAD_Q, place


@kernel
def place_planar_shapes(shapes, sizes, corners, movers, up, work, placed, placed_corners):
    """Where all that moves is while the links are as `work` says."""
    for row in range(movers.shape[0]):
        place_planar_shape(shapes, sizes, corners, movers[row, MOVER], up, work, placed, placed_corners)


@routine
def planar_touches(shapes, sizes, up, margin, placed, placed_corners, near, pairs, touches, identities):
    """The touches of the first `pairs` pairs in `near`: their number, or FULL or NO_NORMAL."""
    k = 0
    for i in range(pairs):
        a, b = near[i, 0], near[i, 1]
        k = planar_pair(shapes, sizes, placed, placed_corners, up, margin, a, b, touches, identities, k)
        if k == NO_NORMAL:
            identities[0, FIRST], identities[0, SECOND] = a, b
        if k < 0:
            return k
    return k if pairs >= 0 else pairs


@entry
def detect_planar_into(
    topology,
    links,
    q,
    shapes,
    sizes,
    corners,
    movers,
    partners,
    grid,
    starts,
    members,
    up,
    margin,
    work,
    placed,
    placed_corners,
    near,
    touches,
    identities,
):
    """All touches with gaps up to `margin` in m, by second shape, first shape and number; how many, or a status below zero."""
    if not place(topology, links, q, work):
        return BAD_Q
    place_planar_shapes(shapes, sizes, corners, movers, up, work, placed, placed_corners)
    pairs = near_pairs(shapes, sizes, placed, movers, partners, grid, starts, members, margin, near)
    return planar_touches(shapes, sizes, up, margin, placed, placed_corners, near, pairs, touches, identities)
