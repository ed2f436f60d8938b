"""Detection in space: from a position to the touches of all pairs of shapes that are near each other."""

from stickslip.contact.broad_phase import MOVER, near_pairs
from stickslip.contact.placing import place_spatial_shape
from stickslip.contact.solids import SEARCHED, spatial_pair
from stickslip.contact.touch import FIRST, NO_NORMAL, SECOND
from stickslip.dynamics.kernel import entry, kernel, routine
from stickslip.dynamics.kinematics import BAD_Q, place


@kernel
def place_spatial_shapes(shapes, sizes, corners, movers, work, placed, placed_corners):
    """Where all that moves is while the links are as `work` says."""
    for row in range(movers.shape[0]):
        place_spatial_shape(shapes, sizes, corners, movers[row, MOVER], work, placed, placed_corners)


@routine
def spatial_touches(shapes, sizes, edges, faces, margin, placed, placed_corners, near, pairs, left, touches, identities):
    """The touches of the first `pairs` pairs in `near`: their number, or FULL or NO_NORMAL."""
    left[0] = k = 0
    for i in range(pairs):
        a, b = near[i, 0], near[i, 1]
        new = spatial_pair(shapes, sizes, edges, faces, placed, placed_corners, margin, a, b, touches, identities, k)
        if new == SEARCHED:
            near[left[0], 0], near[left[0], 1] = a, b
            left[0] += 1
            continue
        if new == NO_NORMAL:
            identities[0, FIRST], identities[0, SECOND] = a, b
        if new < 0:
            return new
        k = new
    return k if pairs >= 0 else pairs


@entry
def detect_spatial_into(
    topology,
    links,
    q,
    shapes,
    sizes,
    corners,
    edges,
    faces,
    movers,
    partners,
    grid,
    starts,
    members,
    margin,
    work,
    placed,
    placed_corners,
    near,
    left,
    touches,
    identities,
):
    """All touches with gaps up to `margin` in m, by second shape, first shape and number; how many, or a status below zero.

    Pairs that need a search outside the kernels are left: their number is in `left` (1,), they in the first rows of `near`.
    """
    if not place(topology, links, q, work):
        return BAD_Q
    place_spatial_shapes(shapes, sizes, corners, movers, work, placed, placed_corners)
    pairs = near_pairs(shapes, sizes, placed, movers, partners, grid, starts, members, margin, near)
    return spatial_touches(shapes, sizes, edges, faces, margin, placed, placed_corners, near, pairs, left, touches, identities)
