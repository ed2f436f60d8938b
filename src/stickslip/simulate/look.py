"""What touches at a position: the detector's kernels, and the contacts that a step goes on with."""

from stickslip.complementarity.kernel import kernel, routine
from stickslip.contact.detection import planar_touches
from stickslip.contact.rows import DEGENERATE, planar_rows, spatial_rows
from stickslip.contact.spatial_detection import spatial_touches
from stickslip.contact.touch import FIRST, GAP, IDENTITY_WIDTH, NUMBER, SECOND, TOUCH_WIDTH
from stickslip.dynamics.kinematics import BAD_Q, GOOD, move, place

FRICTION, RESTITUTION = 0, 1  # columns of `surfaces`

TOO_MANY_CONTACTS = -23  # more closed contacts than there is room for


@routine
def look(model, scenery, looking, q, margin):
    """The touches at q with gaps up to `margin` in m: how many, or a status below zero."""
    if not place(model.topology, model.links, q, looking.work):
        return BAD_Q
    if scenery.plane > 0:
        return planar_touches(
            scenery.shapes,
            scenery.sizes,
            scenery.corners,
            scenery.movers,
            scenery.partners,
            scenery.grid,
            scenery.starts,
            scenery.members,
            scenery.plane,
            margin,
            looking.work,
            looking.placed,
            looking.placed_corners,
            looking.near,
            looking.touches,
            looking.identities,
        )
    return spatial_touches(
        scenery.shapes,
        scenery.sizes,
        scenery.corners,
        scenery.edges,
        scenery.faces,
        scenery.movers,
        scenery.partners,
        scenery.grid,
        scenery.starts,
        scenery.members,
        margin,
        looking.work,
        looking.placed,
        looking.placed_corners,
        looking.near,
        looking.left,
        looking.touches,
        looking.identities,
    )


@kernel
def copy_identity(identities, i, others, k):
    for c in range(IDENTITY_WIDTH):
        others[k, c] = identities[i, c]


@kernel
def same(identities, i, others, k):
    """Whether touch i of one list is touch k of another."""
    return (
        identities[i, SECOND] == others[k, SECOND]
        and identities[i, FIRST] == others[k, FIRST]
        and identities[i, NUMBER] == others[k, NUMBER]
    )


@kernel
def index_of(identities, i, others, count):
    """Where touch i of one list stands among the first `count` of another, or -1."""
    for k in range(count):
        if same(identities, i, others, k):
            return k
    return -1


@kernel
def surface(scenery, first, second):
    """The row of `surfaces` of a pair, by bisection."""
    wanted = first * scenery.shapes.shape[0] + second
    low, high = 0, scenery.pairs.size - 1
    while low < high:
        middle = (low + high) // 2
        if scenery.pairs[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return scenery.surface_of[low]


@routine
def keep(scenery, looking, found, touching, count, closed, before):
    """Of the `found` touches those that are closed, or were held in the last step, become `touching`; answers how many.

    `before` (most, …) is the old list, of `count`; what was held keeps its impulse as the next guess.
    """
    size = 2 if scenery.plane > 0 else 3
    kept = 0
    for i in range(found):
        k = index_of(looking.identities, i, before.identities, count)
        held = k >= 0 and before.held[k] == 1
        if not held and looking.touches[i, GAP] > closed:
            continue
        if kept == touching.held.size:
            return TOO_MANY_CONTACTS
        for c in range(TOUCH_WIDTH):
            touching.touches[kept, c] = looking.touches[i, c]
        copy_identity(looking.identities, i, touching.identities, kept)
        row = surface(scenery, looking.identities[i, FIRST], looking.identities[i, SECOND])
        touching.friction[kept] = scenery.surfaces[row, FRICTION]
        touching.restitution[kept] = scenery.surfaces[row, RESTITUTION]
        touching.held[kept] = 1 if held else 0
        for r in range(size):
            touching.impulse[size * kept + r] = before.impulse[size * k + r] if k >= 0 else 0.0
        kept += 1
    return kept


@routine
def put_rows(model, scenery, looking, v, touching, count):
    """J, velocities and drifts of `touching` at the position that was looked at last, and v; answers a status."""
    move(model.topology, v, looking.work)
    for k in range(count):
        if scenery.plane > 0:
            known = planar_rows(
                model.topology,
                scenery.shapes,
                scenery.out,
                touching.touches,
                touching.identities,
                k,
                looking.work,
                touching.J,
                touching.velocity,
                touching.drift,
                2 * k,
            )
        else:
            known = spatial_rows(
                model.topology,
                scenery.shapes,
                touching.touches,
                touching.identities,
                k,
                looking.work,
                looking.system,
                touching.J,
                touching.velocity,
                touching.drift,
                3 * k,
            )
        if not known:
            return DEGENERATE
    return GOOD
