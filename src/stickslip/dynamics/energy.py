"""Energy, momentum and the centre of mass."""

from stickslip.dynamics.kernel import entry, kernel
from stickslip.dynamics.kinematics import (
    GOOD,
    POSITION,
    ROTATION,
    TOO_LARGE,
    VELOCITY,
    body_inertia,
    finite,
    place_and_move,
)
from stickslip.dynamics.passive import spring_energy
from stickslip.dynamics.rotation import add3, cross3, minus3, rotate, scale3
from stickslip.dynamics.spatial import dot, get3, get6, get9, momentum
from stickslip.dynamics.tree import ARMATURE, CENTRE, MASS, ORIGIN, ROTOR_INERTIA, ROTOR_ROW


@kernel
def centre_of_body(links, work, i):
    return add3(get3(work, i, POSITION), rotate(get9(work, i, ROTATION), get3(links, i, CENTRE)))


@kernel
def kinetic_energy(topology, links, rotors, v, work):
    energy = 0.0
    for i in range(topology.shape[0]):
        energy += 0.5 * links[i, ARMATURE] * v[i] * v[i]
        if links[i, MASS] > 0.0:
            V = get6(work, i, VELOCITY)
            energy += 0.5 * dot(V, momentum(body_inertia(topology, links, work, i), V))
    for r in range(rotors.shape[0]):
        rate = 0.0
        for i in range(v.size):
            rate += rotors[r, ROTOR_ROW + i] * v[i]
        energy += 0.5 * rotors[r, ROTOR_INERTIA] * rate * rate
    return energy


@kernel
def weight_energy(topology, links, gravity, work):
    energy = 0.0
    for i in range(topology.shape[0]):
        if links[i, MASS] > 0.0:
            c = centre_of_body(links, work, i)
            energy -= links[i, MASS] * (gravity[0] * c[0] + gravity[1] * c[1] + gravity[2] * c[2])
    return energy


@entry
def energy_into(topology, links, springs, rotors, gravity, q, v, work, energies):
    """energies = (kinetic, potential)"""
    status = place_and_move(topology, links, q, v, work)
    if status != GOOD:
        return status
    energies[0] = kinetic_energy(topology, links, rotors, v, work)
    energies[1] = weight_energy(topology, links, gravity, work) + spring_energy(topology, links, springs, q, v)
    return GOOD if finite(energies) else TOO_LARGE


@entry
def momentum_into(topology, links, q, v, work, answer):
    """answer = (mass, centre of mass (3), linear momentum (3), angular momentum about the centre of mass (3))"""
    status = place_and_move(topology, links, q, v, work)
    if status != GOOD:
        return status
    mass = 0.0
    first_moment = (0.0, 0.0, 0.0)
    for i in range(topology.shape[0]):
        mass += links[i, MASS]
        first_moment = add3(first_moment, scale3(centre_of_body(links, work, i), links[i, MASS]))
    centre = scale3(first_moment, 1.0 / mass)
    linear = (0.0, 0.0, 0.0)
    angular = (0.0, 0.0, 0.0)
    for i in range(topology.shape[0]):
        if links[i, MASS] > 0.0:
            h = momentum(body_inertia(topology, links, work, i), get6(work, i, VELOCITY))
            p = (h[3], h[4], h[5])
            arm = minus3(get3(work, topology[i, ORIGIN], POSITION), centre)
            linear = add3(linear, p)
            angular = add3(angular, add3((h[0], h[1], h[2]), cross3(arm, p)))
    answer[0] = mass
    for c in range(3):
        answer[1 + c] = centre[c]
        answer[4 + c] = linear[c]
        answer[7 + c] = angular[c]
    return GOOD if finite(answer) else TOO_LARGE
