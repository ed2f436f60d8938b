"""Loops and couplings of a mechanism in a step: a kick at its beginning and one at its end keep them closed.

The first is such that the step ends with closed loops, the second such that they stay closed from there on; each acts along the
loops' rows of its own instant. Read backwards this is the same rule, as the midpoint rule between the two kicks is, so that
energy does not drift either.
"""

from stickslip.complementarity.kernel import kernel, routine
from stickslip.dynamics.kinematics import GOOD
from stickslip.dynamics.loops import put_drifts, put_residuals, put_rows
from stickslip.impact.bilateral import change_rates, orthonormalise
from stickslip.impact.response import factor_mass

CLEAN = 1e-12  # m or rad: loops that are less open, and gaps of held contacts below this, are let be


@kernel
def any_loops(bilateral):
    return bilateral.J.shape[0] > 0


@routine
def residuals(model, loops, work, q, bilateral):
    """By how much loops are open at the position q that `work` holds."""
    put_residuals(
        model.topology, q, loops.holder, loops.offset, loops.which, loops.vectors, loops.couplings, work, bilateral.residual
    )


@routine
def close(model, loops, work, q, L, bilateral):
    """L of the mass matrix, and what loops hold, at the position q that `work` holds; answers a status."""
    status = factor_mass(model, work, L)
    if status == GOOD and any_loops(bilateral):
        residuals(model, loops, work, q, bilateral)
        put_rows(model.topology, loops.holder, loops.offset, loops.which, loops.vectors, loops.couplings, work, bilateral.J)
        orthonormalise(L, bilateral)
    return status


@kernel
def drifts(model, loops, work, bilateral):
    """The drifts of loops, for the positions and velocities that `work` holds."""
    put_drifts(model.topology, loops.holder, loops.offset, loops.which, loops.vectors, work, bilateral.drift)


@kernel
def most_open(bilateral):
    """The largest residual of the equations that are kept, in m or rad."""
    worst = 0.0
    for k in range(bilateral.rank[0]):
        worst = max(worst, abs(bilateral.residual[bilateral.kept[k]]))
    return worst


@kernel
def ask_rates(bilateral, v, factor):
    """Ask for rates of the loops that are `factor` times those of v."""
    for r in range(bilateral.rate.size):
        s = 0.0
        for i in range(v.size):
            s += bilateral.J[r, i] * v[i]
        bilateral.rate[r] = factor * s


@kernel
def hold_velocity(L, bilateral, v):
    """The kick at the end: v becomes the nearest velocity, in the metric of M, with which loops stay closed."""
    ask_rates(bilateral, v, -1.0)
    change_rates(L, bilateral)
    for i in range(v.size):
        v[i] += bilateral.change[i]


@kernel
def expect_end(L, bilateral, h, v):
    """`bilateral.change` becomes what the kick at the end of a step h will do to v, seen from its beginning."""
    ask_rates(bilateral, v, -1.0)
    for r in range(bilateral.rate.size):
        bilateral.rate[r] -= h * bilateral.drift[r]
    change_rates(L, bilateral)


@kernel
def guess_begin(L, bilateral):
    """The kick of the last step becomes a guess at this one's: its part along the rows of this instant."""
    ask_rates(bilateral, bilateral.pull, 1.0)
    change_rates(L, bilateral)
    for i in range(bilateral.pull.size):
        bilateral.pull[i] = bilateral.change[i]


@kernel
def kick_again(L, bilateral, h):
    """Change the kick at the beginning so that the step ends with loops that are less open."""
    for r in range(bilateral.rate.size):
        bilateral.rate[r] = -bilateral.residual[r]
    change_rates(L, bilateral)
    for i in range(bilateral.pull.size):
        bilateral.pull[i] += bilateral.change[i] / (h * h)
