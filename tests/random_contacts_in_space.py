"""Random contact problems in space whose tangents give way differently, and the same as `coulomb_law.py` judges it."""

import numpy as np

from random_cones import Cones
from stickslip.complementarity import ContactProblem


def random_problem(rng: np.random.Generator, *, static: float = 1.0) -> tuple[ContactProblem, Cones]:
    """One to four contacts at rest or sliding, and the same as the judge wants it."""
    k, nv = int(rng.integers(1, 5)), int(rng.integers(2, 9))
    root, J = rng.standard_normal((nv, nv)), rng.standard_normal((3 * k, nv))
    mass, bias = root @ root.T + 0.1 * np.eye(nv), rng.standard_normal(nv)
    velocity = rng.standard_normal((k, 3)) * (rng.random((k, 1)) < 0.3) * (0.0, 1.0, 1.0)
    friction = rng.uniform(0.0, 1.5, k)
    problem = ContactProblem(
        mass=mass, bias=bias, jacobian=J, velocity=velocity.ravel(), friction=friction, static_friction=static * friction
    )
    free = -np.linalg.solve(mass, bias)
    with np.errstate(invalid="ignore"):
        sliding = velocity[:, 1:] / np.linalg.norm(velocity[:, 1:], axis=1)[:, None]
    return problem, Cones("rows", J @ np.linalg.solve(mass, J.T), J @ free, friction, static * friction, sliding)
