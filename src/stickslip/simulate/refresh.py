"""The contacts of a state, with all that a step needs of them; what drifted is put right on the way."""

from stickslip.complementarity.kernel import kernel, routine
from stickslip.contact.touch import GAP
from stickslip.dynamics.kinematics import GOOD
from stickslip.impact.friction_lcp import put_matrix
from stickslip.impact.response import put_response
from stickslip.simulate.closed_loops import CLEAN, any_loops, close, drifts, hold_velocity, most_open
from stickslip.simulate.joint_rows import press
from stickslip.simulate.look import copy_identity, index_of, keep, look, put_rows
from stickslip.simulate.projection import hold_rest, project, worst_gap

CLOSED = 1e-9  # m: gaps up to this are closed where a collision was located
APPROACH = 1e-9  # m/s: a contact that closes faster than this, and did not push before, collides
CLEANINGS = 3  # projections after one step, at most


@kernel
def remember(touching, before, count, size):
    """What `keep` needs of the old list."""
    for i in range(count):
        copy_identity(touching.identities, i, before.identities, i)
        before.held[i] = touching.held[i]
        before.rest[i] = touching.rest[i]
        for r in range(size):
            before.impulse[size * i + r] = touching.impulse[size * i + r]


@routine
def refresh(
    model, scenery, joints, loops, looking, touching, before, count, size, response, bilateral, lcp, margin, q, v, trial
):
    """The contacts at (q, v) with all that a step needs of them, drift projected away: their number or a status."""
    for cleaning in range(CLEANINGS + 1):
        found = look(model, scenery, joints, looking, q, margin)
        if found < 0:
            return found
        remember(touching, before, count, size)
        count = keep(scenery, joints, looking, found, touching, count, CLOSED, before, size)
        if count < 0 or (count == 0 and not any_loops(bilateral)):
            return count
        status = close(model, loops, looking.work, q, response.L, bilateral)
        if status == GOOD:
            if any_loops(bilateral):
                hold_velocity(response.L, bilateral, v)
            status = put_rows(model, scenery, joints, looking, v, touching, count, size)
            drifts(model, loops, looking.work, bilateral)
        if status != GOOD:
            return status
        put_response(size * count, touching, response, bilateral)
        if any_loops(bilateral):
            hold_rest(touching, count, size, response, lcp, v, trial)
        if cleaning == CLEANINGS or max(worst_gap(touching, count), most_open(bilateral)) <= CLEAN:
            break
        project(model, touching, count, size, response, bilateral, lcp, q, trial)
    rows = size * count
    G = response.G[: rows * rows].reshape(rows, rows)
    press(scenery, joints, touching, count, size, G)
    if lcp.directions.shape[0] > 0:
        put_matrix(touching, count, size, G, lcp)
    return count


@kernel
def deepest(looking, found, touching, count):
    """The smallest gap of touches that are not among the contacts of the step."""
    least = float("inf")
    for i in range(found):
        gap = looking.touches[i, GAP]
        if gap < least and index_of(looking.identities, i, touching.identities, count) < 0:
            least = gap
    return least


@kernel
def approaches(touching, count, size):
    """Whether anything that did not push before comes closer though its gap is closed."""
    for i in range(count):
        if touching.held[i] == 0 and touching.velocity[size * i] < -APPROACH:
            return True
    return False
