"""Loops and couplings of a mechanism in a step: they take part in both of its kicks.

The kick at the beginning is such that the step ends with closed loops, that at the end such that they stay closed from there
on; each acts along the loops' rows of its own instant. Read backwards this is the same rule.
"""

from stickslip.complementarity.kernel import kernel
from stickslip.dynamics.kinematics import move
from stickslip.dynamics.loops import put_drifts, put_residuals, put_rows
from stickslip.impact.bilateral import change_rates, orthonormalise
from stickslip.simulate.stepping import BEGIN

CLEAN = 1e-12  # m or rad: loops that are less open, and gaps of held contacts below this, are let be


@kernel
def any_loops(bilateral):
    return bilateral.J.shape[0] > 0


@kernel
def residuals(model, loops, work, q, bilateral):
    """By how much loops are open at the position q that `work` holds."""
    put_residuals(
        model.topology, q, loops.holder, loops.offset, loops.which, loops.vectors, loops.couplings, work, bilateral.residual
    )


@kernel
def put_loops(model, loops, q, v, response, bilateral):
    """What loops hold at (q, v), the position of the response."""
    work = response.work
    residuals(model, loops, work, q, bilateral)
    put_rows(model.topology, loops.holder, loops.offset, loops.which, loops.vectors, loops.couplings, work, bilateral.J)
    orthonormalise(response, bilateral)
    move(model.topology, v, work)
    put_drifts(model.topology, loops.holder, loops.offset, loops.which, loops.vectors, work, bilateral.drift)


@kernel
def most_open(bilateral):
    """The largest residual of the equations that are kept, in m or rad."""
    worst = 0.0
    for k in range(bilateral.rank[0]):
        worst = max(worst, abs(bilateral.residual[bilateral.kept[k]]))
    return worst


@kernel
def aim(bilateral, half):
    """Begin the next step with rates that undo half of the drift in it, of `half` in s."""
    for r in range(bilateral.aim.size):
        bilateral.aim[r] = -half * bilateral.drift[r]


@kernel
def aim_again(bilateral, h):
    """The step of length h came to the residuals that are known now: begin it so that it ends with less."""
    for r in range(bilateral.aim.size):
        bilateral.aim[r] -= bilateral.residual[r] / h


@kernel
def kick_loops(response, bilateral, which, v):
    """v becomes the nearest velocity, in the metric of M, with the rates that are aimed at, or at a step's end with none."""
    for r in range(bilateral.rate.size):
        s = bilateral.aim[r] if which == BEGIN else 0.0
        for i in range(v.size):
            s -= bilateral.J[r, i] * v[i]
        bilateral.rate[r] = s
    change_rates(response, bilateral)
    for i in range(v.size):
        v[i] += bilateral.change[i]
