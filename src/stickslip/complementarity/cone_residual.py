"""How far a motion and its forces are from Coulomb's law in space: the natural map, zero if and only if every line holds.

Rows of a contact are (n, t1, t2). With u = G f + c, and g the compliance of the contact itself, all in m/s^2 (or m/s):

    normal      min(g f_n, u_n) = 0                         f_n >= 0, u_n >= 0, f_n u_n = 0
    tangential  g f_t = nearest point to g f_t - u_t in the disc of radius mu g f_n

The second line says at once |f_t| <= mu f_n, and f_t = -mu f_n u_t / |u_t| where u_t is not zero. A contact that slides already
has f_t = -mu f_n d, whatever its tangential acceleration. Nothing here lets friction lift a body, as convex cones do.
"""

from math import sqrt

from stickslip.dynamics.kernel import kernel

# ---- columns of `contacts`, one row a contact ------------------------------------------------------------------------
STATIC = 0  # friction of a contact that sticks
DYNAMIC = 1  # friction of one that slides or begins to
SLIDE = 2  # (2) unit direction in which it slides already; NaN where it is at rest
CONTACT_WIDTH = 4


@kernel
def slides(contacts, i):
    return contacts[i, SLIDE] == contacts[i, SLIDE]


@kernel
def compliances(G, g):
    """g[i]: the largest diagonal entry of contact i's block; where the block is zero, the largest of all, or else one."""
    largest = 0.0
    for i in range(g.size):
        g[i] = max(G[3 * i, 3 * i], G[3 * i + 1, 3 * i + 1], G[3 * i + 2, 3 * i + 2])
        largest = max(largest, g[i])
    for i in range(g.size):
        if not g[i] > 0.0:
            g[i] = largest if largest > 0.0 else 1.0


@kernel
def motion(G, c, f, u):
    """u = G f + c. Answers the largest single term in it, which is the scale of every residual."""
    scale = 0.0
    for i in range(c.size):
        s = 0.0
        for j in range(c.size):
            term = G[i, j] * f[j]
            s += term
            scale = max(scale, abs(term))
        u[i] = s + c[i]
        scale = max(scale, abs(c[i]))
    return scale


@kernel
def from_disc(a, b, p, q, radius):
    """The distance of (a, b) from the point of the disc that is nearest to (a - p, b - q)."""
    x, y = a - p, b - q
    length = sqrt(x * x + y * y)
    inside = max(radius, 0.0)
    s = inside / length if length > inside else 1.0
    return sqrt((a - s * x) ** 2 + (b - s * y) ** 2)


@kernel
def violation(contacts, g, f, u, i):
    """The natural map of contact i in m/s^2: how far the worst of its lines is from holding."""
    n = 3 * i
    normal = abs(min(g[i] * f[n], u[n]))
    a, b, load = g[i] * f[n + 1], g[i] * f[n + 2], g[i] * f[n]
    mu, mu_s = contacts[i, DYNAMIC], contacts[i, STATIC]
    if slides(contacts, i):
        tangential = sqrt((a + mu * load * contacts[i, SLIDE]) ** 2 + (b + mu * load * contacts[i, SLIDE + 1]) ** 2)
    else:
        tangential = from_disc(a, b, u[n + 1], u[n + 2], mu * load)
        if mu_s > mu:  # a contact that sticks may use more
            stuck = max(sqrt(u[n + 1] ** 2 + u[n + 2] ** 2), from_disc(a, b, 0.0, 0.0, mu_s * load))
            tangential = min(tangential, stuck)
    worst = max(normal, tangential)
    return worst if normal + tangential < float("inf") else float("inf")  # NaN is no small number


@kernel
def residual(contacts, g, f, u, scale):
    """The worst violation of all contacts, relative to the scale that `motion` answered; infinite where anything is NaN."""
    worst = 0.0
    for i in range(g.size):
        worst = max(worst, violation(contacts, g, f, u, i))
    if worst == 0.0:
        return 0.0
    return worst / scale if scale > 0.0 else float("inf")
