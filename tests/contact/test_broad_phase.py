"""Which shapes are near each other: never one too few, each pair once, and no more work for obstacles that are far away."""

import numpy as np
import pytest

import stickslip as ss
from contact_scenes import two_bodies
from random_trees import random_rotation
from stickslip.contact import HalfSpace, World
from stickslip.contact.broad_phase import MOST_CELLS
from stickslip.contact.detector import Detector
from stickslip.contact.packing import Entry

MARGINS = (0.0, 1e-3, 0.1, 1.0, 50.0)


def obstacles(rng, count: int, flat: bool) -> list:
    """Spheres, boxes and capsules of very different sizes, some in one place, and two half-spaces."""
    found = []
    for _ in range(count):
        size = 10.0 ** rng.uniform(-2.5, 0.7)
        centre = rng.normal(0, 3, 3) * (1, 0 if flat else 1, 1)
        turn = {} if flat else {"rotation": random_rotation(rng)}
        shapes = [
            ss.Sphere(radius=size, centre=centre),
            ss.Box(size=(size, 2 * size, 0.3 * size), centre=centre, **turn),
            ss.Capsule(radius=0.2 * size, length=size, centre=centre, **turn),
        ]
        found.append(shapes[rng.integers(3)])
    return [*found, found[0], HalfSpace(normal=(0, 0, 1), offset=-4.0), HalfSpace(normal=(1, 0, 0.5), offset=-5.0)]


def touches(detector: Detector, q, margin) -> dict:
    found = detector.find(q, margin)
    assert found.status == len(found.touches)
    identities = found.identities[: found.status].tolist()  # one row is there even if nothing is
    rows = {tuple(who): touch.tobytes() for who, touch in zip(identities, found.touches, strict=True)}
    assert len(rows) == found.status  # each once
    order = [(second, first, number) for first, _, second, _, number in identities]
    assert order == sorted(order)
    return rows


@pytest.mark.parametrize("plane", ["xz", None])
@pytest.mark.parametrize("seed", range(4))
def test_nothing_near_is_overlooked_and_nothing_is_seen_twice(plane, seed):
    """All obstacles at once against one after another; some pairs are barred from touching."""
    rng = np.random.default_rng(seed)
    static = obstacles(rng, 40, plane is not None)
    moving = [ss.Sphere(radius=0.2), ss.Box(size=(3.0, 0.1, 0.1))]
    mech = two_bodies(plane)
    entries = [*(Entry(2, shape, "") for shape in static), Entry(0, moving[0], ""), Entry(1, moving[1], "")]
    n = len(static)
    allowed = [(o, m) for m in (n, n + 1) for o in range(n) if rng.random() < 0.8] + [(n, n + 1)]
    together = Detector(mech, entries, allowed, plane)
    alone = [(pair, Detector(mech, entries, [pair], plane)) for pair in allowed]
    for margin in MARGINS:
        q = mech.integrate(mech.neutral(), rng.normal(0, 2, mech.nv))
        one_by_one = {}
        for pair, detector in alone:
            near = touches(detector, q, margin)
            assert {(who[0], who[2]) for who in near} <= {pair}
            one_by_one |= near
        assert touches(together, q, margin) == one_by_one
        assert one_by_one or margin < 50.0


def test_scenes_without_extent():
    """One point, several in one place, all on a line: grids of one cell, or of one row."""
    mech = two_bodies(None)
    q = mech.neutral()
    q[7:10] = 0.0, 0.0, 1.0
    for places in ([(0, 0, 0)], [(0, 0, 0)] * 3, [(0, 0, z) for z in range(3)]):
        entries = [*(Entry(2, ss.Point(centre=place), "") for place in places), Entry(1, ss.Sphere(radius=0.5), "")]
        detector = Detector(mech, entries, [(k, len(places)) for k in range(len(places))], None)
        expected = sorted(np.linalg.norm(np.array(place) - (0, 0, 1.0)) - 0.5 for place in places if place != (0, 0, 1))
        if (0, 0, 1) not in places:
            assert sorted(detector.find(q, np.inf).touches[:, 0]) == pytest.approx(expected)
        assert len(detector.find(q, 0.4).touches) == 0


def test_large_and_far_obstacles():
    """What fills more cells than are worth a list is looked at always; what is a light-second away does not spoil the grid."""
    small = [ss.Sphere(radius=0.1, centre=(x, 0, 0)) for x in np.arange(-20.0, 20.0, 0.5)]
    wide = ss.Box(size=(200.0, 200.0, 1.0), centre=(0, 0, -5), name="wide")
    far = ss.Sphere(radius=0.1, centre=(3e8, 0, 0))
    b = ss.MechanismBuilder()
    b.body("ball", mass=1.0, inertia=(1, 1, 1), shapes=[ss.Sphere(radius=0.5)])
    b.free("root", child="ball")
    world = World(ss.Mechanism(b), obstacles=[*small, wide, far])
    phase = world.detector.broad_phase
    assert len(phase.members) < MOST_CELLS * len(world.parts)
    assert world.gap([0, 0, 2.0, 1, 0, 0, 0]) == pytest.approx(1.4)
    assert world.gap([0, 0, -4.0, 1, 0, 0, 0]) == pytest.approx(0.0)
    assert world.gap([3e8, 0, 2.0, 1, 0, 0, 0]) == pytest.approx(1.4)


def test_a_thousand_obstacles_are_hardly_more_work_than_ten():
    """Work is counted in boxes that are compared: the lists of the cells that a body's box meets."""

    def compared(count: int) -> int:
        rng = np.random.default_rng(0)
        side = int(np.ceil(count**0.5))
        places = [(0.3 * (k % side - side // 2), 0, 0.3 * (k // side - side // 2)) for k in range(count)]
        shapes = [ss.Disc(radius=0.05, centre=np.array(place) + rng.uniform(-0.05, 0.05, 3) * (1, 0, 1)) for place in places]
        b = ss.MechanismBuilder(plane="xz")
        b.body("rod", mass=1.0, inertia=1.0, shapes=[ss.Capsule(radius=0.02, length=0.2)])
        b.planar("root", child="rod")
        phase = World(ss.Mechanism(b), obstacles=shapes).detector.broad_phase
        assert len(phase.partners) == 0
        origin, per_metre, numbers = phase.grid
        box = np.array([[-0.02, -0.12, 0.0], [0.02, 0.12, 0.0]])
        (i, j, _), (u, v, _) = np.floor(((box - origin) * per_metre).clip(0, numbers - 1)).astype(int)
        cells = [int((x * numbers[1] + y) * numbers[2]) for x in range(i, u + 1) for y in range(j, v + 1)]
        return sum(int(phase.starts[cell + 1] - phase.starts[cell]) for cell in cells)

    assert compared(1000) <= compared(10) + 4
