"""Random contact problems, by hand, with velocities at which something approaches."""

import numpy as np

import stickslip as ss


def random_strike(rng, contacts, *, planar, dependent=False, friction=None, restitution=None):
    """(problem, v): `contacts` at random, the first of which approaches; rows may outnumber coordinates if `dependent`."""
    size = 2 if planar else 3
    nv = size * contacts + int(rng.integers(0, 3))
    if dependent:
        nv = int(rng.integers(size, size * contacts + 1))
    root = rng.standard_normal((nv, nv))
    jacobian, v = rng.standard_normal((size * contacts, nv)), rng.standard_normal(nv)
    if rng.random() < 0.2:  # what approaches head-on does not slide before
        v -= np.linalg.pinv(jacobian[1:size]) @ (jacobian[1:size] @ v)
    if jacobian[0] @ v > 0:
        v = -v
    moving = rng.uniform(0.0, 1.0, contacts) if friction is None else np.full(contacts, friction)
    problem = ss.ContactProblem(
        mass=root @ root.T + 0.2 * np.eye(nv),
        bias=np.zeros(nv),
        jacobian=jacobian,
        friction=moving,
        static_friction=moving * rng.choice([1.0, 1.4]),
        restitution=rng.uniform(0.0, 1.0, contacts) if restitution is None else np.full(contacts, restitution),
    )
    return problem, v


def obeys(hit):
    """The lines that every impact keeps, written down apart from the package: a list of what is broken."""
    problem, size = hit.problem, hit.problem.rows_per_contact
    J, p, broken = problem.jacobian, hit.impulse, []
    change = problem.mass @ (hit.velocity / hit.scale - hit.velocity_before)
    if not np.allclose(change, J.T @ p, rtol=0, atol=1e-8 * max(1.0, np.abs(change).max())):
        broken.append("momentum")
    before, after, largest = J @ hit.velocity_before, J @ hit.velocity, max(np.abs(p).max(), 1e-12)
    for i, mu in enumerate(problem.static_friction):
        n = size * i
        if p[n] < -1e-9 * largest:
            broken.append(f"pulls at {i}")
        if np.linalg.norm(p[n + 1 : n + size]) > mu * p[n] + 1e-8 * largest:
            broken.append(f"friction at {i}")
        if after[n] < -1e-8 * max(np.abs(before).max(), np.abs(after).max()):
            broken.append(f"approaches at {i}")
    return broken
