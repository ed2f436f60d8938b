"""Time stepping with contacts (paper 2, section IV): steps that are cut where something collides, in compiled code.

    1. A step is attempted with the contacts that are closed at its beginning.
    2. If something else overlaps at its end, the step is cut where that began, the collision is resolved, and the rest of
       the step goes on from there.

The loop returns to Python only when its time is up, a record is full, or something is wrong.
"""

from math import sqrt

from stickslip.complementarity.kernel import kernel
from stickslip.contact.touch import FIRST, GAP, NUMBER, SECOND
from stickslip.dynamics.kinematics import GOOD
from stickslip.dynamics.piece import call, piece
from stickslip.impact.poisson import UNSOLVED, collide
from stickslip.simulate.bracket import is_point, narrow_bracket, never_open, next_try, open_bracket
from stickslip.simulate.closed_loops import any_loops
from stickslip.simulate.gathering import gather_afresh, settle_in
from stickslip.simulate.inputs import take_inputs
from stickslip.simulate.kicks import arrive, set_out, take_impulses
from stickslip.simulate.look import any_new, deepest, index_of, look_here, take
from stickslip.simulate.stepping import (
    COLLISIONS,
    CONTACTS,
    COUNT,
    CROWDED,
    EVENTS,
    EVERY,
    FOUND,
    GATHER,
    LAST,
    LAW,
    LIMIT,
    LONGEST,
    LOOK,
    MEET,
    NEW,
    NOW,
    PAUSED,
    RECORD_FULL,
    REGULAR,
    SAMPLES,
    SIZE,
    STALE,
    STARTED,
    STEP,
    STEPS,
    TOO_FAST,
    TOO_MANY,
    UNSETTLED,
    UNTIL,
    WARM,
    parts_at,
)

OVERLAP = 1e-10  # m: what is deeper than this at the end of a step is a collision within it
LOCATED = 1e-12  # m: gap at which a collision counts as located
APPROACH = 1e-9  # m/s: a contact that closes faster than this, and did not push before, collides
# After a collision it is that times the fastest velocity in it, if that is more than 1 m/s: impulses are not solved better.
MOST_TRIES = 200_000  # attempts for one step, collisions and the search for their times included
STRAY = 1e-8  # m: a contact may come that far off its surface in any step
ROUGH = 0.5  # and farther if the step bends its gap much more than it strays; else half the step is tried
SHORTEST = 1e-3  # of a step: no shorter one is tried for that, or because a longer one cannot be solved
GROWTH = 1.5  # a part that came out well is followed by one that is so much longer, up to the whole step
REST = 1e-12  # of a step: less than this is round-off of its length

# ---- columns of the records ---------------------------------------------------------------------------------------------
TIME = 0  # of `samples`; then q, v and tau. Of `events`, too
SAMPLE, OF_FIRST, OF_SECOND, OF_NUMBER, OF_GAP, OF_HELD, OF_SLIP, OF_FORCE = range(8)  # of `contacts`
EVENT_IDENTITY, EVENT_HELD, EVENT_IMPULSE = 1, 4, 5  # of `events`: shapes and number; whether it pushed before; impulse
EVENT_ENERGY = EVENT_IMPULSE + 3  # and what that does to the energy, in J
CONTACT_WIDTH, EVENT_WIDTH = OF_FORCE + 3, EVENT_ENERGY + 1


# ---- what is recorded -----------------------------------------------------------------------------------------------------


@kernel
def put_identity(touching, i, table, row, column):
    table[row, column] = float(touching.identities[i, FIRST])
    table[row, column + 1] = float(touching.identities[i, SECOND])
    table[row, column + 2] = float(touching.identities[i, NUMBER])


@kernel
def work_of(touching, response, total, i, size, rows):
    """What the impulse of contact i does, in J: it acts at the mean of the velocities before and after."""
    G = response.G[: rows * rows].reshape(rows, rows)
    work = 0.0
    for r in range(size * i, size * i + size):
        mean = touching.velocity[r]
        for c in range(rows):
            mean += 0.5 * G[r, c] * total[c]
        work += total[r] * mean
    return work


@kernel
def record_collision(events, clock, time, touching, response, size, total):
    """One row for each contact that was hit; answers False, and leaves the rest out, where there is no room for more."""
    for i in range(clock[COUNT]):
        row = clock[EVENTS]
        if total[size * i] > 0.0:
            if row == events.shape[0]:
                return False
            events[row, TIME] = time
            put_identity(touching, i, events, row, EVENT_IDENTITY)
            events[row, EVENT_HELD] = float(touching.held[i])
            for r in range(size):
                events[row, EVENT_IMPULSE + r] = total[size * i + r]
            events[row, EVENT_ENERGY] = work_of(touching, response, total, i, size, size * clock[COUNT])
            clock[EVENTS] += 1
    return True


@kernel
def slip_speed(touching, v, i, size):
    """How fast contact i slips, in m/s; in the plane with its sign."""
    x = y = 0.0
    for k in range(v.size):
        x += touching.J[size * i + 1, k] * v[k]
        if size == 3:
            y += touching.J[size * i + 2, k] * v[k]
    return x if size == 2 else sqrt(x * x + y * y)


@kernel
def record_sample(record, clock, time, h, touching, q, v, tau):
    """The state, the inputs, and the mean forces in the step of length h in s that led to it, collisions apart."""
    row, size = clock[SAMPLES], clock[SIZE]
    record.samples[row, TIME] = time
    for i in range(q.size):
        record.samples[row, 1 + i] = q[i]
    for i in range(v.size):
        record.samples[row, 1 + q.size + i] = v[i]
    for i in range(tau.size):
        record.samples[row, 1 + q.size + v.size + i] = tau[i]
    for i in range(clock[COUNT]):
        if touching.pressed[i] == 1:
            continue
        place = clock[CONTACTS]
        record.contacts[place, SAMPLE] = float(row)
        put_identity(touching, i, record.contacts, place, OF_FIRST)
        record.contacts[place, OF_GAP] = touching.touches[i, GAP]
        record.contacts[place, OF_HELD] = float(touching.held[i])
        record.contacts[place, OF_SLIP] = slip_speed(touching, v, i, size)
        for r in range(size):
            record.contacts[place, OF_FORCE + r] = touching.impulse[size * i + r] / h
        clock[CONTACTS] += 1
    clock[SAMPLES] += 1


@kernel
def has_room(record, clock, most):
    """Whether one more step can be recorded, with as many contacts as there can be, and collisions in half of their room."""
    return (
        clock[SAMPLES] < record.samples.shape[0]
        and clock[CONTACTS] + most <= record.contacts.shape[0]
        and 2 * clock[EVENTS] <= record.events.shape[0]
    )


# ---- collisions -----------------------------------------------------------------------------------------------------------


@kernel
def approaches(touching, count, size, fastest):
    """Whether anything that did not push before comes closer though its gap is closed."""
    for i in range(count):
        if touching.held[i] == 0 and touching.velocity[size * i] < -APPROACH * max(1.0, fastest):
            return True
    return False


@kernel
def fastest_of(touching, rows):
    """The largest velocity of the contacts' rows."""
    fastest = 0.0
    for r in range(rows):
        fastest = max(fastest, abs(touching.velocity[r]))
    return fastest


@piece
def meet(block):
    """New contacts are gathered with the old ones, and whatever approaches among them collides; answers a status."""
    s = parts_at(block)
    clock, size = s.clock, s.clock[SIZE]
    fastest = 0.0
    for _ in range(MOST_TRIES):
        clock[NEW] = 1
        status = call(s.pieces[GATHER], block)
        clock[NEW] = 0
        if status != GOOD or not approaches(s.touching, clock[COUNT], size, fastest):
            return status
        fastest = max(fastest, fastest_of(s.touching, size * clock[COUNT]))
        clock[WARM] = 0
        status = collide(s.touching, clock[COUNT], size, s.response, s.lcp, s.v, s.trial.impulse, s.total, s.pieces[LAW], block)
        if status != GOOD:
            return status
        clock[COLLISIONS] += 1
        clock[REGULAR] = 0
        if not record_collision(s.record.events, clock, s.pace[NOW], s.touching, s.response, size, s.total):
            return TOO_MANY
    return TOO_MANY


# ---- the loop -------------------------------------------------------------------------------------------------------------


@kernel
def any_constraints(clock, joints, bilateral):
    """Whether there is anything that needs gathering."""
    return clock[FOUND] > 0 or clock[COUNT] > 0 or joints.rubbing.size > 0 or any_loops(bilateral)


@kernel
def begin_run(block, pieces, clock, model, joints, looking, response, bilateral, q, trial):
    """What touches where a run begins; answers a status."""
    found = look_here(block, pieces, clock, q, trial)
    if found < 0:
        return found
    status = settle_in(model, looking, response)
    if status == GOOD and any_constraints(clock, joints, bilateral):
        status = call(pieces[MEET], block)
    clock[STALE] = 0
    return status


@kernel
def accept(touching, count, size, trial, q, v):
    """The trial's end becomes the state; contacts that pushed are held."""
    take(trial.q, q)
    take(trial.v, v)
    take_impulses(touching, count, size, trial.impulse)


@kernel
def land(block, pieces, clock, pace, model, joints, looking, touching, response, bilateral, applied, q, v, trial, h):
    """A step, or a part of one, of length h ends where the trial does; answers a status."""
    count = clock[COUNT]
    accept(touching, count, clock[SIZE], trial, q, v)
    status = settle_in(model, looking, response)
    if status != GOOD:
        return status
    new = any_new(looking, clock[FOUND], touching, count)
    regular = h == pace[STEP]
    if any_constraints(clock, joints, bilateral):
        status = call(pieces[GATHER], block)
        if status != GOOD:
            return status
        regular = regular and clock[WARM] == 1
        new = new or any_new(looking, clock[FOUND], touching, clock[COUNT])  # a projection may close others
    status = arrive(block, pieces, clock, pace, model, response, bilateral, touching, applied, q, v, trial, h)
    clock[REGULAR] = clock[REGULAR] + 1 if regular else 0
    return call(pieces[MEET], block) if status == GOOD and new else status


@kernel
def strays(looking, found, touching, count, size, impulse, h):
    """Whether the trial, of length h, is too long for the shape of a contact: it keeps its gap to third order."""
    for i in range(found):
        k = index_of(looking.identities, i, touching.identities, count)
        if k >= 0:
            gap = looking.touches[i, GAP]
            off = abs(gap) if impulse[size * k] > 0.0 else -gap
            if off > STRAY and off > ROUGH * 0.5 * h * h * abs(touching.drift[size * k]):
                return True
    return False


@kernel
def step(block, s):
    """One whole step, collisions and all; answers a status."""
    clock, pace, bracket = s.clock, s.pace, s.bracket
    end = pace[NOW] + pace[STEP]
    left = pace[STEP]
    h = min(left, pace[LIMIT])
    searching, afresh, tries = False, False, 0
    for r in range(clock[SIZE] * clock[COUNT]):
        s.touching.impulse[r] = 0.0
    for _ in range(MOST_TRIES):
        while clock[COUNT] > 0 and not searching and h > max(pace[LONGEST], SHORTEST * pace[STEP]):
            h *= 0.5
        status = set_out(
            block,
            s.pieces,
            clock,
            pace,
            s.model,
            s.loops,
            s.looking.work,
            s.response,
            s.bilateral,
            s.applied,
            s.q,
            s.v,
            s.trial,
            h,
            searching,
        )
        if status == UNSOLVED and not (searching or afresh):
            afresh = True
            status = gather_afresh(block, s.pieces, clock, s.q, s.trial)
            if status != GOOD:
                return status
            continue
        if (status == UNSETTLED or status == TOO_FAST or status == UNSOLVED) and not searching and h > SHORTEST * pace[STEP]:
            h = pace[LIMIT] = 0.5 * h
            continue
        if status != GOOD:
            return status
        clock[FOUND] = call(s.pieces[LOOK], block)
        if clock[FOUND] < 0:
            return clock[FOUND]
        gap = deepest(s.looking, clock[FOUND], s.touching, clock[COUNT])
        if searching and not (abs(gap) <= LOCATED or is_point(bracket)):
            narrow_bracket(bracket, h, gap)
            tries += 1
            h = next_try(bracket, tries)
            continue
        if not searching and gap < -OVERLAP:
            open_bracket(bracket, h, gap)
            searching, tries = True, 0
            h = next_try(bracket, tries)
            continue
        if (
            not searching
            and h > SHORTEST * pace[STEP]
            and strays(s.looking, clock[FOUND], s.touching, clock[COUNT], clock[SIZE], s.trial.impulse, h)
        ):
            h = pace[LIMIT] = 0.5 * h
            continue
        if not searching and h >= pace[LIMIT]:
            pace[LIMIT] = GROWTH * h if GROWTH * h < pace[STEP] else float("inf")
        clock[CROWDED] = 1 if searching and never_open(bracket) else 0
        searching = False
        left = left - h if left - h > REST * pace[STEP] else 0.0
        pace[NOW] = end - left
        status = land(
            block,
            s.pieces,
            clock,
            pace,
            s.model,
            s.joints,
            s.looking,
            s.touching,
            s.response,
            s.bilateral,
            s.applied,
            s.q,
            s.v,
            s.trial,
            h,
        )
        if status != GOOD or left == 0.0:
            return status
        h, afresh = min(left, pace[LIMIT]), False
    return TOO_MANY


@piece
def run(block):
    """Steps until the clock shows as many as it is to; of every so many one is recorded. Answers how it returned."""
    s = parts_at(block)
    clock, pace = s.clock, s.pace
    pace[NOW] = pace[STARTED] + clock[STEPS] * pace[STEP]
    if clock[STALE] == 1:
        status = begin_run(block, s.pieces, clock, s.model, s.joints, s.looking, s.response, s.bilateral, s.q, s.trial)
        if status != GOOD:
            return status
    while clock[STEPS] < clock[UNTIL]:
        if not has_room(s.record, clock, s.touching.held.size):
            return RECORD_FULL
        status = take_inputs(clock, pace, s.inputs, s.applied, s.q, s.v)
        if status == GOOD:
            status = step(block, s)
        if status != GOOD:
            return status
        clock[STEPS] += 1
        pace[NOW] = pace[STARTED] + clock[STEPS] * pace[STEP]
        before = clock[CONTACTS]
        record_sample(s.record, clock, pace[NOW], pace[STEP], s.touching, s.q, s.v, s.inputs.tau)
        clock[LAST] = -1
        if clock[STEPS] % clock[EVERY] != 0:  # not kept, unless nothing follows
            clock[LAST] = clock[CONTACTS] - before
            clock[SAMPLES] -= 1
            clock[CONTACTS] = before
    return PAUSED
