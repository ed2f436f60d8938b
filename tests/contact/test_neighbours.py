"""The list of neighbours against a search from scratch, for motions slow, fast, and with jumps."""

import numba
import numpy as np
import pytest

import stickslip as ss
from stickslip.contact.broad_phase import near_pairs
from stickslip.contact.neighbours import AGE, NO_LIST, PAIRS, Neighbours, pairs_again
from stickslip.contact.touch import FULL
from stickslip.simulate.stepper import scenery_of

MARGIN = 1e-3


@numba.njit
def both(s, placed, near, fresh, neighbours):
    """What the list gives, and what the search does."""
    arguments = s.shapes, s.sizes, placed, s.movers, s.partners, s.grid, s.starts, s.members, MARGIN
    return pairs_again(*arguments, near, neighbours), near_pairs(*arguments, fresh)


def crowd(count, rng):
    """Discs that move among each other, discs that do not, and a floor."""
    b = ss.MechanismBuilder(plane="xz")
    for k in range(count):
        b.body(f"disc_{k}", mass=1.0, inertia=1.0, shapes=[ss.Disc(radius=float(rng.uniform(0.05, 0.3)))])
        b.planar(f"free_{k}", child=f"disc_{k}")
    places = rng.uniform(-3, 3, (30, 2)).tolist()
    fixed = [ss.Disc(radius=0.1, centre=(x, 0.0, z), name=f"post_{k}") for k, (x, z) in enumerate(places)]
    return ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 1), offset=-3.0), *fixed], self_contact=True)


def placed_at(world, q):
    """The boxes of everything at q, as detection leaves them."""
    world.found(q, MARGIN)
    return world.detector._local.placed.copy()


@pytest.mark.parametrize("speed", [1e-5, 1e-3, 0.1])
def test_it_gives_the_same_pairs_in_the_same_order(speed):
    rng = np.random.default_rng(7)
    world, count = crowd(20, rng), 20
    scenery, room = scenery_of(world), 2000
    near, fresh = (np.zeros((room, 2), dtype=np.int64) for _ in range(2))
    shapes = len(world.detector.scene.shapes)
    neighbours = Neighbours(
        np.zeros((room, 2), dtype=np.int64), np.zeros((shapes, 6)), np.zeros(1), np.array([NO_LIST, 0], dtype=np.int64)
    )
    q = np.c_[rng.uniform(-3, 3, (count, 2)), np.zeros(count)].ravel()
    v = speed * rng.normal(size=q.size)
    seen, made = 0, 0
    for k in range(300):
        q = q + v if k % 97 else np.c_[rng.uniform(-3, 3, (count, 2)), np.zeros(count)].ravel()
        a, b = both(scenery, placed_at(world, q), near, fresh, neighbours)
        assert a == b
        assert (near[:a] == fresh[:b]).all()
        seen += a
        made += neighbours.counts[AGE] == 0
    assert seen > 300
    assert made < (150 if speed < 0.1 else 301)  # it is of use where things move slowly


def test_more_pairs_than_there_is_room_for_are_searched_each_time():
    rng = np.random.default_rng(8)
    world = crowd(20, rng)
    scenery, room = scenery_of(world), 2000
    near, fresh = (np.zeros((room, 2), dtype=np.int64) for _ in range(2))
    shapes = len(world.detector.scene.shapes)
    neighbours = Neighbours(
        np.zeros((2, 2), dtype=np.int64), np.zeros((shapes, 6)), np.zeros(1), np.array([NO_LIST, 0], dtype=np.int64)
    )
    q = np.c_[rng.uniform(-0.5, 0.5, (20, 2)), np.zeros(20)].ravel()
    a, b = both(scenery, placed_at(world, q), near, fresh, neighbours)
    assert a == b > 10
    assert neighbours.counts[PAIRS] == NO_LIST
    assert both(scenery, placed_at(world, q), near[:3], fresh, neighbours)[0] == FULL
