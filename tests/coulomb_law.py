"""Coulomb's law in space, line by line, in plain NumPy: a judge of solutions that shares nothing with the solver."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from random_cones import Cones

Floats = NDArray[np.float64]


def scale(problem: Cones, force: Floats) -> float:
    """What violations are relative to, in m/s^2: the largest of c, or 1e-5 of the largest term of G f."""
    return float(max(np.abs(problem.c).max(), 1e-5 * np.abs(problem.G * force).max()))


def law_lines(problem: Cones, force: Floats, acceleration: Floats) -> Iterator[tuple[str, float]]:
    """Every line of the law, and by how much it is violated in m/s^2; a force counts as the acceleration that it causes."""
    yield "u = G f + c", float(np.abs(problem.G @ force + problem.c - acceleration).max())
    for i, (f, u) in enumerate(zip(force.reshape(-1, 3), acceleration.reshape(-1, 3), strict=True)):
        g = problem.G.diagonal()[3 * i : 3 * i + 3].max()
        yield f"f_n >= 0 at {i}", g * max(0.0, -f[0])
        yield f"u_n >= 0 at {i}", max(0.0, -u[0])
        yield f"f_n u_n = 0 at {i}", min(g * abs(f[0]), abs(u[0]))
        yield f"friction at {i}", friction_violation(g, problem, i, f, u)
        if np.isnan(problem.sliding[i]).any():
            work = f @ u + problem.friction[i] * f[0] * np.hypot(u[1], u[2])
            yield f"De Saxce's bipotential at {i}", g * abs(work) / max(g * np.linalg.norm(f), np.linalg.norm(u), 1e-300)


def friction_violation(g: float, problem: Cones, i: int, f: Floats, u: Floats) -> float:
    """By how much contact i violates the nearest of: it is at rest, or slips against its friction, or has no force."""
    mu, mu_s, d = problem.friction[i], problem.static_friction[i], problem.sliding[i]
    along, size = f[1:], float(np.hypot(f[1], f[2]))
    if not np.isnan(d).any():
        return g * float(np.linalg.norm(along + mu * f[0] * d))
    rest = max(np.hypot(u[1], u[2]), g * (size - mu_s * f[0]))
    nothing = g * float(np.linalg.norm(f)) if mu > 0 else g * size
    if size == 0.0:
        return min(rest, nothing)
    e = along / size
    speed = float(u[1:] @ e)
    slip = max(g * abs(size - mu * f[0]), speed, float(np.linalg.norm(u[1:] - speed * e)))
    return min(rest, nothing, slip)


def assert_lawful(problem: Cones, force: Floats, acceleration: Floats, tolerance: float, what: str = "") -> None:
    """That all of it is finite, and no line violated by more than `tolerance`, relative to the scale."""
    assert np.isfinite(force).all(), what
    assert np.isfinite(acceleration).all(), what
    unit = scale(problem, force)
    for line, violation in law_lines(problem, force, acceleration):
        assert violation <= tolerance * unit, f"{what} {problem.name}: {line} is violated by {violation / unit:.2g}"
