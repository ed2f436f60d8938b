"""One step by the midpoint rule, with the impulses of the contacts that were closed when it began.

    v+ = v + h a(q_m, v_m) + M^-1 J^T p,     q+ = q [+] h (v + v+) / 2,     v_m = (v + v+) / 2,  q_m = q [+] h v_m / 2

a are the accelerations without contact. Read backwards it is the same rule, so that free motion neither gains nor loses
energy in the long run. It is solved by repetition; the acceleration of the last step is so good a guess that two passes do.
The contacts' velocities are asked for at the end of the step, J v+ + h dJ/dt v.
"""

from stickslip.complementarity.kernel import kernel, routine
from stickslip.dynamics.forward_dynamics import articulated_bodies, coupled_bodies
from stickslip.dynamics.kinematics import GOOD, finite, place_and_move
from stickslip.dynamics.manifold import integrate
from stickslip.dynamics.passive import add_passive_force
from stickslip.impact.contact_law import solve_law
from stickslip.impact.poisson import UNSOLVED
from stickslip.impact.response import respond

PASSES = 12
SETTLED = 1e-10  # change of v in a pass, relative to the largest velocity, after which there is no other

TOO_FAST = -21  # a step whose end is beyond floating point


@kernel
def accelerate(model, work, q, v, applied, trial):
    """a_free of the trial: accelerations (nv,) without contacts; answers a status."""
    status = place_and_move(model.topology, model.links, q, v, work)
    if status != GOOD:
        return status
    for i in range(applied.size):
        trial.force[i] = applied[i]
    add_passive_force(model.topology, model.links, model.springs, q, v, trial.force)
    if model.rotors.shape[0] > 0:
        return coupled_bodies(
            model.topology, model.links, model.rotors, model.gravity, trial.force, work, trial.dense, trial.a_free
        )
    return articulated_bodies(model.topology, model.links, model.gravity, trial.force, work, trial.a_free)


@kernel
def push(touching, count, size, response, lcp, cone, h, trial, warm):
    """Impulses that keep the contacts' laws at the end of the step, and v of the trial with them; answers a status."""
    rows = size * count
    for r in range(rows):
        s = h * touching.drift[r]
        for i in range(trial.v.size):
            s += touching.J[r, i] * trial.v_free[i]
        lcp.velocity[r] = s
        lcp.restored[r] = 0.0
    G = response.G[: rows * rows].reshape(rows, rows)
    if not solve_law(count, size, G, touching.friction, lcp, cone, trial.impulse, warm):
        return UNSOLVED
    respond(response, rows, trial.impulse)
    for i in range(trial.v.size):
        trial.v[i] = trial.v_free[i] + response.change[i]
    return GOOD


@kernel
def settle(h, v, trial):
    """The trial's mean acceleration; answers whether it is still what the pass began with."""
    moved, fastest = 0.0, 0.0
    for i in range(v.size):
        a = (trial.v[i] - v[i]) / h
        moved = max(moved, h * abs(a - trial.a[i]))
        fastest = max(fastest, abs(trial.v[i]), abs(v[i]))
        trial.a[i] = a
    return moved <= SETTLED * fastest


@routine
def attempt(model, work, touching, count, size, response, lcp, cone, applied, h, q, v, trial, warm):
    """A step of length h in s from (q, v); where it ends is left in `trial`. Answers a status."""
    for r in range(size * count):
        trial.impulse[r] = touching.impulse[r]
    for k in range(PASSES):
        for i in range(v.size):
            trial.v_middle[i] = v[i] + 0.5 * h * trial.a[i]
            trial.move[i] = 0.5 * h * trial.v_middle[i]
        integrate(model.topology, q, trial.move, trial.q_middle)
        status = accelerate(model, work, trial.q_middle, trial.v_middle, applied, trial)
        if status != GOOD:
            return status
        for i in range(v.size):
            trial.v_free[i] = v[i] + h * trial.a_free[i]
            trial.v[i] = trial.v_free[i]
        if count > 0:
            status = push(touching, count, size, response, lcp, cone, h, trial, warm or k > 0)
            if status != GOOD:
                return status
        if settle(h, v, trial):
            break
    for i in range(v.size):
        trial.move[i] = 0.5 * h * (v[i] + trial.v[i])
    integrate(model.topology, q, trial.move, trial.q)
    return GOOD if finite(trial.v) and finite(trial.q) else TOO_FAST
