"""Accelerations from forces by the articulated-body algorithm; by Cholesky where rotors couple the joints of the tree."""

from math import isfinite

from stickslip.dynamics.cholesky import cholesky, solve_lower, solve_upper
from stickslip.dynamics.inverse_dynamics import newton_euler
from stickslip.dynamics.kernel import entry, kernel
from stickslip.dynamics.kinematics import (
    ACCELERATION,
    AXIS,
    BAD_INPUT,
    BIAS,
    DRIVE,
    FORCE,
    GOOD,
    INERTIA,
    INVERSE,
    PULL,
    RIGID,
    SPREAD,
    TOO_LARGE,
    VELOCITY,
    body_inertia,
    finite,
    inertia_in_doubt,
    place_and_move,
)
from stickslip.dynamics.mass_matrix import composite_bodies
from stickslip.dynamics.passive import add_passive_force
from stickslip.dynamics.spatial import (
    add,
    add21,
    articulated,
    cross_force,
    dot,
    get6,
    get10,
    get21,
    momentum,
    plus_outer,
    put6,
    put10,
    put21,
    scale,
    times,
    trace,
)
from stickslip.dynamics.tree import ARMATURE, MASS, PARENT


@kernel
def weigh(topology, links, work):
    """Start of the recursion: every link's own inertia."""
    for i in range(topology.shape[0]):
        I = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        if links[i, MASS] != 0.0:
            I = body_inertia(topology, links, work, i)
        put10(work, i, RIGID, I)
        put21(work, i, INERTIA, articulated(I))
        work[i, SPREAD] = trace(I)


@kernel
def gyrate(topology, work):
    """The force V x* I V that the motion of every link takes."""
    for i in range(topology.shape[0]):
        V = get6(work, i, VELOCITY)
        put6(work, i, FORCE, cross_force(V, momentum(get10(work, i, RIGID), V)))


@kernel
def articulate(topology, links, work):
    """Articulated inertias, tips to base: what is left of the inertia beyond each joint when the joint is free to move.

    P(parent) gains P - U U^T / D with U = P H and D = H . U (paper 2, section V). Answers GOOD, TOO_LARGE, or the row where
    D = 0.
    """
    for i in range(topology.shape[0] - 1, -1, -1):
        axis = get6(work, i, AXIS)
        P = get21(work, i, INERTIA)
        U = times(P, axis)
        D = dot(axis, U) + links[i, ARMATURE]
        doubt = inertia_in_doubt(links, work, i)
        if not D > doubt:
            return i if isfinite(D - doubt) else TOO_LARGE
        put6(work, i, PULL, U)
        work[i, INVERSE] = 1.0 / D
        k = topology[i, PARENT]
        if k >= 0:
            work[k, SPREAD] += work[i, SPREAD]
            put21(work, k, INERTIA, add21(get21(work, k, INERTIA), plus_outer(P, U, -1.0 / D)))
    return GOOD


@kernel
def gather_force(topology, force, work):
    """Tips to base: the force that each joint has to hold, and what of the joint's own force is left for moving."""
    for i in range(topology.shape[0] - 1, -1, -1):
        f = get6(work, i, FORCE)
        bias = get6(work, i, BIAS)
        pull = get6(work, i, PULL)
        # with the bias acceleration taken into the force, the joint's equation is D a = drive - U . A(parent)
        f = add(f, times(get21(work, i, INERTIA), bias))
        work[i, DRIVE] = force[i] - dot(get6(work, i, AXIS), f)
        k = topology[i, PARENT]
        if k >= 0:
            f = add(f, scale(pull, work[i, DRIVE] * work[i, INVERSE]))
            put6(work, k, FORCE, add(get6(work, k, FORCE), f))


@kernel
def accelerate(topology, gravity, work, a):
    """Base to tips: the acceleration of every joint and link."""
    for i in range(topology.shape[0]):
        k = topology[i, PARENT]
        acceleration = (0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2])
        if k >= 0:
            acceleration = get6(work, k, ACCELERATION)
        a[i] = (work[i, DRIVE] - dot(get6(work, i, PULL), acceleration)) * work[i, INVERSE]
        acceleration = add(acceleration, add(get6(work, i, BIAS), scale(get6(work, i, AXIS), a[i])))
        put6(work, i, ACCELERATION, acceleration)


@kernel
def articulated_bodies(topology, links, gravity, force, work, a):
    """a with M a + (bias without springs) = force, in O(nv); poses and velocities are in `work`."""
    weigh(topology, links, work)
    singular = articulate(topology, links, work)
    if singular == GOOD:
        gyrate(topology, work)
        gather_force(topology, force, work)
        accelerate(topology, gravity, work, a)
    return singular


@kernel
def coupled_bodies(topology, links, rotors, gravity, force, work, dense, a):
    """The same by the dense mass matrix: coupled rotors join links that are not neighbours in the tree."""
    nv = a.size
    M = dense[:nv]
    bias = dense[nv]
    a[:] = 0.0
    newton_euler(topology, links, rotors, gravity, a, work, bias)
    composite_bodies(topology, links, rotors, work, M)
    singular = cholesky(M, links, work)
    if singular == GOOD:
        for i in range(nv):
            a[i] = force[i] - bias[i]
        solve_lower(M, a)
        solve_upper(M, a)
    return singular


@entry
def forward_dynamics_into(topology, links, springs, rotors, gravity, q, v, applied, work, dense, force, a):
    """a with M a + bias = applied, where the bias counts springs and dampers with a minus."""
    status = place_and_move(topology, links, q, v, work)
    if status != GOOD:
        return status
    if not finite(applied):
        return BAD_INPUT
    for i in range(force.size):
        force[i] = applied[i]
    add_passive_force(topology, links, springs, q, v, force)
    if rotors.shape[0] > 0:
        status = coupled_bodies(topology, links, rotors, gravity, force, work, dense, a)
    else:
        status = articulated_bodies(topology, links, gravity, force, work, a)
    return TOO_LARGE if status == GOOD and not finite(a) else status
