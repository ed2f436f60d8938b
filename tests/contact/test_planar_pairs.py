"""Pairs of shapes in the plane: closed forms, and for all pairs a proof that the gap is the gap.

The smallest touch proves itself: its witness points lie in the shapes, so the distance is not larger than the gap, and along
its normal the shapes are at least as far apart as the gap, so it is not smaller. Overlaps are compared with the smallest
depth over many directions.
"""

from math import cos, hypot, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import stickslip as ss
from contact_scenes import UPRIGHT, Seen, pair_of, two_bodies
from stickslip.contact.detector import Detector
from stickslip.contact.half_space import HalfSpace
from stickslip.contact.packing import Entry
from stickslip.contact.touch import NO_NORMAL

CLOUD = ((0.3, 0.1), (0.1, 0.45), (-0.4, 0.2), (-0.25, -0.3), (0.2, -0.35), (0.0, 0.0))
SHAPES = {
    "point": ss.Point(centre=(0.1, 0, -0.2)),
    "disc": ss.Disc(radius=0.3),
    "segment": ss.Segment(start=(-0.4, 0, 0.1), end=(0.5, 0, -0.2)),
    "capsule": ss.Capsule(radius=0.15, length=0.6),
    "box": ss.Box(size=(0.8, 1.0, 0.3), centre=(0.1, 0, 0.05)),
    "polygon": ss.Polygon(vertices=CLOUD, rotation=UPRIGHT),
    "rod": ss.Cylinder(radius=0.1, length=0.9),
    "ellipse": ss.Ellipsoid(semi_axes=(0.5, 1.0, 0.2)),
}
ROUND = ("point", "disc")


def support(shape, n, turn, place):
    """How far a shape at `place`, turned by `turn`, reaches along n, written down anew from what the shape is."""
    c, s = cos(turn), sin(turn)
    local = np.array([c * n[0] + s * n[1], -s * n[0] + c * n[1]])
    offset = np.array(shape.centre)[[0, 2]] @ local + np.array(place) @ n
    x, y = local
    if isinstance(shape, ss.Point):
        return offset
    if isinstance(shape, ss.Disc):
        return offset + shape.radius
    if isinstance(shape, ss.Segment):
        return offset + max(np.array(end)[[0, 2]] @ local for end in (shape.start, shape.end))
    if isinstance(shape, ss.Capsule):
        return offset + shape.radius + abs(y) * shape.length / 2
    if isinstance(shape, ss.Box):
        return offset + abs(x) * shape.size[0] / 2 + abs(y) * shape.size[2] / 2
    if isinstance(shape, ss.Cylinder):
        return offset + abs(x) * shape.radius + abs(y) * shape.length / 2
    if isinstance(shape, ss.Polygon):
        return offset + max(np.array(corner) @ local for corner in shape.vertices)
    return offset + hypot(shape.semi_axes[0] * x, shape.semi_axes[2] * y)


DIRECTIONS = [np.array([cos(angle), sin(angle)]) for angle in np.linspace(0, 2 * pi, 181)]


def holds(shape, point, turn, place, tolerance):
    return all(point @ n <= support(shape, n, turn, place) + tolerance for n in DIRECTIONS)


def apart(a, b, n, q):
    """How far the second shape is from the first as seen along n."""
    return -support(b, -n, q[5], q[3:5]) - support(a, n, q[2], q[:2])


poses = st.tuples(
    st.floats(-pi, pi), st.floats(-1.5, 1.5), st.floats(-1.5, 1.5), st.floats(-pi, pi), st.floats(-1, 1), st.floats(-1, 1)
)


@pytest.mark.parametrize("a", SHAPES)
@pytest.mark.parametrize("b", SHAPES)
def test_the_nearest_touch_of_every_pair_proves_itself(a, b):
    detector = pair_of(SHAPES[a], SHAPES[b])
    rng = np.random.default_rng(0)
    apart_often = 0
    for _ in range(40):
        q = np.concatenate([rng.uniform(-1, 1, 2), rng.uniform(-pi, pi, 1), rng.uniform(-1, 1, 2), rng.uniform(-pi, pi, 1)])
        seen = Seen(detector, q)
        assert len(seen)
        k = int(np.argmin(seen.gap))
        n, gap = seen.normal[k], seen.gap[k]
        assert hypot(*n) == pytest.approx(1, abs=1e-14)
        assert seen.on_second == pytest.approx(seen.on_first + seen.gap[:, None] * seen.normal, abs=1e-14)
        assert apart(SHAPES[a], SHAPES[b], n, q) == pytest.approx(gap, abs=1e-13)
        widest = max(apart(SHAPES[a], SHAPES[b], m, q) for m in DIRECTIONS)
        if gap > 0:
            apart_often += 1
            assert holds(SHAPES[a], seen.on_first[k], q[2], q[:2], 1e-13)
            assert holds(SHAPES[b], seen.on_second[k], q[5], q[3:5], 1e-13)
            assert widest <= gap + 1e-13
        elif "ellipse" not in (a, b) or gap > -0.05:  # deep in an ellipse there may be a shorter way out
            assert widest <= max(apart(SHAPES[a], SHAPES[b], m, q) for m in seen.normal) + 1e-13
    assert apart_often > 5


@pytest.mark.parametrize("a", ["box", "polygon", "capsule", "rod", "ellipse"])
@pytest.mark.parametrize("b", ["box", "polygon", "capsule", "rod", "ellipse"])
def test_a_shallow_overlap_has_its_depth_for_a_gap(a, b):
    """Bring the shapes together along the line of their gap until they overlap a little."""
    detector = pair_of(SHAPES[a], SHAPES[b])
    rng = np.random.default_rng(1)
    for _ in range(20):
        q = np.concatenate(
            [np.zeros(2), rng.uniform(-pi, pi, 1), rng.uniform(2, 3, 1), rng.uniform(-1, 1, 1), rng.uniform(-pi, pi, 1)]
        )
        seen = Seen(detector, q)
        k = int(np.argmin(seen.gap))
        q[3:5] -= (seen.gap[k] + 1e-3) * seen.normal[k]
        after = Seen(detector, q)
        widest = max(apart(SHAPES[a], SHAPES[b], m, q) for m in after.normal)
        assert widest == pytest.approx(-1e-3, abs=1e-12) or -1e-3 < widest < -1e-4  # two corners get out by less
        assert np.abs(after.gap - widest).min() < 1e-13
        assert max(apart(SHAPES[a], SHAPES[b], m, q) for m in DIRECTIONS) <= widest + 1e-13


def test_swapping_the_shapes_turns_the_contact_round():
    rng = np.random.default_rng(2)
    for a in SHAPES:
        for b in SHAPES:
            q = np.concatenate([rng.uniform(-0.3, 0.3, 3), [1.2, 0.9], rng.uniform(-pi, pi, 1)])
            one = Seen(pair_of(SHAPES[a], SHAPES[b]), q)
            other = Seen(pair_of(SHAPES[b], SHAPES[a]), np.concatenate([q[3:], q[:3]]))
            i, j = int(np.argmin(one.gap)), int(np.argmin(other.gap))
            assert one.gap[i] == pytest.approx(other.gap[j], abs=1e-14)
            assert one.normal[i] == pytest.approx(-other.normal[j], abs=1e-13)
            assert one.on_first[i] == pytest.approx(other.on_second[j], abs=1e-13)


# ---- half-planes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHAPES)
@given(tilt=st.floats(-pi, pi), turn=st.floats(-pi, pi), x=st.floats(-2, 2), y=st.floats(-2, 2))
def test_every_corner_touches_a_half_plane(name, tilt, turn, x, y):
    shape, n = SHAPES[name], np.array([-sin(tilt), cos(tilt)])
    detector = pair_of((HalfSpace(normal=(n[0], n[1]), offset=0.3),), shape)
    seen = Seen(detector, [0, 0, 0, x, y, turn])
    assert len(seen) == {"segment": 2, "capsule": 2, "box": 4, "polygon": 5, "rod": 4}.get(name, 1)
    assert seen.gap.min() == pytest.approx(-support(shape, -n, turn, (x, y)) - 0.3, abs=1e-14)
    assert np.allclose(seen.normal, n)
    assert seen.on_first @ n == pytest.approx(np.full(len(seen), 0.3), abs=1e-14)
    assert seen.on_second == pytest.approx(seen.on_first + seen.gap[:, None] * seen.normal, abs=1e-14)
    assert sorted(seen.identities[:, 4]) == list(range(len(seen)))


def test_only_what_is_within_the_margin_is_recorded():
    detector = pair_of((HalfSpace(normal=(0, 1)),), SHAPES["box"])
    assert len(Seen(detector, [0, 0, 0, 0, 0.2, 0], margin=0.09)) == 0
    assert len(Seen(detector, [0, 0, 0, 0, 0.2, 0], margin=0.11)) == 2
    assert len(Seen(detector, [0, 0, 0, 0, 0.2, 0], margin=0.39)) == 2
    assert len(Seen(detector, [0, 0, 0, 0, 0.2, 0], margin=0.41)) == 4


# ---- polygons that lie on each other ----------------------------------------------------------------------------------


def test_parallel_capsules_touch_twice():
    lying = ss.Capsule(radius=0.1, length=1.0, rotation=((0, 0, 1), (0, 1, 0), (-1, 0, 0)))
    seen = Seen(pair_of(lying, lying), [0, 0, 0, 0.3, 0.25, 0], margin=0.1)
    assert len(seen) == 2
    assert seen.gap == pytest.approx([0.05, 0.05])
    assert seen.normal == pytest.approx(np.array([[0, 1], [0, 1]]))
    assert sorted(seen.on_first[:, 0]) == pytest.approx([-0.2, 0.5])


@pytest.mark.parametrize("noise", [0.0, 1e-17, -1e-17, 1e-16, -1e-16, 1e-12, -1e-12, 1e-9, -1e-9])
@pytest.mark.parametrize("tilt", [0.0, 1e-17, 1e-13, -1e-13, 1e-9])
@pytest.mark.parametrize("shift", [0.0, 0.25])
def test_boxes_of_one_width_stacked_flush_touch_at_two_corners_and_upwards_only(noise, tilt, shift):
    """Round-off must not turn a corner beside a corner into a contact with a vertical wall."""
    box = ss.Box(size=(1.0, 1.0, 0.5))
    for gap in (0.0, 1e-16, -1e-16, 1e-10, -1e-10):
        seen = Seen(pair_of(box, box), [0, 0, 0, shift + noise, 0.5 + gap, tilt], margin=1e-3)
        assert len(seen) == 2
        assert np.abs(seen.normal - np.array([0, 1])).max() < 1e-8
        assert seen.gap == pytest.approx([gap, gap], abs=1e-9)
        assert sorted(seen.on_first[:, 0]) == pytest.approx([shift - 0.5, 0.5], abs=1e-8)


def test_a_box_on_its_edge_on_a_box_touches_once():
    box = ss.Box(size=(1.0, 1.0, 1.0))
    seen = Seen(pair_of(box, box), [0, 0, 0, 0.1, 0.5 + sqrt(0.5), pi / 4], margin=1e-2)
    assert len(seen) == 1
    assert seen.gap == pytest.approx([0.0], abs=1e-15)
    assert seen.normal[0] == pytest.approx([0, 1])


def test_two_corners_touch_where_neither_has_an_edge_below_it():
    box = ss.Box(size=(1.0, 1.0, 1.0))
    seen = Seen(pair_of(box, box), [0, 0, 0, 1.3, 1.4, 0.0], margin=1.0)
    assert len(seen) == 1
    assert seen.gap == pytest.approx([0.5])
    assert seen.normal[0] == pytest.approx([0.6, 0.8])


def test_corners_that_meet_in_a_point_still_have_a_normal():
    box = ss.Box(size=(1.0, 1.0, 1.0))
    seen = Seen(pair_of(box, box), [0, 0, 0, 0.5 + sqrt(0.5), 0.5, pi / 4], margin=1e-2)
    assert len(seen) == 1
    assert seen.gap == pytest.approx([0.0], abs=1e-15)
    assert np.hypot(*seen.normal[0]) == pytest.approx(1)


@pytest.mark.parametrize("width", [0.0, 0.05])
def test_bars_that_cross_are_told_the_shorter_way_out(width):
    bar = ss.Capsule(radius=width, length=2.0) if width else ss.Segment(start=(0, 0, -1), end=(0, 0, 1))
    seen = Seen(pair_of(bar, bar), [0, 0, 0, 0.9, 0.2, pi / 2], margin=1e-2)
    assert len(seen) == 1
    assert seen.gap == pytest.approx([-0.1 - 2 * width])
    assert seen.normal[0] == pytest.approx([1, 0])


def test_a_corner_deep_in_a_box_gets_out_by_the_nearest_edge():
    box = ss.Box(size=(1.0, 1.0, 1.0))
    seen = Seen(pair_of(box, box), [0, 0, 0, 0.0, 0.5 + sqrt(0.5) - 0.2, pi / 4], margin=0.0)
    k = int(np.argmin(seen.gap))
    assert seen.gap[k] == pytest.approx(-0.2)
    assert seen.normal[k] == pytest.approx([0, 1])


# ---- ellipses -----------------------------------------------------------------------------------------------------------


@given(a=st.floats(0.01, 10), b=st.floats(0.01, 10), angle=st.floats(-pi, pi), gap=st.floats(1e-9, 10))
def test_a_point_on_the_normal_of_an_ellipse_is_where_it_was_put(a, b, angle, gap):
    """From a foot on the ellipse go out along the normal: that foot is the nearest point again."""
    foot = np.array([a * cos(angle), b * sin(angle)])
    n = np.array([b * cos(angle), a * sin(angle)])
    n /= hypot(*n)
    place = foot + gap * n
    seen = Seen(pair_of(ss.Ellipsoid(semi_axes=(a, 1, b)), ss.Point()), [0, 0, 0, *place, 0], margin=100)
    assert seen.gap[0] == pytest.approx(gap, abs=1e-14 * (1 + a + b + gap))
    assert seen.on_first[0] == pytest.approx(foot, abs=1e-7 * max(a, b))


@given(pose=poses, a=st.floats(0.05, 2), b=st.floats(0.05, 2))
def test_a_round_ellipse_is_a_disc(pose, a, b):
    turn, x, y, other, _, _ = pose
    if hypot(x, y) < 1e-3:
        return
    q = [0, 0, turn, x, y, other]
    disc = Seen(pair_of(ss.Disc(radius=a), ss.Disc(radius=b)), q)
    for first, second in (
        (ss.Ellipsoid(semi_axes=(a, 1, a)), ss.Ellipsoid(semi_axes=(b, 1, b))),
        (ss.Ellipsoid(semi_axes=(a, 1, a)), ss.Disc(radius=b)),
        (ss.Disc(radius=a), ss.Ellipsoid(semi_axes=(b, 1, b))),
    ):
        seen = Seen(pair_of(first, second), q)
        assert seen.gap == pytest.approx(disc.gap, abs=1e-14)
        assert seen.normal[0] == pytest.approx(disc.normal[0], abs=1e-12)


@example(ratio=0.75, pose=(0.0, -0.015625, 0.0, 3.0, 0.0, 0.0))  # two ways out that differ by little
@given(ratio=st.floats(1e-3, 1), pose=poses)
def test_thin_ellipses_prove_their_gap(ratio, pose):
    thin = ss.Ellipsoid(semi_axes=(1.0, 1.0, ratio))
    turn, x, y, other, _, _ = pose
    q = np.array([0, 0, turn, 2 * x, 2 * y, other])
    if x == y == 0:
        return
    seen = Seen(pair_of(thin, thin), q)
    assert apart(thin, thin, seen.normal[0], q) == pytest.approx(seen.gap[0], abs=1e-13)
    widest = max(apart(thin, thin, m, q) for m in DIRECTIONS)
    assert widest <= seen.gap[0] + 1e-13


# ---- where there is no normal ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "q"),
    [
        (ss.Disc(radius=1.0), ss.Disc(radius=0.5), [0.3, 0.2, 0, 0.3, 0.2, 1]),
        (ss.Ellipsoid(semi_axes=(1, 1, 2)), ss.Ellipsoid(semi_axes=(1, 1, 2)), [0.3, 0.2, 0, 0.3, 0.2, 1]),
        (ss.Ellipsoid(semi_axes=(1, 1, 2)), ss.Disc(radius=0.1), [0.3, 0.2, 0, 0.3, 0.2, 1]),
        (ss.Segment(start=(-1, 0, 0), end=(1, 0, 0)), ss.Disc(radius=0.1), [0, 0, 0, 0.25, 0, 0]),
        (ss.Capsule(radius=0.2, length=1), ss.Disc(radius=0.1), [0, 0, 0, 0, 0.5, 0]),
    ],
)
def test_coincident_centres_have_no_normal(a, b, q):
    found = Seen(pair_of(a, b), q).found
    assert found.status == NO_NORMAL
    assert found.identities[0, [0, 2]].tolist() == [0, 1]


# ---- planes and bodies -----------------------------------------------------------------------------------------------------


def test_both_planes_see_the_same():
    q = [0.1, -0.2, 0.3, 1.2, 0.9, -0.7]
    upright = Seen(pair_of(ss.Box(size=(0.6, 1, 0.4)), SHAPES["polygon"]), q)
    flat = Seen(pair_of(ss.Box(size=(0.6, 0.4, 1)), ss.Polygon(vertices=CLOUD), plane="xy"), q)
    assert flat.gap == pytest.approx(upright.gap)
    assert flat.normal == pytest.approx(upright.normal)


def test_a_body_that_is_turned_over_is_a_mirror_image():
    """Its joint may turn it about an axis in the plane by half a turn."""
    over = ((1, 0, 0), (0, -1, 0), (0, 0, -1))
    b = ss.MechanismBuilder(plane="xz")
    b.body("disc", mass=1.0, inertia=1.0)
    b.planar("root", child="disc")
    b.body("plate", mass=1.0, inertia=1.0)
    b.revolute("hinge", child="plate", rotation=over, axis=(0, -1, 0))
    mech = ss.Mechanism(b)
    mirrored = tuple((x, -y) for x, y in CLOUD)
    one = Detector(mech, [Entry(0, ss.Disc(radius=0.1), ""), Entry(1, SHAPES["polygon"], "")], [(0, 1)], "xz")
    plain = pair_of(ss.Disc(radius=0.1), ss.Polygon(vertices=mirrored, rotation=UPRIGHT))
    for place in ((1, 0.5), (-0.3, 0.8), (0.2, -1), (0.1, 0.1)):
        a = Seen(one, [*place, 0.0, 0.0])
        assert a.gap == pytest.approx(Seen(plain, [*place, 0.0, 0.0, 0.0, 0.0]).gap)
        assert a.normal == pytest.approx(Seen(plain, [*place, 0.0, 0.0, 0.0, 0.0]).normal)


def test_a_kilometre_away_nothing_changes_but_the_last_digits():
    box, q = ss.Box(size=(0.6, 1, 0.4)), np.array([0.1, -0.2, 0.3, 1.2, 0.9, -0.7])
    far = q + 1000.0 * np.array([1, 1, 0, 1, 1, 0])
    for name in SHAPES:
        near, away = Seen(pair_of(box, SHAPES[name]), q), Seen(pair_of(box, SHAPES[name]), far)
        assert away.gap == pytest.approx(near.gap, abs=1e-12)


def test_what_a_shape_is_in_the_plane():
    """A capsule or cylinder whose axis is normal to the plane is a disc there; a prism is its outline."""
    standing = ((1, 0, 0), (0, 0, -1), (0, 1, 0))  # the shape's z becomes the body's -y
    q = [0, 0, 0.2, 1.0, 0.7, 0.4]
    disc = Seen(pair_of(ss.Disc(radius=0.3), SHAPES["box"]), q)
    for shape in (
        ss.Sphere(radius=0.3),
        ss.Capsule(radius=0.3, length=5.0, rotation=standing),
        ss.Cylinder(radius=0.3, length=5.0, rotation=standing),
        ss.Ellipsoid(semi_axes=(0.3, 7.0, 0.3)),
    ):
        assert Seen(pair_of(shape, SHAPES["box"]), q).gap.min() == pytest.approx(disc.gap.min(), abs=1e-14)
    prism = ss.Mesh(vertices=[(x, depth, y) for x, y in CLOUD for depth in (-1, 2)])
    polygon = Seen(pair_of(SHAPES["polygon"], SHAPES["box"]), q)
    assert Seen(pair_of(prism, SHAPES["box"]), q).gap == pytest.approx(polygon.gap, abs=1e-14)


TILTED = ((1, 0, 0), (0, 0.6, -0.8), (0, 0.8, 0.6))


@pytest.mark.parametrize(
    "shape",
    [
        ss.Capsule(radius=0.1, length=1, rotation=TILTED),
        ss.Cylinder(radius=0.1, length=1, rotation=TILTED),
        ss.Box(size=(1, 2, 3), rotation=TILTED),
        ss.Ellipsoid(semi_axes=(1, 2, 3), rotation=TILTED),
        ss.Segment(start=(0, 0, 0), end=(1, 1e-6, 0)),
        ss.Polygon(vertices=CLOUD),
        ss.Mesh(vertices=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]),
    ],
)
def test_what_is_tilted_out_of_the_plane_is_refused_by_name(shape):
    mech = two_bodies()
    with pytest.raises(ss.MechanismError, match=r"^Hull 'x' .*plane 'xz'"):
        Detector(mech, [Entry(0, shape, "Hull 'x'"), Entry(1, ss.Point(), "")], [(0, 1)], "xz")
