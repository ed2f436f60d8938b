"""One step of the pair of Dormand and Prince, of orders 5 and 4, and its continuation between both ends, of order 4.

The seventh stage is the first one of the next step. With theta from 0 to 1 over a step of length h, the state is

    y(theta) = y0 + theta (D + (1 - theta) (B0 + theta (B1 + (1 - theta) B2)))

where D is the whole change, B0 and B1 make the rates at both ends those of the first and the seventh stage, and B2 is the
one combination of the stages that makes the error in between of order 5. Any other flow of order 5 at the end would do as well;
this pair has small errors for its work.
"""

from math import inf, isfinite, sqrt

from stickslip.complementarity.kernel import kernel, routine
from stickslip.simulate.integrate_call import apply
from stickslip.simulate.integrate_parts import (
    EVALUATIONS,
    GIVEN,
    NEXT,
    NOW,
    POINT,
    RATES,
    RELATIVE,
    STAGE,
    STATE,
    integration_at,
)

LEAST_FACTOR, MOST_FACTOR = 0.2, 10.0  # from one step to the next
SAFETY = 0.9
DAMPING = 0.04  # how much the error of the step before counts
LEAST_ERROR = 1e-4

ORDER = 5


@kernel
def rate(s, t, source, stage):
    """The rates at time t and a row of `s.y`, into a row of `s.rates`."""
    apply(s.codes[RATES], t, s.y, source, s.codes[GIVEN], s.rates, stage)
    s.clock[EVALUATIONS] += 1


@kernel
def stage_1(s, h, y, k):
    for i in range(y.shape[1]):
        y[STAGE, i] = y[STATE, i] + h * (1 / 5) * k[0, i]


@kernel
def stage_2(s, h, y, k):
    for i in range(y.shape[1]):
        y[STAGE, i] = y[STATE, i] + h * (3 / 40 * k[0, i] + 9 / 40 * k[1, i])


@kernel
def stage_3(s, h, y, k):
    for i in range(y.shape[1]):
        y[STAGE, i] = y[STATE, i] + h * (44 / 45 * k[0, i] - 56 / 15 * k[1, i] + 32 / 9 * k[2, i])


@kernel
def stage_4(s, h, y, k):
    for i in range(y.shape[1]):
        slope = 19372 / 6561 * k[0, i] - 25360 / 2187 * k[1, i] + 64448 / 6561 * k[2, i] - 212 / 729 * k[3, i]
        y[STAGE, i] = y[STATE, i] + h * slope


@kernel
def stage_5(s, h, y, k):
    for i in range(y.shape[1]):
        slope = 9017 / 3168 * k[0, i] - 355 / 33 * k[1, i] + 46732 / 5247 * k[2, i] + 49 / 176 * k[3, i]
        y[STAGE, i] = y[STATE, i] + h * (slope - 5103 / 18656 * k[4, i])


@kernel
def arrive(s, h, y, k):
    """The end of the step, of order 5."""
    for i in range(y.shape[1]):
        slope = 35 / 384 * k[0, i] + 500 / 1113 * k[2, i] + 125 / 192 * k[3, i]
        y[NEXT, i] = y[STATE, i] + h * (slope - 2187 / 6784 * k[4, i] + 11 / 84 * k[5, i])


@kernel
def error(s, h, y, k):
    """The difference of both orders at the end of the step, 1 being what is allowed; infinite if it is no number."""
    total, n = 0.0, y.shape[1]
    for i in range(n):
        slope = 71 / 57600 * k[0, i] - 71 / 16695 * k[2, i] + 71 / 1920 * k[3, i]
        slope += -17253 / 339200 * k[4, i] + 22 / 525 * k[5, i] - 1 / 40 * k[6, i]
        allowed = s.absolute[i] + s.pace[RELATIVE] * max(abs(y[STATE, i]), abs(y[NEXT, i]))
        total += (h * slope / allowed) ** 2
    return sqrt(total / n) if isfinite(total) else inf


@kernel
def bend(h, y, k, bends):
    """What the dense output needs besides both ends."""
    for i in range(y.shape[1]):
        change = y[NEXT, i] - y[STATE, i]
        bends[0, i] = h * k[0, i] - change
        bends[1, i] = change - h * k[6, i] - bends[0, i]
        slope = -12715105075 / 11282082432 * k[0, i] + 87487479700 / 32700410799 * k[2, i]
        slope += -10690763975 / 1880347072 * k[3, i] + 701980252875 / 199316789632 * k[4, i]
        bends[2, i] = h * (slope - 1453857185 / 822651844 * k[5, i] + 69997945 / 29380423 * k[6, i])


@routine
def attempt(block, h):
    """A step of length h from the present state, whose rates are known, into row NEXT; answers its error."""
    s = integration_at(block)
    y, k, now = s.y, s.rates, s.pace[NOW]
    stage_1(s, h, y, k)
    rate(s, now + h / 5, STAGE, 1)
    stage_2(s, h, y, k)
    rate(s, now + h * (3 / 10), STAGE, 2)
    stage_3(s, h, y, k)
    rate(s, now + h * (4 / 5), STAGE, 3)
    stage_4(s, h, y, k)
    rate(s, now + h * (8 / 9), STAGE, 4)
    stage_5(s, h, y, k)
    rate(s, now + h, STAGE, 5)
    arrive(s, h, y, k)
    rate(s, now + h, NEXT, 6)
    bend(h, y, k, s.bends)
    return error(s, h, y, k)


@kernel
def between(y, bends, theta):
    """The state at a part theta of the step, into row POINT."""
    rest = 1.0 - theta
    for i in range(y.shape[1]):
        inner = bends[0, i] + theta * (bends[1, i] + rest * bends[2, i])
        y[POINT, i] = y[STATE, i] + theta * (y[NEXT, i] - y[STATE, i] + rest * inner)


# ---- how long a step may be -------------------------------------------------------------------------------------------


@kernel
def next_factor(found, before):
    """By how much the next step may be longer than one that was accepted (a PI controller)."""
    shrink = max(found, 1e-30) ** (1 / ORDER - 0.75 * DAMPING) / max(before, LEAST_ERROR) ** DAMPING / SAFETY
    return min(max(1.0 / shrink, LEAST_FACTOR), MOST_FACTOR)


@kernel
def retry_factor(found):
    """By how much a step is shortened that was rejected."""
    return max(SAFETY * found ** (-1 / ORDER), LEAST_FACTOR) if isfinite(found) else 0.1


@kernel
def size_of(s, row, rates):
    """A row of the state, or of the rates, 1 being the error that is allowed."""
    total, n = 0.0, s.y.shape[1]
    for i in range(n):
        value = s.rates[row, i] if rates else s.y[row, i]
        total += (value / (s.absolute[i] + s.pace[RELATIVE] * abs(s.y[STATE, i]))) ** 2
    return sqrt(total / n)


@kernel
def first_step(s, longest):
    """A length for the first step, from how much the rates change over a short one (they are known in stage 0)."""
    n = s.y.shape[1]
    size, speed = size_of(s, STATE, False), size_of(s, 0, True)
    h = 0.01 * size / speed if size > 1e-5 and speed > 1e-5 else 1e-6
    h = min(h, longest)
    for i in range(n):
        s.y[STAGE, i] = s.y[STATE, i] + h * s.rates[0, i]
    rate(s, s.pace[NOW] + h, STAGE, 1)
    for i in range(n):
        s.rates[1, i] -= s.rates[0, i]
    change = size_of(s, 1, True) / h
    largest = max(speed, change)
    if not isfinite(largest):
        return h
    longer = (0.01 / largest) ** (1 / ORDER) if largest > 1e-15 else max(1e-6, 1e-3 * h)
    return min(100 * h, longer, longest)
