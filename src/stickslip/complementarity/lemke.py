"""Lemke's method: from a covering ray along almost complementary bases to a solution.

w = A z + b + d z0 is feasible for large z0; z0 is lowered until it is zero or a ray is met. The tableau holds the columns of
nonbasic variables only, n + 1 of them and the constants, and a pivot exchanges a row with a column. Ties are broken
lexicographically, as if b_j were b_j + eps^j, so that no basis comes back: the rows of the basis inverse that this needs are
columns of the tableau where w_j is nonbasic, and unit vectors where it is basic.

What the path ends on is only a basis. Its point is computed anew from the data, judged (basis.py), and mended where it fails
by round-off alone (mending.py). Where that is not enough the path is taken up again from that basis, with a tableau made
afresh, and then along other covering vectors.
"""

import numpy as np

from stickslip.complementarity.basis import (
    ACTIVE,
    COLUMNS,
    FLOOR,
    INACCURATE,
    LINE,
    NOT_FINITE,
    PIVOT_LIMIT,
    POLISHED,
    RAY,
    ROUND_OFF,
    ROWS,
    SOLVED,
    TOLERANCE,
    basis_point,
    equilibrate,
    larger,
    residual_of,
    smaller,
)
from stickslip.complementarity.kernel import entry, kernel, routine
from stickslip.complementarity.mending import mend

PIVOT = 1e-10  # entries of the entering column below this are round-off
TIE = 1e-12  # ratios that differ by less, relative to the largest |b|, are equal
SCALED, TAKEN_UP, ATTEMPTS = 0, 1, 5  # further attempts: equilibrated, from where the last one ended, other covering vectors
GOLDEN = 0.6180339887498949

RESIDUAL, PIVOTS, TRIES, COUNT = 0, 1, 2, 3  # entries of `figures`, what the kernel has to say
FIGURES = 4

LABELS, PLACE, TURNED = 3, 4, 5  # rows of `marks`, besides those that a basis needs


# ---- the tableau -----------------------------------------------------------------------------------------------------
# T (n + 2, n) holds one line for each nonbasic variable, n of a pair, the covering one, and the constants, so that the ratio
# test reads along lines. Labels of variables: j < n is basic in the beginning (w_j, or z_j where TURNED), n + j its complement,
# 2 n the covering z0. LABELS are those of the n basic variables, then of the nonbasic ones; PLACE of a label is its basic
# position, or -1 - its line.


@kernel
def exchange(T, scratch, marks, r, c):
    """The basic variable at r and the nonbasic one of line c change places."""
    lines, n = T.shape
    inverse = 1.0 / T[c, r]
    for i in range(n):
        scratch[LINE, i] = T[c, i]
        T[c, i] *= inverse
    T[c, r] = inverse
    for j in range(lines):
        if j != c:
            factor = -T[j, r] * inverse
            for i in range(n):
                T[j, i] += factor * scratch[LINE, i]
            T[j, r] = factor  # only now: vectors are slow to load what was just written as a single number
    marks[LABELS, r], marks[LABELS, n + c] = marks[LABELS, n + c], marks[LABELS, r]
    marks[PLACE, marks[LABELS, r]] = r
    marks[PLACE, marks[LABELS, n + c]] = -1 - c


@kernel
def fill(A, b, T, scratch, marks):
    """The tableau of w = A z + b, equilibrated and covered by ones; answers whether all of it is finite."""
    n = b.size
    nothing = 0.0
    for i in range(n):
        scale = scratch[ROWS, i]
        zeros = 0.0 * b[i]
        for j in range(n):
            T[j, i] = A[i, j] * scale * scratch[COLUMNS, j]
            zeros += 0.0 * A[i, j]
        nothing += zeros
        T[n, i] = 1.0
        T[n + 1, i] = b[i] * scale
        marks[TURNED, i] = 0
        marks[LABELS, i] = i
        marks[LABELS, n + i] = n + i
        marks[PLACE, i] = i
        marks[PLACE, n + i] = -1 - i
    marks[LABELS, 2 * n] = 2 * n
    marks[PLACE, 2 * n] = -1 - n
    return nothing == 0.0


@routine
def turn(T, scratch, marks, count):
    """Make z_j basic and w_j not, for the first `count` ACTIVE pairs, by the largest pivots, and name them anew.

    Answers False where their matrix is singular.
    """
    n = T.shape[1]
    for k in range(count):
        marks[TURNED, marks[ACTIVE, k]] = 1
    for i in range(n):
        T[n, i] = 0.0
    for _ in range(count):
        r, c, largest = -1, -1, PIVOT
        for j in range(n):
            label = marks[LABELS, n + j]
            if label >= n and marks[TURNED, label - n] == 1:
                for i in range(n):
                    if abs(T[j, i]) > largest and marks[LABELS, i] < n and marks[TURNED, marks[LABELS, i]] == 1:
                        r, c, largest = i, j, abs(T[j, i])
        if r < 0:
            return False
        exchange(T, scratch, marks, r, c)
    for i in range(n):
        marks[LABELS, i] %= n
        marks[LABELS, n + i] = n + marks[LABELS, n + i] % n
        marks[PLACE, marks[LABELS, i]] = i
        marks[PLACE, marks[LABELS, n + i]] = -1 - i
    return True


# ---- the path --------------------------------------------------------------------------------------------------------


@routine
def comes_first(T, marks, c, i, k):
    """Whether position i comes before position k in a tie of the ratio test on line c."""
    n = T.shape[1]
    a, d = 1.0 / T[c, i], 1.0 / T[c, k]
    for label in range(n):
        where = marks[PLACE, label]
        if where >= 0:
            if where == i or where == k:
                return where == k  # the ratio of the other is zero, which is less
        elif -1 - where != c:
            left, right = T[-1 - where, i] * a, T[-1 - where, k] * d
            if abs(left - right) > TIE * larger(1.0, abs(left) + abs(right)):
                return left < right
    return i < k


@kernel
def leaving(T, scratch, marks, c, tie):
    """The position of the variable that limits the one of line c, -1 where none does."""
    n = T.shape[1]
    largest = 1.0
    for i in range(n):
        largest = larger(largest, abs(T[c, i]))
    least = PIVOT * largest
    for i in range(n):
        slope = -T[c, i]
        ratio = larger(T[n + 1, i], 0.0) / slope
        scratch[LINE, i] = ratio if slope > least else np.inf
    ratio = np.inf
    for i in range(n):
        ratio = smaller(ratio, scratch[LINE, i])
    if ratio == np.inf:
        return -1
    covering = marks[PLACE, 2 * n]
    if scratch[LINE, covering] <= ratio + tie:
        return covering
    best = -1
    for i in range(n):
        if scratch[LINE, i] <= ratio + tie and (best < 0 or comes_first(T, marks, c, i, best)):
            best = i
    return best


@routine
def path(T, scratch, marks, limit):
    """Follow Lemke's path from a tableau with its covering line; answers how it ended and the number of pivots."""
    n = T.shape[1]
    r, lowest, scale = -1, 0.0, 0.0
    for i in range(n):
        scale = larger(scale, abs(T[n + 1, i]))
        if T[n + 1, i] < 0.0:
            depth = T[n + 1, i] / T[n, i]
            if r < 0 or depth < lowest or (depth == lowest and marks[LABELS, i] > marks[LABELS, r]):
                r, lowest = i, depth
    if r < 0:
        return SOLVED, 0
    c = n
    for pivots in range(1, limit + 1):
        left = marks[LABELS, r]
        exchange(T, scratch, marks, r, c)
        if left == 2 * n:
            return SOLVED, pivots
        c = -1 - marks[PLACE, left + n if left < n else left - n]
        r = leaving(T, scratch, marks, c, TIE * scale)
        if r < 0:
            return RAY, pivots
    return PIVOT_LIMIT, limit


@kernel
def put_active(T, scratch, marks, z):
    """ACTIVE become the pairs whose z is basic, and z the point of the tableau without its round-off; answers their number."""
    n = z.size
    count = 0
    negligible = 0.0
    for i in range(n):
        negligible = larger(negligible, abs(T[n + 1, i]))
    negligible *= (n + 1) * ROUND_OFF
    for j in range(n):
        z[j] = 0.0
        where = marks[PLACE, j if marks[TURNED, j] == 1 else n + j]
        if where >= 0:
            marks[ACTIVE, count] = j
            count += 1
            z[j] = T[n + 1, where] * scratch[COLUMNS, j] if T[n + 1, where] > negligible else 0.0
    return count


@kernel
def along(A, b, limit, T, scratch, marks, z, w, figures, floor):
    """Follow the path of the tableau at hand to its end, and judge the point there; answers a status."""
    ended, pivots = path(T, scratch, marks, limit)
    figures[PIVOTS] += pivots
    figures[COUNT] = 0.0
    if ended != SOLVED:
        return ended
    count = put_active(T, scratch, marks, z)
    figures[COUNT] = count
    figures[RESIDUAL], error = residual_of(A, b, count, scratch, marks, z, w, floor)
    if not error <= POLISHED:
        figures[RESIDUAL] = basis_point(A, b, count, T, scratch, marks, z, w, floor)
        figures[COUNT], figures[RESIDUAL] = mend(A, b, count, figures[RESIDUAL], T, scratch, marks, z, w, floor)
    return SOLVED if figures[RESIDUAL] <= TOLERANCE else INACCURATE


@routine
def persist(A, b, limit, T, scratch, marks, z, w, figures):
    """Where the plain attempt failed: equilibrated, from where that ended, and with covering vectors without a pattern."""
    ended = INACCURATE
    for attempt in range(ATTEMPTS):
        if attempt == SCALED:
            equilibrate(A, scratch)
        count = int(figures[COUNT])
        fill(A, b, T, scratch, marks)
        if attempt == TAKEN_UP and (count == 0 or not turn(T, scratch, marks, count)):
            continue
        for i in range(b.size):
            T[b.size, i] = 1.0 if attempt <= TAKEN_UP else 0.25 + (GOLDEN * (i + 1) * (attempt - TAKEN_UP)) % 1.0
        figures[TRIES] += 1.0
        ended = along(A, b, limit, T, scratch, marks, z, w, figures, FLOOR)
        if ended == SOLVED:
            break
    return ended


@kernel
def put_basis(marks, basis, figures):
    for j in range(basis.size):
        basis[j] = 0.0
    for k in range(int(figures[COUNT])):
        basis[marks[ACTIVE, k]] = 1.0


@kernel
def lemke(A, b, limit, T, scratch, marks, z, w, basis, figures):
    """A solution of w = A z + b >= 0, z >= 0, z.w = 0; answers a status, and says more in `figures`.

    At most `limit` pivots on each path. `basis` (n,) becomes 1 for active pairs. Scratch: T (n + 2, n), scratch (4, n), marks
    (6, 2 n + 1) int64.
    """
    for i in range(b.size):
        scratch[ROWS, i] = 1.0
        scratch[COLUMNS, i] = 1.0
    figures[PIVOTS] = 0.0
    figures[TRIES] = 1.0
    if not fill(A, b, T, scratch, marks):
        return NOT_FINITE
    ended = along(A, b, limit, T, scratch, marks, z, w, figures, 0.0)
    if ended != SOLVED:
        ended = persist(A, b, limit, T, scratch, marks, z, w, figures)
    put_basis(marks, basis, figures)
    return ended


@entry
def lemke_into(A, b, limit, T, scratch, marks, z, w, basis, figures):
    return lemke(A, b, limit, T, scratch, marks, z, w, basis, figures)
