"""The Delassus matrix G = J M^-1 J^T of contact points in O(nv) + O(points^2), without M, its inverse or J.

Paper 2, section V, with phi = identity: G consists of blocks W(a)^T Omega(i, j) W(b), where the columns of W(a) are unit
forces at point a on link i. On the diagonal Omega is the compliance kernel Y of the link; off it, the kernel of the nearest
common ancestor, to which both sides' forces are brought down by the transitions psi = T(child) T(grandchild) …
"""

from stickslip.dynamics.cholesky import cholesky, solve_lower
from stickslip.dynamics.forward_dynamics import articulate, weigh
from stickslip.dynamics.jacobian import arm_to, point_jacobian
from stickslip.dynamics.kernel import entry, kernel
from stickslip.dynamics.kinematics import AXIS, BAD_INPUT, BAD_Q, GOOD, INVERSE, PULL, TOO_LARGE, finite, finite_diagonal, place
from stickslip.dynamics.mass_matrix import composite_bodies
from stickslip.dynamics.rotation import cross3
from stickslip.dynamics.spatial import (
    add,
    dot,
    get3,
    get6,
    get21,
    plus_outer,
    plus_outers,
    put3,
    put6,
    put21,
    scale,
    times,
)
from stickslip.dynamics.tree import PARENT

# ---- columns of the workspace `reach`, one row a link ----------------------------------------------------------------
COMPLIANCE = 0  # (21) the kernel Y: acceleration of the link per unit of spatial force on it
TRANSITION = 21  # (36) psi from here up to the last point or branch passed, six columns
REACH_WIDTH = 57


@kernel
def hold_back(work, i, f):
    """T(i) f: what a force f on link i becomes on its parent when joint i gives way, f - U (H . f) / D."""
    return add(f, scale(get6(work, i, PULL), -dot(get6(work, i, AXIS), f) * work[i, INVERSE]))


@kernel
def spread_compliance(topology, work, reach):
    """Y(i) = T^T Y(parent) T + H D^-1 H^T, base to tips (paper 2, eq 52), with T = 1 - U H^T / D multiplied out."""
    for i in range(topology.shape[0]):
        axis = get6(work, i, AXIS)
        inverse = work[i, INVERSE]
        k = topology[i, PARENT]
        if k < 0:
            nothing = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            put21(reach, i, COMPLIANCE, plus_outer(nothing + nothing + nothing, axis, inverse))
        else:
            Y = get21(reach, k, COMPLIANCE)
            give = scale(get6(work, i, PULL), inverse)  # U / D
            y = times(Y, give)
            # Y - H y^T - y H^T + (give . y + 1 / D) H H^T
            half = 0.5 * (dot(give, y) + inverse)
            put21(reach, i, COMPLIANCE, plus_outers(Y, axis, add(scale(axis, half), scale(y, -1.0))))


@kernel
def unit_forces(point, arm, F):
    """Spatial forces of the unit forces along the world's axes at a point, in its three rows of F."""
    for c in range(3):
        e = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
        m = cross3(arm, e)
        put6(F, 3 * point + c, 0, (m[0], m[1], m[2], e[0], e[1], e[2]))


@kernel
def put_block(reach, i, F, a, b, G):
    """G(a, b) = F(a)^T Y(i) F(b) and its transpose, for the forces of two points brought down to link i."""
    Y = get21(reach, i, COMPLIANCE)
    for c in range(3):
        y = times(Y, get6(F, 3 * b + c, 0))
        for r in range(3):
            G[3 * a + r, 3 * b + c] = dot(get6(F, 3 * a + r, 0), y)
            G[3 * b + c, 3 * a + r] = G[3 * a + r, 3 * b + c]


# Points on their way down travel in bundles: first[i] is the first point of the bundle at link i (or NONE), following[a] the
# next after point a. All points of a bundle share one pending transition, so that a link costs the same for one as for many.
NONE = -1


@kernel
def settle(reach, i, first, following, F):
    """Apply the transition pending at link i to the forces of its bundle."""
    a = first[i]
    while a != NONE:
        for r in range(3 * a, 3 * a + 3):
            f = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            for c in range(6):
                f = add(f, scale(get6(reach, i, TRANSITION + 6 * c), F[r, c]))
            put6(F, r, 0, f)
        a = following[a]
    clear_transition(reach, i)


@kernel
def clear_transition(reach, i):
    for c in range(36):
        reach[i, TRANSITION + c] = 1.0 if c % 7 == 0 else 0.0


@kernel
def meet(reach, i, newcomers, first, following, F, G):
    """Join a bundle of settled points to the bundle at link i: here is where each pair has its common ancestor."""
    if first[i] != NONE:
        settle(reach, i, first, following, F)
    b = newcomers
    while b != NONE:
        after = following[b]
        a = first[i]
        while a != NONE:
            put_block(reach, i, F, a, b, G)
            a = following[a]
        b = after
    last = newcomers
    while following[last] != NONE:
        last = following[last]
    following[last] = first[i]
    first[i] = newcomers


@kernel
def gather_blocks(topology, holder, bodies, work, reach, first, following, F, G):
    """Bring all forces down, tips to base, and leave a block in G for every pair that meets (paper 2, eq 53 and 54)."""
    first[:] = NONE
    for a in range(bodies.size):
        i = holder[bodies[a]]
        following[a] = NONE
        if i >= 0:
            clear_transition(reach, i)
            put_block(reach, i, F, a, a, G)
            meet(reach, i, a, first, following, F, G)
    for i in range(topology.shape[0] - 1, -1, -1):
        k = topology[i, PARENT]
        if k < 0 or first[i] == NONE:
            continue
        alone = first[k] == NONE
        for c in range(6):
            column = hold_back(work, i, get6(reach, i, TRANSITION + 6 * c))
            put6(reach, k if alone else i, TRANSITION + 6 * c, column)
        if alone:
            first[k] = first[i]
        else:
            settle(reach, i, first, following, F)
            meet(reach, k, first[i], first, following, F, G)


@kernel
def coupled_compliance(topology, links, rotors, holder, bodies, arms, work, dense, J, G):
    """The same from the dense mass matrix: with M = L L^T, G = X X^T where X = J L^-T."""
    M = dense[: topology.shape[0]]
    composite_bodies(topology, links, rotors, work, M)
    singular = cholesky(M, links, work)
    if singular != GOOD:
        return singular
    for a in range(bodies.size):
        point_jacobian(topology, holder[bodies[a]], get3(arms, a, 0), work, J, 3 * a)
    for r in range(J.shape[0]):
        solve_lower(M, J[r])
    for r in range(J.shape[0]):
        for c in range(r + 1):
            product = 0.0
            for i in range(J.shape[1]):
                product += J[r, i] * J[c, i]
            G[r, c] = product
            G[c, r] = product
    return GOOD


@entry
def delassus_into(
    topology,
    links,
    springs,
    rotors,
    gravity,
    q,
    holder,
    offset,
    bodies,
    points,
    work,
    dense,
    reach,
    first,
    following,
    arms,
    F,
    G,
):
    """G (3 m, 3 m), world axes, for m points (m, 3), each given in the frame of its body."""
    if not place(topology, links, q, work):
        return BAD_Q
    for a in range(bodies.size):
        if not finite(points[a]):
            return BAD_INPUT
        put3(arms, a, 0, arm_to(topology, holder, offset, work, bodies[a], get3(points, a, 0)))
    if rotors.shape[0] > 0:
        return coupled_compliance(topology, links, rotors, holder, bodies, arms, work, dense, F, G)
    weigh(topology, links, work)
    singular = articulate(topology, links, work)
    if singular != GOOD:
        return singular
    spread_compliance(topology, work, reach)
    G[:, :] = 0.0
    for a in range(bodies.size):
        unit_forces(a, get3(arms, a, 0), F)
    gather_blocks(topology, holder, bodies, work, reach, first, following, F, G)
    return GOOD if finite_diagonal(G) else TOO_LARGE
