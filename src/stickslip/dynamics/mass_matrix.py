"""The mass matrix by composite rigid bodies."""

from stickslip.dynamics.kernel import entry, kernel
from stickslip.dynamics.kinematics import AXIS, BAD_Q, GOOD, INERTIA, SPREAD, TOO_LARGE, body_inertia, finite_diagonal, place
from stickslip.dynamics.spatial import dot, get6, get10, momentum, put10, trace
from stickslip.dynamics.tree import ARMATURE, MASS, PARENT, ROTOR_INERTIA, ROTOR_ROW


@kernel
def gather_inertia(topology, links, work):
    """Inertia of everything that each link carries, tips to base."""
    nothing = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(topology.shape[0]):
        put10(work, i, INERTIA, nothing if links[i, MASS] == 0.0 else body_inertia(topology, links, work, i))
    for i in range(topology.shape[0] - 1, -1, -1):
        k = topology[i, PARENT]
        if k >= 0:
            for c in range(INERTIA, INERTIA + 10):
                work[k, c] += work[i, c]


@kernel
def composite_bodies(topology, links, rotors, work, M):
    """M (nv, nv) from the poses in `work`: a unit acceleration of link i moves all that it carries as one body."""
    gather_inertia(topology, links, work)
    M[:, :] = 0.0
    for i in range(topology.shape[0]):
        I = get10(work, i, INERTIA)
        work[i, SPREAD] = trace(I)
        f = momentum(I, get6(work, i, AXIS))
        M[i, i] = dot(get6(work, i, AXIS), f) + links[i, ARMATURE]
        k = topology[i, PARENT]
        while k >= 0:
            M[i, k] = dot(get6(work, k, AXIS), f)
            M[k, i] = M[i, k]
            k = topology[k, PARENT]
    add_rotors(rotors, M)


@kernel
def add_rotors(rotors, M):
    """Rotors that turn with a combination of joints: G^T I G."""
    for r in range(rotors.shape[0]):
        for i in range(M.shape[0]):
            pull = rotors[r, ROTOR_ROW + i] * rotors[r, ROTOR_INERTIA]
            if pull != 0.0:
                for k in range(M.shape[0]):
                    M[i, k] += pull * rotors[r, ROTOR_ROW + k]


@entry
def mass_matrix_into(topology, links, springs, rotors, gravity, q, work, M):
    if not place(topology, links, q, work):
        return BAD_Q
    composite_bodies(topology, links, rotors, work, M)
    return GOOD if finite_diagonal(M) else TOO_LARGE
