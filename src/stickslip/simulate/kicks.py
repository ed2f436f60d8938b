"""A step is a kick, a drift, and another kick; forces of contacts and loops are part of the kicks.

    v_half = v + h/2 a(q, v_half) + M(q)^-1 J(q)^T p        q+ = q [+] h v_half
    v+ = v_half + h/2 a(q+, v_half) + M(q+)^-1 J(q+)^T p+

a are the accelerations without contact. Read backwards it is the same rule, so that motions that come back as their own mirror
image keep their energy; where forces depend on velocities alone, as those on a body that tumbles, it is the midpoint rule.
Positions, and all that is made of them, are looked at once a step: at its end, which is where the next begins.

Contacts keep their laws at the velocities after each kick: u = J v_half + h/2 dJ/dt v, with which gaps stay closed in the
drift, and u = J v+. The first kick is solved by repetition. It begins with so good a guess, from the kicks before, that
mostly one pass will do.
"""

from stickslip.complementarity.kernel import kernel
from stickslip.dynamics.cholesky import solve_lower, solve_upper
from stickslip.dynamics.forward_dynamics import accelerate, gather_force, gyrate
from stickslip.dynamics.inverse_dynamics import newton_euler
from stickslip.dynamics.kinematics import GOOD, finite, move, place
from stickslip.dynamics.manifold import integrate
from stickslip.dynamics.passive import add_passive_force
from stickslip.dynamics.piece import call, piece
from stickslip.impact.poisson import UNSOLVED
from stickslip.impact.response import drop_left_overs, respond, speed_along
from stickslip.simulate.closed_loops import CLEAN, aim, aim_again, any_loops, kick_loops, most_open, residuals
from stickslip.simulate.stepping import (
    BEGIN,
    COUNT,
    END,
    HALF,
    KICK,
    LAW,
    PUSH,
    REGULAR,
    SHRINK,
    SIZE,
    TOO_FAST,
    TURNS,
    UNSETTLED,
    WARM,
    parts_at,
)

PASSES = 50
TRIAL, PROMISE = 8, 1e-2  # after so many passes a kick is given up that has not come nearer by this factor
SETTLED = 1e-10  # error that is left in v, relative to the largest velocity
ROUND_OFF = 1e-9  # change of v in a pass, relative again, that need not shrink any more: contacts are not solved better
LEAST_SHRINK = 1e-6
DISTRUST = 1.05  # by which a pass is taken to shrink errors less with every kick that needed no second one


@kernel
def evaluate(model, response, q, v, applied, trial):
    """Accelerations without contacts and loops, at the position of the response and v, into `trial.a`."""
    topology, links, work, a = model.topology, model.links, response.work, trial.a
    for i in range(applied.size):
        trial.force[i] = applied[i]
    if model.passive == 1:
        add_passive_force(topology, links, model.springs, q, v, trial.force)
    move(topology, v, work)
    if model.rotors.shape[0] == 0:
        gyrate(topology, work)
        gather_force(topology, trial.force, work)
        accelerate(topology, model.gravity, work, a)
        return
    for i in range(a.size):
        a[i] = 0.0
    newton_euler(topology, links, model.rotors, model.gravity, a, work, trial.move)
    for i in range(a.size):
        a[i] = trial.force[i] - trial.move[i]
    solve_lower(response.L, a)
    solve_upper(response.L, a)


@kernel
def put_velocities(touching, clock, half, v, lcp, roughly):
    """What the law is to mend, into `lcp`: velocities, with the drift of `half` a step in s in the first kick.

    Where the law has no answer it is asked once more, `roughly`: without what earlier impulses left, and without drift along
    tangents. Contacts of a body that stick after a kick, though it turned before, seem to move towards each other by the drift
    that it had, and no forces undo that.
    """
    size = clock[SIZE]
    for r in range(size * clock[COUNT]):
        drifts = clock[KICK] == BEGIN and (r % size == 0 or not roughly)
        change = half * touching.drift[r] if drifts or touching.pressed[r // size] == 1 else 0.0
        lcp.velocity[r] = speed_along(touching.J, r, v, change)
    if roughly:
        drop_left_overs(touching, clock[COUNT], size, lcp.velocity)


@piece
def push(block):
    """What contacts and loops make of `trial.v_free`; answers GOOD or UNSOLVED."""
    s = parts_at(block)
    clock, touching, response, lcp, v = s.clock, s.touching, s.response, s.lcp, s.trial.v_free
    if any_loops(s.bilateral):
        kick_loops(response, s.bilateral, clock[KICK], v)
    rows = clock[SIZE] * clock[COUNT]
    if rows == 0:
        return GOOD
    put_velocities(touching, clock, s.pace[HALF], v, lcp, False)
    if not call(s.pieces[LAW], block):
        put_velocities(touching, clock, s.pace[HALF], v, lcp, True)
        clock[WARM] = 0
        if not call(s.pieces[LAW], block):
            return UNSOLVED
    clock[WARM] = 1
    respond(response, rows, s.trial.impulse)
    for i in range(v.size):
        v[i] += response.change[i]
    return GOOD


@kernel
def pushed(block, pieces, clock, pace, bilateral, which, h):
    """`push`, where there is anything to push; answers a status."""
    if clock[COUNT] == 0 and not any_loops(bilateral):
        return GOOD
    clock[KICK], pace[HALF] = which, h
    return call(pieces[PUSH], block)


# ---- the kick at the beginning --------------------------------------------------------------------------------------------


@kernel
def guess(regular, trial):
    """The mean acceleration of a kick: that of the kick before, turned as those of earlier steps were, extrapolated.

    After a collision, or other contacts, it is the last one without contacts.
    """
    turns = trial.turns
    for i in range(trial.mean.size):
        turn = 0.0
        if regular == 2:
            turn = turns[0, i]
        elif regular == 3:
            turn = 2.0 * turns[0, i] - turns[1, i]
        elif regular > 3:
            turn = 3.0 * (turns[0, i] - turns[1, i]) + turns[2, i]
        trial.mean[i] = trial.end[i] + turn if regular > 0 else trial.free[i]


@kernel
def compare(v, trial):
    """By how much a pass changed v_half, and the largest velocity."""
    moved, fastest = 0.0, 0.0
    for i in range(v.size):
        moved = max(moved, abs(trial.v_free[i] - trial.v[i]))
        fastest = max(fastest, abs(v[i]), abs(trial.v_free[i]))
    return moved, fastest


@kernel
def mix(trial, fresh):
    """What the next pass begins with: where this one led, and on along the way that it and the one before show (Anderson)."""
    along, length = 0.0, 0.0
    if not fresh:
        for i in range(trial.v.size):
            off = trial.v_free[i] - trial.v[i]
            change = off - (trial.led[i] - trial.began[i])
            along += off * change
            length += change * change
    part = along / length if length > 0.0 else 0.0
    for i in range(trial.v.size):
        led, before = trial.v_free[i], trial.led[i]
        trial.began[i], trial.led[i] = trial.v[i], led
        trial.v[i] = led if part == 0.0 else led - part * (led - before)


@kernel
def accept_kick(v, half, trial):
    """v_half is where the last pass led."""
    for i in range(v.size):
        trial.v[i] = trial.v_free[i]
        if half > 0.0:
            trial.mean[i] = (trial.v[i] - v[i]) / half


@kernel
def drift(model, h, q, trial):
    """Where a drift of h leads; whether that is a place."""
    for i in range(trial.v.size):
        trial.move[i] = h * trial.v[i]
    integrate(model.topology, q, trial.move, trial.q)
    return finite(trial.v) and finite(trial.q)


@kernel
def closes(model, loops, work, bilateral, h, trial):
    """Whether loops are closed at the end of the drift; if not, the next pass aims better."""
    if place(model.topology, model.links, trial.q, work):
        residuals(model, loops, work, trial.q, bilateral)
        if most_open(bilateral) <= CLEAN:
            return True
        aim_again(bilateral, h)
    return False


@kernel
def set_out(block, pieces, clock, pace, model, loops, ahead, response, bilateral, applied, q, v, trial, h, again):
    """The kick at the beginning of a step of length h in s, and the drift, into `trial`; answers a status."""
    half = 0.5 * h
    guess(0 if again else clock[REGULAR], trial)
    if any_loops(bilateral):
        aim(bilateral, half)
    for i in range(v.size):
        trial.v[i] = v[i] + half * trial.mean[i]
    before = first = 0.0
    for k in range(PASSES):
        evaluate(model, response, q, trial.v, applied, trial)
        for i in range(v.size):
            trial.v_free[i] = v[i] + half * trial.a[i]
        status = pushed(block, pieces, clock, pace, bilateral, BEGIN, half)
        if status != GOOD:
            return status
        moved, fastest = compare(v, trial)
        if k == 1 and before > 0.0:
            pace[SHRINK] = max(moved / before, LEAST_SHRINK)
        settled = moved * pace[SHRINK] <= SETTLED * fastest
        settled = settled or (k > 0 and moved <= ROUND_OFF * fastest and moved > 0.5 * before)
        before = moved
        if k == 0:
            first = moved
        elif k == TRIAL and moved > PROMISE * first:
            return UNSETTLED
        if settled or any_loops(bilateral):
            accept_kick(v, half, trial)
            if not drift(model, h, q, trial):
                return TOO_FAST
            settled = (not any_loops(bilateral) or closes(model, loops, ahead, bilateral, h, trial)) and settled
        else:
            mix(trial, k == 0)
        if settled:
            if k == 0:
                pace[SHRINK] = min(DISTRUST * pace[SHRINK], 1.0)
            return GOOD
    return UNSETTLED


# ---- the kick at the end --------------------------------------------------------------------------------------------------


@kernel
def take_impulses(touching, count, size, impulse):
    """Contacts that push are held; what they push with is added to what they did."""
    for i in range(count):
        touching.held[i] = 1 if impulse[size * i] > 0.0 else 0
        for r in range(size * i, size * (i + 1)):
            touching.impulse[r] += impulse[r]


@kernel
def arrive(block, pieces, clock, pace, model, response, bilateral, touching, applied, q, v, trial, h):
    """The kick at the end of a step of length h in s: v, from v_half in it. Answers a status."""
    half = 0.5 * h
    evaluate(model, response, q, v, applied, trial)
    for i in range(v.size):
        trial.free[i] = trial.a[i]
        trial.v_free[i] = v[i] + half * trial.a[i]
    status = pushed(block, pieces, clock, pace, bilateral, END, half)
    if status != GOOD:
        return status
    for i in range(v.size):
        for k in range(TURNS - 1, 0, -1):
            trial.turns[k, i] = trial.turns[k - 1, i]
        trial.turns[0, i] = trial.mean[i] - trial.end[i]
        if half > 0.0:
            trial.end[i] = (trial.v_free[i] - v[i]) / half
        v[i] = trial.v_free[i]
    take_impulses(touching, clock[COUNT], clock[SIZE], trial.impulse)
    return GOOD
