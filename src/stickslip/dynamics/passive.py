"""Forces that the mechanism itself exerts along its coordinates: springs, dampers and PD loops."""

from stickslip.dynamics.kernel import kernel
from stickslip.dynamics.tree import (
    DAMPING,
    GAIN,
    SPRING_DAMPING,
    SPRING_REST,
    SPRING_ROW,
    SPRING_STIFFNESS,
    STIFFNESS,
    STORED,
    TARGET,
    TENSION,
    Floats,
    Q,
)


def has_passive_forces(links: Floats, springs: Floats) -> bool:
    """Whether a mechanism with these rows exerts any."""
    return len(springs) > 0 or bool(links[:, [STIFFNESS, DAMPING, TENSION, GAIN, TARGET]].any())


@kernel
def add_passive_force(topology, links, springs, q, v, force):
    """Add the passive forces along every coordinate to `force` (nv,)."""
    for i in range(topology.shape[0]):
        link = links[i, STIFFNESS] + links[i, GAIN]
        force[i] += links[i, TENSION] + links[i, TARGET] - links[i, DAMPING] * v[i]
        if link != 0.0:  # only joints of one coordinate have springs
            force[i] -= link * q[topology[i, Q]]
    for s in range(springs.shape[0]):
        length, rate = stretch(topology, springs, q, v, s)
        tension = springs[s, SPRING_STIFFNESS] * (springs[s, SPRING_REST] - length) - springs[s, SPRING_DAMPING] * rate
        for i in range(topology.shape[0]):
            force[i] += springs[s, SPRING_ROW + i] * tension


@kernel
def stretch(topology, springs, q, v, s):
    """Coordinate and rate of the combination of joints that spring s acts along."""
    length = 0.0
    rate = 0.0
    for i in range(topology.shape[0]):
        coefficient = springs[s, SPRING_ROW + i]
        if coefficient != 0.0:
            length += coefficient * q[topology[i, Q]]
            rate += coefficient * v[i]
    return length, rate


@kernel
def spring_energy(topology, links, springs, q, v):
    """Energy stored in the springs; zero where each is at rest. A PD loop is an actuator and stores none."""
    energy = 0.0
    for i in range(topology.shape[0]):
        stiffness = links[i, STIFFNESS]
        if stiffness != 0.0:
            coordinate = q[topology[i, Q]]
            energy += links[i, STORED] + coordinate * (0.5 * stiffness * coordinate - links[i, TENSION])
    for s in range(springs.shape[0]):
        length, _ = stretch(topology, springs, q, v, s)
        extension = length - springs[s, SPRING_REST]
        energy += 0.5 * springs[s, SPRING_STIFFNESS] * extension * extension
    return energy
