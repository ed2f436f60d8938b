"""The point of one complementary basis, from the data as given, and how well it solves the problem.

A complementary basis says of each pair which of z_i (active) and w_i may be other than zero. Its point comes from one dense
solve for the active z, with a pivot search that falls back on the whole remaining matrix where a column alone offers none, so
that the rank shows. What is returned is complementary and not negative by construction: all error is in w = A z + b.

The residual is measured as data and rounding allow it to be judged: for each row |w - A z - b|, relative to the sum of that
row's absolute terms; and, with the rounding of that very sum added, relative to the largest |b| (equilibrated). It is
the larger of the two, so that it does not depend on units, and a huge z cannot hide a wrong answer. Rows whose terms are
nothing but round-off are measured by what that round-off is left over from.

Scratch comes as one array of float64 `scratch` (4, n) and one of int64 `marks` (6, 2 n + 1), whose rows are named below: views
of them would cost more than the arithmetic of a single contact. Inner loops run over independent entries, never over one
sum, wherever that is possible, since only those are vectorised.
"""

import numpy as np

from stickslip.complementarity.kernel import kernel, routine

TOLERANCE = 1e-9  # the largest residual of a solution
POLISHED = 1e-12  # a residual that no refinement is needed for
HOPELESS = 1e-3  # a negative unknown beyond this part of the largest is no round-off: the basis is wrong
RANK = 1e-13  # pivots below this, relative to the largest entry of the equilibrated matrix, are round-off
FLOOR = 1e-13  # rows whose terms are smaller than this part of the largest |b|, in comparable units, are round-off
NEGLIGIBLE = 1e-6  # rows whose terms are smaller than this part of what they are left over from are measured by that
ROUND_OFF = 2.0**-52
WELL_SCALED = 2.0**13  # largest entries of rows and columns within this ratio need no scaling
SWEEPS = 12  # of the scaling

# How compiled solvers of complementarity problems end.
SOLVED, RAY, PIVOT_LIMIT, INACCURATE, WRONG, NOT_FINITE = 0, 1, 2, 3, 4, 5

ROWS, COLUMNS, X, LINE = 0, 1, 2, 3  # rows of `scratch`: the scaling of rows and columns, unknowns, and a line of anything
ACTIVE, ORDER, SWAPS = 0, 1, 2  # rows of `marks`: the active pairs, and the exchanges of columns and rows in the solve
SCRATCH, MARKS = 4, 6  # numbers of rows


@kernel
def larger(a, b):
    """The larger of two; Python's own max, which minds NaN and signs of zero, costs a multiple when compiled."""
    return a if a > b else b


@kernel
def smaller(a, b):
    """The smaller of two."""
    return a if a < b else b


# ---- the dense solve -------------------------------------------------------------------------------------------------


@routine
def search_everywhere(L, p, k, marks):
    """Bring the largest entry of what is left of L, from row and column k on, to column k; answers its row and size."""
    row, column, largest = k, k, 0.0
    for i in range(k, p):
        for j in range(k, p):
            if abs(L[i, j]) > largest:
                row, column, largest = i, j, abs(L[i, j])
    if column != k:
        marks[ORDER, k], marks[ORDER, column] = marks[ORDER, column], marks[ORDER, k]
        for i in range(p):
            L[i, k], L[i, column] = L[i, column], L[i, k]
    return row, largest


@kernel
def largest_below(L, p, k):
    """The row of the largest entry of column k from row k on, and its size."""
    row, size = k, abs(L[k, k])
    for i in range(k + 1, p):
        if abs(L[i, k]) > size:
            row, size = i, abs(L[i, k])
    return row, size


@kernel
def exchange_rows(L, p, k, row, scratch):
    """Rows k and `row` of L[:p, :p] and of the right-hand side X change places."""
    for j in range(p):
        L[k, j], L[row, j] = L[row, j], L[k, j]
    scratch[X, k], scratch[X, row] = scratch[X, row], scratch[X, k]


@kernel
def eliminate(L, p, k, scratch):
    """Clear column k below its pivot, and keep the multipliers there."""
    inverse = 1.0 / L[k, k]
    for i in range(k + 1, p):
        multiplier = L[i, k] * inverse
        for j in range(k + 1, p):
            L[i, j] -= multiplier * L[k, j]
        L[i, k] = multiplier
        scratch[X, i] -= multiplier * scratch[X, k]


@kernel
def factor(L, p, least, scratch, marks):
    """L[:p, :p] becomes its triangular factors, and the right-hand side X is reduced with it; answers the rank."""
    rank = p
    for k in range(p):
        if k < rank:
            row, size = largest_below(L, p, k)
            if not size > least:
                row, size = search_everywhere(L, p, k, marks)
            marks[SWAPS, k] = row
            if size > least:
                if row != k:
                    exchange_rows(L, p, k, row, scratch)
                eliminate(L, p, k, scratch)
            else:
                rank = k
    return rank


@kernel
def back_substitute(L, p, rank, scratch):
    """The unknowns X of the upper triangle from its right-hand side X; those beyond the rank are zero."""
    for k in range(rank, p):
        scratch[X, k] = 0.0
    for k in range(rank - 1, -1, -1):
        s = scratch[X, k]
        for j in range(k + 1, rank):
            s -= L[k, j] * scratch[X, j]
        scratch[X, k] = s / L[k, k]


@routine
def refine(A, b, count, rank, L, scratch, marks):
    """One step of iterative refinement of the active z, those within the rank; in the units of the equilibrated problem."""
    for i in range(count):
        row = marks[ACTIVE, i]
        s = b[row]
        for k in range(count):
            s += A[row, marks[ACTIVE, marks[ORDER, k]]] * scratch[COLUMNS, marks[ACTIVE, marks[ORDER, k]]] * scratch[X, k]
        scratch[LINE, i] = -s * scratch[ROWS, row]
    for k in range(rank):
        row = marks[SWAPS, k]
        scratch[LINE, k], scratch[LINE, row] = scratch[LINE, row], scratch[LINE, k]
    for k in range(count):
        for i in range(k + 1, count):
            scratch[LINE, i] -= L[i, k] * scratch[LINE, k]
    for k in range(rank - 1, -1, -1):
        s = scratch[LINE, k]
        for j in range(k + 1, rank):
            s -= L[k, j] * scratch[LINE, j]
        scratch[LINE, k] = s / L[k, k]
    for k in range(rank):
        scratch[X, k] += scratch[LINE, k]


# ---- the point and its residual --------------------------------------------------------------------------------------


@kernel
def put_point(count, scratch, marks, z, negligible):
    """z from the unknowns X; those below the `negligible` part of the largest are zero. Answers whether any is far below."""
    least, most = 0.0, 0.0
    for k in range(count):
        least, most = smaller(least, scratch[X, k]), larger(most, scratch[X, k])
    most = larger(most, -least)
    for i in range(z.size):
        z[i] = 0.0
    for k in range(count):
        j = marks[ACTIVE, marks[ORDER, k]]
        x = scratch[X, k]
        z[j] = x * scratch[COLUMNS, j] if x > negligible * most else 0.0
    return least < -HOPELESS * most


@kernel
def largest_constant(b, scratch):
    """The largest |b| of the scaled problem."""
    largest = 0.0
    for i in range(b.size):
        largest = larger(largest, abs(b[i]) * scratch[ROWS, i])
    return largest


@routine
def beyond_rounding(A, b, count, scratch, marks, z, least, rounding):
    """The largest error of a row relative to its terms, of rows whose error is no rounding of terms elsewhere."""
    by_row = 0.0
    for i in range(b.size):
        value = b[i]
        terms = abs(value)
        for k in range(count):
            term = A[i, marks[ACTIVE, k]] * z[marks[ACTIVE, k]]
            value += term
            terms += abs(term)
        error = abs(value) if z[i] > 0.0 else larger(-value, 0.0)
        if error * scratch[ROWS, i] > rounding and terms * scratch[ROWS, i] > least:
            by_row = larger(by_row, error / terms)
    return by_row


@kernel
def residual_of(A, b, count, scratch, marks, z, w, floor):
    """The residual of z (zero but for the active pairs, not negative), and the part that is no rounding of the sums themselves.

    w becomes what A z + b should be; what is nothing but round-off of its terms is zero. Where rows are in units that can be
    compared, those whose terms are below the part `floor` of the largest |b|, or whose error is one rounding of the largest
    term, are measured by the largest |b| only.
    """
    by_row, by_b, rounding, largest = 0.0, 0.0, 0.0, 0.0
    noise = (count + 1) * ROUND_OFF
    least = floor * largest_constant(b, scratch) if floor > 0.0 else 0.0
    for k in range(count):
        scratch[LINE, k] = z[marks[ACTIVE, k]]
    for i in range(b.size):
        value = b[i]
        terms = abs(value)
        scale = scratch[ROWS, i]
        largest = larger(largest, terms * scale)
        for k in range(count):
            term = A[i, marks[ACTIVE, k]] * scratch[LINE, k]
            value += term
            terms += abs(term)
        error = abs(value)
        w[i] = 0.0
        if z[i] == 0.0:
            error = larger(-value, 0.0)
            w[i] = value if value > noise * terms else 0.0
        if not terms < np.inf:
            return np.inf, np.inf
        if error > by_row * terms and terms * scale > least:
            by_row = error / terms
        by_b = larger(by_b, error * scale)
        rounding = larger(rounding, terms * scale)
    if largest == 0.0:
        return 0.0, 0.0
    rounding *= noise
    if floor > 0.0 and by_row > TOLERANCE:
        by_row = beyond_rounding(A, b, count, scratch, marks, z, least, rounding)
    return larger(by_row, (by_b + rounding) / largest), larger(by_row, by_b / largest)


@routine
def residual_beside_noise(A, b, count, rank, L, scratch, marks, z, floor):
    """The same where some rows have no terms but the round-off of z: these are measured by what that was left over from."""
    magnitudes(b, count, rank, L, scratch, marks)
    by_row, by_b, largest = 0.0, 0.0, largest_constant(b, scratch)
    rounding = (count + 1) * ROUND_OFF
    for i in range(b.size):
        value = b[i]
        terms = abs(value)
        before = terms
        scale = scratch[ROWS, i]
        for k in range(count):
            j = marks[ACTIVE, marks[ORDER, k]]
            value += A[i, j] * z[j]
            terms += abs(A[i, j]) * z[j]
            before += abs(A[i, j]) * scratch[COLUMNS, j] * scratch[LINE, k]
        error = abs(value) if z[i] > 0.0 else larger(-value, 0.0)
        if error > 0.0 and terms * scale > floor * largest:
            by_row = larger(by_row, error / larger(terms, NEGLIGIBLE * before))
        by_b = larger(by_b, (error + rounding * terms) * scale)
    return larger(by_row, by_b / largest)


@kernel
def magnitudes(b, count, rank, L, scratch, marks):
    """LINE becomes what the solve would give if nothing cancelled: the numbers whose round-off is left in the unknowns."""
    for k in range(count):
        scratch[LINE, k] = abs(b[marks[ACTIVE, k]] * scratch[ROWS, marks[ACTIVE, k]])
    for k in range(rank):
        row = marks[SWAPS, k]
        scratch[LINE, k], scratch[LINE, row] = scratch[LINE, row], scratch[LINE, k]
    for k in range(count):
        for i in range(k + 1, count):
            scratch[LINE, i] += abs(L[i, k]) * scratch[LINE, k]
    for k in range(rank, count):
        scratch[LINE, k] = 0.0
    for k in range(rank - 1, -1, -1):
        s = scratch[LINE, k]
        for j in range(k + 1, rank):
            s += abs(L[k, j]) * scratch[LINE, j]
        scratch[LINE, k] = s / abs(L[k, k])


@kernel
def gather(A, b, count, L, scratch, marks):
    """The equations of the active pairs, in L and X; answers their largest entry."""
    for i in range(count):
        scratch[LINE, i] = 0.0
        marks[ORDER, i] = i
    for i in range(count):
        row = marks[ACTIVE, i]
        scale = scratch[ROWS, row]
        for k in range(count):
            entry = A[row, marks[ACTIVE, k]] * scale * scratch[COLUMNS, marks[ACTIVE, k]]
            L[i, k] = entry
            scratch[LINE, k] = larger(scratch[LINE, k], abs(entry))
        scratch[X, i] = -b[row] * scale
    largest = 0.0
    for k in range(count):
        largest = larger(largest, scratch[LINE, k])
    return largest


@routine
def polish(A, b, count, rank, L, scratch, marks, z, w, floor):
    """Refine a point that is not exact to rounding; answers its residual, seen beside the noise of its unknowns."""
    refine(A, b, count, rank, L, scratch, marks)
    put_point(count, scratch, marks, z, 0.0)
    residual, _ = residual_of(A, b, count, scratch, marks, z, w, floor)
    if residual > TOLERANCE:
        residual = residual_beside_noise(A, b, count, rank, L, scratch, marks, z, floor)
    return residual


@routine
def basis_point(A, b, count, L, scratch, marks, z, w, floor):
    """z and w of the basis of the first `count` ACTIVE pairs; answers their residual.

    ROWS and COLUMNS of `scratch` scale the problem; L (n, n) or larger is scratch, too.
    """
    largest = gather(A, b, count, L, scratch, marks)
    rank = factor(L, count, RANK * largest, scratch, marks)
    back_substitute(L, count, rank, scratch)
    hopeless = put_point(count, scratch, marks, z, (count + 1) * ROUND_OFF)
    residual, error = residual_of(A, b, count, scratch, marks, z, w, floor)
    if not (error <= POLISHED or hopeless):
        residual = polish(A, b, count, rank, L, scratch, marks, z, w, floor)
    return residual


# ---- scaling ---------------------------------------------------------------------------------------------------------


@routine
def equilibrate(A, scratch):
    """ROWS and COLUMNS of `scratch` become powers of two by which A gets entries near one; False where it has such already."""
    n = A.shape[0]
    least, most = np.inf, 0.0
    for k in range(n):
        row, column = 0.0, 0.0
        for j in range(n):
            row, column = larger(row, abs(A[k, j])), larger(column, abs(A[j, k]))
        for largest in (row, column):
            if largest > 0.0:
                least, most = smaller(least, largest), larger(most, largest)
        scratch[ROWS, k] = 1.0
        scratch[COLUMNS, k] = 1.0
    if most <= WELL_SCALED * least:
        return False
    scale(A, scratch)
    return True


@routine
def scale(A, scratch):
    """Divide rows and columns by the roots of their largest entries, again and again."""
    n = A.shape[0]
    for _ in range(SWEEPS):
        for i in range(n):
            largest = 0.0
            for j in range(n):
                largest = larger(largest, abs(A[i, j]) * scratch[ROWS, i] * scratch[COLUMNS, j])
            if largest > 0.0:
                scratch[ROWS, i] /= np.sqrt(largest)
        for j in range(n):
            largest = 0.0
            for i in range(n):
                largest = larger(largest, abs(A[i, j]) * scratch[ROWS, i] * scratch[COLUMNS, j])
            if largest > 0.0:
                scratch[COLUMNS, j] /= np.sqrt(largest)
    for i in range(n):
        scratch[ROWS, i] = 2.0 ** np.rint(np.log2(scratch[ROWS, i]))
        scratch[COLUMNS, i] = 2.0 ** np.rint(np.log2(scratch[COLUMNS, i]))
