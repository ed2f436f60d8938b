"""How far a motion and its forces are from Coulomb's law in space: the natural map, zero if and only if every line holds.

Rows of a contact are (n, t1, t2), and w = H z + d in the units of `cone_units.py`, where forces and accelerations compare:

    normal      min(z_n, w_n) = 0                       z_n >= 0, w_n >= 0, z_n w_n = 0
    tangential  z_t = nearest point to z_t - w_t in the disc of radius mu z_n

The second line says at once |z_t| <= mu z_n, and z_t = -mu z_n w_t / |w_t| where w_t is not zero. A contact that slides already
has z_t = -mu z_n e, whatever its tangential acceleration. Nothing here lets friction lift a body, as convex cones do.
"""

from math import hypot

from stickslip.complementarity.kernel import kernel

# ---- columns of `contacts`, one row a contact ------------------------------------------------------------------------
STATIC = 0  # friction of a contact that sticks
DYNAMIC = 1  # friction of one that slides or begins to
SLIDE = 2  # (2) unit direction in which it slides already; NaN where it is at rest
CONTACT_WIDTH = 4

ROUNDING = 1e-5  # times the tolerance of 1e-10: an error of some units in the last place of a term is no error


@kernel
def slides(contacts, i):
    return contacts[i, SLIDE] == contacts[i, SLIDE]


@kernel
def motion(H, d, root, z, w):
    """w = H z + d. Answers the largest acceleration of d, and of any single term; both infinite where w is not finite."""
    given, largest, total = 0.0, 0.0, 0.0
    for i in range(d.size):
        s = 0.0
        for j in range(d.size):
            term = H[i, j] * z[j]
            s += term
            largest = max(largest, root[i // 3] * abs(term))
        w[i] = s + d[i]
        total += abs(w[i])
        given = max(given, root[i // 3] * abs(d[i]))
    if not total < float("inf"):
        return float("inf"), float("inf")
    return given, max(given, largest)


@kernel
def from_disc(a, b, p, q, radius):
    """The distance of (a, b) from the point of the disc that is nearest to (a - p, b - q)."""
    x, y = a - p, b - q
    length = hypot(x, y)
    inside = max(radius, 0.0)
    s = inside / length if length > inside else 1.0
    return hypot(a - s * x, b - s * y)


@kernel
def violation(contacts, z, w, i):
    """The natural map of contact i: how far the worst of its lines is from holding."""
    n = 3 * i
    load, a, b = z[n], z[n + 1], z[n + 2]
    mu, mu_s = contacts[i, DYNAMIC], contacts[i, STATIC]
    if slides(contacts, i):
        tangential = hypot(a + mu * load * contacts[i, SLIDE], b + mu * load * contacts[i, SLIDE + 1])
    else:
        tangential = from_disc(a, b, w[n + 1], w[n + 2], mu * load)
        if mu_s > mu:  # a contact that sticks may use more
            stuck = max(hypot(w[n + 1], w[n + 2]), from_disc(a, b, 0.0, 0.0, mu_s * load))
            tangential = min(tangential, stuck)
    return max(abs(min(load, w[n])), tangential)


@kernel
def worst_violation(contacts, root, z, w):
    """The worst violation of all contacts as an acceleration; infinite where anything is not finite."""
    worst, total = 0.0, 0.0
    for i in range(root.size):
        worst = max(worst, root[i] * violation(contacts, z, w, i))
        for r in range(3 * i, 3 * i + 3):
            total += abs(z[r]) + abs(w[r])
    return worst if total < float("inf") else float("inf")


@kernel
def ratio(worst, scale):
    if worst == 0.0:
        return 0.0
    return worst / scale if 0.0 < scale < float("inf") else float("inf")
