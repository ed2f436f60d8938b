"""What impulses at contacts do: M = L L^T, Y = L^-1 J^T, G = Y Y^T (paper 2's Lambda), symmetric as it is made."""

from stickslip.complementarity.kernel import kernel, routine
from stickslip.dynamics.cholesky import cholesky, solve_upper
from stickslip.dynamics.kinematics import GOOD
from stickslip.dynamics.mass_matrix import composite_bodies
from stickslip.impact.bilateral import leave_free

NO_INERTIA = -50  # minus the row of a coordinate that can move without moving any mass


@routine
def factor_mass(model, work, L):
    """L, at the position that `work` holds; answers a status."""
    composite_bodies(model.topology, model.links, model.rotors, work, L)
    status = cholesky(L, model.links, work)
    if status != GOOD:
        return NO_INERTIA - status if status >= 0 else status
    return GOOD


@routine
def put_response(rows, touching, response, bilateral):
    """Y and G of the first `rows` rows of what touches, for the L of the response and what bilateral constraints let move.

    A row along which these let nothing move becomes zero: it has a velocity and a drift of round-off alone.
    """
    J, L, Y = touching.J, response.L, response.Y
    G = response.G[: rows * rows].reshape(rows, rows)
    n = L.shape[0]
    for r in range(rows):
        for i in range(n):
            s = J[r, i]
            for k in range(i):
                s -= L[i, k] * Y[r, k]
            Y[r, i] = s / L[i, i]
        if not leave_free(Y, r, bilateral):
            touching.velocity[r], touching.drift[r] = 0.0, 0.0
            for i in range(n):
                J[r, i], Y[r, i] = 0.0, 0.0
    for r in range(rows):
        for c in range(r + 1):
            s = 0.0
            for i in range(n):
                s += Y[r, i] * Y[c, i]
            G[r, c] = s
            G[c, r] = s


@kernel
def respond(response, rows, impulse):
    """The change of the velocities (nv,), M^-1 J^T impulse, is left in `response`."""
    Y, change = response.Y, response.change
    for i in range(change.size):
        change[i] = 0.0
    for r in range(rows):
        for i in range(change.size):
            change[i] += Y[r, i] * impulse[r]
    solve_upper(response.L, change)
