"""One step by the midpoint rule, with the impulses of the contacts that were closed when it began.

    v+ = v + h a(q_m, v_m) + M^-1 J^T p,     q+ = q [+] h (v + v+) / 2,     v_m = (v + v+) / 2,  q_m = q [+] h v_m / 2

a are the accelerations without contact. Read backwards it is the same rule, so that free motion neither gains nor loses
energy in the long run. It is solved by repetition; the acceleration of the last step is so good a guess that two passes do.
The contacts' velocities are asked for at the end of the step, J v+ + h dJ/dt v. Where there are loops, v is the velocity after
their kick at the beginning, and v+ that before their kick at the end, which is given when the state is refreshed.
"""

from stickslip.complementarity.kernel import kernel, routine
from stickslip.dynamics.forward_dynamics import articulated_bodies, coupled_bodies
from stickslip.dynamics.kinematics import GOOD, finite, place, place_and_move
from stickslip.dynamics.manifold import integrate
from stickslip.dynamics.passive import add_passive_force
from stickslip.impact.contact_law import solve_law
from stickslip.impact.poisson import UNSOLVED
from stickslip.impact.response import respond
from stickslip.impact.touching import CLOSED, MOVING, STUCK
from stickslip.simulate.closed_loops import CLEAN, any_loops, expect_end, guess_begin, kick_again, most_open, residuals

PASSES = 12
STILL = 1e-8  # m/s or rad/s: what moves no faster than this after a step is at rest
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
def slides(G, velocity, impulse, r):
    """Whether row r moves after the step."""
    s = velocity[r]
    for c in range(G.shape[0]):
        s += G[r, c] * impulse[c]
    return abs(s) > STILL


@kernel
def put_rest(touching, count, size, G, velocity, impulse):
    """What of each contact its law has brought to rest."""
    for i in range(count):
        n = size * i
        touching.rest[i] = MOVING if slides(G, velocity, impulse, n) else CLOSED
        if touching.rest[i] == CLOSED and impulse[n] > 0.0:
            moves = slides(G, velocity, impulse, n + 1) or (size == 3 and slides(G, velocity, impulse, n + 2))
            touching.rest[i] = CLOSED if moves else STUCK


@kernel
def push(touching, count, size, response, bilateral, lcp, cone, h, trial, warm):
    """Impulses that keep the contacts' laws at the end of the step, and v of the trial with them; answers a status."""
    rows = size * count
    if any_loops(bilateral):
        expect_end(response.L, bilateral, h, trial.v_free)
    for r in range(rows):
        s = h * touching.drift[r]
        for i in range(trial.v.size):
            s += touching.J[r, i] * (trial.v_free[i] + bilateral.change[i])
        lcp.velocity[r] = s
        lcp.restored[r] = 0.0
    G = response.G[: rows * rows].reshape(rows, rows)
    if not solve_law(touching, count, size, G, lcp, cone, trial.impulse, warm):
        return UNSOLVED
    respond(response, rows, trial.impulse)
    for i in range(trial.v.size):
        trial.v[i] = trial.v_free[i] + response.change[i]
    if any_loops(bilateral):
        put_rest(touching, count, size, G, lcp.velocity, trial.impulse)
    return GOOD


@kernel
def settle(h, trial):
    """The trial's mean acceleration; answers whether it is still what the pass began with."""
    moved, fastest = 0.0, 0.0
    for i in range(trial.v.size):
        a = (trial.v[i] - trial.v_begin[i]) / h
        moved = max(moved, h * abs(a - trial.a[i]))
        fastest = max(fastest, abs(trial.v[i]), abs(trial.v_begin[i]))
        trial.a[i] = a
    return moved <= SETTLED * fastest


@kernel
def begin(model, bilateral, h, q, v, trial):
    """The velocity after the loops' kick, and the middle of the step as far as it is known."""
    for i in range(v.size):
        trial.v_begin[i] = v[i] + h * bilateral.pull[i]
        trial.v_middle[i] = trial.v_begin[i] + 0.5 * h * trial.a[i]
        trial.move[i] = 0.5 * h * trial.v_middle[i]
    integrate(model.topology, q, trial.move, trial.q_middle)


@kernel
def end(model, h, q, trial):
    """Where the step ends."""
    for i in range(trial.move.size):
        trial.move[i] = 0.5 * h * (trial.v_begin[i] + trial.v[i])
    integrate(model.topology, q, trial.move, trial.q)


@routine
def end_closed(model, loops, work, L, bilateral, h, q, trial):
    """Whether loops are closed at the end of the step; if not, the next pass begins with another kick."""
    end(model, h, q, trial)
    if place(model.topology, model.links, trial.q, work):
        residuals(model, loops, work, trial.q, bilateral)
        if most_open(bilateral) <= CLEAN:
            return True
        kick_again(L, bilateral, h)
    return False


@routine
def attempt(model, loops, work, touching, count, size, response, bilateral, lcp, cone, applied, h, q, v, trial, warm):
    """A step of length h in s from (q, v); where it ends is left in `trial`. Answers a status."""
    for r in range(size * count):
        trial.impulse[r] = touching.impulse[r]
    if any_loops(bilateral):
        guess_begin(response.L, bilateral)
    for k in range(PASSES):
        begin(model, bilateral, h, q, v, trial)
        status = accelerate(model, work, trial.q_middle, trial.v_middle, applied, trial)
        if status != GOOD:
            return status
        for i in range(v.size):
            trial.v_free[i] = trial.v_begin[i] + h * trial.a_free[i]
            trial.v[i] = trial.v_free[i]
        if count > 0:
            status = push(touching, count, size, response, bilateral, lcp, cone, h, trial, warm or k > 0)
            if status != GOOD:
                return status
        settled = settle(h, trial)
        if any_loops(bilateral):
            settled = end_closed(model, loops, work, response.L, bilateral, h, q, trial) and settled
        if settled:
            break
    end(model, h, q, trial)
    return GOOD if finite(trial.v) and finite(trial.q) else TOO_FAST
