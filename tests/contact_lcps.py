"""Random velocity-level contact problems in the plane as LCPs, as paper 2 (17)-(28) forms them."""

import numpy as np


def contact_lcp(rng: np.random.Generator, contacts: int) -> tuple[np.ndarray, np.ndarray]:
    """A and b of size 4 contacts; unknowns f_n, beta+, beta-, sigma of each contact. Copositive, and always solvable.

    Random bodies: a positive definite mass matrix and random contact rows, sometimes more of them than velocities.
    """
    nv = int(rng.integers(2, 2 * contacts + 4))
    root = rng.standard_normal((nv, nv))
    J = rng.standard_normal((2 * contacts, nv))
    G = J @ np.linalg.solve(root @ root.T + 0.1 * np.eye(nv), J.T)
    free = J @ rng.standard_normal(nv)
    return assembled(0.5 * (G + G.T), free, rng.uniform(0.0, 1.5, contacts))


def assembled(G: np.ndarray, free: np.ndarray, friction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The LCP of a Delassus matrix with rows (n, t) per contact, its free velocities and coefficients of friction."""
    k = len(friction)
    directions = np.kron(np.eye(k), [[1.0, 0.0, 0.0], [0.0, 1.0, -1.0]])  # of (f_n, beta+, beta-) in (n, t)
    A, b = np.zeros((4 * k, 4 * k)), np.zeros(4 * k)
    forces = np.flatnonzero(np.arange(4 * k) % 4 < 3)
    A[np.ix_(forces, forces)] = directions.T @ G @ directions
    b[forces] = directions.T @ free
    for i in range(k):
        A[4 * i + 1, 4 * i + 3] = A[4 * i + 2, 4 * i + 3] = 1.0
        A[4 * i + 3, 4 * i : 4 * i + 3] = friction[i], -1.0, -1.0
    return A, b
