"""Contact with polyhedral friction as an LCP between impulses and velocities (paper 2, eqs 17 to 28), assembled from G.

The unknowns of a contact are its normal impulse, one impulse along each direction of friction, and its speed of slip sigma:

    n . u                       against  F_n
    sigma + d_j . u             against  beta_j
    mu F_n - sum of beta_j      against  sigma           (+ mu times what is restored, in the second phase of an impact)

with u = G p + c the velocities afterwards. In the plane two directions are exact.
"""

from stickslip.complementarity.basis import MARKS, SCRATCH, SOLVED
from stickslip.complementarity.guess import guess
from stickslip.complementarity.kernel import kernel, routine
from stickslip.complementarity.lemke import lemke

PIVOTS_PER_PAIR = 40


@kernel
def put_generators(count, size, directions, generators, coefficients):
    """How each pair's unknown pushes along its contact's rows."""
    number = directions.shape[0]
    for i in range(count):
        p = (number + 2) * i
        generators[p] = size * i
        coefficients[p, 0], coefficients[p, 1], coefficients[p, 2] = 1.0, 0.0, 0.0
        for j in range(number):
            generators[p + 1 + j] = size * i
            coefficients[p + 1 + j, 0] = 0.0
            coefficients[p + 1 + j, 1] = directions[j, 0]
            coefficients[p + 1 + j, 2] = directions[j, 1]
        generators[p + number + 1] = -1


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
def put_matrix(count, size, G, friction, lcp):
    """A of the LCP of `count` contacts."""
    directions, generators, coefficients = lcp.directions, lcp.generators, lcp.coefficients
    number = directions.shape[0]
    put_generators(count, size, directions, generators, coefficients)
    n = (number + 2) * count
    A = lcp.A[: n * n].reshape(n, n)
    for a in range(n):
        for b in range(n):
            A[a, b] = 0.0
        if generators[a] >= 0:
            for b in range(n):
                if generators[b] >= 0:
                    A[a, b] = between(G, size, generators, coefficients, a, b)
    for i in range(count):
        first = (number + 2) * i
        sigma = first + number + 1
        A[sigma, first] = friction[i]
        for j in range(number):
            A[first + 1 + j, sigma] = 1.0
            A[sigma, first + 1 + j] = -1.0


@kernel
def put_vector(count, size, friction, lcp):
    """b of the LCP, for the velocities that it holds and the normal impulses that are restored."""
    generators, coefficients, b = lcp.generators, lcp.coefficients, lcp.b
    number = lcp.directions.shape[0]
    for a in range((number + 2) * count):
        b[a] = 0.0
        if generators[a] >= 0:
            for i in range(size):
                b[a] += coefficients[a, i] * lcp.velocity[generators[a] + i]
    for i in range(count):
        b[(number + 2) * i + number + 1] = friction[i] * lcp.restored[size * i]


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
def add_impulses(count, size, lcp, impulse):
    """Add what the unknowns push along the contacts' rows to `impulse` (size count,)."""
    generators, coefficients, z = lcp.generators, lcp.coefficients, lcp.z
    number = lcp.directions.shape[0]
    for a in range((number + 2) * count):
        if generators[a] >= 0:
            for i in range(size):
                impulse[generators[a] + i] += coefficients[a, i] * z[a]
