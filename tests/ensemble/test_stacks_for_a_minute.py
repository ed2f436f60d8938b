"""Ten boxes on top of each other stand still for a minute, in the plane and in space."""

import numpy as np
import pytest

import stickslip as ss

pytestmark = pytest.mark.verify

BOXES, HEIGHT = 10, 0.2


def stack(plane):
    """The world of ten boxes of 1 kg, and where they stand."""
    b = ss.MechanismBuilder(plane=plane)
    for k in range(BOXES):
        inertia = 0.01 if plane else np.diag([0.0167, 0.0167, 0.0267])
        b.body(f"box_{k}", mass=1.0, inertia=inertia, shapes=[ss.Box(size=(0.4, 0.4, HEIGHT))])
        (b.planar if plane else b.free)(f"root_{k}", child=f"box_{k}")
    mech = ss.Mechanism(b)
    floor, material = ss.HalfSpace(normal=(0, 0, 1)), ss.Material(friction=0.5)
    q = mech.neutral()
    for k in range(BOXES):
        q[mech.coordinates(f"root_{k}")[0].start + (1 if plane else 2)] = (k + 0.5) * HEIGHT
    return ss.World(mech, obstacles=[floor], self_contact=True, material=material), q


@pytest.mark.parametrize(("plane", "dt", "corners"), [("xz", 1e-3, 2), (None, 1e-2, 4)], ids=["plane", "space"])
def test_a_stack_stands_still(plane, dt, corners):
    """No part of it moves by a nanometre, and the lowest contacts carry all of it."""
    world, q = stack(plane)
    run = ss.simulate(world, q, np.zeros(world.mechanism.nv), 60.0, "time-stepping", dt=dt, record_every=100)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    assert run.events == ()
    assert np.abs(run.q - q).max() < 1e-9
    assert np.abs(run.v).max() < 1e-11
    lowest = [name for name in run.contact_names if "box_0" in name and "box_1" not in name]
    assert len(lowest) == corners
    assert sum(run.contact(name).force[-1, 0] for name in lowest) == pytest.approx(BOXES * 9.81, rel=1e-9)
