"""A polyhedron at one of its vertices: the simplex tableau on which signs are imposed, one after another.

The basic variables are affine in the nonbasic ones, which are all zero at the vertex:

    x[basic[r]] = sum over c of T[r, c] x[nonbasic[c]] + T[r, n]

`where` holds the row r of a basic variable and -1 - c of a nonbasic one. Every variable has a sign (`system.py`), and those of
the basic ones hold at the vertex. Asking for one more sign drives its variable towards zero along edges of the polyhedron;
where that gets stuck, the row of the variable proves that the sign cannot be had: all of its terms push the same way.
"""

from stickslip.complementarity.system import FREE, NEGATIVE, POSITIVE, ZERO, both
from stickslip.dynamics.kernel import kernel, routine

FEASIBLE = 1e-10  # by how much a scaled variable may have the wrong sign
SMALLEST_PIVOT = 1e-10  # scaled entries below this count as zero
ROUND_OFF = 1e-13  # and those below this part of the largest in their row or column
PATIENCE = 30  # steps without progress, after which Bland's rule sees to it that they end
MOST_STEPS = 50  # pivots, times rows and columns, before giving up

DONE = -1
UNBOUNDED = -2
GIVEN_UP = -3
# and a row, zero or more: the one that stops all progress


@kernel
def exchange(T, basic, nonbasic, where, r, c):
    """Make the variable of row r nonbasic and that of column c basic."""
    m, n = T.shape[0], T.shape[1] - 1
    inverse = 1.0 / T[r, c]
    for k in range(n + 1):
        T[r, k] *= -inverse
    T[r, c] = inverse
    for i in range(m):
        factor = T[i, c]
        if i != r and factor != 0.0:
            T[i, c] = 0.0
            for k in range(n + 1):
                T[i, k] += factor * T[r, k]
    left, entered = basic[r], nonbasic[c]
    basic[r], nonbasic[c] = entered, left
    where[entered], where[left] = r, -1 - c


@kernel
def negligible_in_row(T, r):
    """Entries of row r up to this size count as zero."""
    largest = 0.0
    for c in range(T.shape[1] - 1):
        largest = max(largest, abs(T[r, c]))
    return max(SMALLEST_PIVOT, ROUND_OFF * largest)


@kernel
def negligible_in_column(T, c):
    """Entries of column c up to this size count as zero."""
    largest = 0.0
    for i in range(T.shape[0]):
        largest = max(largest, abs(T[i, c]))
    return max(SMALLEST_PIVOT, ROUND_OFF * largest)


@kernel
def direction_of(sign, coefficient, towards, least):
    """+1 or -1: how a nonbasic variable may move so that coefficient x moves `towards`; 0 if it cannot. `least` is none."""
    if abs(coefficient) <= least or sign == ZERO:
        return 0
    way = 1 if coefficient * towards > 0.0 else -1
    return way if sign == FREE or sign == way else 0


@routine
def entering(T, nonbasic, sign, r, towards, careful):
    """(column, way) by which row r can be moved `towards` (+1 or -1), the steepest or, if `careful`, the first by name."""
    best, way = -1, 0
    least = negligible_in_row(T, r)
    for c in range(nonbasic.size):
        turn = direction_of(sign[nonbasic[c]], T[r, c], towards, least)
        if turn != 0:
            better = best < 0 or (nonbasic[c] < nonbasic[best] if careful else abs(T[r, c]) > abs(T[r, best]))
            if better:
                best, way = c, turn
    return best, way


@kernel
def room(sign, value, rate, least):
    """How far a basic variable can move at this rate before its sign fails; negative: for ever. A rate of `least` is none."""
    if abs(rate) <= least or sign == FREE:
        return -1.0
    if sign == ZERO:
        return 0.0
    if sign == POSITIVE:
        return max(value, 0.0) / -rate if rate < 0.0 else -1.0
    return max(-value, 0.0) / rate if rate > 0.0 else -1.0


@routine
def leaving(T, basic, sign, c, way, careful):
    """(row, step): the row that first stops column c moving along `way`; of several the largest entry, or the first by name."""
    n = T.shape[1] - 1
    best, step = -1, 0.0
    least = negligible_in_column(T, c)
    for i in range(T.shape[0]):
        reach = room(sign[basic[i]], T[i, n], way * T[i, c], least)
        if reach < 0.0:
            continue
        tie = best >= 0 and abs(reach - step) <= 1e-13 * (1.0 + step)
        better = basic[i] < basic[best] if careful else abs(T[i, c]) > abs(T[best, c])
        if best < 0 or (better if tie else reach < step):
            best, step = i, reach
    return best, step


@routine
def expel(T, basic, nonbasic, where, sign, r):
    """Make the variable of row r, which is zero, nonbasic, unless its row holds nothing that can move."""
    n = T.shape[1] - 1
    T[r, n] = 0.0
    best = -1
    for c in range(n):
        if sign[nonbasic[c]] != ZERO and abs(T[r, c]) > SMALLEST_PIVOT and (best < 0 or abs(T[r, c]) > abs(T[r, best])):
            best = c
    if best >= 0:
        exchange(T, basic, nonbasic, where, r, best)


@routine
def drive(T, basic, nonbasic, where, sign, variable, towards, to_zero):
    """Move a basic variable `towards` (+1 or -1), to zero if `to_zero`, else as far as it goes.

    DONE when it arrived at zero; UNBOUNDED if nothing stops it; its row if that cannot move on.
    """
    n = T.shape[1] - 1
    idle = 0
    for _ in range(MOST_STEPS * (T.shape[0] + n)):
        r = where[variable]
        if to_zero and abs(T[r, n]) <= FEASIBLE:  # something else stopped it there
            expel(T, basic, nonbasic, where, sign, r)
            return DONE
        careful = idle > PATIENCE
        c, way = entering(T, nonbasic, sign, r, towards, careful)
        if c < 0:
            return r
        stop, step = leaving(T, basic, sign, c, way, careful)
        if to_zero:
            reach = abs(T[r, n] / T[r, c])
            if stop < 0 or stop == r or reach <= step * (1.0 + 1e-12):
                stop, step = r, reach
        if stop < 0:
            return UNBOUNDED
        idle = 0 if step > 1e-13 else idle + 1
        exchange(T, basic, nonbasic, where, stop, c)
        if stop == r:
            return DONE
    return GIVEN_UP


@routine
def impose(T, basic, nonbasic, where, sign, variable, wanted):
    """Ask for one more sign. DONE, or the row that proves it impossible, or GIVEN_UP."""
    new = both(sign[variable], wanted)
    r = where[variable]
    if r >= 0 and new != FREE:
        value = T[r, T.shape[1] - 1]
        if (value > FEASIBLE and new != POSITIVE) or (value < -FEASIBLE and new != NEGATIVE):
            status = drive(T, basic, nonbasic, where, sign, variable, -1 if value > 0.0 else 1, True)
            if status != DONE:
                return status
        elif new == ZERO:
            expel(T, basic, nonbasic, where, sign, r)
    sign[variable] = new
    return DONE


@routine
def multipliers(T, where, r, scale, y):
    """The row's equation as a combination of the original ones: its coefficients at the variables that were basic at first."""
    for i in range(y.size):
        y[i] = -T[r, -1 - where[i]] / scale[i] if where[i] < 0 else (1.0 / scale[i] if where[i] == r else 0.0)
