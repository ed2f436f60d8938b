"""A square root of the mass matrix, M = R R^T: what articulated bodies leave in `work`, or a dense L where rotors couple them.

With K = U D^-1 paper 2's (section V) factors of M^-1 are sweeps over the tree: R^-1 from tips to base, R^-T from base to tips.
Neither needs M. Rows of few coordinates, as those of contacts, take part only on the way from their bodies to the base.
"""

from math import sqrt

from stickslip.dynamics.cholesky import cholesky, solve_lower, solve_upper
from stickslip.dynamics.forward_dynamics import articulate, weigh
from stickslip.dynamics.kernel import kernel
from stickslip.dynamics.kinematics import ACCELERATION, AXIS, FORCE, INVERSE, LOADED, PULL
from stickslip.dynamics.mass_matrix import composite_bodies
from stickslip.dynamics.spatial import add, dot, get6, put6, scale
from stickslip.dynamics.tree import PARENT


@kernel
def factor(topology, links, rotors, work, L):
    """Get ready, at the poses in `work`; L (nv, nv) is used with rotors only. GOOD, TOO_LARGE, or a singular row."""
    if rotors.shape[0] > 0:
        composite_bodies(topology, links, rotors, work, L)
        return cholesky(L, links, work)
    weigh(topology, links, work)
    for i in range(topology.shape[0]):
        work[i, LOADED] = 0.0
    return articulate(topology, links, work)


@kernel
def load(work, k, force):
    """Add a force to what link k has to hold."""
    if work[k, LOADED] != 0.0:
        force = add(get6(work, k, FORCE), force)
    put6(work, k, FORCE, force)
    work[k, LOADED] = 1.0


@kernel
def whiten(topology, rotors, work, L, y):
    """y (nv,) becomes R^-1 y."""
    if rotors.shape[0] > 0:
        solve_lower(L, y)
        return
    for i in range(y.size - 1, -1, -1):
        k = topology[i, PARENT]
        if work[i, LOADED] != 0.0:
            f = get6(work, i, FORCE)
            e = y[i] - dot(get6(work, i, AXIS), f)
            if k >= 0:
                load(work, k, add(f, scale(get6(work, i, PULL), e * work[i, INVERSE])))
            work[i, LOADED] = 0.0
        elif y[i] != 0.0:
            e = y[i]
            if k >= 0:
                load(work, k, scale(get6(work, i, PULL), e * work[i, INVERSE]))
        else:
            continue
        y[i] = e * sqrt(work[i, INVERSE])


@kernel
def unwhiten(topology, rotors, work, L, x):
    """x (nv,) becomes R^-T x."""
    if rotors.shape[0] > 0:
        solve_upper(L, x)
        return
    for i in range(x.size):
        k = topology[i, PARENT]
        x[i] *= sqrt(work[i, INVERSE])
        if k >= 0:
            acceleration = get6(work, k, ACCELERATION)
            x[i] -= dot(get6(work, i, PULL), acceleration) * work[i, INVERSE]
            put6(work, i, ACCELERATION, add(acceleration, scale(get6(work, i, AXIS), x[i])))
        else:
            put6(work, i, ACCELERATION, scale(get6(work, i, AXIS), x[i]))
