"""Units in which a contact problem has no dimensions, and heavy and light contacts count alike.

    w = H z + d    with  H = G / (r r),  d = c / (r s),  z = r f / s,  w = u / (r s)

r_i is the root of contact i's own compliance and s the largest of c / r, both rounded to powers of two: to and fro nothing is
rounded. Every block of H has a diagonal with a sum of about one, so that a force z and an acceleration w of one contact may be
compared and added.
"""

from math import frexp, ldexp

from stickslip.complementarity.kernel import kernel


@kernel
def unit_of(x):
    """The power of two below x; one where x is zero."""
    _, exponent = frexp(x)
    return ldexp(1.0, exponent - 1) if x > 0.0 else 1.0


@kernel
def root_of(x):
    """The power of two that is nearest to the root of x; one where x is zero."""
    _, exponent = frexp(x)
    return ldexp(1.0, exponent // 2) if x > 0.0 else 1.0


@kernel
def own_compliance(G, i):
    """The sum over three directions, which no choice of tangents changes."""
    return G[3 * i, 3 * i] + G[3 * i + 1, 3 * i + 1] + G[3 * i + 2, 3 * i + 2]


@kernel
def without_units(G, c, H, d, root):
    """Fill H, d and root (k,); a contact without compliance gets the largest of all. Answers s."""
    softest, largest = 0.0, 0.0
    for i in range(root.size):
        softest = max(softest, own_compliance(G, i))
    for i in range(root.size):
        own = own_compliance(G, i)
        root[i] = root_of(own if own > 0.0 else softest)
    for i in range(c.size):
        largest = max(largest, abs(c[i]) / root[i // 3])
    unit = unit_of(largest)
    for i in range(c.size):
        d[i] = c[i] / root[i // 3] / unit
        for j in range(c.size):
            H[i, j] = G[i, j] / root[i // 3] / root[j // 3]
    return unit


@kernel
def forces_without_units(f, unit, root, z):
    for i in range(f.size):
        z[i] = f[i] / unit * root[i // 3]


@kernel
def forces_with_units(z, unit, root, f):
    for i in range(z.size):
        f[i] = z[i] / root[i // 3] * unit


@kernel
def accelerations_with_units(w, unit, root, u):
    """Fill u. Answers whether all of it is finite."""
    total = 0.0
    for i in range(w.size):
        u[i] = w[i] * root[i // 3] * unit
        total += 0.0 * u[i]
    return total == 0.0
