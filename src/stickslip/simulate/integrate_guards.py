"""Where guards cross zero within a step: no crossing is skipped, however many there are.

On a part of the step each guard is evaluated at nine points. The quartic through every other of these values is written by
its five Bernstein coefficients, between whose least and largest it lies; the four values in between say how far the guard
is from it. Dense output is a quartic itself, so that guards which are linear in the state and in time are known exactly.
Another guard differs from its quartic by w(x) r(x), with w(x) = x (x - 1/4) (x - 1/2) (x - 3/4) (x - 1). Where r is a
cubic, as for guards that are quadratic in the state, four values of it say how large it is anywhere; no zero is missed
then. Other guards are nearly such ones on parts that are short enough.

A part in which the least coefficient is above the difference holds no zero. One whose coefficients fall by more than it can
holds at most one. Any other part is halved, and the left half is looked at first. Halving ends where a part is as short as
events are located; there the signs of its ends decide.

A guard that starts at zero, such as that of the event that has just been, is judged by where it goes: its zero at the start is
taken out.
"""

from math import isfinite

from stickslip.complementarity.kernel import kernel, routine
from stickslip.simulate.integrate_call import apply
from stickslip.simulate.integrate_parts import (
    ANY,
    BACK,
    GIVEN,
    GUARDS,
    INSIDE,
    LAST,
    LOCATION,
    LOOKS,
    NEXT,
    NODES,
    NOW,
    POINT,
    PROBE,
    RISING,
    STAGE,
    STATE,
    integration_at,
)
from stickslip.simulate.integrate_step import between

CLEAR, SPLIT, CROSSES, LEAVES = range(4)  # what may be said of a guard on a part of a step

# max |w|, and max |w'|, on a part of length one; |w| at one and at three eighths of it
W, W_SLOPE, W_1, W_3 = 0.00355, 0.09375, 105 / 32768, 45 / 32768
SPREAD = 6.0  # how much larger than its four values a cubic may be on the part
MARKOV = 18.0  # and how much steeper, then
DIFFERENCES = 0.25 * (W_SLOPE + W * MARKOV)  # what r may do to differences of coefficients, over max |r|

DEEPEST = 52  # halvings
MOST_PARTS = 4096  # of one step; a guard in doubt on more is nothing but rounding, and judged by the ends of parts

FINER = 1e-3  # a root on the dense output is found so much closer: it costs a look or two, and saves repetitions
LEAST_BACK, MOST_BACK = 1e-9, 1e-3  # part of a step over which the slope of a guard at its end is measured

NOTHING, INVALID = -1.0, -2.0  # answers of `search`


@kernel
def look(s, h, theta, row):
    """All guards at a part theta of the step of length h, into a row of `s.guards`."""
    between(s.y, s.bends, theta)
    apply(s.codes[GUARDS], s.pace[NOW] + theta * h, s.y, POINT, s.codes[GIVEN], s.guards, row)
    s.clock[LOOKS] += 1


@kernel
def look_at(s, t, state, row):
    """All guards at time t and a row of `s.y`, into a row of `s.guards`."""
    apply(s.codes[GUARDS], t, s.y, state, s.codes[GIVEN], s.guards, row)
    s.clock[LOOKS] += 1


@kernel
def look_everywhere(s, h, left, width):
    """All guards at the nine points of a part of the step."""
    for row in range(NODES):
        look(s, h, left + 0.125 * row * width, row)


@kernel
def bernstein(f0, f1, f2, f3, f4):
    """The inner Bernstein coefficients of the quartic through five values at equal distances; the outer ones are f0 and f4."""
    b1 = (-13 * f0 + 48 * f1 - 36 * f2 + 16 * f3 - 3 * f4) / 12
    b2 = (13 * f0 - 64 * f1 + 120 * f2 - 64 * f3 + 13 * f4) / 18
    b3 = (-3 * f0 + 16 * f1 - 36 * f2 + 48 * f3 - 13 * f4) / 12
    return b1, b2, b3


@kernel
def at_odd_eighths(f0, f1, f2, f3, f4):
    """The quartic through five values, one eighth and three eighths of the way from the first to the last."""
    at_1 = (35 * f0 + 140 * f1 - 70 * f2 + 28 * f3 - 5 * f4) / 128
    at_3 = (-5 * f0 + 60 * f1 + 90 * f2 - 20 * f3 + 3 * f4) / 128
    return at_1, at_3


@kernel
def remainder(f, k):
    """A bound on |r| of guard k."""
    f0, f1, f2, f3, f4 = f[0, k], f[2, k], f[4, k], f[6, k], f[8, k]
    at_1, at_3 = at_odd_eighths(f0, f1, f2, f3, f4)
    at_7, at_5 = at_odd_eighths(f4, f3, f2, f1, f0)
    outer = max(abs(f[1, k] - at_1), abs(f[7, k] - at_7))
    inner = max(abs(f[3, k] - at_3), abs(f[5, k] - at_5))
    return SPREAD * max(outer / W_1, inner / W_3)


@kernel
def heading(way, side, first):
    """The sign that makes the crossing which counts a fall."""
    if way == RISING:
        return -1.0
    if way == ANY and (first < 0.0 or (first == 0.0 and side < 0)):
        return -1.0
    return 1.0


@kernel
def judge(f, k, way, side, from_zero, tiny):
    """What guard k does on the part of the step whose values are in the rows of f."""
    f0, f1, f2, f3, f4 = f[0, k], f[2, k], f[4, k], f[6, k], f[8, k]
    sign = heading(way, side, f0)
    before = sign * side
    f0, f1, f2, f3, f4 = sign * f0, sign * f1, sign * f2, sign * f3, sign * f4
    r = remainder(f, k)
    doubt = W * r
    if from_zero or f0 * before < 0.0:  # rounding may tell the end of one step from the beginning of the next
        b1, b2, b3 = bernstein(0.0, f1 - f0, f2 - f0, f3 - f0, f4 - f0)
        if min(b1, b2, b3, f4 - f0) > W_SLOPE * r:
            return CLEAR
        if max(b1, b2, b3, f4 - f0) < -W_SLOPE * r or (tiny and f4 < f0):
            return LEAVES if before >= 0 and not (way == ANY and side == 0) else CLEAR
        return CLEAR if tiny else SPLIT
    b1, b2, b3 = bernstein(f0, f1, f2, f3, f4)
    if f0 > 0.0 and min(b1, b2, b3, f4) > doubt:
        return CLEAR
    if f0 < 0.0 and max(b1, b2, b3, f4) < -doubt:
        return CLEAR
    if min(b1 - f0, b2 - b1, b3 - b2, f4 - b3) > DIFFERENCES * r:
        return CLEAR
    if f0 > 0.0 and f4 < 0.0 and (tiny or max(b1 - f0, b2 - b1, b3 - b2, f4 - b3) < -DIFFERENCES * r):
        return CROSSES
    return CLEAR if tiny else SPLIT


@kernel
def valid(f, k):
    """Whether a guard is a number everywhere; infinity is one if it stays."""
    for row in range(NODES):
        if f[row, k] != f[row, k]:
            return False
    return True


@kernel
def never(f, k):
    """Whether a guard is infinite everywhere: switched off."""
    for row in range(NODES):
        if isfinite(f[row, k]):
            return False
    return True


@kernel
def judge_all(s, from_start, tiny):
    """Judge every guard on one part; answers the most urgent verdict, INVALID if a guard is none."""
    worst = CLEAR
    for k in range(s.watch.size):
        if not valid(s.guards, k):
            return -1
        verdict = CLEAR
        if not never(s.guards, k):
            from_zero = s.guards[0, k] == 0.0 or (from_start and s.zero[k] == 1)
            verdict = judge(s.guards, k, s.watch[k], s.side[k], from_zero, tiny)
        s.verdicts[k] = verdict
        if verdict == SPLIT:
            worst = SPLIT
        elif verdict != CLEAR and worst != SPLIT:
            worst = verdict
    return worst


@kernel
def pass_over(s, from_start):
    """Remember on which side the guards are at the end of a part without events."""
    for k in range(s.watch.size):
        first, last = s.guards[0, k], s.guards[NODES - 1, k]
        if from_start and s.zero[k] == 1:
            s.side[k] = s.side[k] if last == first else (1 if last > first else -1)
            s.zero[k] = 1 if last == first else 0
        elif last != 0.0:
            s.side[k] = 1 if last > 0.0 else -1


@kernel
def refine(s, h, k, left, right, at_left, at_right, close):
    """Where guard k crosses zero between two parts of the step, its values there having different signs (Illinois)."""
    theta = right
    for _ in range(100):
        if right - left <= close:
            return right
        theta = (left * at_right - right * at_left) / (at_right - at_left)
        if not (left < theta < right):
            theta = 0.5 * (left + right)
        if not (left < theta < right):
            return right
        look(s, h, theta, PROBE)
        value = s.guards[PROBE, k]
        if value == 0.0:
            return theta
        if (value > 0.0) == (at_left > 0.0):
            left, at_left, at_right = theta, value, 0.5 * at_right if abs(at_right) > 0.0 else at_right
        else:
            right, at_right, at_left = theta, value, 0.5 * at_left
    return theta


@kernel
def earliest(s, h, left, width, close):
    """The first crossing in a part in which no guard is in doubt; the guard is monotone a while before it."""
    first, found = left + width, -1
    for k in range(s.watch.size):
        if s.verdicts[k] == LEAVES:
            s.pace[BACK] = LEAST_BACK
            return left, k
        if s.verdicts[k] == CROSSES:
            theta = refine(s, h, k, left, left + width, s.guards[0, k], s.guards[NODES - 1, k], close)
            if theta < first or found < 0:
                first, found = theta, k
    s.pace[BACK] = min(max(0.01 * (first - left) / first, LEAST_BACK), MOST_BACK)
    return first, found


@routine
def search(block, h):
    """(part of the step at which the first crossing that counts is, its guard); (NOTHING, -1) or (INVALID, -1)."""
    s = integration_at(block)
    close = s.pace[LOCATION] / h
    level, part, parts = 0, 0, 0
    while True:
        parts += 1
        width = 0.5**level
        left = part * width
        look_everywhere(s, h, left, width)
        tiny = width <= 0.5 * close or level >= DEEPEST or parts > MOST_PARTS
        worst = judge_all(s, part == 0, tiny)
        if worst < 0:
            return INVALID, -1
        if worst == SPLIT:
            level, part = level + 1, 2 * part
            continue
        if worst != CLEAR:
            return earliest(s, h, left, width, FINER * close)
        pass_over(s, part == 0)
        part += 1
        while level > 0 and part % 2 == 0:
            level, part = level - 1, part // 2
        if level == 0 and part == 1:
            return NOTHING, -1


# ---- where a flow begins, and where it ends on a root -----------------------------------------------------------------


@kernel
def begin_guards(s):
    """On which side of zero each guard begins that is not known; a moment of flow tells whether it is at zero."""
    now, moment = s.pace[NOW], s.pace[LOCATION]
    for i in range(s.y.shape[1]):
        s.y[STAGE, i] = s.y[STATE, i] + moment * s.rates[0, i]
    look_at(s, now, STATE, LAST)
    look_at(s, now + moment, STAGE, PROBE)
    for k in range(s.watch.size):
        here, there = s.guards[LAST, k], s.guards[PROBE, k]
        if here != here or there != there:
            return False
        if s.zero[k] == 2:
            across = here == 0.0 or here * there <= 0.0
            s.zero[k] = 1 if across else 0
            s.side[k] = 0 if across else (1 if here > 0.0 else -1)
    return True


@kernel
def fire_inside(s):
    """Mark the guards that count as events where the flow begins; whether there are any."""
    found = False
    for k in range(s.watch.size):
        inside = s.watch[k] == INSIDE and s.zero[k] == 0 and s.side[k] < 0
        s.fired[k] = 2 if inside else 0
        found = found or inside
    return found


@kernel
def fire_leaving(s):
    """Mark the guards that leave zero at once."""
    for k in range(s.watch.size):
        s.fired[k] = 1 if s.verdicts[k] == LEAVES else 0


@kernel
def look_at_end(s, h):
    """The guards at the end of a step, and shortly before, into rows LAST and PROBE."""
    look(s, h, 1.0 - s.pace[BACK], PROBE)
    look_at(s, s.pace[NOW] + h, NEXT, LAST)


@kernel
def slope(s, h, k):
    """Of guard k at the end of a step, from rows LAST and PROBE."""
    return (s.guards[LAST, k] - s.guards[PROBE, k]) / (s.pace[BACK] * h)


@kernel
def direction(s, k):
    """The sign that makes the crossing of guard k which counts a fall, given the side that it is on."""
    return heading(s.watch[k], s.side[k], float(s.side[k]))


@kernel
def is_past(s, h, k):
    """Whether guard k is at zero at the end of a step, or beyond: the step may have missed it by less than rounding."""
    here = s.guards[LAST, k]
    return direction(s, k) * here <= 0.0 or abs(here) <= s.pace[LOCATION] * abs(slope(s, h, k))


@kernel
def fire_at_end(s, h, main):
    """Mark the guards that are at zero where the step ends, and cross it in the way that counts."""
    for k in range(s.watch.size):
        here, rate, sign = s.guards[LAST, k], slope(s, h, k), direction(s, k)
        armed = sign * s.side[k] >= 0.0
        arrived = sign * here <= s.pace[LOCATION] * abs(rate) and sign * rate < 0.0
        s.fired[k] = 1 if k == main or (armed and arrived) else 0


@kernel
def end_sides(s):
    """Remember on which side the guards are at the end of a step, from row LAST."""
    for k in range(s.watch.size):
        if s.guards[LAST, k] != 0.0:
            s.side[k] = 1 if s.guards[LAST, k] > 0.0 else -1
        s.zero[k] = 0
