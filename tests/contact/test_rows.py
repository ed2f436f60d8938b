"""Rows of contacts against differences: of gaps and of velocities along motions with constant rates."""

import numpy as np
import pytest

import stickslip as ss
from contact_scenes import SOLIDS, UPRIGHT, pair_of
from differences import derivative
from random_trees import random_rotation
from stickslip.contact.detector import Detector
from stickslip.contact.half_space import HalfSpace
from stickslip.contact.packing import Entry
from stickslip.contact.touch import GAP, NORMAL, ON_FIRST, ON_SECOND

CLOUD = ((0.3, 0.1), (0.1, 0.45), (-0.4, 0.2), (-0.25, -0.3), (0.2, -0.35))
PLANAR = {
    "point": ss.Point(centre=(0.1, 0, -0.2)),
    "disc": ss.Disc(radius=0.3, centre=(0.05, 0, 0.1)),
    "segment": ss.Segment(start=(-0.4, 0, 0.1), end=(0.5, 0, -0.2)),
    "capsule": ss.Capsule(radius=0.15, length=0.6),
    "box": ss.Box(size=(0.8, 1.0, 0.3), centre=(0.1, 0, 0.05)),
    "polygon": ss.Polygon(vertices=CLOUD, rotation=UPRIGHT),
    "ellipse": ss.Ellipsoid(semi_axes=(0.5, 1.0, 0.2)),
}


def planar_tree(far: float) -> ss.Mechanism:
    """Two bodies of one tree: a hinge on a travelling base, and a slider on a hinge on it."""
    b = ss.MechanismBuilder(plane="xz")
    for name in ("base", "first", "arm", "second"):
        b.body(name, mass=1.0, inertia=1.0)
    b.planar("root", child="base", at=(far, far))
    b.revolute("hinge", parent="base", child="first", at=(-0.3, 0.2), anchor=(0.1, 0.05))
    b.revolute("elbow", parent="base", child="arm", at=(0.4, 0.1))
    b.prismatic("slide", parent="arm", child="second", at=(0.3, 0.2), axis=(1, 0, 1))
    return ss.Mechanism(b)


def spatial_tree() -> ss.Mechanism:
    """Two bodies of one tree: a ball joint on a free base, and a slider on a hinge on it, all askew."""
    rng = np.random.default_rng(0)
    b = ss.MechanismBuilder()
    for name in ("base", "first", "arm", "second"):
        b.body(name, mass=1.0, inertia=(1.0, 1.1, 1.2))
    b.free("root", child="base")  # its position is the world's own
    b.ball("hinge", parent="base", child="first", at=(-0.3, 0.2, 0.1), rotation=random_rotation(rng))
    b.revolute("elbow", parent="base", child="arm", at=(0.4, 0.1, 0.2), rotation=random_rotation(rng), axis=(1, 2, 3))
    b.prismatic("slide", parent="arm", child="second", at=(0.3, 0.2, 0.1), rotation=random_rotation(rng), axis=(1, 0, 1))
    return ss.Mechanism(b)


def detector_of(first, second, plane, far=0.0) -> Detector:
    mech = planar_tree(far) if plane else spatial_tree()
    rows = {name: row for row, name in enumerate([*mech.body_names, "world"])}
    if isinstance(first, HalfSpace):
        ground = HalfSpace(normal=first.normal, offset=first.offset + far * sum(first.normal))
        return Detector(mech, [Entry(rows["world"], ground, ""), Entry(rows["second"], second, "")], [(0, 1)], plane)
    return Detector(mech, [Entry(rows["first"], first, ""), Entry(rows["second"], second, "")], [(0, 1)], plane)


def followed(detector: Detector, q, v, who, margin=5.0):
    """Gap and velocities of the touch `who` at times t along the motion with the rates v from q; None where it is not seen."""
    n = 2 if detector.plane else 3

    def at(t):
        there = detector.mechanism.integrate(q, t * v)
        found = detector.find(there, margin)
        k = np.flatnonzero((found.identities == who).all(axis=1)) if found.status > 0 else []
        if len(k) != 1:
            return np.full(1 + n, np.nan)
        rows = detector.rows(there, v, found)
        return np.concatenate([[found.touches[k[0], GAP]], rows.velocity[n * k[0] : n * k[0] + n]])

    return at


def check(detector: Detector, seeds: range, tolerance: float, h: float = 1e-3) -> int:
    """Compare all rows with differences; how many touches could be followed."""
    mech, n = detector.mechanism, 2 if detector.plane else 3
    compared = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        q = mech.integrate(mech.neutral(), rng.standard_normal(mech.nv))
        v = rng.standard_normal(mech.nv)
        found = detector.find(q, 5.0)
        assert found.status >= 0
        rows = detector.rows(q, v, found)
        assert rows.jacobian @ v == pytest.approx(rows.velocity, abs=1e-12)
        for k in range(found.status):
            velocity, drift = rows.velocity[n * k : n * k + n], rows.drift[n * k : n * k + n]
            assert velocity == pytest.approx(velocity_of_points(detector, q, v, found, k), abs=tolerance)
            rates = derivative(followed(detector, q, v, found.identities[k]), h)
            if np.isnan(rates).any():  # it rolls from one feature to the next meanwhile
                continue
            compared += 1
            scale = 1 + np.abs(drift).max()
            assert rates[0] == pytest.approx(velocity[0], abs=tolerance * scale)
            assert rates[1:] == pytest.approx(drift, abs=tolerance * scale)
    return compared


def velocity_of_points(detector, q, v, found, k):
    """The relative velocity of the witness points, from the Mechanism's own Jacobians."""
    mech, touch = detector.mechanism, found.touches[k]
    normal = touch[NORMAL : NORMAL + 3]
    frame = [normal, *detector.tangents(tuple(normal.tolist()))]

    def speed(shape, point):
        body = [*mech.body_names, None][detector.scene.shapes[shape, 1]]
        if body is None:
            return np.zeros(3)
        R, p = mech.body_pose(q, body)
        return mech.point_jacobian(q, body, R.T @ (point - p)) @ v

    first, _, second, _, _ = found.identities[k]
    return np.array(frame) @ (speed(second, touch[ON_SECOND : ON_SECOND + 3]) - speed(first, touch[ON_FIRST : ON_FIRST + 3]))


@pytest.mark.parametrize("a", ["ground", *PLANAR])
@pytest.mark.parametrize("b", PLANAR)
def test_planar_rows_are_the_derivatives(a, b):
    first = HalfSpace(normal=(-0.6, 0.8), offset=-0.5) if a == "ground" else PLANAR[a]
    assert check(detector_of(first, PLANAR[b], "xz"), range(5), 1e-7) >= 4


@pytest.mark.parametrize("a", ["ground", *SOLIDS])
@pytest.mark.parametrize("b", SOLIDS)
def test_spatial_rows_are_the_derivatives(a, b):
    first = HalfSpace(normal=(-0.6, 0.0, 0.8), offset=-0.5) if a == "ground" else SOLIDS[a]
    assert check(detector_of(first, SOLIDS[b], None), range(6), 1e-7, 5e-4) >= 4


ROUND = ("sphere", "capsule", "cylinder", "ellipsoid")


@pytest.mark.parametrize("depth", [0.0, 1e-4])
@pytest.mark.parametrize("a", ["ground", *ROUND, "box", "pebble"])
@pytest.mark.parametrize("b", ROUND)
def test_rows_of_what_touches_are_the_derivatives(a, b, depth):
    """Contacts are solved where the gap is closed: rolling, sliding and pivoting there, with its curvature."""
    first = (HalfSpace(normal=(-0.6, 0.0, 0.8)),) if a == "ground" else SOLIDS[a]
    detector, compared = pair_of(first, SOLIDS[b], None), 0
    mech = detector.mechanism
    for seed in range(4):
        rng = np.random.default_rng(seed)
        q = mech.integrate(mech.neutral(), rng.standard_normal(mech.nv))
        q[7:10] += (2.0, 0.4, 0.2)
        touch = nearest_touch(detector.find(q, 5.0))[0]
        q[7:10] -= (touch[GAP] + depth) * touch[NORMAL : NORMAL + 3]
        v, found = rng.standard_normal(mech.nv), detector.find(q, 1e-6)
        touch, k = nearest_touch(found)
        rows = detector.rows(q, v, found)
        along = followed(detector, q, v, found.identities[k], margin=0.1)
        rates, coarse = derivative(along, 3e-5), derivative(along, 6e-5)
        scale = 1 + np.abs(rows.drift).max()
        if not np.abs(rates - coarse).max() < 1e-7 * scale:  # another feature comes in, or turns too sharply to be differenced
            continue
        compared += 1
        assert touch[GAP] == pytest.approx(-depth, abs=1e-10)
        assert rates[0] == pytest.approx(rows.velocity[3 * k], abs=1e-8)
        assert rates[1:] == pytest.approx(rows.drift[3 * k : 3 * k + 3], abs=1e-7 * scale)
    assert compared >= 2


def nearest_touch(found):
    k = int(np.argmin(found.touches[:, GAP]))
    return found.touches[k], k


@pytest.mark.parametrize(("plane", "a", "b"), [("xz", "disc", "ellipse"), (None, "sphere", "capsule"), (None, "box", "box")])
def test_rows_keep_their_digits_a_kilometre_away(plane, a, b):
    """The drift is exact there, too; differences of gaps are not, and get a longer step."""
    shapes = PLANAR if plane else SOLIDS
    near, far = (detector_of(shapes[a], shapes[b], plane, away) for away in (0.0, 1000.0))
    for seed in range(5):
        rng = np.random.default_rng(seed)
        q = near.mechanism.integrate(near.mechanism.neutral(), rng.standard_normal(near.mechanism.nv))
        there, v = q.copy(), rng.standard_normal(near.mechanism.nv)
        if plane is None:
            there[:3] += 1000.0
        one, other = near.find(q, 5.0), far.find(there, 5.0)
        assert (one.identities == other.identities).all()
        for x, y in zip(near.rows(q, v, one)[1:], far.rows(there, v, other)[1:], strict=True):
            assert y == pytest.approx(x, abs=1e-10 * (1 + np.abs(x).max()))


# ---- closed forms -----------------------------------------------------------------------------------------------------


def rolling(first, radius, x, y, turn, velocity, *, fixed_centre=(0.0, 0.0)):
    """A disc of `radius` on a planar joint against an obstacle: its only touch and its rows."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("wheel", mass=1.0, inertia=1.0)
    b.planar("root", child="wheel")
    mech = ss.Mechanism(b)
    detector = Detector(mech, [Entry(1, first, ""), Entry(0, ss.Disc(radius=radius), "")], [(0, 1)], "xz")
    q = np.array([x, y, turn])
    found = detector.find(q, 1.0)
    return found, detector.rows(q, np.array(velocity), found)


def test_a_wheel_that_rolls_on_a_wheel_is_pushed_by_the_sum_of_the_radii():
    """Its centre moves on a circle of radius R + r: the gap's second derivative on the straight line is speed^2 / (R + r)."""
    R, r, speed = 2.0, 0.5, 3.0
    found, rows = rolling(ss.Disc(radius=R), r, 0.0, R + r, 0.3, [speed, 0.0, -speed / r])
    assert found.status == 1
    assert rows.velocity == pytest.approx([0, 0], abs=1e-14)  # it rolls: turning from x to z by -speed / r
    assert rows.drift[0] == pytest.approx(speed**2 / (R + r))


def test_a_wheel_on_a_plane_needs_no_push():
    found, rows = rolling(HalfSpace(normal=(0, 1)), 0.5, 1.0, 0.5, 0.3, [3.0, 0.0, -6.0])
    assert found.status == 1
    assert rows.velocity == pytest.approx([0, 0], abs=1e-14)
    assert rows.drift == pytest.approx([0, 0], abs=1e-14)
    assert rows.jacobian == pytest.approx(np.array([[0, 1, 0], [1, 0, 0.5]]))


def test_the_tip_of_a_rod_has_its_centripetal_acceleration():
    b = ss.MechanismBuilder(plane="xz")
    b.body("rod", mass=1.0, inertia=1.0)
    b.planar("root", child="rod")
    detector = Detector(
        ss.Mechanism(b), [Entry(1, HalfSpace(normal=(0, 1)), ""), Entry(0, ss.Point(centre=(2, 0, 0)), "")], [(0, 1)], "xz"
    )
    angle, spin = -0.7, 1.3
    q = np.array([0.0, -2 * np.sin(angle), angle])
    rows = detector.rows(q, np.array([0.0, 0.0, spin]), detector.find(q, 0.1))
    assert rows.drift == pytest.approx([-2 * np.sin(angle) * spin**2, -2 * np.cos(angle) * spin**2])


def test_an_elliptic_wheel_that_rolls_on_a_floor():
    """Its centre is h(angle) above the floor, so that the gap is y - h and the sliding velocity dx/dt + h spin."""
    a, b, spin = 0.5, 0.2, 0.8
    mech = ss.MechanismBuilder(plane="xz")
    mech.body("wheel", mass=1.0, inertia=1.0)
    mech.planar("root", child="wheel")
    entries = [Entry(1, HalfSpace(normal=(0, 1)), ""), Entry(0, ss.Ellipsoid(semi_axes=(a, 1, b)), "")]
    detector = Detector(ss.Mechanism(mech), entries, [(0, 1)], "xz")
    for angle in (-1.0, 0.0, 0.2, 1.4):
        s, c = np.sin(angle), np.cos(angle)
        h = np.hypot(a * s, b * c)
        slope, radius = (a * a - b * b) * s * c / h, (a * b) ** 2 / h**3  # dh/dangle; h + d2h/dangle2
        q, v = np.array([0.3, h, angle]), np.array([-h * spin, slope * spin, spin])
        found = detector.find(q, 1e-9)
        rows = detector.rows(q, v, found)
        assert found.status == 1
        assert rows.velocity == pytest.approx([0, 0], abs=1e-14)
        assert rows.drift == pytest.approx([(h - radius) * spin**2, slope * spin**2], abs=1e-13)
