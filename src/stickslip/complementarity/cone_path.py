"""The viscous path: forces of softened contacts, from very soft to hard, for problems on which everything faster fails.

Softened by tau the law is smooth and has forces inside the cones, however singular H is:

    (z_n - l) w_n = tau a^2,   z_t = -mu z_n w_t / sqrt(|w_t|^2 + (tau a)^2)

with forces and accelerations of size a in the beginning, and l the least normal force. Newton's method follows it while tau
goes to zero; nothing of the softness is left, since `newton` finishes on the exact law.
"""

from math import sqrt

from stickslip.complementarity.cone_newton import NORMS, RAY, RIGHT, STEP, guided
from stickslip.complementarity.cone_residual import DYNAMIC
from stickslip.complementarity.kernel import kernel, routine
from stickslip.complementarity.least_change import least_change

KEPT = 0.05  # part of its distance to zero that a normal force or acceleration keeps in one step
LONG = 0.9  # a step this long was good; the next one may harden as planned
SHORT = 0.5  # one shorter than this was bad, and does not harden
CAUTION = 0.7  # what the softness is multiplied by in between
HARDENING = 0.5  # what it is multiplied by as planned

SOFTNESS, SIZE = 0, 1  # columns of `trail`: tau and a


@kernel
def start_path(size, least, z, v, trail):
    """Begin a path with normal forces and accelerations of that size."""
    for i in range(v.size):
        z[3 * i], z[3 * i + 1], z[3 * i + 2] = least[3 * i] + size, 0.0, 0.0
        v[i] = size
    trail[SIZE], trail[SOFTNESS] = size, 1.0


@kernel
def add_row(H, row, factor, columns, target):
    """Adds factor times a row of H to row `target` of the system."""
    for j in range(H.shape[0]):
        columns[j, target] += factor * H[row, j]


@kernel
def normal_row(H, least, z, v, w, goal, i, columns, vectors):
    """(z_n - l) w_n = goal, linearised, where w_n is a variable of its own, v, that has yet to agree with H z + d."""
    n = 3 * i
    more = z[n] - least[n]
    weight = 1.0 / (v[i] + more)
    add_row(H, n, weight * more, columns, n)
    columns[n, n] += weight * v[i]
    vectors[RIGHT, n] = weight * (goal - more * w[n])


@kernel
def friction_rows(H, law, z, w, soft, i, columns, vectors):
    """z_t = -mu z_n w_t / L with L = sqrt(|w_t|^2 + soft^2), times L, linearised, over L."""
    n = 3 * i
    mu, x, y = law[i, DYNAMIC], w[n + 1], w[n + 2]
    over = 1.0 / sqrt(x * x + y * y + soft * soft)
    for r in range(n + 1, n + 3):
        lean = z[r] * over * over
        add_row(H, n + 1, lean * x, columns, r)
        add_row(H, n + 2, lean * y, columns, r)
        add_row(H, r, mu * z[n] * over, columns, r)
        columns[r, r] += 1.0
        columns[n, r] += mu * w[r] * over
        vectors[RIGHT, r] = -(z[r] + mu * z[n] * w[r] * over)


@kernel
def ray_rows(law, z, i, columns, vectors):
    n = 3 * i
    for r in range(2):
        columns[n + 1 + r, n + 1 + r] = 1.0
        columns[n, n + 1 + r] = -law[i, RAY + r]
        vectors[RIGHT, n + 1 + r] = law[i, RAY + r] * z[n] - z[n + 1 + r]


@kernel
def soft_motion(H, d, least, z, w):
    for i in range(d.size):
        s = d[i]
        for j in range(d.size):
            s += H[i, j] * (z[j] - least[j])
        w[i] = s


@kernel
def free_length(least, z, v, step, rise):
    """The longest step, at most 1, that leaves normal forces above the least, and accelerations positive."""
    length = 1.0
    for i in range(v.size):
        if step[3 * i] < 0.0:
            length = min(length, -(1.0 - KEPT) * (z[3 * i] - least[3 * i]) / step[3 * i])
        if rise[i] < 0.0:
            length = min(length, -(1.0 - KEPT) * v[i] / rise[i])
    return length


@kernel
def path_system(H, least, law, z, v, w, size, tau, columns, vectors):
    for j in range(w.size):
        for i in range(w.size):
            columns[j, i] = 0.0
    for i in range(v.size):
        normal_row(H, least, z, v, w, tau * size * size, i, columns, vectors)
        if guided(law, i):
            ray_rows(law, z, i, columns, vectors)
        else:
            friction_rows(H, law, z, w, tau * size, i, columns, vectors)


@routine
def follow_path(H, d, least, law, z, v, w, rise, trail, owner, columns, vectors):
    """One step along the path: forces z (3k,) and what the normal accelerations are to become, v (k,)."""
    tau, step = trail[SOFTNESS], vectors[STEP]
    soft_motion(H, d, least, z, w)
    path_system(H, least, law, z, v, w, trail[SIZE], tau, columns, vectors)
    least_change(columns, d.size, 0.0, vectors[RIGHT], vectors[NORMS], owner, columns[d.size :], step)
    for i in range(v.size):
        s = w[3 * i] - v[i]
        for j in range(d.size):
            s += H[3 * i, j] * step[j]
        rise[i] = s
    length = free_length(least, z, v, step, rise)
    for j in range(d.size):
        z[j] += length * step[j]
    for i in range(v.size):
        v[i] += length * rise[i]
    if length > LONG:
        trail[SOFTNESS] = tau * HARDENING
    elif length > SHORT:
        trail[SOFTNESS] = tau * CAUTION
