"""What touches at a position: the detector's kernels, and the contacts that a step goes on with."""

from stickslip.complementarity.kernel import kernel, routine
from stickslip.contact.detection import planar_touches
from stickslip.contact.rows import DEGENERATE, planar_rows, spatial_rows
from stickslip.contact.spatial_detection import spatial_touches
from stickslip.contact.touch import FIRST, GAP, IDENTITY_WIDTH, NUMBER, SECOND, TOUCH_WIDTH
from stickslip.dynamics.kinematics import BAD_Q, GOOD, move, place
from stickslip.impact.touching import MOVING
from stickslip.simulate.joint_rows import is_joint, look_at_limits, put_dry, put_joint_rows

FRICTION, RESTITUTION = 0, 1  # columns of `surfaces`

TOO_MANY_CONTACTS = -23  # more closed contacts than there is room for


@kernel
def look_at_shapes(scenery, looking, margin):
    """The touches of shapes with gaps up to `margin` in m: how many, or a status below zero."""
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


@routine
def look(model, scenery, joints, looking, q, margin):
    """All that touches at q, with gaps up to `margin` in m (joint limits: or rad): how many, or a status below zero."""
    if not place(model.topology, model.links, q, looking.work):
        return BAD_Q
    found = look_at_shapes(scenery, looking, margin)
    return look_at_limits(model, scenery, joints, q, margin, looking, found) if found >= 0 else found


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


@kernel
def put_surface(scenery, touching, k):
    """Friction and restitution of contact k; a joint's limit has none."""
    touching.pressed[k] = 0
    if is_joint(scenery, touching.identities, k):
        touching.friction[k], touching.restitution[k] = 0.0, 0.0
    else:
        row = surface(scenery, touching.identities[k, FIRST], touching.identities[k, SECOND])
        touching.friction[k] = scenery.surfaces[row, FRICTION]
        touching.restitution[k] = scenery.surfaces[row, RESTITUTION]


@kernel
def recall(touching, k, size, before, count):
    """What contact k did in the last step, if it was there: the guess to begin with."""
    old = index_of(touching.identities, k, before.identities, count)
    touching.held[k] = before.held[old] if old >= 0 else 0
    touching.rest[k] = before.rest[old] if old >= 0 else MOVING
    for r in range(size):
        touching.impulse[size * k + r] = before.impulse[size * old + r] if old >= 0 else 0.0


@routine
def keep(scenery, joints, looking, found, touching, count, closed, before, size):
    """Of the `found` touches those that are closed, or were held in the last step, become `touching`; answers how many.

    `before` (most, …) is the old list, of `count`. Dry friction of joints is always among them.
    """
    kept = 0
    for i in range(found):
        k = index_of(looking.identities, i, before.identities, count)
        if looking.touches[i, GAP] > closed and not (k >= 0 and before.held[k] == 1):
            continue
        if kept == touching.held.size - joints.rubbing.size:
            return TOO_MANY_CONTACTS
        for c in range(TOUCH_WIDTH):
            touching.touches[kept, c] = looking.touches[i, c]
        copy_identity(looking.identities, i, touching.identities, kept)
        put_surface(scenery, touching, kept)
        kept += 1
    for k in range(joints.rubbing.size):
        put_dry(scenery, joints, k, touching, kept)
        kept += 1
    for k in range(kept):
        recall(touching, k, size, before, count)
    return kept


@routine
def put_rows(model, scenery, joints, looking, v, touching, count, size):
    """J, velocities and drifts of `touching` at the position that was looked at last, and v; answers a status."""
    move(model.topology, v, looking.work)
    for k in range(count):
        known = True
        if is_joint(scenery, touching.identities, k):
            put_joint_rows(scenery, joints, v, touching, k, size)
        elif scenery.plane > 0:
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
