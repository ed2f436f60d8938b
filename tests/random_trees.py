"""Mechanisms built by chance, reproducibly: the fixtures of every test that compares with something independent."""

from __future__ import annotations

import numpy as np

import stickslip as ss

SCALAR = ("revolute", "continuous", "prismatic")
KINDS = (*SCALAR, "ball", "planar")


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    return q * np.sign(np.linalg.det(q))


def random_inertia(rng: np.random.Generator, mass: float) -> np.ndarray:
    """The inertia of four random points that share the mass: physical by construction."""
    points = 0.2 * rng.standard_normal((4, 3))
    points -= points.mean(axis=0)
    return sum(mass / 4 * (p @ p * np.eye(3) - np.outer(p, p)) for p in points)


def random_tree(
    seed: int,
    *,
    joints: int,
    kinds: tuple[str, ...] = KINDS,
    floating: bool = False,
    branching: float = 0.4,
    extras: bool = True,
) -> ss.MechanismDescription:
    """A tree of `joints` moving joints and a few welded bodies; `extras` are anchors, armature, damping."""
    rng = np.random.default_rng(seed)
    b = ss.MechanismBuilder(gravity=rng.standard_normal(3) * 5)
    bodies = ["world"]
    for k in range(joints):
        name = f"body_{k}"
        mass = rng.uniform(0.2, 3.0)
        b.body(name, mass=mass, centre=0.3 * rng.standard_normal(3), inertia=random_inertia(rng, mass))
        if k == 0 and floating:
            b.free("joint_0", child=name)
        else:
            parent = bodies[-1] if rng.random() > branching else bodies[rng.integers(floating, len(bodies))]
            more = {"armature": rng.uniform(0, 0.1), "damping": rng.uniform(0, 0.5), "anchor": 0.1 * rng.standard_normal(3)}
            getattr(b, str(rng.choice(kinds)))(
                f"joint_{k}",
                parent=parent,
                child=name,
                at=0.4 * rng.standard_normal(3),
                rotation=random_rotation(rng),
                axis=rng.standard_normal(3),
                **(more if extras else {}),
            )
        bodies.append(name)
        if rng.random() < 0.2:
            b.body(f"welded_{k}", mass=0.3, centre=0.1 * rng.standard_normal(3), inertia=random_inertia(rng, 0.3))
            b.fixed(f"weld_{k}", parent=name, child=f"welded_{k}", at=rng.standard_normal(3), rotation=random_rotation(rng))
            bodies.append(f"welded_{k}")
    return b.description()


def random_state(mech: ss.Mechanism, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A position, a velocity and a generalised force."""
    rng = np.random.default_rng(seed)
    q = mech.integrate(mech.neutral(), rng.standard_normal(mech.nv))
    return q, rng.standard_normal(mech.nv), rng.standard_normal(mech.nv)


def chain(links: int, *, seed: int | None = None, length: float = 1.0) -> ss.Mechanism:
    """A hanging chain of uniform rods; hinges all about y, or with random axes where a seed is given."""
    rng = np.random.default_rng(seed)
    b = ss.MechanismBuilder()
    for k in range(links):
        inertia = (length**2 / 12, length**2 / 12, 1e-3 * length**2)
        b.body(f"rod_{k}", mass=1.0, centre=(0, 0, -length / 2), inertia=inertia)
        axis = (0, 1, 0) if seed is None else rng.standard_normal(3)
        parent, at = ("world", (0, 0, 0)) if k == 0 else (f"rod_{k - 1}", (0, 0, -length))
        b.revolute(f"hinge_{k}", parent=parent, child=f"rod_{k}", axis=axis, at=at)
    return ss.Mechanism(b)
