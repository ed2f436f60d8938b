"""Pairs that Coal is asked about: what they need, what they are called, and that nobody gets in another's way."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from math import cos, pi, sin

import numpy as np
import pytest

import stickslip as ss
from contact_scenes import SOLIDS, Seen, pair_of, two_bodies
from stickslip.contact import HalfSpace, World, contact_problem
from stickslip.contact.convex import Searcher, is_searched
from stickslip.contact.solids import MANY
from stickslip.mechanism.errors import MissingExtraError
from touching import G, loose

TABLE = ss.Box(size=(2.0, 2.0, 0.1), centre=(0, 0, -0.05), name="table")
FREE = {"plane": None, "inertia": (0.3, 0.3, 0.3)}


def asks_for_coal(a: str, b: str) -> bool:
    """Balls meet everything, and polytopes of few corners each other, in closed form."""
    balls = ("point", "sphere")
    if a in balls or b in balls:
        return False
    smooth = ("disc", "cylinder", "ellipsoid", "pebble")
    return a in smooth or b in smooth


@pytest.fixture
def without_coal(monkeypatch):
    monkeypatch.setitem(sys.modules, "coal", None)


@pytest.mark.parametrize(("a", "b"), list(product(SOLIDS, SOLIDS)))
def test_only_pairs_without_a_closed_form_need_coal(a, b, without_coal):
    assert len(SOLIDS["pebble"].vertices) > MANY
    if not asks_for_coal(a, b):
        assert len(Seen(pair_of(SOLIDS[a], SOLIDS[b], None), [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0])) >= 1
        return
    with pytest.raises(MissingExtraError, match=r'need the package coal, .* pip install "stickslip\[meshes\]"\.$'):
        pair_of(SOLIDS[a], SOLIDS[b], None)


@pytest.mark.parametrize("name", SOLIDS)
def test_half_spaces_and_the_plane_need_no_coal(name, without_coal):
    floor = HalfSpace(normal=(0, 0, 1))
    World(loose(SOLIDS[name], **FREE), obstacles=[floor]).contacts([0, 0, 2, 1, 0, 0, 0], margin=10.0)
    wheels = [ss.Ellipsoid(semi_axes=(0.2, 1, 0.1)), ss.Cylinder(radius=0.1, length=0.3)]
    World(loose(*wheels), obstacles=[TABLE]).contacts([0, 1, 0], margin=10.0)


def test_a_world_says_at_once_that_coal_is_missing(without_coal):
    can = loose(ss.Cylinder(radius=0.1, length=0.2), **FREE)
    with pytest.raises(MissingExtraError, match="convex meshes of many corners, and of cylinders and ellipsoids"):
        World(can, obstacles=[TABLE])
    World(can, obstacles=[TABLE], ignore=["table"])  # but not for pairs that never touch


def test_what_asks_for_coal_is_what_the_kernels_leave():
    """Both sides of the room decide it for themselves."""
    for a, b in product(SOLIDS, SOLIDS):
        detector = pair_of(SOLIDS[a], SOLIDS[b], None)
        detector.find(np.array([0, 0, 0, 1, 0, 0, 0, 0.5, 0, 0, 1, 0, 0, 0]), 10.0)
        assert bool(detector._local.left[0]) == is_searched(detector.scene, 0, 1) == asks_for_coal(a, b)


# ---- contacts like any other ----------------------------------------------------------------------------------------------


def test_a_can_that_stands_on_a_table_and_one_that_lies():
    mech = loose(ss.Cylinder(radius=0.1, length=0.3, name="can"), **FREE)
    world = World(mech, obstacles=[TABLE])
    standing, lying = [0.3, 0, 0.15, 1, 0, 0, 0], [0.3, 0, 0.1, cos(pi / 4), sin(pi / 4), 0, 0]
    for q, count in ((standing, 4), (lying, 2)):
        problem = contact_problem(world, q, np.zeros(6))
        solution = problem.solve()
        assert len(problem.contacts) == count
        assert solution.acceleration == pytest.approx(np.zeros(6), abs=1e-10)
        assert solution.force @ problem.jacobian[:, 2] == pytest.approx(2.0 * G)
        assert all(contact.name.startswith("can:") and contact.bodies == ("table", "body") for contact in problem.contacts)
        assert len({contact.name for contact in problem.contacts}) == count


def test_a_rolling_can_keeps_its_contacts():
    """Ids and names are the same all along the way, and when it has been somewhere else in between."""
    world = World(loose(ss.Cylinder(radius=0.1, length=0.3, name="can"), **FREE), obstacles=[TABLE])
    seen = []
    for angle in np.linspace(0, 6, 50):
        turn = np.array([cos(angle / 2), 0, 0, sin(angle / 2)])  # about its own axis, then laid down about x
        c = cos(pi / 4)
        lying = [c * turn[0], c * turn[0], -c * turn[3], c * turn[3]]
        contacts = world.contacts([0.1 * angle, 0, 0.1 + 1e-9, *lying], margin=1e-6)
        seen.append({(contact.id, contact.name) for contact in contacts})
        world.contacts([0.1 * angle, 0.2, 0.3, 1, 0, 0, 0], margin=1.0)
    assert len(seen[0]) == 2
    assert all(others == seen[0] for others in seen)


def test_touches_of_all_pairs_come_in_order():
    """Those that Coal was asked about fall in with the kernels' own."""
    shapes = [SOLIDS["sphere"], ss.Cylinder(radius=0.2, length=0.5, name="can"), ss.Box(size=(0.2, 0.2, 0.2), name="crate")]
    obstacles = [
        TABLE,
        ss.Sphere(radius=1.0, centre=(0, 0, -1.5)),
        ss.Ellipsoid(semi_axes=(1, 2, 0.5)),
        HalfSpace(normal=(0, 0, 1)),
    ]
    world = World(loose(*shapes, **FREE), obstacles=obstacles)
    ids = [contact.id for contact in world.contacts([0.1, 0.2, 0.5, 1, 0, 0, 0], margin=10.0)]
    assert ids == sorted(ids)
    assert len({(second, first) for second, first, _ in ids}) == 3 * 4


def test_threads_have_searchers_of_their_own():
    detector = pair_of(SOLIDS["cylinder"], SOLIDS["pebble"], None)
    mech, rng = two_bodies(None), np.random.default_rng(0)
    states = [mech.integrate(mech.neutral(), rng.normal(0, 0.7, mech.nv)) for _ in range(200)]

    def look(q):
        found = detector.find(q, 0.5)
        return found.touches.tobytes(), found.identities.tobytes()

    expected = [look(q) for q in states]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(look, states)) == expected


def test_more_touches_than_there_was_room_for():
    """A coin of many corners on another: their rims cross many times, all on one level."""
    ring = [(cos(k), sin(k), z) for k in np.arange(100) * 2 * pi / 100 for z in (-0.1, 0.1)]
    coin = ss.Mesh(vertices=ring)
    seen = Seen(pair_of(coin, coin, None), [0, 0, 0, 1, 0, 0, 0, 0.001, 0.002, 0.2, 1, 0, 0, 0], margin=1e-6)
    assert len(seen) > 64
    assert seen.gap == pytest.approx(np.zeros(len(seen)), abs=1e-12)
    assert seen.normal == pytest.approx(np.tile((0, 0, 1), (len(seen), 1)))


# ---- where Coal's answer is of no use -------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["none", "wrong", "deep"])
@pytest.mark.parametrize(("a", "b"), [("cylinder", "ellipsoid"), ("ellipsoid", "capsule"), ("cylinder", "capsule")])
def test_a_direction_that_cannot_be_right_is_not_taken(monkeypatch, a, b, answer):
    """Its distance is checked against how far apart the solids are along it; then directions all around are tried."""
    q = [0, 0, 0, 1, 0, 0, 0, 0.1, 0.2, 0.62, 0.9, 0.1, 0.3, -0.1]
    q[10:] /= np.linalg.norm(q[10:])
    expected = Seen(pair_of(SOLIDS[a], SOLIDS[b], None), q, margin=1.0)

    def nearest(self, first, second, placed, guide):
        guide[:] = np.nan if answer == "none" else (0.0, 0.0, -1.0, *q[:3], *q[7:10])
        return {"none": -1e308, "wrong": 1e-5, "deep": -1e-3}[answer]

    monkeypatch.setattr(Searcher, "_nearest", nearest)
    seen = Seen(pair_of(SOLIDS[a], SOLIDS[b], None), q, margin=1.0)
    assert seen.gap.min() == pytest.approx(expected.gap.min(), abs=1e-12)
