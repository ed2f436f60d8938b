"""Bilateral constraints, taken out of the response before contacts look at it (paper 2, eqs 32 to 36).

In coordinates in which M is one, their rows J become Y = J R^-T, where M = R R^T. These are made orthonormal: Y = T Q with a
lower triangle T. Rows that earlier ones hold already are left out, for loops may be closed twice over. Then

    R^-T Q^T x        are the changes of velocity that their impulses can make; T x is what they do to the rows' rates
    Y - (Y Q^T) Q     is what is left of the row of a contact when nothing may move along them

so that contacts see G - G_cl K^+ G_lc, without K = Y Y^T and the square of its condition.
"""

from math import sqrt

from stickslip.complementarity.kernel import kernel, routine
from stickslip.dynamics.inertia_root import unwhiten, whiten

HELD = 1e-7  # part of a row that is left when what earlier rows hold is taken away: less is round-off, and no row of its own
LITTLE = 0.5  # part of a row that is left, below which rounding counts
NOTHING = 1e-12  # of the largest row: a row that small moves nothing

BEGIN, END = 0, 1  # columns of `span`: where a row of Q is other than zero


@kernel
def length_of(Y, r):
    s = 0.0
    for i in range(Y.shape[1]):
        s += Y[r, i] * Y[r, i]
    return sqrt(s)


@kernel
def span_of(Q, r):
    """Where row r is other than zero: from here, to before there."""
    first, last = 0, Q.shape[1]
    while first < last and Q[r, first] == 0.0:
        first += 1
    while last > first and Q[r, last - 1] == 0.0:
        last -= 1
    return first, last


@routine
def take_out(Y, r, Q, rank, span, T, t):
    """Take out of row r of Y its parts along the first `rank` rows of Q, and write them to row t of T. Answers what is left.

    If that is little it is done once more, because it then holds the rounding of what was taken away.
    """
    for k in range(rank):
        T[t, k] = 0.0
    first, last = span_of(Y, r)
    left = length_of(Y, r)
    for _ in range(2):
        before = left
        for k in range(rank):
            part = 0.0
            for i in range(max(first, span[k, BEGIN]), min(last, span[k, END])):
                part += Y[r, i] * Q[k, i]
            if part != 0.0:
                T[t, k] += part
                for i in range(span[k, BEGIN], span[k, END]):
                    Y[r, i] -= part * Q[k, i]
                first, last = min(first, span[k, BEGIN]), max(last, span[k, END])
        left = length_of(Y, r)
        if left > LITTLE * before:
            break
    return left


@kernel
def whitened(response, Y, r):
    """Row r becomes R^-1 times itself."""
    whiten(response.topology, response.rotors, response.work, response.L, Y[r])


@routine
def orthonormalise(response, bilateral):
    """T and Q of the rows J, and which of them are kept."""
    J, Q, T, span, kept = bilateral.J, bilateral.Q, bilateral.T, bilateral.span, bilateral.kept
    largest, rank = 0.0, 0
    for r in range(J.shape[0]):
        for i in range(J.shape[1]):
            Q[r, i] = J[r, i]
        whitened(response, Q, r)
        largest = max(largest, length_of(Q, r))
    for r in range(J.shape[0]):
        for i in range(J.shape[1]):
            Q[rank, i] = Q[r, i]
        length = length_of(Q, rank)
        left = take_out(Q, rank, Q, rank, span, T, rank)
        if length > NOTHING * largest and left > HELD * length:
            for i in range(J.shape[1]):
                Q[rank, i] /= left
            span[rank, BEGIN], span[rank, END] = span_of(Q, rank)
            T[rank, rank] = left
            kept[rank] = r
            rank += 1
    bilateral.rank[0] = rank


@kernel
def change_rates(response, bilateral):
    """The smallest change of velocities (nv,), in the metric of M, that changes the rates of the kept rows by `rate`."""
    Q, T, part, change = bilateral.Q, bilateral.T, bilateral.part, bilateral.change
    for i in range(change.size):
        change[i] = 0.0
    for k in range(bilateral.rank[0]):
        s = bilateral.rate[bilateral.kept[k]]
        for j in range(k):
            s -= T[k, j] * part[j]
        part[k] = s / T[k, k]
        for i in range(change.size):
            change[i] += part[k] * Q[k, i]
    unwhiten(response.topology, response.rotors, response.work, response.L, change)


@kernel
def leave_free(Y, r, bilateral):
    """Row r of Y becomes what the constraints let move of it. False where that is nothing."""
    if bilateral.rank[0] == 0:
        return True
    before = length_of(Y, r)
    left = take_out(Y, r, bilateral.Q, bilateral.rank[0], bilateral.span, bilateral.T, bilateral.J.shape[0])
    return left > HELD * before
