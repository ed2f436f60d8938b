"""Pairs of shapes in space: gaps that prove themselves (see proofs_of_touch), and depths that a search confirms."""

from itertools import product

import numpy as np
import pytest

import stickslip as ss
from contact_scenes import SOLIDS, Seen, pair_of, two_bodies
from convex_shapes import apart, outside, support, widest
from proofs_of_touch import check_all_touches, check_common_normal, poses, random_position
from stickslip.contact.half_space import HalfSpace
from stickslip.contact.touch import NO_NORMAL, NUMBER

THIN = ("point", "disc", "segment", "polygon")
PAIRS = list(product(SOLIDS, SOLIDS))


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_nearest_touch_of_every_pair_proves_itself(a, b):
    detector, rng = pair_of(SOLIDS[a], SOLIDS[b], None), np.random.default_rng(0)
    proved = 0
    for _ in range(25):
        q = random_position(rng, 1.2)
        seen = Seen(detector, q)
        assert len(seen)
        k = int(np.argmin(seen.gap))
        if seen.gap[k] <= 0:
            continue
        proved += 1
        check_all_touches(seen, SOLIDS[a], SOLIDS[b], q, 1e-12)
        check_common_normal(seen, k, SOLIDS[a], SOLIDS[b], q, 1e-12)
        assert apart(SOLIDS[a], SOLIDS[b], seen.normal[k][None], *poses(q))[0] == pytest.approx(seen.gap[k], abs=1e-12)
    assert proved >= 15


@pytest.mark.parametrize(("a", "b"), [pair for pair in PAIRS if not (pair[0] in THIN and pair[1] in THIN)])
def test_a_shallow_overlap_has_its_depth_for_a_gap(a, b):
    """Bring the shapes together along the line of their gap by a millimetre more than that: no direction leads out sooner."""
    detector, rng = pair_of(SOLIDS[a], SOLIDS[b], None), np.random.default_rng(1)
    depth = 1e-3
    for _ in range(2):
        q = random_position(rng, 0.2)
        q[7:10] += (2.0, 0.4, 0.2)
        seen = Seen(detector, q)
        k = int(np.argmin(seen.gap))
        q[7:10] -= (seen.gap[k] + depth) * seen.normal[k]
        seen = Seen(detector, q, margin=0.0)
        along = apart(SOLIDS[a], SOLIDS[b], seen.normal, *poses(q))
        k = int(np.argmax(along))
        assert seen.gap[k] == pytest.approx(along[k], abs=1e-9)
        assert -depth - 1e-9 <= seen.gap[k] < 0
        assert widest(SOLIDS[a], SOLIDS[b], *poses(q)) <= seen.gap[k] + 1e-3 * depth
        assert seen.gap.min() >= -1.5 * depth
        check_all_touches(seen, SOLIDS[a], SOLIDS[b], q, 1e-9)
        check_common_normal(seen, k, SOLIDS[a], SOLIDS[b], q, 1e-9)


# ---- the ground, obstacles, and the same pair seen from elsewhere --------------------------------------------------------


CORNERS = {"segment": 2, "capsule": 2, "box": 8, "polygon": 5, "mesh": 9, "pebble": 60}


@pytest.mark.parametrize("name", SOLIDS)
def test_every_corner_touches_a_half_space(name):
    rng = np.random.default_rng(2)
    for _ in range(10):
        n = rng.standard_normal(3)
        n /= np.linalg.norm(n)
        detector, q = pair_of((HalfSpace(normal=tuple(n), offset=0.3),), SOLIDS[name], None), random_position(rng, 1.5)
        seen = Seen(detector, q)
        if name not in ("cylinder", "disc", "mesh"):  # rims have two points at the most; some vertices are no corners
            assert len(seen) == CORNERS.get(name, 1)
        k, pose = int(np.argmin(seen.gap)), poses(q)[1]
        assert seen.gap[k] == pytest.approx(-support(SOLIDS[name], -n[None], pose)[0] - 0.3, abs=1e-13)
        assert np.allclose(seen.normal, n, rtol=0, atol=1e-15)
        assert seen.on_first @ n == pytest.approx(np.full(len(seen), 0.3), abs=1e-13)
        assert seen.on_second == pytest.approx(seen.on_first + seen.gap[:, None] * seen.normal, abs=1e-13)
        assert all(outside(SOLIDS[name], r, pose) <= 1e-13 for r in seen.on_second)
        assert len(set(seen.identities[:, NUMBER])) == len(seen)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_an_obstacle_touches_like_a_body_that_stands_still(a, b):
    """Static shapes are placed and boxed once, by other code."""
    rng = np.random.default_rng(3)
    for _ in range(3):
        q = random_position(rng, 1.0)
        q[:7] = two_bodies(None).neutral()[:7]
        body, obstacle = (Seen(pair_of(first, SOLIDS[b], None), q, 0.5) for first in (SOLIDS[a], (SOLIDS[a],)))
        assert (body.identities == obstacle.identities).all()
        assert (body.found.touches == obstacle.found.touches).all()


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_swapping_the_shapes_turns_the_contact_round(a, b):
    rng = np.random.default_rng(4)
    q = random_position(rng, 0.3)
    q[7:10] += (1.2, 0.3, -0.2)
    one = Seen(pair_of(SOLIDS[a], SOLIDS[b], None), q)
    other = Seen(pair_of(SOLIDS[b], SOLIDS[a], None), np.concatenate([q[7:], q[:7]]))
    i, j = int(np.argmin(one.gap)), int(np.argmin(other.gap))
    assert len(one) == len(other)
    assert one.gap[i] == pytest.approx(other.gap[j], abs=1e-12)
    assert one.normal[i] == pytest.approx(-other.normal[j], abs=1e-9)
    assert one.on_first[i] == pytest.approx(other.on_second[j], abs=1e-9)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_a_kilometre_away_nothing_changes_but_the_last_digits(a, b):
    q = random_position(np.random.default_rng(6), 0.3)
    q[7:10] += (1.2, 0.3, -0.2)
    far = q.copy()
    far[:3] += 1000.0
    far[7:10] += 1000.0
    near, away = (Seen(pair_of(SOLIDS[a], SOLIDS[b], None), there) for there in (q, far))
    assert away.gap.min() == pytest.approx(near.gap.min(), abs=1e-11)


# ---- where there is no normal --------------------------------------------------------------------------------------------

HERE = [0, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (ss.Sphere(radius=0.3), ss.Sphere(radius=0.2)),
        (ss.Point(), ss.Point()),
        (ss.Capsule(radius=0.2, length=1.0), ss.Sphere(radius=0.1, centre=(0, 0, 0.3))),
        (ss.Segment(start=(0, 0, -1), end=(0, 0, 1)), ss.Point(centre=(0, 0, 0.5))),
        (ss.Cylinder(radius=0.2, length=1.0), ss.Sphere(radius=0.1)),
        (ss.Ellipsoid(semi_axes=(0.3, 0.2, 0.1)), ss.Sphere(radius=0.1)),
    ],
)
def test_coincident_centres_have_no_normal(a, b):
    for first, second in ((a, b), (b, a)):
        found = pair_of(first, second, None).find(np.array([*HERE, *HERE], dtype=float), 0.0)
        assert found.status == NO_NORMAL
        assert found.identities[0, [0, 2]].tolist() == [0, 1]
