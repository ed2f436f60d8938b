"""Solids that stand, lie or balance on each other, axis by axis: all contacts that rest needs, and no wrong one."""

from functools import cache
from itertools import permutations, product
from math import cos, pi, sin, sqrt

import numpy as np
import pytest

import stickslip as ss
from contact_scenes import Seen, pair_of
from convex_shapes import reach
from stickslip.contact import World, contact_problem
from stickslip.dynamics.kinematics import GOOD
from touching import G, loose

UP = np.array([0.0, 0.0, 1.0])
PRISM = [
    (0.3 * cos(k), 0.3 * sin(k), z) for k in (np.arange(20) + 0.5) * pi / 10 for z in (-0.2, 0.2)
]  # more than MANY corners
SOLIDS = {
    "sphere": ss.Sphere(radius=0.3),
    "capsule": ss.Capsule(radius=0.15, length=0.6),
    "box": ss.Box(size=(0.8, 0.5, 0.3)),
    "cylinder": ss.Cylinder(radius=0.2, length=0.5),
    "ellipsoid": ss.Ellipsoid(semi_axes=(0.5, 0.3, 0.2)),
    "prism": ss.Mesh(vertices=PRISM),
    "plate": ss.Polygon(vertices=[(0.3, 0.2), (-0.3, 0.2), (-0.3, -0.2), (0.3, -0.2)]),
    "coin": ss.Disc(radius=0.35),
}
FLAT = ("plate", "coin")
AXES = [0, 4, 9, 13, 18, 22]  # of 24 ways to put a shape's axes along the world's: every axis up, both ways


@cache
def turns() -> list[np.ndarray]:
    """The 24 rotations that take axes to axes."""
    signed = [np.eye(3)[list(p)] * s for p in permutations(range(3)) for s in product((1, -1), repeat=3)]
    return [R for R in signed if np.linalg.det(R) > 0]


def quaternion(R) -> np.ndarray:
    """From the column of R's matrix of products that is the largest."""
    x = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    products = np.zeros((4, 4))
    products[0, 0], products[0, 1:], products[1:, 0] = 1 + np.trace(R), x, x
    products[1:, 1:] = R + R.T + np.eye(3) * (1 - np.trace(R))
    column = products[:, int(np.argmax(np.diag(products)))]
    return column / np.linalg.norm(column)


def patch(shape, R, way) -> tuple[int, np.ndarray | None]:
    """How many dimensions what is farthest along `way` (3,) has, and its direction if it is a line."""
    axis, along = R[:, 2], abs(float(way @ R[:, 2])) > 0.5
    if isinstance(shape, ss.Disc):
        return (2, None) if along else (0, None)
    if isinstance(shape, ss.Sphere | ss.Ellipsoid):
        return 0, None
    if isinstance(shape, ss.Capsule):
        return (0, None) if along else (1, axis)
    if isinstance(shape, ss.Cylinder):
        return (2, None) if along else (1, axis)
    if isinstance(shape, ss.Polygon) and not along:
        return 1, np.cross(way, axis)
    return 2, None


def stacked(a, b, A, B, gap, shift=(0.0, 0.0)) -> np.ndarray:
    """Positions of both bodies: b, turned by B, above a, turned by A."""
    height = reach(a, (UP @ A)[None])[0] + reach(b, (-UP @ B)[None])[0] + gap
    return np.concatenate([[0, 0, 0], quaternion(A), [*shift, height], quaternion(B)])


def dimensions(points) -> int:
    return int((np.linalg.svd(points - points.mean(axis=0), compute_uv=False) > 1e-3).sum()) if len(points) > 1 else 0


@pytest.mark.parametrize("gap", [0.0, 1e-3, -1e-4])
@pytest.mark.parametrize(("a", "b"), [pair for pair in product(SOLIDS, SOLIDS) if not set(pair) <= set(FLAT)])
def test_what_lies_on_each_other_touches_wherever_it_does(a, b, gap):
    """The contacts span the patch that both surfaces share, at one gap, upwards, and have definite rows."""
    detector = pair_of(SOLIDS[a], SOLIDS[b], None)
    for i, j in product(AXES, AXES):
        A, B = turns()[i], turns()[j]
        (below, line), (above, other) = patch(SOLIDS[a], A, UP), patch(SOLIDS[b], B, -UP)
        expected = min(below, above)
        if below == above == 1 and abs(line @ other) < 0.5:
            expected = 0
        for shift in [(0.0, 0.0), (0.03, 0.02)][: 1 + (expected == 2)]:
            q = stacked(SOLIDS[a], SOLIDS[b], A, B, gap, shift)
            seen = Seen(detector, q, margin=1e-2)
            assert seen.gap.min() == pytest.approx(gap, abs=1e-12)
            level = np.abs(seen.gap - gap) < 1e-9
            assert seen.normal[level] == pytest.approx(np.tile(UP, (level.sum(), 1)), abs=1e-6)
            assert dimensions(seen.on_first[level]) == expected
            rows = detector.rows(q, np.ones(12), seen.found)
            assert rows.status == GOOD
            assert np.isfinite(rows.drift).all()


@pytest.mark.parametrize(("a", "b"), list(product(SOLIDS, [name for name in SOLIDS if name not in FLAT])))
def test_what_lies_or_balances_on_each_other_rests(a, b):
    """Its centre of mass is above the patch: nothing moves, and the ground bears its weight."""
    body = loose(SOLIDS[b], plane=None, inertia=(0.3, 0.3, 0.3))
    for i, j in ((0, 0), (4, 9), (13, 18)):
        A, B = turns()[i], turns()[j]
        q = stacked(SOLIDS[a], SOLIDS[b], A, B, 0.0)
        obstacle = type(SOLIDS[a])(**{**vars(SOLIDS[a]), "rotation": A, "name": "ground"})
        problem = contact_problem(World(body, obstacles=[obstacle]), q[7:], np.zeros(6))
        solution = problem.solve()
        assert solution.acceleration == pytest.approx(np.zeros(6), abs=1e-8)
        assert solution.force @ problem.jacobian[:, 2] == pytest.approx(2.0 * G, rel=1e-9)


# ---- places where detection once went wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize("gap", [0.1, 1e-3, 1e-12])
def test_a_plank_over_a_smaller_box_and_the_box_over_the_plank(gap):
    plank, box = ss.Box(size=(2.0, 1.0, 0.1)), ss.Box(size=(0.3, 0.2, 0.1))
    for a, b in ((plank, box), (box, plank)):
        seen = Seen(pair_of(a, b, None), stacked(a, b, np.eye(3), np.eye(3), gap, (0.2, 0.1)), margin=0.2)
        assert len(seen) == 4
        assert seen.gap == pytest.approx([gap] * 4)
        assert np.ptp(seen.on_first, axis=0) == pytest.approx([0.3, 0.2, 0.0])


@pytest.mark.parametrize("radius", [0.0, 0.2])
@pytest.mark.parametrize("distance", [0.05, 0.3])
def test_a_ball_in_the_plane_of_a_plate_is_beside_its_edge(radius, distance):
    """No normal of the plate and no pair of edges tells the two apart."""
    ball = ss.Sphere(radius=radius) if radius else ss.Point()
    for a, b, sign in ((SOLIDS["plate"], ball, 1.0), (ball, SOLIDS["plate"], -1.0)):
        near, far = [0, 0, 0, 1, 0, 0, 0], [0.3 + distance, 0.1, 0, 1, 0, 0, 0]
        seen = Seen(pair_of(a, b, None), near + far if sign > 0 else far + near, margin=1.0)
        assert len(seen) == 1
        assert seen.gap[0] == pytest.approx(distance - radius)
        assert seen.normal[0] == pytest.approx([sign, 0, 0])


def test_plates_in_one_plane_are_apart_and_overlap_with_nothing_between_them():
    plate, level = SOLIDS["plate"], [0, 0, 0, 1, 0, 0, 0]
    apart = Seen(pair_of(plate, plate, None), [*level, 0.9, 0.1, 0, 1, 0, 0, 0], margin=1.0)
    assert apart.gap.min() == pytest.approx(0.3)
    assert apart.normal[int(np.argmin(apart.gap))] == pytest.approx([1, 0, 0])
    small = ss.Polygon(vertices=[(0.1, 0), (0, 0.1), (-0.1, 0)])
    for a, b in ((plate, plate), (plate, small), (small, plate)):
        seen = Seen(pair_of(a, b, None), [*level, 0.05, 0.02, 0, 1, 0, 0, 0], margin=0.0)
        assert seen.gap.min() == pytest.approx(0.0)
        assert np.abs(seen.normal[0]) == pytest.approx([0, 0, 1])


def test_equal_cylinders_that_lie_flush_touch_at_both_ends():
    lying = ss.Cylinder(radius=0.2, length=0.5, rotation=((0, 0, 1), (0, 1, 0), (-1, 0, 0)))
    detector = pair_of(lying, lying, None)
    q = np.array([0, 0, 0, 1, 0, 0, 0, 0, 0, 0.4, 1, 0, 0, 0], dtype=float)
    seen = Seen(detector, q, margin=1e-6)
    assert sorted(seen.on_first[:, 0]) == pytest.approx([-0.25, 0.25])
    assert detector.rows(q, np.ones(12), seen.found).status == GOOD


@pytest.mark.parametrize("gap", [0.0, 1e-3, -1e-3])
def test_a_box_that_balances_on_its_edge_along_a_capsule_touches_at_both_ends(gap):
    lying = ss.Capsule(radius=0.1, length=2.0, rotation=((0, 0, 1), (0, 1, 0), (-1, 0, 0)))
    box = ss.Box(size=(0.5, 0.2, 0.2))
    turned = [cos(pi / 8), sin(pi / 8), 0, 0]
    height = 0.1 + 0.1 * sqrt(2) + gap
    for a, b, q in (
        (lying, box, [0, 0, 0, 1, 0, 0, 0, 0.1, 0, height, *turned]),
        (box, lying, [0.1, 0, -height, *turned, 0, 0, 0, 1, 0, 0, 0]),
    ):
        seen = Seen(pair_of(a, b, None), q, margin=1e-2)
        assert sorted(seen.on_first[:, 0]) == pytest.approx([-0.15, 0.35])
        assert seen.gap == pytest.approx([gap, gap], abs=1e-12)
        assert seen.normal == pytest.approx(np.array([UP, UP]))


def test_tips_that_meet_in_a_point_touch_although_no_normal_is_better_than_others():
    tip = ss.Mesh(vertices=[(0.4, 0, 0), (-0.4, 0, 0), (0, 0.3, 0), (0, -0.3, 0), (0, 0, 0.35), (0, 0, -0.35)])
    for a, b in product((tip, SOLIDS["plate"], SOLIDS["coin"]), (tip,)):
        A = turns()[4] if a is not tip else np.eye(3)
        q = stacked(a, b, A, np.eye(3), 0.0)
        for margin in (1e-9, 1e-3):
            seen = Seen(pair_of(a, b, None), q, margin=margin)
            assert seen.gap.min() == pytest.approx(0.0, abs=1e-9)
