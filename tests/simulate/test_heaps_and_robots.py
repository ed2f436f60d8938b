"""Many contacts at once, of heaps and of a robot that falls over: no overlap, no energy out of nothing, no early end."""

import numpy as np
import pytest

import stickslip as ss

FLOOR = ss.HalfSpace(normal=(0, 0, 1), name="floor")
DEEPEST = 1e-9  # m
RISE = 1e-6  # of the energy that is lost altogether, in one step


def heap(seed, restitution):
    """One to four spheres, boxes and capsules above each other, in any attitude, that move and turn at random."""
    draw = np.random.default_rng(seed)
    b = ss.MechanismBuilder()
    q, v = [], []
    for i in range(draw.integers(1, 5)):
        size, kind, mass = draw.uniform(0.2, 0.5), draw.choice(3), draw.uniform(0.5, 2.0)
        shape = (
            ss.Sphere(radius=0.5 * size),
            ss.Box(size=(size, 0.8 * size, 0.6 * size)),
            ss.Capsule(radius=0.2 * size, length=0.6 * size),
        )[kind]
        b.body(f"body_{i}", mass=mass, inertia=mass * size**2 * np.diag([0.12, 0.132, 0.108]), shapes=[shape])
        b.free(f"root_{i}", child=f"body_{i}")
        turn = draw.standard_normal(4)
        q += [*draw.uniform(-0.3, 0.3, 2), 0.45 + 0.8 * i, *turn / np.linalg.norm(turn)]
        v += [*draw.standard_normal(3), *2.0 * draw.standard_normal(3)]
    material = ss.Material(friction=draw.uniform(0, 1), restitution=restitution)
    return ss.World(ss.Mechanism(b), obstacles=[FLOOR], material=material), q, v


def quadruped():
    """A trunk on four legs with two hinges each, which have limits and dampers."""
    b = ss.MechanismBuilder()
    b.body("trunk", mass=8.0, inertia=np.diag([0.05, 0.12, 0.14]), shapes=[ss.Box(size=(0.5, 0.2, 0.1))])
    b.free("root", child="trunk")
    for leg, (x, y) in {"fl": (0.2, 0.12), "fr": (0.2, -0.12), "rl": (-0.2, 0.12), "rr": (-0.2, -0.12)}.items():
        thigh = ss.Capsule(radius=0.02, length=0.16, centre=(0, 0, -0.1))
        b.body(f"{leg}_thigh", mass=0.8, centre=(0, 0, -0.1), inertia=np.diag([0.004, 0.004, 0.001]), shapes=[thigh])
        b.revolute(
            f"{leg}_hip", parent="trunk", child=f"{leg}_thigh", axis=(0, 1, 0), at=(x, y, 0), limits=(-1.5, 1.5), damping=0.05
        )
        foot = ss.Sphere(radius=0.025, centre=(0, 0, -0.2))
        b.body(f"{leg}_shank", mass=0.3, centre=(0, 0, -0.1), inertia=np.diag([0.001, 0.001, 0.0002]), shapes=[foot])
        b.revolute(
            f"{leg}_knee",
            parent=f"{leg}_thigh",
            child=f"{leg}_shank",
            axis=(0, 1, 0),
            at=(0, 0, -0.2),
            limits=(-2.5, -0.1),
            damping=0.05,
        )
    return ss.Mechanism(b)


def check(world, run):
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    assert min(world.gap(q) for q in run.q[::20]) > -DEEPEST
    energy = run.energy.sum(axis=1)
    assert np.diff(energy).max() < RISE * np.ptp(energy)


@pytest.mark.parametrize("more", [{}, {"directions": 4}, {"directions": 8}], ids=["cone", "four", "eight"])
@pytest.mark.parametrize(("seed", "restitution"), [(7, 0.0), (106, 0.0), (110, 0.0), (119, 0.6), (143, 0.6)])
def test_a_heap_comes_to_its_end(seed, restitution, more):
    """Contacts of bodies that lie beside others that fly have velocities of round-off: no LCP was found to have a solution."""
    world, q, v = heap(seed, restitution)
    check(world, ss.simulate(world, q, v, 2.0, "time-stepping", **more))


@pytest.mark.parametrize(("seed", "restitution", "dt"), [(0, 0.4, 1e-3), (1, 0.0, 1e-3), (2, 0.4, 5e-3), (4, 0.4, 1e-3)])
def test_a_robot_falls_over(seed, restitution, dt):
    """Corners that are all to stick, of a trunk that turned until now: no forces undo all of their drift."""
    mechanism = quadruped()
    world = ss.World(mechanism, obstacles=[FLOOR], material=ss.Material(friction=0.6, restitution=restitution))
    turn = np.random.default_rng(seed).standard_normal(4)
    q = mechanism.neutral()
    q[2:7] = 0.9, *turn / np.linalg.norm(turn)
    q[7:] = [0.6, -1.2] * 4
    check(world, ss.simulate(world, q, np.zeros(mechanism.nv), 2.0, "time-stepping", dt=dt))
