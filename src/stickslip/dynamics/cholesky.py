"""Cholesky's factorisation, for the small dense systems that a tree's sparsity cannot help with."""

from math import sqrt

from stickslip.dynamics.kernel import kernel
from stickslip.dynamics.kinematics import GOOD

RIGID_ENOUGH = 1e-12  # a pivot below this share of its diagonal entry is round-off: singular


@kernel
def cholesky(M):
    """M = L L^T in the lower triangle. Answers GOOD or the row where M is singular."""
    for i in range(M.shape[0]):
        size = M[i, i]
        for j in range(i + 1):
            s = M[i, j]
            for k in range(j):
                s -= M[i, k] * M[j, k]
            if j < i:
                M[i, j] = s / M[j, j]
            elif s > RIGID_ENOUGH * size:
                M[i, i] = sqrt(s)
            else:
                return i
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
