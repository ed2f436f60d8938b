"""What touches at a position: the detector's kernels, and the contacts that a step goes on with."""

from stickslip.complementarity.kernel import kernel, routine
from stickslip.contact.detection import place_planar_shapes, planar_touches
from stickslip.contact.neighbours import pairs_again
from stickslip.contact.spatial_detection import place_spatial_shapes, spatial_touches
from stickslip.contact.touch import FIRST, GAP, IDENTITY_WIDTH, NUMBER, SECOND, TOUCH_WIDTH
from stickslip.dynamics.kinematics import BAD_Q, place
from stickslip.dynamics.piece import call, piece
from stickslip.simulate.joint_rows import is_joint, look_at_limits, put_dry
from stickslip.simulate.stepping import FOUND, LOOK, MARGIN, TOO_MANY_CONTACTS, parts_at

FRICTION, RESTITUTION = 0, 1  # columns of `surfaces`

CLOSED = 1e-9  # m: gaps up to this are closed


@kernel
def near_ones(scenery, looking, margin):
    """Pairs of shapes whose boxes come within the margin, in `looking.near`: how many, or FULL."""
    return pairs_again(
        scenery.shapes,
        scenery.sizes,
        looking.placed,
        scenery.movers,
        scenery.partners,
        scenery.grid,
        scenery.starts,
        scenery.members,
        margin,
        looking.near,
        looking.neighbours,
    )


@piece
def look_in_plane(block):
    """All that touches at the trial's end, with gaps up to the margin in m (joint limits: or rad): how many, or a status."""
    s = parts_at(block)
    scenery, looking, margin = s.scenery, s.looking, s.pace[MARGIN]
    if not place(s.model.topology, s.model.links, s.trial.q, looking.work):
        return BAD_Q
    shapes, sizes, placed, corners = scenery.shapes, scenery.sizes, looking.placed, looking.placed_corners
    place_planar_shapes(shapes, sizes, scenery.corners, scenery.movers, scenery.plane, looking.work, placed, corners)
    pairs = near_ones(scenery, looking, margin)
    near, touches = looking.near, looking.touches
    found = planar_touches(shapes, sizes, scenery.plane, margin, placed, corners, near, pairs, touches, looking.identities)
    return look_at_limits(scenery, s.joints, s.trial.q, margin, looking, found)


@piece
def look_in_space(block):
    """The same in space."""
    s = parts_at(block)
    scenery, looking, margin = s.scenery, s.looking, s.pace[MARGIN]
    if not place(s.model.topology, s.model.links, s.trial.q, looking.work):
        return BAD_Q
    shapes, sizes, placed, corners = scenery.shapes, scenery.sizes, looking.placed, looking.placed_corners
    place_spatial_shapes(shapes, sizes, scenery.corners, scenery.movers, looking.work, placed, corners)
    pairs = near_ones(scenery, looking, margin)
    found = spatial_touches(
        shapes,
        sizes,
        scenery.edges,
        scenery.faces,
        margin,
        placed,
        corners,
        looking.near,
        pairs,
        looking.left,
        looking.touches,
        looking.identities,
    )
    return look_at_limits(scenery, s.joints, s.trial.q, margin, looking, found)


@kernel
def take(source, target):
    """One line of numbers becomes another."""
    for i in range(target.size):
        target[i] = source[i]


@kernel
def look_here(block, pieces, clock, q, trial):
    """What touches where the mechanism is, not where a trial ends: how many, or a status."""
    take(q, trial.q)
    clock[FOUND] = call(pieces[LOOK], block)
    return clock[FOUND]


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
def recall(touching, k, size, before, old):
    """What contact k did when it was number `old`, if it was there (else -1): the guess to begin with."""
    touching.held[k] = before.held[old] if old >= 0 else 0
    for r in range(size):
        touching.impulse[size * k + r] = before.impulse[size * old + r] if old >= 0 else 0.0


@routine
def keep(scenery, joints, looking, found, touching, count, new, again, before, size):
    """Of the `found` touches those that are in `before` (of `count`) and closed or held become `touching`; answers how many.

    If it is done `again` for one instant, all that are in it do. If `new` is 1, those that are closed without being in it do,
    too. Dry friction of joints is always among them.
    """
    kept = 0
    for i in range(found):
        k = index_of(looking.identities, i, before.identities, count)
        stays = k >= 0 and (again or before.held[k] == 1)
        if (k < 0 and new == 0) or (looking.touches[i, GAP] > CLOSED and not stays):
            continue
        if kept == touching.held.size - joints.rubbing.size:
            return TOO_MANY_CONTACTS
        for c in range(TOUCH_WIDTH):
            touching.touches[kept, c] = looking.touches[i, c]
        copy_identity(looking.identities, i, touching.identities, kept)
        put_surface(scenery, touching, kept)
        recall(touching, kept, size, before, k)
        kept += 1
    for k in range(joints.rubbing.size):
        put_dry(scenery, joints, k, touching, kept)
        recall(touching, kept, size, before, index_of(touching.identities, kept, before.identities, count))
        kept += 1
    return kept


@kernel
def any_new(looking, found, touching, count):
    """Whether anything is closed that is not among the contacts."""
    for i in range(found):
        if looking.touches[i, GAP] <= CLOSED and index_of(looking.identities, i, touching.identities, count) < 0:
            return True
    return False


@kernel
def deepest(looking, found, touching, count):
    """The smallest gap of touches that are not among the contacts."""
    least = float("inf")
    for i in range(found):
        gap = looking.touches[i, GAP]
        if gap < least and index_of(looking.identities, i, touching.identities, count) < 0:
            least = gap
    return least
