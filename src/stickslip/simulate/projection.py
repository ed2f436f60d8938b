"""Gap drift is projected away: contacts that are held get their gap back to zero, by the smallest move in the metric of M."""

from stickslip.complementarity.basis import ACTIVE, MARKS, ORDER, SCRATCH, X, back_substitute, factor
from stickslip.complementarity.kernel import kernel, routine
from stickslip.contact.touch import GAP
from stickslip.dynamics.manifold import integrate
from stickslip.impact.response import respond

CLEAN = 1e-12  # m: gaps of held contacts below this are let be
RANK = 1e-10  # pivots below this part of the largest entry belong to contacts that others hold already


@kernel
def is_drawn(touching, i):
    """Whether contact i takes part: it is held, or overlaps."""
    return touching.held[i] == 1 or touching.touches[i, GAP] < 0.0


@kernel
def worst_gap(touching, count):
    """The largest gap that is to be projected away, in m."""
    worst = 0.0
    for i in range(count):
        if is_drawn(touching, i):
            worst = max(worst, abs(touching.touches[i, GAP]))
    return worst


@routine
def project(model, touching, count, size, response, lcp, q, trial):
    """q moves so that these gaps vanish to first order: G_nn lambda = -gap, q [+] M^-1 J_n^T lambda."""
    p = 0
    for i in range(count):
        if is_drawn(touching, i):
            lcp.generators[p] = i
            p += 1
    rows = size * count
    G = response.G[: rows * rows].reshape(rows, rows)
    L = lcp.T[: p * p].reshape(p, p)
    scratch = lcp.scratch[: SCRATCH * p].reshape(SCRATCH, p)
    marks = lcp.marks[: MARKS * (2 * p + 1)].reshape(MARKS, 2 * p + 1)
    largest = 0.0
    for a in range(p):
        i = lcp.generators[a]
        marks[ACTIVE, a] = a
        marks[ORDER, a] = a
        scratch[X, a] = -touching.touches[i, GAP]
        for b in range(p):
            L[a, b] = G[size * i, size * lcp.generators[b]]
            largest = max(largest, abs(L[a, b]))
    rank = factor(L, p, RANK * largest, scratch, marks)
    back_substitute(L, p, rank, scratch)
    for r in range(rows):
        trial.impulse[r] = 0.0
    for a in range(p):
        trial.impulse[size * lcp.generators[marks[ORDER, a]]] = scratch[X, a]
    respond(response, rows, trial.impulse)
    for i in range(q.size):
        trial.q[i] = q[i]
    integrate(model.topology, trial.q, response.change, q)
