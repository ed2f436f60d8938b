"""Poisson's law with friction: what is given back rubs like all other impulses, on polygons of directions and on the cone."""

import numpy as np
import pytest

import stickslip as ss
from random_impacts import INSTANT, gain, obeys_its_law, struck

HALF, MASS = 0.5, 1.0
MOMENT = MASS * HALF**2 / 3
ANGLE = np.pi / 4


def rod(friction, restitution, plane, slip, turn=0.0):
    """A rod whose lower tip hits the floor at 1 m/s and slides along at `slip`; in space `turn` is the way of its slip."""
    b = ss.MechanismBuilder(plane=plane, gravity=(0, 0, 0))
    moment = MOMENT if plane else np.diag([1e-3, MOMENT, MOMENT])
    b.body("rod", mass=MASS, inertia=moment, shapes=[ss.Point(name="tip", centre=(-HALF, 0, 0))])
    (b.planar if plane else b.free)("root", child="rod")
    world = ss.World(
        ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 0, 1))], material=ss.Material(friction, restitution=restitution)
    )
    x, z = HALF * np.cos(ANGLE), HALF * np.sin(ANGLE)
    if plane:
        return world, np.array([x, z, ANGLE]), np.array([slip, -1.0, 0.0])
    q = np.array([x, 0, z, np.cos(ANGLE / 2), 0, -np.sin(ANGLE / 2), 0])  # turned so that it rises along x
    return world, q, np.array([slip * np.cos(turn), slip * np.sin(turn), -1.0, 0, 0, 0])


def hit(world, q, v, **more):
    """The impulse on the tip, and the run."""
    run = ss.simulate(world, q, v, INSTANT, "time-stepping", dt=INSTANT, **more)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    [event] = run.events
    return np.array(event.impulses[0]), run


WAYS = [("xz", {}), (None, {"directions": 8}), (None, {})]


@pytest.mark.parametrize(("friction", "slip"), [(0.2, 1.0), (0.5, 1.0), (1.0, 4.0)])
@pytest.mark.parametrize(("plane", "more"), WAYS, ids=["plane", "directions", "cone"])
def test_a_tip_that_slides_on_rubs_in_both_phases(friction, slip, plane, more):
    """u = G p + c with p = P (1, mu): compression ends at u_n = 0, and the second phase gives as much again."""
    cos, sin = HALF * np.cos(ANGLE), HALF * np.sin(ANGLE)
    normal, coupling, along = 1 / MASS + cos**2 / MOMENT, cos * sin / MOMENT, 1 / MASS + sin**2 / MOMENT
    compression = 1.0 / (normal - friction * coupling)
    assert slip + 2 * compression * (coupling - friction * along) > 0  # it never stops
    impulse, run = hit(*rod(friction, 1.0, plane, -slip), **more)
    assert impulse[0] == pytest.approx(2 * compression, rel=1e-9)
    assert impulse[1] == pytest.approx(friction * impulse[0], rel=1e-9)
    assert gain(run) < 1e-10


@pytest.mark.parametrize("seed", range(30))
def test_a_rod_in_its_plane_moves_in_space_as_it_does_in_the_plane(seed):
    """Sliding, caught, sent back or jammed: the cone's answer for a motion in a plane is the exact one of the plane."""
    rng = np.random.default_rng(seed)
    friction, restitution, slip = rng.uniform(0, 2), rng.uniform(0, 1), rng.normal(0, 2)
    expected, _ = hit(*rod(friction, restitution, "xz", slip))
    impulse, run = hit(*rod(friction, restitution, None, slip))
    assert impulse == pytest.approx([*expected, 0.0], abs=1e-8)
    assert gain(run) < 1e-10


@pytest.mark.parametrize("restitution", [0.4, 1.0])
@pytest.mark.parametrize("friction", [0.3, 0.8])
def test_more_and_more_directions_come_to_the_cone(friction, restitution):
    """Slip askew to all directions: friction along the nearest one is off by half the angle between two of them at most."""
    exact, _ = hit(*rod(friction, restitution, None, -1.0, turn=0.3))
    for directions in (8, 16, 32, 64, 128):
        impulse, _ = hit(*rod(friction, restitution, None, -1.0, turn=0.3), directions=directions)
        assert np.linalg.norm(impulse - exact) < np.pi / directions * np.hypot(*exact[1:])


# ---- energy -----------------------------------------------------------------------------------------------------------

RAISED = [72, 145, 193, 505, 556, 919, 925]  # with a cone that knew of nothing that is given back


@pytest.mark.parametrize("restitution", [0.6, 1.0])
@pytest.mark.parametrize("seeds", [RAISED, range(60), range(60, 120)], ids=["raised", "0", "60"])
def test_one_restitution_for_all_contacts_never_raises_energy(seeds, restitution):
    """As docs/papers.md proves it; limits of joints, which give nothing back, may be hit as well."""
    for seed in seeds:
        world, run = struck(seed, restitution)
        assert gain(run) < 1e-10, seed
        assert obeys_its_law(world, run), seed


def energy_change(restitution):
    """Of a body that is hit at two points, relative to its energy before; found at random."""
    J = np.array([[0.5, 1.9, -0.7], [0.6, 0.0, -0.4], [2.1, -1.2, 0.7], [-1.3, -1.1, 0.7]])
    v = np.array([-0.5, 0.2, -0.7])
    problem = ss.ContactProblem(
        mass=np.eye(3), bias=np.zeros(3), jacobian=J, velocity=J @ v, friction=[0.1, 1.5], restitution=restitution
    )
    compression = problem.forms.compression()
    compressed = compression.recover(ss.lcp.solve(compression.A, compression.b).z)
    decompression = problem.forms.decompression(compressed)
    after = v + J.T @ decompression.recover(ss.lcp.solve(decompression.A, decompression.b).z).impulse
    return after @ after / (v @ v) - 1


def test_different_restitutions_may_raise_energy():
    assert energy_change([1.0, 0.0]) == pytest.approx(0.01717, abs=1e-5)
    assert energy_change([1.0, 1.0]) < -0.3
    assert energy_change([0.0, 0.0]) < -0.9
