"""Limits and dry friction of joints, disguised as contacts, so that one law treats all of them.

A limit is a contact without friction or restitution, whose gap is the distance from it, in m or rad. Dry friction is a contact
that is always closed and pressed with the given bound: one direction of its own, with a compliance g, is driven by -g times the
bound, and so pushes back with the bound; friction of coefficient one acts along the joint. An impact, which takes no
time, does not press it.

Their identities go on where those of shapes end: first the limits, then the coordinates with dry friction.
"""

from stickslip.complementarity.kernel import kernel
from stickslip.contact.touch import FIRST, FULL, GAP, put_identity

AWAY, END = 0, 1  # columns of `ends`: the direction that leads away from a limit, and where it is


@kernel
def is_joint(scenery, identities, k):
    """Whether touch k is a limit or dry friction of a joint."""
    return identities[k, FIRST] >= scenery.shapes.shape[0]


@kernel
def limit_of(scenery, identities, k):
    """Which limit touch k is; from the number of limits on it is dry friction."""
    return identities[k, FIRST] - scenery.shapes.shape[0]


@kernel
def look_at_limits(scenery, joints, q, margin, looking, found):
    """Add the limits that are no farther than the margin (m or rad) to the touches found; answers how many there are now.

    A status below zero remains.
    """
    for k in range(joints.limited.size):
        distance = joints.ends[k, AWAY] * (q[joints.addresses[k]] - joints.ends[k, END])
        if distance <= margin and found >= 0:
            if found == looking.touches.shape[0]:
                return FULL
            looking.touches[found, GAP] = distance
            put_identity(looking.identities, found, scenery.shapes.shape[0] + k, 0, 0, 0, 0)
            found += 1
    return found


@kernel
def put_dry(scenery, joints, k, touching, i):
    """Dry friction k becomes contact i."""
    touching.touches[i, GAP] = 0.0
    put_identity(touching.identities, i, scenery.shapes.shape[0] + joints.limited.size + k, 0, 0, 0, 0)
    touching.friction[i], touching.restitution[i], touching.pressed[i] = 1.0, 0.0, 1


@kernel
def put_joint_rows(scenery, joints, v, touching, k, size):
    """The rows of a limit, or of dry friction, which is contact k."""
    for r in range(size * k, size * (k + 1)):
        touching.velocity[r], touching.drift[r] = 0.0, 0.0
        for i in range(v.size):
            touching.J[r, i] = 0.0
    limit = limit_of(scenery, touching.identities, k)
    if limit < joints.limited.size:
        row, i, along = size * k, joints.limited[limit], joints.ends[limit, AWAY]
    else:
        row, i, along = size * k + 1, joints.rubbing[limit - joints.limited.size], 1.0
    touching.J[row, i] = along
    touching.velocity[row] = along * v[i]


@kernel
def press(scenery, joints, touching, count, size, G):
    """Give dry friction its normal force, and all directions of its own a compliance like that of the joint."""
    for k in range(count):
        if touching.pressed[k] == 1:
            n, dry = size * k, limit_of(scenery, touching.identities, k) - joints.limited.size
            give = G[n + 1, n + 1] if G[n + 1, n + 1] > 0.0 else 1.0
            G[n, n] = give
            if size == 3:
                G[n + 2, n + 2] = give
            touching.drift[n] = -give * joints.bounds[dry]
