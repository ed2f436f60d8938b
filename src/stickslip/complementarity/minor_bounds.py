"""Principal minors in floating point, each with a bound on its error, so that what they say of a sign can be relied on.

A principal minor is the product of the pivots on the way to it, each the diagonal entry of a Schur complement. All sets of rows
that begin with the same rows share these pivots (Tsatsomeros and Li's recursion: as many Schur complements as there are sets,
most of them small). Beside the Schur complements Q (depths, n, n) stand bounds E of the same shape: |Q - exact| <= E. Where a
pivot is not farther from zero than its bound the kernels stop and say so; what overflows has no bound, and ends there, too.
"""

import numpy as np

from stickslip.complementarity.kernel import entry, kernel

UNIT = 2.0**-52  # twice the largest relative error of one operation
SMALLEST = 2.0**-1000  # larger than any error by underflow
GROWTH = 1.0 + 2.0**-48  # larger than the rounding of a bound itself

ALL_POSITIVE, NOT_POSITIVE, IN_DOUBT, UNFINISHED = 0, 1, 2, 3


@kernel
def judge(pivot, error):
    """What a pivot says of its sign."""
    if pivot - error > 0.0:
        return ALL_POSITIVE
    return NOT_POSITIVE if pivot + error <= 0.0 else IN_DOUBT


@kernel
def eliminate(Q, E, source, target, k):
    """The Schur complement of pivot k, beyond k, and its bounds; from one depth to another, or in its own place."""
    n = Q.shape[1]
    pivot, doubt = Q[source, k, k], E[source, k, k]
    least = pivot - doubt
    for i in range(k + 1, n):
        factor = Q[source, i, k] / pivot
        size = abs(factor)
        error = ((E[source, i, k] + size * doubt) / least + 2.0 * UNIT * size + SMALLEST) * GROWTH
        for j in range(k + 1, n):
            top, top_error = Q[source, k, j], E[source, k, j]
            value = Q[source, i, j] - factor * top
            bound = E[source, i, j] + size * top_error + error * (abs(top) + top_error) + UNIT * abs(value) + SMALLEST
            Q[target, i, j] = value
            E[target, i, j] = bound * GROWTH


@entry
def leading_minors(Q, E):
    """(verdict, k) on the leading minors of Q[0], up to the first that is not certainly positive.

    Q and E (1, n, n) are overwritten.
    """
    n = Q.shape[1]
    for k in range(n):
        verdict = judge(Q[0, k, k], E[0, k, k])
        if verdict != ALL_POSITIVE:
            return verdict, k
        eliminate(Q, E, 0, 0, k)
    return ALL_POSITIVE, n


@entry
def principal_minors(Q, E, place, depth, limit):
    """(verdict, depth) on the principal minors of Q[0], from the set of rows place[0] < ... < place[depth] on, depth first.

    Ends at a set whose minor is not certainly positive, or after `limit` steps, and can be taken up again: place (n + 1,) is
    zero at first, and place[depth] must be raised by one before what stands below it is left out. Q and E are (n, n, n).
    """
    n = Q.shape[1]
    for _ in range(limit):
        k = place[depth]
        if k == n:
            if depth == 0:
                return ALL_POSITIVE, depth
            depth -= 1
            place[depth] += 1
            continue
        verdict = judge(Q[depth, k, k], E[depth, k, k])
        if verdict != ALL_POSITIVE:
            return verdict, depth
        if k + 1 == n:
            place[depth] += 1
        else:
            eliminate(Q, E, depth, depth + 1, k)
            depth += 1
            place[depth] = k + 1
    return UNFINISHED, depth


def with_bounds(M, error, depths):
    """(Q, E) with room for `depths` Schur complements, the first of them M (n, n), known to `error` (n, n)."""
    n = len(M)
    Q, E = np.empty((depths, n, n)), np.empty((depths, n, n))
    Q[0], E[0] = M, error
    return Q, E
