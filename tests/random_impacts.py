"""Random mechanisms that touch a floor, walls and their own joints' limits at one instant, and move into them.

The impact happens at the very beginning; the step after it is so short that nothing else can be seen.
"""

from __future__ import annotations

import numpy as np

import stickslip as ss

INSTANT = 1e-9  # s


def impact_scene(seed: int, restitution: float = 0.0) -> tuple[ss.World, np.ndarray, np.ndarray, dict[str, int]]:
    """A world, a position with closed ones, velocities at random, and how friction is to be solved.

    In the plane or in space, on a free or a fixed base, with one to three obstacles that touch exactly, friction from none to
    more than one, some joints at their limits, and now and then with all hinges cut.
    """
    rng = np.random.default_rng(seed)
    plane = "xz" if rng.random() < 0.5 else None
    b = ss.MechanismBuilder(plane=plane)
    floating, angles = rng.random() < 0.5, {}
    for k in range(int(rng.integers(1, 5))):
        add_body(b, rng, plane, k, floating, angles)
    mech = ss.Mechanism(b)
    q = mech.configuration(**angles)
    if floating and plane is None and rng.random() < 0.5:
        q[3:7] = turned(rng)
    v = rng.normal(0, 2, mech.nv)
    if rng.random() < 0.25 and not any(np.isfinite(joint.limits).any() for joint in mech.description.moving_joints):
        q, v = mech.cut_state(q, v)
        mech = mech.cut_hinges()
    friction = float(rng.choice([0.0, rng.uniform(0, 0.6), rng.uniform(0.6, 1.5)]))
    material = ss.Material(friction=friction, restitution=restitution)
    obstacles = [touching(mech, q, normal, name) for normal, name in surroundings(rng)]
    more = {"directions": 2 * int(rng.integers(2, 5))} if plane is None and rng.random() < 0.4 else {}
    return ss.World(mech, obstacles=obstacles, material=material), q, v, more


def add_body(b, rng, plane, k, floating, angles) -> None:
    """Another link with a ball or a box, on a joint to the one before."""
    size = rng.uniform(0.1, 0.5, 3)
    mass = rng.uniform(0.3, 3.0)
    centre = (0.3, 0) if plane else (0.3, 0, 0)
    where = (0.3, 0, 0)
    shape = ss.Sphere(radius=float(size[0]) / 2, centre=where) if rng.random() < 0.5 else ss.Box(size=size, centre=where)
    inertia = mass * rng.uniform(0.01, 0.05) if plane else np.diag(mass * rng.uniform(0.03, 0.05, 3))
    b.body(f"body_{k}", mass=mass, centre=centre, inertia=inertia, shapes=[shape])
    if k == 0 and floating:
        (b.planar if plane else b.free)("root", child="body_0")
        return
    parent = {"parent": f"body_{k - 1}", "at": tuple(2 * np.array(centre))} if k else {}
    angle = float(rng.choice([0.0, rng.uniform(-1.5, 1.5)]))
    options = {} if plane else {"axis": tuple(rng.normal(0, 1, 3))}
    if rng.random() < 0.15:
        options["limits"] = (angle, 3.0) if rng.random() < 0.5 else (-3.0, angle)
    b.revolute(f"hinge_{k}", child=f"body_{k}", **parent, **options)
    angles[f"hinge_{k}"] = angle


def turned(rng) -> np.ndarray:
    quaternion = rng.normal(0, 1, 4)
    return quaternion / np.linalg.norm(quaternion)


def surroundings(rng):
    """Normals of the floor and of up to two walls, one of which leans."""
    yield (0.0, 0.0, 1.0), "floor"
    if rng.random() < 0.5:
        yield (-1.0, 0.0, 0.0), "wall"
    if rng.random() < 0.3:
        yield (0.6, 0.0, 0.8), "slope"


def touching(mech: ss.Mechanism, q: np.ndarray, normal, name: str) -> ss.HalfSpace:
    """A half-space with this normal that just reaches the mechanism."""
    gap = ss.World(mech, obstacles=[ss.HalfSpace(normal=normal)]).gap(q)
    return ss.HalfSpace(normal=normal, offset=gap, name=name)


# ---- what an impact must not do ------------------------------------------------------------------------------------


def struck(seed, restitution=0.0):
    """The world of a scene, and a run through its impact."""
    world, q, v, more = impact_scene(seed, restitution)
    run = ss.simulate(world, q, v, INSTANT, "time-stepping", dt=INSTANT, **more)
    assert run.outcome is ss.Outcome.FINISHED, (seed, run.trouble)
    return world, run


def gain(run):
    """What the energy has gained, relative to the kinetic energy before."""
    before, after = run.energy.sum(axis=1)
    return (after - before) / run.energy[0, 0]


def obeys_its_law(world, run):
    """Nothing approaches afterwards, nothing was pulled, and friction keeps to its bound."""
    after = ss.contact_problem(world, run.q[0], run.v[1])
    size = 2 if world.planar else 3
    normal = after.velocity[::size]
    friction = world.materials_by_pair()[0][1].friction if world.materials_by_pair() else 0.0
    impulses = [np.array(one) for event in run.events for one in event.impulses if len(one) == size]
    slack = 1e-9 * max([1.0, *(abs(one).max() for one in impulses)])
    # An inscribed polygon of directions keeps inside the cone as well.
    within = all(one[0] >= 0 and np.linalg.norm(one[1:]) <= friction * one[0] + slack for one in impulses)
    return (normal > -1e-6).all() and within
