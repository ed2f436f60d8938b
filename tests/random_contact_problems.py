"""Random contact problems in the plane, and the lines of paper 0's Tables I and II, written down apart from the package."""

import numpy as np

import stickslip.complementarity as ss


def random_mass(rng: np.random.Generator, nv: int, rank: int) -> np.ndarray:
    root = rng.standard_normal((nv, rank)) * 10 ** rng.uniform(-1, 1)
    return root @ root.T + (0.05 * np.eye(nv) if rank == nv else 0.0)


def random_problem(rng: np.random.Generator, contacts: int | None = None, *, singular: bool | None = None) -> ss.ContactProblem:
    """One to four contacts, each at rest, sliding or leaving; static friction, thresholds and inputs as it comes.

    A third has a singular mass matrix: massless coordinates that contacts may hold, or not.
    """
    k = int(rng.integers(1, 5)) if contacts is None else contacts
    nv, nu = int(rng.integers(2, 2 * k + 4)), int(rng.integers(0, 3))
    singular = rng.random() < 0.3 if singular is None else singular
    mass = random_mass(rng, nv, nv)
    jacobian = rng.standard_normal((2 * k, nv))
    if singular:
        light = int(rng.integers(1, max(2, nv // 2)))
        mass[-light:], mass[:, -light:] = 0.0, 0.0
        jacobian[: 2 * int(rng.integers(0, k + 1)), -light:] = 0.0
    velocity = np.zeros((k, 2))
    threshold = 1e-3
    sort = rng.integers(0, 4, k)
    velocity[:, 0] = np.where(sort == 3, 0.5, rng.uniform(-threshold, threshold, k))
    velocity[:, 1] = np.where(sort == 2, rng.choice([-1.0, 1.0], k), rng.uniform(-threshold, threshold, k))
    friction = np.where(rng.random(k) < 0.15, 0.0, rng.uniform(0.0, 1.2, k))
    static = friction * rng.choice([1.0, 1.3], k)
    return ss.ContactProblem(
        mass=mass,
        bias=np.where(rng.random(nv) < 0.1, 0.0, rng.standard_normal(nv)) * (np.diag(mass) > 0.0),
        input_map=rng.standard_normal((nv, nu)),
        jacobian=jacobian,
        drift=rng.standard_normal(2 * k) * rng.choice([0.0, 0.3]),
        velocity=velocity.ravel(),
        friction=friction,
        static_friction=static,
        thresholds=np.full(k, threshold),
    )


def table_lines(problem: ss.ContactProblem, sol: ss.ContactSolution) -> list[tuple[str, float]]:
    """(line, violation) for every line of Tables I and II and of the equation of motion, relative to the largest term."""
    a, f, tau = sol.acceleration, sol.force, sol.tau
    J, drift = problem.jacobian, problem.drift
    pushes = np.abs(problem.mass) @ np.abs(a) + np.abs(problem.bias) + np.abs(problem.input_map) @ np.abs(tau)
    push, reach = pushes.max(initial=1e-9), np.abs(J).max()
    force_scale = max(np.abs(f).max(initial=0.0), push / reach)
    motion_scale = max((np.abs(J) @ np.abs(a) + np.abs(drift)).max(initial=0.0), reach * push / np.abs(problem.mass).max())
    left = problem.mass @ a + problem.bias - problem.input_map @ tau - J.T @ f
    lines = [("dynamics", np.abs(left).max() / max(push, (np.abs(J).T @ np.abs(f)).max(initial=0.0)))]
    u = (J @ a + drift) / motion_scale
    for i, letter in enumerate(sol.word):
        un, ut, fn, ft = u[2 * i], u[2 * i + 1], f[2 * i] / force_scale, f[2 * i + 1] / force_scale
        vn, vt, threshold = problem.velocity[2 * i], problem.velocity[2 * i + 1], problem.thresholds[i]
        moving, static = problem.friction[i], problem.static_friction[i]
        if letter == "S":
            lines += [("S f_n = 0", abs(fn)), ("S f_t = 0", abs(ft)), ("S v_n >= 0", float(vn < -threshold))]
            if vn <= threshold:
                lines.append(("S a_n >= 0", -un))
            continue
        lines += [("v_n = 0", float(abs(vn) > threshold)), ("a_n = 0", abs(un)), ("f_n >= 0", -fn)]
        if letter == "F":
            lines += [
                ("F v_t = 0", float(abs(vt) > threshold)),
                ("F a_t = 0", abs(ut)),
                ("F |f_t| <= mu f_n", abs(ft) - static * fn),
            ]
        else:
            way = 1.0 if letter == "R" else -1.0
            lines += [(f"{letter} f_t", abs(ft + way * moving * fn)), (f"{letter} v_t", float(way * vt < -threshold))]
            if abs(vt) <= threshold:
                lines.append((f"{letter} a_t", -way * ut))
    return lines
