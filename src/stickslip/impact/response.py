"""What impulses at contacts do: M = R R^T, Y = R^-1 J^T, G = Y Y^T (paper 2's Lambda), symmetric as it is made."""

from stickslip.complementarity.kernel import kernel, routine
from stickslip.dynamics.inertia_root import unwhiten
from stickslip.impact.bilateral import leave_free, whitened

ROUND_OFF = 1e-14  # part of its terms below which a sum counts as zero
LEFT_OVER = 1e-11  # part of the fastest contact's velocity: less is what earlier impulses left, which are not solved better
FOLD = 1e-8  # of the compliance along a contact: one that gives less than this across it is at a fold


@routine
def put_response(rows, touching, response, bilateral):
    """Y and G of the first `rows` rows of what touches, and what bilateral constraints let move.

    A row along which these let nothing move becomes zero: it has a velocity and a drift of round-off alone.
    """
    J, Y = touching.J, response.Y
    G = response.G[: rows * rows].reshape(rows, rows)
    n = J.shape[1]
    for r in range(rows):
        for i in range(n):
            Y[r, i] = J[r, i]
        whitened(response, Y, r)
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
def pass_over_folds(touching, count, size, response):
    """A contact whose gap has hardly any gradient, as of two bodies folded upon each other, cannot push to first order."""
    rows = size * count
    G = response.G[: rows * rows].reshape(rows, rows)
    for i in range(count):
        n = size * i
        if G[n, n] < FOLD * G[n + 1, n + 1]:
            touching.velocity[n], touching.drift[n] = 0.0, 0.0
            for k in range(touching.J.shape[1]):
                touching.J[n, k], response.Y[n, k] = 0.0, 0.0
            for r in range(rows):
                G[n, r], G[r, n] = 0.0, 0.0
            G[n, n] = G[n + 1, n + 1]


@kernel
def speed_along(J, r, v, more):
    """J v of row r, and `more`, in m/s or rad/s; zero where that is round-off of its terms."""
    total, size = more, abs(more)
    for i in range(v.size):
        total += J[r, i] * v[i]
        size += abs(J[r, i] * v[i])
    return total if abs(total) > ROUND_OFF * size else 0.0


@kernel
def drop_left_overs(touching, count, size, velocity):
    """Contacts that hardly move, beside others that do, are at rest: where a law has no answer to round-off as its data."""
    fastest = 0.0
    for r in range(size * count):
        if touching.pressed[r // size] == 0:
            fastest = max(fastest, abs(velocity[r]))
    for r in range(size * count):
        if touching.pressed[r // size] == 0 and abs(velocity[r]) < LEFT_OVER * fastest:
            velocity[r] = 0.0


@kernel
def respond(response, rows, impulse):
    """The change of the velocities (nv,), M^-1 J^T impulse, is left in `response`."""
    Y, change = response.Y, response.change
    for i in range(change.size):
        change[i] = 0.0
    for r in range(rows):
        for i in range(change.size):
            change[i] += Y[r, i] * impulse[r]
    unwhiten(response.topology, response.rotors, response.work, response.L, change)
