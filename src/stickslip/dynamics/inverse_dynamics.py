"""Recursive Newton-Euler: the force along every coordinate that a given acceleration needs."""

from stickslip.dynamics.kernel import entry, kernel
from stickslip.dynamics.kinematics import (
    ACCELERATION,
    AXIS,
    BAD_INPUT,
    BIAS,
    FORCE,
    GOOD,
    TOO_LARGE,
    VELOCITY,
    body_inertia,
    finite,
    place_and_move,
)
from stickslip.dynamics.passive import add_passive_force
from stickslip.dynamics.spatial import add, cross_force, dot, get6, momentum, put6, scale
from stickslip.dynamics.tree import ARMATURE, MASS, PARENT, ROTOR_INERTIA, ROTOR_ROW


@kernel
def newton_euler(topology, links, rotors, gravity, a, work, force):
    """Forces (nv,) that give the accelerations a, without springs and dampers; poses and velocities are in `work`."""
    for i in range(topology.shape[0]):
        k = topology[i, PARENT]
        acceleration = (0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2])
        if k >= 0:
            acceleration = get6(work, k, ACCELERATION)
        acceleration = add(acceleration, add(get6(work, i, BIAS), scale(get6(work, i, AXIS), a[i])))
        put6(work, i, ACCELERATION, acceleration)
        put6(work, i, FORCE, body_force(topology, links, acceleration, work, i))
    for i in range(topology.shape[0] - 1, -1, -1):
        f = get6(work, i, FORCE)
        force[i] = dot(get6(work, i, AXIS), f) + links[i, ARMATURE] * a[i]
        k = topology[i, PARENT]
        if k >= 0:
            put6(work, k, FORCE, add(get6(work, k, FORCE), f))
    add_rotor_force(rotors, a, force)


@kernel
def body_force(topology, links, acceleration, work, i):
    """What moves the body of link i: I A + V x* I V."""
    if links[i, MASS] == 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    I = body_inertia(topology, links, work, i)
    V = get6(work, i, VELOCITY)
    return add(momentum(I, acceleration), cross_force(V, momentum(I, V)))


@kernel
def add_rotor_force(rotors, a, force):
    """Rotors that turn with a combination of joints: G^T I G a."""
    for r in range(rotors.shape[0]):
        rate = 0.0
        for i in range(a.size):
            rate += rotors[r, ROTOR_ROW + i] * a[i]
        for i in range(a.size):
            force[i] += rotors[r, ROTOR_ROW + i] * rotors[r, ROTOR_INERTIA] * rate


@entry
def inverse_dynamics_into(topology, links, springs, rotors, gravity, q, v, a, work, passive, force):
    """force = M a + bias, where the bias counts springs and dampers with a minus."""
    status = place_and_move(topology, links, q, v, work)
    if status != GOOD:
        return status
    if not finite(a):
        return BAD_INPUT
    newton_euler(topology, links, rotors, gravity, a, work, force)
    passive[:] = 0.0
    add_passive_force(topology, links, springs, q, v, passive)
    for i in range(force.size):
        force[i] -= passive[i]
    return GOOD if finite(force) else TOO_LARGE
