"""Random contacts in space as plain arrays: bodies that touch, boxes on corners, stacks, chains.

Every problem but those `beyond_reach` has c = J v for some motion v, as all impacts have and all contacts at rest: then
pyramids in place of the cones always have a solution, however large the friction is and however singular G.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Cones(NamedTuple):
    """What `solve_cone` takes, and the name of what it is a model of."""

    name: str
    G: Floats
    c: Floats
    friction: Floats
    static_friction: Floats
    sliding: Floats


def frame(normal: Floats) -> Floats:
    """Rows n, t1, t2: orthonormal and right-handed."""
    n = normal / np.linalg.norm(normal)
    other = np.eye(3)[np.argmin(np.abs(n))]
    t = np.cross(n, other) / np.linalg.norm(np.cross(n, other))
    return np.array([n, t, np.cross(n, t)])


def point_rows(axes: Floats, arm: Floats) -> Floats:
    """(3, 6): velocity of a point along `axes`, from a body's linear and angular velocity."""
    x, y, z = arm
    return axes @ np.hstack([np.eye(3), np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])])


def problem(
    rng: np.random.Generator, name: str, J: Floats, mass: Floats, v: Floats, *, slide: float = 0.0, away: float = 0.0
) -> Cones:
    """The problem of rows J with c = J v. A part `slide` of all contacts slides already, and c is moved `away` at random."""
    k = len(J) // 3
    G = J @ np.linalg.solve(mass, J.T)
    c = J @ v
    c += away * np.abs(c).max() * rng.standard_normal(3 * k)
    friction = rng.uniform(0.0, 2.0, k) * (rng.random(k) > 0.1)
    if rng.random() < 0.5:
        friction[:] = rng.choice([0.1, 0.5, 1.0])
    angle = rng.uniform(0.0, 2 * np.pi, k)
    sliding = np.where(rng.random((k, 1)) < slide, np.stack([np.cos(angle), np.sin(angle)], axis=1), np.nan)
    return Cones(name, (G + G.T) / 2, c, friction, friction * rng.choice([1.0, 1.3], k), sliding)


def body_mass(rng: np.random.Generator, mass: float, size: float = 1.0) -> Floats:
    """(6, 6) of a body about its centre; its moments are those of some box."""
    sides = size * rng.uniform(0.2, 1.0, 3) ** 2
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    M = np.zeros((6, 6))
    M[:3, :3] = mass * np.eye(3)
    M[3:, 3:] = mass / 12 * turn @ np.diag(sides.sum() - sides) @ turn.T
    return M


def touching_bodies(rng: np.random.Generator, k: int, slide: float = 0.0, away: float = 0.0) -> Cones:
    """Free bodies whose masses differ by up to 1e4, touching each other and the ground anywhere, some of them twice."""
    n = int(rng.integers(1, k + 2))
    spread = rng.choice([0.0, 1.0, 2.0])
    mass = np.zeros((6 * n, 6 * n))
    for i in range(n):
        mass[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = body_mass(rng, 10 ** rng.uniform(-spread, spread))
    J = np.zeros((3 * k, 6 * n))
    for i in range(k):
        a, b = rng.integers(n), rng.integers(-1, n)
        axes = frame(rng.standard_normal(3))
        J[3 * i : 3 * i + 3, 6 * a : 6 * a + 6] = point_rows(axes, rng.uniform(-0.5, 0.5, 3))
        if b >= 0 and b != a:
            J[3 * i : 3 * i + 3, 6 * b : 6 * b + 6] = -point_rows(axes, rng.uniform(-0.5, 0.5, 3))
    if k > 1 and rng.random() < 0.3:
        J[-3:] = J[:3]
    return problem(rng, "touching bodies", J, mass, rng.standard_normal(6 * n), slide=slide, away=away)


def gravity(rng: np.random.Generator, tilt: float) -> Floats:
    """(3,) for a floor that is tilted by up to that angle."""
    angle, way = rng.uniform(0.0, tilt), rng.uniform(0.0, 2 * np.pi)
    return -9.81 * np.array([np.sin(angle) * np.cos(way), np.sin(angle) * np.sin(way), np.cos(angle)])


def corners(rng: np.random.Generator, count: int) -> Floats:
    """(count, 3): corners below a box, then the middles of its edges."""
    x, y, z = rng.uniform(0.1, 1.0, 3)
    signs = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (0, -1)])[:count]
    return np.column_stack([signs * (x, y), np.full(count, -z)])


def stack(rng: np.random.Generator, boxes: int, count: int) -> Cones:
    """Boxes on each other, each on `count` points: pushed, or thrown, on a floor that may be tilted."""
    feet = corners(rng, count)
    height = -feet[0, 2]
    spread = rng.choice([0.0, 1.0, 2.0])
    mass, v, push = np.zeros((6 * boxes, 6 * boxes)), np.zeros(6 * boxes), rng.choice([0.0, 3.0])
    fall = gravity(rng, 0.6)
    J = np.zeros((3 * count * boxes, 6 * boxes))
    thrown = rng.random() < 0.3
    for i in range(boxes):
        own = slice(6 * i, 6 * i + 6)
        mass[own, own] = body_mass(rng, 10 ** rng.uniform(-spread, spread), 2 * height)
        v[own] = np.concatenate([fall, np.zeros(3)]) + push * rng.standard_normal(6)
        if thrown:
            v[own] = rng.standard_normal(6)
        for j, foot in enumerate(feet):
            rows = slice(3 * (count * i + j), 3 * (count * i + j) + 3)
            axes = np.array([(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
            J[rows, own] = point_rows(axes, foot)
            if i > 0:
                J[rows, 6 * i - 6 : 6 * i] = -point_rows(axes, foot + (0.0, 0.0, 2 * height))
    return problem(rng, f"{boxes} boxes on {count}", J, mass, v)


def sliding_box(rng: np.random.Generator, count: int) -> Cones:
    """A box that slides and turns on a floor, all of its feet in their own directions; the friction is too small to jam it."""
    feet = corners(rng, count) * (1.0, 1.0, 0.2)
    slip, turn = rng.standard_normal(2), rng.standard_normal() * rng.choice([0.0, 1.0])
    speed = slip + turn * np.column_stack([-feet[:, 1], feet[:, 0]])
    J = np.vstack([point_rows(np.array([(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]), foot) for foot in feet])
    mass = body_mass(rng, 1.0)
    drift = np.zeros((count, 3))
    drift[:, 1:] = -(turn**2) * feet[:, :2]
    G = J @ np.linalg.solve(mass, J.T)
    c = J @ np.concatenate([gravity(rng, 0.3), np.zeros(3)]) + drift.ravel()
    friction = np.full(count, rng.uniform(0.0, 0.2))
    directions = speed / np.linalg.norm(speed, axis=1)[:, None]
    return Cones(f"sliding box on {count}", (G + G.T) / 2, c, friction, friction, directions)


def chain(rng: np.random.Generator, k: int) -> Cones:
    """An open chain of hinges in space, touched at k points of its links; heavy and light links as it comes."""
    n = int(rng.integers(2, 9))
    axes = rng.standard_normal((n, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    steps = rng.standard_normal((n, 3))
    ends = np.cumsum(steps, axis=0)
    starts = ends - steps
    spread = rng.choice([0.0, 1.0, 2.0])
    mass = 1e-6 * np.eye(n)

    def motion(link: int, point: Floats) -> Floats:
        rows = np.zeros((6, n))
        for j in range(link + 1):
            rows[:3, j], rows[3:, j] = np.cross(axes[j], point - starts[j]), axes[j]
        return rows

    for i in range(n):
        rows = motion(i, (starts[i] + ends[i]) / 2)
        mass += rows.T @ body_mass(rng, 10 ** rng.uniform(-spread, spread)) @ rows
    J = np.zeros((3 * k, n))
    for i in range(k):
        link = int(rng.integers(n))
        point = starts[link] + rng.random() * steps[link]
        J[3 * i : 3 * i + 3] = frame(rng.standard_normal(3)) @ motion(link, point)[:3]
    return problem(rng, "chain", J, mass, rng.standard_normal(n))


def solvable(rng: np.random.Generator, k: int) -> Cones:
    """Any of the problems above with k contacts that certainly has a solution."""
    kinds: list[Callable[[], Cones]] = [lambda: touching_bodies(rng, k), lambda: chain(rng, k)]
    if k in (4, 8):
        kinds += [lambda: stack(rng, 1, k), lambda: sliding_box(rng, k)]
    if k in (6, 8, 9, 12):
        feet = 4 if k % 4 == 0 else 3
        kinds.append(lambda: stack(rng, k // feet, feet))
    return kinds[rng.integers(len(kinds))]()


def beyond_reach(rng: np.random.Generator, k: int) -> Cones:
    """Touching bodies of which some slide already, and with accelerations that no motion has: there may be no solution."""
    return touching_bodies(rng, k, slide=rng.choice([0.0, 0.5]), away=rng.choice([0.0, 0.3]))
