"""The contacts of the present instant, with all that kicks and collisions need of them; what drifted is put right."""

from math import sqrt

from stickslip.complementarity.kernel import kernel
from stickslip.contact.touch import GAP
from stickslip.dynamics.energy import kinetic_energy
from stickslip.dynamics.inertia_root import factor
from stickslip.dynamics.kinematics import AXIS, GOOD
from stickslip.dynamics.piece import call, piece
from stickslip.impact.friction_lcp import put_matrix
from stickslip.impact.response import pass_over_folds, put_response
from stickslip.simulate.closed_loops import CLEAN, any_loops, most_open, put_loops
from stickslip.simulate.joint_rows import press
from stickslip.simulate.look import copy_identity, keep, look_here, same, take
from stickslip.simulate.projection import project, worst_gap, worst_seen
from stickslip.simulate.stepping import (
    COUNT,
    CROWDED,
    FOUND,
    GATHER,
    LONGEST,
    LOOK,
    NEW,
    NO_INERTIA,
    ROWS,
    SIZE,
    WARM,
    parts_at,
)

FIRST_ORDER = 1e-6  # m or rad: what a projection has moved farther than this is looked at again
TURN = 0.1  # of the fastest that a contact may move: what a step may ask of it because it turns
BETTER = 0.5  # part of an overlap that may be left by a projection
CLEANINGS = 4  # projections at one instant, at most
POSES = AXIS + 6  # columns of a workspace that depend on the position alone


@kernel
def settle_in(model, looking, response):
    """The position that was looked at is where the mechanism is now; answers a status."""
    for i in range(looking.work.shape[0]):
        for c in range(POSES):
            response.work[i, c] = looking.work[i, c]
    status = factor(model.topology, model.links, model.rotors, response.work, response.L)
    return status if status <= GOOD else NO_INERTIA - status


@kernel
def remember(touching, before, count, size):
    """What `keep` needs of the old list."""
    for i in range(count):
        copy_identity(touching.identities, i, before.identities, i)
        before.held[i] = touching.held[i]
        for r in range(size):
            before.impulse[size * i + r] = touching.impulse[size * i + r]


@kernel
def unchanged(touching, count, before, number):
    """Whether contacts are those of the last instant, in the same order: what solved the law then is a good guess."""
    if count != number:
        return 0
    for i in range(count):
        if not same(touching.identities, i, before.identities, i):
            return 0
    return 1


@kernel
def change_gaps(touching, count, size, change):
    """What a small move (nv,) does to the gaps."""
    for i in range(count):
        for k in range(change.size):
            touching.touches[i, GAP] += touching.J[size * i, k] * change[k]


@kernel
def longest_step(model, v, response, touching, count, size):
    """The step in s in which no contact turns so much that what keeps it closed becomes a blow.

    With the kinetic energy T a contact's row moves with sqrt(2 T G_nn) at most. A kick that is to undo more than a part of that
    is meant for a contact that has long turned away: so it is near a fold.
    """
    rows = size * count
    G = response.G[: rows * rows].reshape(rows, rows)
    longest, fastest = float("inf"), -1.0
    for i in range(count):
        n = size * i
        if touching.drift[n] < 0.0 and touching.pressed[i] == 0:
            if fastest < 0.0:
                fastest = sqrt(2.0 * kinetic_energy(model.topology, model.links, model.rotors, v, response.work))
            longest = min(longest, TURN * fastest * sqrt(G[n, n]) / -touching.drift[n])
    return longest


@piece
def gather(block):
    """Contacts at (q, v) among what was found there, those that are NEW if the clock says so; answers a status."""
    s = parts_at(block)
    clock, touching, response, bilateral = s.clock, s.touching, s.response, s.bilateral
    size = clock[SIZE]
    for cleaning in range(CLEANINGS + 1):
        number = clock[COUNT]
        remember(touching, s.before, number, size)
        again = cleaning > 0 or clock[CROWDED] == 1
        count = keep(s.scenery, s.joints, s.looking, clock[FOUND], touching, number, clock[NEW], again, s.before, size)
        if count < 0:
            return count
        clock[COUNT] = count
        if cleaning == 0:
            clock[WARM] = unchanged(touching, count, s.before, number)
        if any_loops(bilateral):
            put_loops(s.model, s.loops, s.q, s.v, response, bilateral)
        status = call(s.pieces[ROWS], block)
        if status != GOOD:
            return status
        put_response(size * count, touching, response, bilateral)
        pass_over_folds(touching, count, size, response)
        worst = max(worst_gap(touching, count), most_open(bilateral))
        if worst <= CLEAN or cleaning == CLEANINGS:
            break
        farthest = project(s.model, touching, count, size, response, bilateral, s.lcp, s.q, s.trial)
        if farthest <= FIRST_ORDER and not any_loops(bilateral):
            take(s.trial.q, s.q)
            change_gaps(touching, count, size, s.trial.move)
            break
        clock[FOUND] = call(s.pieces[LOOK], block)
        if clock[FOUND] < 0:
            return clock[FOUND]
        if not any_loops(bilateral) and worst_seen(s.looking, clock[FOUND], touching, count) > BETTER * worst:
            look_here(block, s.pieces, clock, s.q, s.trial)  # no way leads out of this overlap to first order: nothing is moved
            break
        take(s.trial.q, s.q)
        status = settle_in(s.model, s.looking, response)
        if status != GOOD:
            return status
    rows = size * count
    G = response.G[: rows * rows].reshape(rows, rows)
    s.pace[LONGEST] = longest_step(s.model, s.v, response, touching, count, size)
    press(s.scenery, s.joints, touching, count, size, G)
    if s.lcp.directions.shape[0] > 0:
        put_matrix(touching, count, size, G, s.lcp)
    return GOOD


@kernel
def gather_afresh(block, pieces, clock, q, trial):
    """Contacts where the mechanism is, with the drift of its present velocity, not of that before the last kick; a status."""
    found = look_here(block, pieces, clock, q, trial)
    return found if found < 0 else call(pieces[GATHER], block)
