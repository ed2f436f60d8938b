"""Cholesky's factorisation, for the small dense systems that a tree's sparsity cannot help with."""

from math import isfinite, sqrt

from stickslip.dynamics.kernel import kernel
from stickslip.dynamics.kinematics import GOOD, ROUND_OFF, TOO_LARGE, inertia_in_doubt


@kernel
def cholesky(M, links, work):
    """A mass matrix M = L L^T in the lower triangle. Answers GOOD, TOO_LARGE, or the row where M is singular."""
    for i in range(M.shape[0]):
        doubt = inertia_in_doubt(links, work, i) + ROUND_OFF * M[i, i]
        for j in range(i + 1):
            s = M[i, j]
            for k in range(j):
                s -= M[i, k] * M[j, k]
            if j < i:
                M[i, j] = s / M[j, j]
            elif s > doubt:
                M[i, i] = sqrt(s)
            else:
                return i if isfinite(s - doubt) else TOO_LARGE
    return GOOD


@kernel
def solve_lower(L, x):
    """x becomes L^-1 x."""
    for i in range(x.size):
        s = x[i]
        for k in range(i):
            s -= L[i, k] * x[k]
        x[i] = s / L[i, i]


@kernel
def solve_upper(L, x):
    """x becomes L^-T x."""
    for i in range(x.size - 1, -1, -1):
        s = x[i]
        for k in range(i + 1, x.size):
            s -= L[k, i] * x[k]
        x[i] = s / L[i, i]
