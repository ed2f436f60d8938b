"""Contact with polyhedral friction as an LCP between impulses and velocities (paper 2, eqs 17 to 28), assembled from G.

The unknowns of a contact are its normal impulse, one impulse along each direction of friction, and its speed of slip sigma:

    n . u                       against  F_n
    sigma + d_j . u             against  beta_j
    mu F_n - sum of beta_j      against  sigma           (+ mu times what is restored, in the second phase of an impact)

with u = G p + c the velocities afterwards. In the plane two directions are exact. A contact without friction has the first
line alone. Impulses are counted in units that make the diagonal one: contacts may be stiffer than others by many orders. Dry
friction p in a joint, bounded by P, has two pairs:

    u + y               against  P + p
    P - p               against  y
"""

from math import sqrt

from stickslip.complementarity.basis import MARKS, SCRATCH, SOLVED
from stickslip.complementarity.guess import guess
from stickslip.complementarity.kernel import kernel, routine
from stickslip.complementarity.lemke import lemke

PIVOTS_PER_PAIR = 40


@kernel
def pairs_of_one(touching, number, i):
    """How many pairs contact i has, with that number of directions."""
    if touching.pressed[i] == 1:
        return 2
    return number + 2 if touching.friction[i] > 0.0 else 1


@kernel
def pairs_of(touching, number, count):
    """How many pairs `count` contacts have."""
    n = 0
    for i in range(count):
        n += pairs_of_one(touching, number, i)
    return n


@kernel
def put_generator(lcp, p, row, x, y, z):
    """Unknown p pushes along the rows of a contact, the first of which is `row`, by x, y, z."""
    lcp.generators[p] = row
    lcp.coefficients[p, 0], lcp.coefficients[p, 1], lcp.coefficients[p, 2] = x, y, z


@kernel
def put_generators(touching, count, size, lcp):
    """How each pair's unknown pushes along its contact's rows; answers how many there are."""
    directions, p = lcp.directions, 0
    for i in range(count):
        lcp.first[i] = p
        end = p + pairs_of_one(touching, directions.shape[0], i)
        if touching.pressed[i] == 1:
            put_generator(lcp, p, size * i, 0.0, 1.0, 0.0)
        else:
            put_generator(lcp, p, size * i, 1.0, 0.0, 0.0)
            for j in range(end - p - 2):
                put_generator(lcp, p + 1 + j, size * i, 0.0, directions[j, 0], directions[j, 1])
        if end > p + 1:
            lcp.generators[end - 1] = -1
        p = end
    return p


@kernel
def between(G, size, generators, coefficients, a, b):
    """What a unit of unknown b does to the velocity that pair a looks at."""
    r, c = generators[a], generators[b]
    total = 0.0
    for i in range(size):
        x = coefficients[a, i]
        if x != 0.0:
            for j in range(size):
                total += x * G[r + i, c + j] * coefficients[b, j]
    return total


@kernel
def put_matrix(touching, count, size, G, lcp):
    """A of the LCP of `count` contacts."""
    generators, coefficients, number = lcp.generators, lcp.coefficients, lcp.directions.shape[0]
    n = put_generators(touching, count, size, lcp)
    A, units = lcp.A[: n * n].reshape(n, n), lcp.units
    for a in range(n):
        units[a] = 1.0
        if generators[a] >= 0:
            give = between(G, size, generators, coefficients, a, a)
            units[a] = 1.0 / sqrt(give) if give > 0.0 else 1.0
    for a in range(n):
        for b in range(n):
            A[a, b] = 0.0
        if generators[a] >= 0:
            for b in range(n):
                if generators[b] >= 0:
                    A[a, b] = units[a] * units[b] * between(G, size, generators, coefficients, a, b)
    for i in range(count):
        first = lcp.first[i]
        if touching.pressed[i] == 1:
            A[first, first + 1] = units[first]
            A[first + 1, first] = -units[first]
        elif touching.friction[i] > 0.0:
            sigma = first + number + 1
            A[sigma, first] = touching.friction[i] * units[first]
            for j in range(first + 1, sigma):
                A[j, sigma] = units[j]
                A[sigma, j] = -units[j]


@kernel
def pressure(G, velocity, n):
    """The impulse with which dry friction is pressed, whose normal direction, row n, is its own."""
    return -velocity[n] / G[n, n]


@kernel
def put_vector(touching, count, size, G, lcp):
    """b of the LCP, for the velocities that it holds and the normal impulses that are restored; answers its size."""
    generators, coefficients, units, b = lcp.generators, lcp.coefficients, lcp.units, lcp.b
    number = lcp.directions.shape[0]
    n = pairs_of(touching, number, count)
    for a in range(n):
        b[a] = 0.0
        if generators[a] >= 0:
            for i in range(size):
                b[a] += units[a] * coefficients[a, i] * lcp.velocity[generators[a] + i]
    A = lcp.A[: n * n].reshape(n, n)
    for i in range(count):
        first = lcp.first[i]
        if touching.pressed[i] == 1:
            bound = pressure(G, lcp.velocity, size * i)
            b[first + 1] += bound
            for a in range(n):
                b[a] -= bound * A[a, first] / units[first]
        elif touching.friction[i] > 0.0:
            b[first + number + 1] += touching.friction[i] * lcp.restored[size * i]
    return n


@routine
def solve(A, b, basis, T, scratch, marks, z, w, figures, warm):
    """A solution by the basis at hand, if it is `warm`, or by Lemke's method; answers a status."""
    if warm and guess(A, b, basis, T, scratch, marks, z, w, figures) == SOLVED:
        return SOLVED
    return lemke(A, b, PIVOTS_PER_PAIR * b.size, T, scratch, marks, z, w, basis, figures)


@kernel
def solved(n, lcp, warm):
    """Solve the LCP of the first n pairs; answers a status."""
    return solve(
        lcp.A[: n * n].reshape(n, n),
        lcp.b[:n],
        lcp.basis[:n],
        lcp.T[: (n + 2) * n].reshape(n + 2, n),
        lcp.scratch[: SCRATCH * n].reshape(SCRATCH, n),
        lcp.marks[: MARKS * (2 * n + 1)].reshape(MARKS, 2 * n + 1),
        lcp.z[:n],
        lcp.w[:n],
        lcp.figures,
        warm,
    )


@kernel
def take_impulses(touching, count, size, G, n, lcp, impulse):
    """What the unknowns of the n pairs push along the contacts' rows becomes `impulse` (size count,)."""
    generators, coefficients, z = lcp.generators, lcp.coefficients, lcp.z
    for r in range(size * count):
        impulse[r] = 0.0
    for a in range(n):
        if generators[a] >= 0:
            for i in range(size):
                impulse[generators[a] + i] += coefficients[a, i] * lcp.units[a] * z[a]
    for i in range(count):
        if touching.pressed[i] == 1:
            bound = pressure(G, lcp.velocity, size * i)
            impulse[size * i] = bound
            impulse[size * i + 1] -= bound
