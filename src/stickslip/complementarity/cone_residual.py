"""How far a motion and its forces are from Coulomb's law in space: the natural map, zero if and only if every line holds.

Rows of a contact are (n, t1, t2), and w = H (z - l) + d in the units of `cone_units.py`, where both compare:

    normal      min(z_n - l, w_n) = 0                   z_n >= l, w_n >= 0, (z_n - l) w_n = 0
    tangential  z_t = nearest point to z_t - w_t in the disc of radius mu z_n

The second line says at once |z_t| <= mu z_n, and z_t = -mu z_n w_t / |w_t| where w_t is not zero. A contact that slides already
has z_t = -mu z_n e, whatever its tangential acceleration. Nothing here lets friction lift a body, as convex cones do.

l are least normal forces, (3k,) with zeros in tangential rows. Only an impact's second phase has some: impulses that are given
back whatever happens, and cause friction like all others. d is the motion under these alone.
"""

from math import hypot

from stickslip.complementarity.kernel import kernel

# ---- columns of `contacts`, one row a contact ------------------------------------------------------------------------
STATIC = 0  # friction of a contact that sticks
DYNAMIC = 1  # friction of one that slides or begins to
SLIDE = 2  # (2) unit direction in which it slides already; NaN where it is at rest
CONTACT_WIDTH = 4

ROUNDING = 1e-5  # times the tolerance of 1e-10: an error of some units in the last place of a term is no error
REACH = 1e9  # times what forces have to change: larger terms hold things by their rounding, and solve nothing
FAR = 100.0  # times d: up to here terms may be larger than that


@kernel
def slides(contacts, i):
    return contacts[i, SLIDE] == contacts[i, SLIDE]


@kernel
def motion(H, d, least, root, z, w):
    """w = H (z - l) + d. Answers the largest acceleration of d, and the largest other term; infinite if w is not finite."""
    given, largest, total = 0.0, 0.0, 0.0
    for i in range(d.size):
        s = 0.0
        for j in range(d.size):
            term = H[i, j] * (z[j] - least[j])
            s += term
            largest = max(largest, root[i // 3] * abs(term))
        w[i] = s + d[i]
        total += abs(w[i])
        given = max(given, root[i // 3] * abs(d[i]))
    if not total < float("inf"):
        return float("inf"), float("inf")
    return given, largest


@kernel
def from_disc(a, b, p, q, radius):
    """The distance of (a, b) from the point of the disc that is nearest to (a - p, b - q)."""
    x, y = a - p, b - q
    length = hypot(x, y)
    inside = max(radius, 0.0)
    s = inside / length if length > inside else 1.0
    return hypot(a - s * x, b - s * y)


@kernel
def violation(contacts, least, z, w, i):
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
    return max(abs(min(load - least[n], w[n])), tangential)


@kernel
def worst_violation(contacts, least, root, z, w):
    """The worst violation of all contacts as an acceleration; infinite where anything is not finite."""
    worst, total = 0.0, 0.0
    for i in range(root.size):
        worst = max(worst, root[i] * violation(contacts, least, z, w, i))
        for r in range(3 * i, 3 * i + 3):
            total += abs(z[r]) + abs(w[r])
    return worst if total < float("inf") else float("inf")


@kernel
def reach_of(law, d, least, root):
    """REACH times the violation that is left without forces."""
    return REACH * worst_violation(law, least, root, least, d)


@kernel
def scale_of(given, largest):
    """What violations are compared with: the largest acceleration of d, and more where terms are so large that they round."""
    return max(given, ROUNDING * largest)


@kernel
def residual_of(worst, given, largest, reach):
    """The worst violation relative to its scale; infinite where terms are too large for anybody to know."""
    absurd = largest > max(FAR * given, reach)
    return float("inf") if absurd else ratio(worst, scale_of(given, largest))


@kernel
def ratio(worst, scale):
    if worst == 0.0:
        return 0.0
    return worst / scale if 0.0 < scale < float("inf") else float("inf")
