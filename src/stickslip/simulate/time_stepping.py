"""Time stepping with contacts (paper 2, section IV): steps that are cut where something collides, in compiled code.

    1. A step is attempted with the contacts that are closed at its beginning.
    2. If something else overlaps at its end, the step is cut where that began, the collision is resolved, and the rest of
       the step goes on from there.

The loop returns to Python only when its time is up, a record is full, or something is wrong. Each of its parts is called at one
place only, because compiled code is copied to every place that it is called from.
"""

from math import sqrt

from stickslip.complementarity.kernel import entry, kernel, routine
from stickslip.contact.touch import FIRST, GAP, NUMBER, SECOND
from stickslip.dynamics.kinematics import GOOD
from stickslip.impact.poisson import collide
from stickslip.simulate.bracket import is_point, narrow_bracket, next_try, open_bracket
from stickslip.simulate.look import look
from stickslip.simulate.midpoint import attempt
from stickslip.simulate.refresh import approaches, deepest, refresh

OVERLAP = 1e-10  # m: what is deeper than this at the end of a step is a collision within it
LOCATED = 1e-12  # m: gap at which a collision counts as located
MOST_TRIES = 200_000  # attempts for one step, collisions and the search for their times included

# ---- how the loop returns ---------------------------------------------------------------------------------------------
PAUSED, RECORD_FULL = 0, 1
TOO_MANY = -22  # collisions in one step
# and what refresh, attempt and look answer

# ---- `clock`, int64: where the run stands ------------------------------------------------------------------------------
STEPS, COUNT, WARM, STALE, HIT, SAMPLES, CONTACTS, EVENTS, COLLISIONS = range(9)
CLOCK = 9

# ---- columns of the records ---------------------------------------------------------------------------------------------
TIME = 0  # of `samples`; then q and v. Of `events`, too
SAMPLE, OF_FIRST, OF_SECOND, OF_NUMBER, OF_GAP, OF_HELD, OF_SLIP, OF_FORCE = range(8)  # of `contacts`
EVENT_IDENTITY, EVENT_HELD, EVENT_IMPULSE = 1, 4, 5  # of `events`: shapes and number; whether it pushed before; impulse
CONTACT_WIDTH, EVENT_WIDTH = OF_FORCE + 3, EVENT_IMPULSE + 3


@kernel
def accept(touching, count, size, trial, q, v):
    """The trial's end becomes the state; contacts that pushed are held."""
    for i in range(q.size):
        q[i] = trial.q[i]
    for i in range(v.size):
        v[i] = trial.v[i]
    for i in range(count):
        touching.held[i] = 1 if trial.impulse[size * i] > 0.0 else 0
        for r in range(size):
            touching.impulse[size * i + r] = trial.impulse[size * i + r]


@kernel
def put_identity(touching, i, table, row, column):
    table[row, column] = float(touching.identities[i, FIRST])
    table[row, column + 1] = float(touching.identities[i, SECOND])
    table[row, column + 2] = float(touching.identities[i, NUMBER])


@kernel
def record_collision(events, clock, time, touching, size, total):
    """One row for each contact that was hit."""
    for i in range(clock[COUNT]):
        row = clock[EVENTS]
        if total[size * i] > 0.0 and row < events.shape[0]:
            events[row, TIME] = time
            put_identity(touching, i, events, row, EVENT_IDENTITY)
            events[row, EVENT_HELD] = float(touching.held[i])
            for r in range(size):
                events[row, EVENT_IMPULSE + r] = total[size * i + r]
            clock[EVENTS] += 1


@kernel
def slip_speed(touching, i, size):
    """How fast contact i slips, in m/s; in the plane with its sign."""
    x = touching.velocity[size * i + 1]
    if size == 2:
        return x
    y = touching.velocity[size * i + 2]
    return sqrt(x * x + y * y)


@kernel
def record_sample(record, clock, time, h, touching, size, q, v):
    """The state, and the forces of the last part of the step, of length h."""
    row = clock[SAMPLES]
    record.samples[row, TIME] = time
    for i in range(q.size):
        record.samples[row, 1 + i] = q[i]
    for i in range(v.size):
        record.samples[row, 1 + q.size + i] = v[i]
    for i in range(clock[COUNT]):
        if touching.pressed[i] == 1:
            continue
        place = clock[CONTACTS]
        record.contacts[place, SAMPLE] = float(row)
        put_identity(touching, i, record.contacts, place, OF_FIRST)
        record.contacts[place, OF_GAP] = touching.touches[i, GAP]
        record.contacts[place, OF_HELD] = float(touching.held[i])
        record.contacts[place, OF_SLIP] = slip_speed(touching, i, size)
        for r in range(size):
            record.contacts[place, OF_FORCE + r] = touching.impulse[size * i + r] / h
        clock[CONTACTS] += 1
    clock[SAMPLES] += 1


@kernel
def has_room(record, clock, most):
    """Whether one more step can be recorded, with as many contacts as there can be, each of them hit some times."""
    return (
        clock[SAMPLES] < record.samples.shape[0]
        and clock[CONTACTS] + most <= record.contacts.shape[0]
        and clock[EVENTS] + 4 * most <= record.events.shape[0]
    )


@routine
def step(
    model,
    scenery,
    joints,
    loops,
    looking,
    touching,
    before,
    response,
    bilateral,
    lcp,
    cone,
    trial,
    applied,
    q,
    v,
    time,
    dt,
    margin,
    clock,
    events,
    total,
    bracket,
):
    """One whole step dt from (q, v), collisions and all: the length of its last part, or a status below zero."""
    size = 2 if scenery.plane > 0 else 3
    left, s = dt, dt
    searching, ended = False, False
    tries = 0
    for _ in range(MOST_TRIES):
        if clock[STALE] == 1:
            before_count = clock[COUNT]
            count = refresh(
                model,
                scenery,
                joints,
                loops,
                looking,
                touching,
                before,
                before_count,
                size,
                response,
                bilateral,
                lcp,
                margin,
                q,
                v,
                trial,
            )
            if count < 0:
                return float(count)
            clock[COUNT], clock[STALE] = count, 0
            clock[WARM] = 1 if count == before_count and clock[HIT] == 0 else 0
            if count > 0 and (clock[HIT] == 1 or approaches(touching, count, size)):
                status = collide(touching, count, size, response, lcp, cone, v, trial.impulse, total)
                if status != GOOD:
                    return float(status)
                record_collision(events, clock, time + dt - left, touching, size, total)
                clock[COLLISIONS] += 1
                clock[STALE] = 1
            clock[HIT] = 0
            if clock[STALE] == 1:
                continue
            if ended:
                return s
            s = left
        count = clock[COUNT]
        status = attempt(
            model,
            loops,
            looking.work,
            touching,
            count,
            size,
            response,
            bilateral,
            lcp,
            cone,
            applied,
            s,
            q,
            v,
            trial,
            clock[WARM] == 1,
        )
        found = look(model, scenery, joints, looking, trial.q, margin) if status == GOOD else status
        if found < 0:
            return float(found)
        gap = deepest(looking, found, touching, count)
        if searching and not (abs(gap) <= LOCATED or is_point(bracket)):
            narrow_bracket(bracket, s, gap)
            tries += 1
            s = next_try(bracket, tries)
            continue
        if not searching and gap < -OVERLAP:
            open_bracket(bracket, s, gap)
            searching, tries = True, 0
            s = next_try(bracket, tries)
            continue
        clock[HIT] = 1 if searching else 0
        searching = False
        accept(touching, count, size, trial, q, v)
        clock[STALE] = 1
        left -= s
        ended = left <= 0.0
    return float(TOO_MANY)


@entry
def run_into(
    model,
    scenery,
    joints,
    loops,
    looking,
    touching,
    before,
    response,
    bilateral,
    lcp,
    cone,
    trial,
    applied,
    q,
    v,
    start,
    dt,
    margin,
    steps,
    every,
    clock,
    record,
    total,
    bracket,
):
    """Steps from the time `start` until clock[STEPS] is `steps`; of every so many one is recorded. Answers how it returned."""
    size = 2 if scenery.plane > 0 else 3
    while clock[STEPS] < steps:
        if not has_room(record, clock, touching.held.size):
            return RECORD_FULL
        time = start + clock[STEPS] * dt
        h = step(
            model,
            scenery,
            joints,
            loops,
            looking,
            touching,
            before,
            response,
            bilateral,
            lcp,
            cone,
            trial,
            applied,
            q,
            v,
            time,
            dt,
            margin,
            clock,
            record.events,
            total,
            bracket,
        )
        if h < 0.0:
            return int(h)
        clock[STEPS] += 1
        if clock[STEPS] % every == 0:
            time = start + clock[STEPS] * dt
            record_sample(record, clock, time, h, touching, size, q, v)
    return PAUSED
