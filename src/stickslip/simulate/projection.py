"""Drift is projected away: loops are closed again, and contacts that are held get their gap back to zero, by the smallest move
in the metric of M."""

from stickslip.complementarity.basis import ACTIVE, MARKS, ORDER, SCRATCH, X, back_substitute, factor
from stickslip.complementarity.kernel import kernel
from stickslip.contact.touch import GAP
from stickslip.dynamics.manifold import integrate
from stickslip.impact.bilateral import change_rates
from stickslip.impact.response import respond
from stickslip.simulate.closed_loops import any_loops
from stickslip.simulate.look import index_of

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


@kernel
def worst_seen(looking, found, touching, count):
    """The same gaps as they were seen last."""
    worst = 0.0
    for i in range(found):
        k = index_of(looking.identities, i, touching.identities, count)
        if k >= 0 and is_drawn(touching, k):
            worst = max(worst, abs(looking.touches[i, GAP]))
    return worst


@kernel
def close_loops(response, bilateral):
    """`bilateral.change` becomes the move that closes the loops to first order."""
    for r in range(bilateral.rate.size):
        bilateral.rate[r] = -bilateral.residual[r]
    for i in range(bilateral.change.size):
        bilateral.change[i] = 0.0
    if any_loops(bilateral):
        change_rates(response, bilateral)


@kernel
def move_rows(p, rows, response, lcp, impulse):
    """`response.change` becomes the smallest change that changes p of the rows, those in `generators`, by what `w` holds."""
    G = response.G[: rows * rows].reshape(rows, rows)
    L = lcp.T[: p * p].reshape(p, p)
    scratch = lcp.scratch[: SCRATCH * p].reshape(SCRATCH, p)
    marks = lcp.marks[: MARKS * (2 * p + 1)].reshape(MARKS, 2 * p + 1)
    largest = 0.0
    for a in range(p):
        marks[ACTIVE, a] = a
        marks[ORDER, a] = a
        scratch[X, a] = lcp.w[a]
        for b in range(p):
            L[a, b] = G[lcp.generators[a], lcp.generators[b]]
            largest = max(largest, abs(L[a, b]))
    rank = factor(L, p, RANK * largest, scratch, marks)
    back_substitute(L, p, rank, scratch)
    for r in range(rows):
        impulse[r] = 0.0
    for a in range(p):
        impulse[lcp.generators[marks[ORDER, a]]] = scratch[X, a]
    respond(response, rows, impulse)


@kernel
def ask_row(J, r, wanted, already, p, lcp):
    """One more row that is to move, by `wanted`, of which `already` (nv,) is a part; answers how many there are."""
    for j in range(already.size):
        wanted -= J[r, j] * already[j]
    lcp.generators[p], lcp.w[p] = r, wanted
    return p + 1


@kernel
def project(model, touching, count, size, response, bilateral, lcp, q, trial):
    """`trial.q` is where loops and gaps are closed to first order: G_nn lambda = -gap - J_n dq, where dq closes the loops.

    Answers by how much it is away, at most, in m or rad.
    """
    close_loops(response, bilateral)
    p = 0
    for i in range(count):
        if is_drawn(touching, i):
            p = ask_row(touching.J, size * i, -touching.touches[i, GAP], bilateral.change, p, lcp)
    move_rows(p, size * count, response, lcp, trial.impulse)
    farthest = 0.0
    for i in range(bilateral.change.size):
        trial.move[i] = response.change[i] + bilateral.change[i]
        farthest = max(farthest, abs(trial.move[i]))
    integrate(model.topology, q, trial.move, trial.q)
    return farthest
