"""The smallest x that solves A x = b as well as can be: orthogonal factors with column pivots, which reveal the rank.

Contact systems are often singular (a box on four corners), and what equilibrium leaves open must not be made up: among all
steps the smallest one keeps the forces as they were.
"""

from math import sqrt

from stickslip.complementarity.kernel import kernel, routine

RANK_TOLERANCE = 1e-12  # usual `tolerance`: a column that is smaller, compared with the largest, depends on those before it


@routine
def least_change(columns, m, tolerance, b, norms, order, gram, x):
    """x[:m] of least length among those with the least |A x - b|; answers the rank. `columns[j]` is column j of A.

    All arguments but `m` are overwritten: columns (m, m), b, norms, order and x (m,), gram (m, m), of which parts are used.
    """
    rank = _factorise(columns, m, tolerance, b, norms, order)
    for i in range(rank - 1, -1, -1):  # basic solution, in b
        s = b[i]
        for j in range(i + 1, rank):
            s -= columns[j, i] * b[j]
        b[i] = s / columns[i, i]
    if rank < m:
        _take_null_part_out(columns, m, rank, b, gram)
    for j in range(m):
        x[order[j]] = b[j]
    return rank


@kernel
def _factorise(columns, m, tolerance, b, norms, order):
    """R in the upper triangle (columns[j, i] with i <= j), Q^T b in b; stops where no column adds to the rank."""
    for j in range(m):
        order[j] = j
        norms[j] = _square(columns, j, 0, m)
    first = 0.0
    for k in range(m):
        best = k
        for j in range(k + 1, m):
            if norms[j] > norms[best]:
                best = j
        length = sqrt(norms[best])
        first = length if k == 0 else first
        if not length > tolerance * first:
            return k
        _swap(columns, norms, order, k, best, m)
        pivot = columns[k, k]
        head = -length if pivot > 0.0 else length
        weight = 1.0 / (length * (length + abs(pivot)))  # the reflector is 1 - weight v v^T with v = column - head e_k
        columns[k, k] = pivot - head
        for j in range(k + 1, m):
            s = 0.0
            for i in range(k, m):
                s += columns[k, i] * columns[j, i]
            s *= weight
            columns[j, k] -= s * columns[k, k]
            left = 0.0
            for i in range(k + 1, m):
                columns[j, i] -= s * columns[k, i]
                left += columns[j, i] * columns[j, i]
            norms[j] = left
        s = 0.0
        for i in range(k, m):
            s += columns[k, i] * b[i]
        for i in range(k, m):
            b[i] -= weight * s * columns[k, i]
        columns[k, k] = head
    return m


@kernel
def _square(columns, j, start, m):
    s = 0.0
    for i in range(start, m):
        s += columns[j, i] * columns[j, i]
    return s


@kernel
def _swap(columns, norms, order, a, b, m):
    if a != b:
        for i in range(m):
            columns[a, i], columns[b, i] = columns[b, i], columns[a, i]
        order[a], order[b] = order[b], order[a]
        norms[a], norms[b] = norms[b], norms[a]


@kernel
def _take_null_part_out(columns, m, rank, x, gram):
    """x = (y, 0) becomes the shortest of its kind: (y + X a, -a) with (1 + X^T X) a = -X^T y and X = R11^-1 R12."""
    for j in range(rank, m):
        for i in range(rank - 1, -1, -1):
            s = columns[j, i]
            for l in range(i + 1, rank):
                s -= columns[l, i] * columns[j, l]
            columns[j, i] = s / columns[i, i]
    free = m - rank
    for p in range(free):
        s = 0.0
        for i in range(rank):
            s -= columns[rank + p, i] * x[i]
        x[rank + p] = s
        for q in range(p + 1):
            s = 1.0 if p == q else 0.0
            for i in range(rank):
                s += columns[rank + p, i] * columns[rank + q, i]
            for l in range(q):
                s -= gram[p, l] * gram[q, l]
            gram[p, q] = sqrt(s) if p == q else s / gram[q, q]
    for p in range(free):
        s = x[rank + p]
        for l in range(p):
            s -= gram[p, l] * x[rank + l]
        x[rank + p] = s / gram[p, p]
    for p in range(free - 1, -1, -1):
        s = x[rank + p]
        for l in range(p + 1, free):
            s -= gram[l, p] * x[rank + l]
        x[rank + p] = s / gram[p, p]
    for p in range(free):
        for i in range(rank):
            x[i] += columns[rank + p, i] * x[rank + p]
        x[rank + p] = -x[rank + p]
