"""The loop of an integrator: a machine that stops where somebody has to decide, and goes on from there.

It answers EVENT with the state on the root of a guard, NEED_CONTROL where somebody wants to change what flows, FULL when its
record is, and DONE. A step in which a guard crosses zero is repeated, shorter, until it ends on the root.
"""

from math import inf, isfinite

from stickslip.complementarity.kernel import kernel
from stickslip.dynamics.piece import piece
from stickslip.simulate.integrate_guards import (
    INVALID,
    begin_guards,
    end_sides,
    fire_at_end,
    fire_inside,
    fire_leaving,
    is_past,
    look_at_end,
    search,
    slope,
)
from stickslip.simulate.integrate_parts import (
    ACCEPTED,
    BEFORE,
    DONE,
    END,
    EVENT,
    FRESH,
    FULL,
    LAST,
    LOCATION,
    LONGEST,
    NEED_CONTROL,
    NEXT,
    NO_GUARD,
    NOT_FINITE,
    NOW,
    REFUSED,
    REJECTED,
    SAMPLES,
    STATE,
    STEP,
    TOO_SHORT,
    UNTIL,
    integration_at,
)
from stickslip.simulate.integrate_step import (
    LEAST_ERROR,
    attempt,
    first_step,
    next_factor,
    rate,
    retry_factor,
)

RESOLUTION = 2.3e-16  # of a float64
LEAST_TICKS = 4.0  # of the clock in a step
REPEATS = 10  # of a step that is to end on a root
STRAY = 0.1  # part of it by which a repetition may be longer or shorter
STRETCH = 1.01  # a step that leaves less than a hundredth of itself to do does it


@kernel
def finite_rates(s):
    for i in range(s.y.shape[1]):
        if not (isfinite(s.y[STATE, i]) and isfinite(s.rates[0, i])):
            return False
    return True


@kernel
def begin(s):
    """What must be known before the first step of a flow; answers DONE, EVENT if there is one at once, or what is wrong."""
    s.clock[FRESH] = 0
    rate(s, s.pace[NOW], STATE, 0)
    if not finite_rates(s):
        return NOT_FINITE
    if s.watch.size > 0:
        if not begin_guards(s):
            return NO_GUARD
        if fire_inside(s):
            s.clock[FRESH] = 1
            return EVENT
    least = LEAST_TICKS * RESOLUTION * abs(s.pace[NOW])
    s.pace[STEP] = max(first_step(s, min(s.pace[LONGEST], s.pace[END] - s.pace[NOW])), least)
    s.pace[BEFORE] = LEAST_ERROR
    s.clock[REFUSED] = 0
    return DONE


@kernel
def record(s, now):
    """The end of a step, and how it got there."""
    row, n = s.clock[SAMPLES], s.y.shape[1]
    s.samples[row, 0] = now
    for i in range(n):
        s.samples[row, 1 + i] = s.y[NEXT, i]
        for part in range(3):
            s.bent[row, part * n + i] = s.bends[part, i]
    s.clock[SAMPLES] += 1
    s.clock[ACCEPTED] += 1


@kernel
def accept(s, now):
    """The end of the step becomes the state, and its last stage the first one of the next."""
    record(s, now)
    s.pace[NOW] = now
    for i in range(s.y.shape[1]):
        s.y[STATE, i] = s.y[NEXT, i]
        s.rates[0, i] = s.rates[6, i]


@kernel
def plan(s, h, found, cut):
    """The length of the next step, after one of length h that was accepted; one that was cut says little."""
    factor = next_factor(found, s.pace[BEFORE])
    if s.clock[REFUSED] == 1:
        factor = min(factor, 1.0)
    longer = h * factor
    s.pace[STEP] = min(max(longer, s.pace[STEP]) if cut else longer, s.pace[LONGEST])
    s.pace[BEFORE] = max(found, LEAST_ERROR)
    s.clock[REFUSED] = 0


@kernel
def end_on_root(block, s, h, most, k):
    """Repeat the step until it ends where guard k is zero, from a length h that is nearly right; answers its length.

    Zero if it meets values that are no numbers.
    """
    s.pace[BEFORE] = LEAST_ERROR
    for _ in range(REPEATS):
        found = attempt(block, h)
        if found == inf:
            return 0.0
        look_at_end(s, h)
        fall = slope(s, h, k)
        here = s.guards[LAST, k]
        if abs(here) <= 0.5 * s.pace[LOCATION] * abs(fall) or not isfinite(fall) or fall == 0.0:
            return h
        change = -here / fall
        longer = min(h + change, most)
        if abs(change) > STRAY * h or longer == h:
            return h
        h = longer
    return h


@kernel
def clock_after(now, h, stop):
    """The time after a step, which ends where it was meant to."""
    return stop if h >= stop - now else now + h


@piece
def advance(block):
    """Go on until something has to be decided; answers what."""
    s = integration_at(block)
    clock, pace = s.clock, s.pace
    guarded = s.watch.size > 0
    if clock[FRESH] == 1 and clock[SAMPLES] < s.samples.shape[0]:
        status = begin(s)
        if status != DONE:
            return status
    while True:
        now = pace[NOW]
        if now >= pace[END]:
            return DONE
        if now >= pace[UNTIL]:
            return NEED_CONTROL
        if clock[SAMPLES] >= s.samples.shape[0]:
            return FULL
        stop = min(pace[UNTIL], pace[END])
        h = pace[STEP]
        cut = STRETCH * h >= stop - now
        if cut:
            h = stop - now
        if now + h == now:
            return TOO_SHORT
        found = attempt(block, h)
        if found > 1.0:
            clock[REJECTED] += 1
            clock[REFUSED] = 1
            pace[STEP] = h * retry_factor(found)
            if pace[STEP] <= LEAST_TICKS * RESOLUTION * max(abs(now), pace[LOCATION]):
                return TOO_SHORT if isfinite(found) else NOT_FINITE
            continue
        theta, k = search(block, h) if guarded else (-1.0, -1)
        if k < 0:
            if theta == INVALID:
                return NO_GUARD
            accept(s, clock_after(now, h, stop))
            plan(s, h, found, cut)
            continue
        if theta == 0.0:
            fire_leaving(s)
            clock[FRESH] = 1
            return EVENT
        length = end_on_root(block, s, theta * h, stop - now, k)
        if length == 0.0:
            return NOT_FINITE
        event = is_past(s, length, k)
        if event:
            fire_at_end(s, length, k)
        end_sides(s)
        accept(s, clock_after(now, length, stop))
        if event:
            clock[FRESH] = 1
            return EVENT
