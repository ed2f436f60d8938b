"""The viscous path: forces of softened contacts, from very soft to hard, for problems on which everything faster fails.

Softened by tau the law is smooth and has forces inside the cones, however singular G is:

    f_n u_n = tau a^2,   f_t = -mu f_n u_t / sqrt(|u_t|^2 + (tau a)^2)

in scaled variables (forces times, accelerations over the root of each contact's compliance), with a the largest of c. Newton's
method follows it while tau goes to zero; nothing of the softness is left, since `newton` finishes on the exact law.
"""

from math import sqrt

from stickslip.complementarity.cone_newton import RAY, guided
from stickslip.complementarity.cone_residual import DYNAMIC
from stickslip.complementarity.least_change import least_change
from stickslip.dynamics.kernel import kernel, routine

KEPT = 0.05  # part of its distance to zero that a normal force or acceleration keeps in one step
LONG = 0.9  # a step this long was good; the next one may harden as planned
SHORT = 0.5  # one shorter than this was bad, and does not harden
CAUTION = 0.7  # what the softness is multiplied by in between


@kernel
def start_path(c, g, z, v):
    """Equal normal forces and accelerations. Answers the largest scaled entry of c."""
    largest = 0.0
    for j in range(c.size):
        largest = max(largest, abs(c[j]) / sqrt(g[j // 3]))
    for i in range(g.size):
        z[3 * i], z[3 * i + 1], z[3 * i + 2] = largest, 0.0, 0.0
        v[i] = largest
    return largest


@kernel
def scaled_row(G, g, row, factor, columns, target):
    """Adds factor times a scaled row of G to row `target` of the system."""
    root = factor / sqrt(g[row // 3])
    for j in range(3 * g.size):
        columns[j, target] += root * G[row, j] / sqrt(g[j // 3])


@kernel
def normal_row(G, g, z, v, u, goal, i, columns, b):
    """f_n u_n = goal, linearised, where u_n is a variable of its own, v, that has yet to agree with G f + c."""
    n = 3 * i
    weight = 1.0 / (v[i] + z[n])
    scaled_row(G, g, n, weight * z[n], columns, n)
    columns[n, n] += weight * v[i]
    b[n] = weight * (goal - z[n] * u[n])


@kernel
def friction_rows(G, g, law, z, u, soft, i, columns, b):
    """f_t = -mu f_n u_t / L with L = sqrt(|u_t|^2 + soft^2), times L, linearised, over L."""
    n = 3 * i
    mu, x, y = law[i, DYNAMIC], u[n + 1], u[n + 2]
    over = 1.0 / sqrt(x * x + y * y + soft * soft)
    for r in range(n + 1, n + 3):
        lean = z[r] * over * over
        scaled_row(G, g, n + 1, lean * x, columns, r)
        scaled_row(G, g, n + 2, lean * y, columns, r)
        scaled_row(G, g, r, mu * z[n] * over, columns, r)
        columns[r, r] += 1.0
        columns[n, r] += mu * u[r] * over
        b[r] = -(z[r] + mu * z[n] * u[r] * over)


@kernel
def ray_rows(law, z, i, columns, b):
    n = 3 * i
    for r in range(2):
        columns[n + 1 + r, n + 1 + r] = 1.0
        columns[n, n + 1 + r] = -law[i, RAY + r]
        b[n + 1 + r] = law[i, RAY + r] * z[n] - z[n + 1 + r]


@kernel
def scaled_motion(G, c, g, z, u):
    for i in range(c.size):
        s = 0.0
        for j in range(c.size):
            s += G[i, j] * z[j] / sqrt(g[j // 3])
        u[i] = (s + c[i]) / sqrt(g[i // 3])


@kernel
def free_length(g, z, v, u, step, rise):
    """The longest step, at most 1, that leaves normal forces and accelerations positive; `rise` becomes the change of v."""
    length = 1.0
    for i in range(g.size):
        n = 3 * i
        if step[n] < 0.0:
            length = min(length, -(1.0 - KEPT) * z[n] / step[n])
        if rise[i] < 0.0:
            length = min(length, -(1.0 - KEPT) * v[i] / rise[i])
    return length


@routine
def follow_path(G, c, law, g, tau, hardening, size, z, v, u, step, rise, owner, columns, vectors):
    """One step along the path at softness `tau`, for `size` as start_path answered it. Answers the next softness."""
    n = c.size
    b, norms = vectors[0], vectors[2]
    columns[:n] = 0.0
    scaled_motion(G, c, g, z, u)
    for i in range(g.size):
        normal_row(G, g, z, v, u, tau * size * size, i, columns, b)
        if guided(law, i):
            ray_rows(law, z, i, columns, b)
        else:
            friction_rows(G, g, law, z, u, tau * size, i, columns, b)
    least_change(columns, n, 0.0, b, norms, owner, columns[n:], step)
    for i in range(g.size):
        s = u[3 * i] - v[i]
        for j in range(n):
            s += G[3 * i, j] * step[j] / sqrt(g[j // 3] * g[i])
        rise[i] = s
    length = free_length(g, z, v, u, step, rise)
    for j in range(n):
        z[j] += length * step[j]
    for i in range(g.size):
        v[i] += length * rise[i]
    if length > LONG:
        return tau * hardening
    return tau * CAUTION if length > SHORT else tau
