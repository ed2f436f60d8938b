"""Limits and dry friction of joints against closed forms, in the plane, in space with the exact cone, and along directions."""

import numpy as np
import pytest
from scipy.integrate import quad

import stickslip as ss

G = 9.81
WAYS = {"plane": ("xz", {}), "cone": (None, {}), "directions": (None, {"directions": 8})}


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


def stepped(world, q, v, duration, **more):
    run = ss.simulate(world, q, v, duration, "time-stepping", **more)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    return run


def rod(plane, *, gravity=G, **joint):
    """A uniform rod of 1 kg and 1 m on a hinge; its angle counts from +x, upwards."""
    b = ss.MechanismBuilder(plane=plane, gravity=(0, 0, -gravity))
    put_rod(b, plane, "rod", {"axis": (0, -1, 0)} if plane is None else {}, **joint)
    b.motor("hinge")
    return ss.World(ss.Mechanism(b))


def put_rod(b, plane, name, axis, hinge="hinge", **joint):
    if plane:
        b.body(name, mass=1.0, centre=(0.5, 0), inertia=1 / 12)
    else:
        b.body(name, mass=1.0, centre=(0.5, 0, 0), inertia=np.diag([1e-3, 1 / 12, 1 / 12]))
    b.revolute(hinge, child=name, **axis, **joint)


def cart(plane, **joint):
    """2 kg on a rail along x."""
    b = ss.MechanismBuilder(plane=plane)
    b.body("cart", mass=2.0, inertia=0.1 if plane else np.diag([0.1, 0.1, 0.1]))
    b.prismatic("rail", child="cart", axis=(1, 0) if plane else (1, 0, 0), **joint)
    b.motor("rail")
    return ss.World(ss.Mechanism(b))


def kinds(run):
    return [(event.kind, event.contacts) for event in run.events]


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_a_rod_stops_at_its_limit_at_the_exact_time(way):
    """Without weight: at the angle over the rate, with the impulse I w that takes all of its motion."""
    plane, more = way
    run = stepped(rod(plane, gravity=0, limits=(-1.0, 0.5)), [0.0], [2.0], 0.4, dt=0.008, **more)
    assert kinds(run) == [("limit reached", ("hinge at its upper limit",))]
    assert run.events[0].time == pytest.approx(0.25, abs=1e-11)
    assert run.events[0].impulses == (pytest.approx((2 / 3,), rel=1e-9),)
    assert run.q[-1, 0] == pytest.approx(0.5, abs=1e-12)
    assert not run.v[-1].any()
    assert set(run.mode) == {""}
    assert run.contact_names == ()


def test_a_rod_swings_into_its_lower_limit_when_the_integral_says(way):
    """From rest at 0 down to -1.2: t = integral of dq / w, w^2 = 3 g sin(-q); second order in the step."""
    plane, more = way
    exact, _ = quad(lambda s: 2 * s / np.sqrt(3 * G * np.sin(s * s)), 0, np.sqrt(1.2), epsabs=1e-13)  # q = -s^2
    errors = []
    for dt in (4e-3, 2e-3):
        run = stepped(rod(plane, limits=(-1.2, 1.0)), [0.0], [0.0], 1.0, dt=dt, **more)
        assert kinds(run) == [("limit reached", ("hinge at its lower limit",))]
        errors.append(abs(run.events[0].time - exact))
        assert run.q[-1, 0] == pytest.approx(-1.2, abs=1e-12)
        assert np.abs(run.v[-1]).max() < 1e-15
    assert errors[1] < 2e-6
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.05)


def test_a_limit_is_left_when_a_motor_lifts_the_rod_off(way):
    """It takes m g l / 2 = 4.905 N m at the horizontal; a torque of 5 N m begins at 0.1 s."""
    plane, more = way

    def motor(t, q, v):
        return [5.0 if t >= 0.0999999 else 4.8]

    motor.period = 0.01
    run = stepped(rod(plane, limits=(0.0, 1.0)), [0.0], [0.0], 0.2, controller=motor, **more)
    assert kinds(run) == [("limit left", ("hinge at its lower limit",))]
    assert run.events[0].time == pytest.approx(0.1, abs=2.001e-3)
    assert np.abs(run.q[:100]).max() < 1e-15
    assert run.q[-1, 0] == pytest.approx((5.0 - G / 2) * 3 / 2 * 0.1**2, rel=1e-3)


def test_an_elbow_locks_and_keeps_the_angular_momentum(way):
    """Two rods without weight, whose elbow unfolds until its limit: they turn on as one, about the shoulder as before.

    Centrifugal force then holds the elbow there.
    """
    plane, more = way
    b = ss.MechanismBuilder(plane=plane, gravity=(0, 0, 0))
    axis = {} if plane else {"axis": (0, -1, 0)}
    put_rod(b, plane, "upper", axis, "shoulder")
    put_rod(b, plane, "lower", axis, "elbow", parent="upper", at=(1.0, 0) if plane else (1.0, 0, 0), limits=(-2.0, -0.2))
    world = ss.World(ss.Mechanism(b))
    mech = world.mechanism
    v = np.array([0.5, 1.5])
    momentum = (mech.mass_matrix([0.0, -0.6]) @ v)[0]
    run = stepped(world, [0.0, -0.6], v, 0.6, dt=5e-4, **more)
    assert kinds(run) == [("limit reached", ("elbow at its upper limit",))]
    assert np.abs(run.v[-400:, 1]).max() < 1e-13
    M = mech.mass_matrix(run.q[-1])
    assert run.v[-1, 0] == pytest.approx(momentum / M[0, 0], rel=1e-6)
    assert np.abs(run.q[-400:, 1] + 0.2).max() < 1e-12
    assert run.energy[-1].sum() < run.energy[0].sum()


def test_a_floor_and_a_limit_are_met_at_one_time():
    """A ball and a weight beside it fall from one height, on the floor and into the limit of a rail."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("ball", mass=2.0, inertia=0.1, shapes=[ss.Disc(radius=0.1)])
    b.prismatic("post", child="ball", axis=(0, 1))
    b.body("weight", mass=3.0, inertia=0.1)
    b.prismatic("rail", child="weight", axis=(0, 1), limits=(0.1, 5.0))
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 1))])
    run = stepped(world, [0.6, 0.6], [0.0, 0.0], 0.5)
    assert sorted(kinds(run)) == [("collision", ("ball",)), ("limit reached", ("rail at its lower limit",))]
    for event, mass in zip(sorted(run.events, key=lambda event: event.kind), (2.0, 3.0), strict=True):
        assert event.time == pytest.approx(np.sqrt(2 * 0.5 / G), abs=1e-9)
        assert event.impulses[0][0] == pytest.approx(mass * np.sqrt(2 * G * 0.5), rel=1e-9)
    assert run.q[-1] == pytest.approx([0.1, 0.1], abs=1e-12)
    assert run.mode[-1] == "F"  # one letter: limits are no contacts
    assert run.contact("ball").force[-1] == pytest.approx([2.0 * G, 0.0])


def test_a_joint_that_is_at_both_of_its_limits_does_not_move(way):
    plane, more = way
    run = stepped(cart(plane, limits=(0.0, 0.0)), [0.0], [0.0], 0.05, controller=lambda t, q, v: [3.0], **more)
    assert np.abs(run.q).max() < 1e-18


# ---- dry friction ----------------------------------------------------------------------------------------------------


def test_a_load_below_the_dry_friction_moves_nothing(way):
    plane, more = way
    world = rod(plane, gravity=0.0, dry_friction=2.0)
    run = stepped(world, [0.3], [0.0], 2.0, controller=lambda t, q, v: [1.999], **more)
    assert np.abs(run.q - 0.3).max() < 1e-15
    assert np.abs(run.v).max() < 1e-15
    assert run.contact_names == ()
    assert run.events == ()


def test_a_load_above_it_moves_with_what_is_left(way):
    plane, more = way
    for sign in (1.0, -1.0):
        world = rod(plane, gravity=0.0, dry_friction=2.0)
        run = stepped(world, [0.0], [0.0], 0.5, controller=lambda t, q, v, s=sign: [2.5 * s], **more)
        t = run.time
        assert run.q[:, 0] == pytest.approx(sign * 0.5 * 3 / 2 * t**2, rel=1e-9, abs=1e-15)
        assert run.v[:, 0] == pytest.approx(sign * 0.5 * 3 * t, rel=1e-9, abs=1e-15)


def test_a_cart_is_braked_by_dry_friction(way):
    """v^2 m / (2 F), but for the last step, which is at most F h^2 / (8 m) off."""
    plane, more = way
    for speed in (1.2345, -1.2345):
        run = stepped(cart(plane, dry_friction=3.0), [0.0], [speed], 1.0, dt=1e-3, **more)
        assert run.q[-1, 0] == pytest.approx(np.sign(speed) * speed**2 * 2.0 / 6.0, abs=3.0 * 1e-6 / 16 * 1.001)
        assert abs(run.v[-1, 0]) < 1e-15
        k = np.searchsorted(run.time, 1.2345 * 2 / 3 + 1e-3)
        assert np.ptp(run.q[k:, 0]) < 1e-15


def test_a_ball_joint_rubs_about_each_of_its_axes():
    """Three coordinates, each with its own bound: principal axes slow down one by one, at bound over moment."""
    b = ss.MechanismBuilder(gravity=(0, 0, 0))
    b.body("top", mass=1.0, inertia=np.diag([1.0, 1.0, 1.0]))
    b.ball("socket", child="top", dry_friction=0.4)
    run = stepped(ss.World(ss.Mechanism(b)), [1, 0, 0, 0], [0.1, 0.2, -0.3], 0.6)
    expected = np.maximum(np.abs([0.1, 0.2, -0.3]) - 0.4 * run.time[:, None], 0) * np.sign([1, 1, -1])
    assert run.v == pytest.approx(expected, abs=1e-12)


def test_dry_friction_takes_no_part_in_a_collision():
    """A cart with friction in its rail falls on its limit: the impulse is that of all its momentum."""
    run = stepped(cart("xz", limits=(-1.0, 0.0), dry_friction=3.0), [-0.3], [2.0], 0.3)
    [event] = run.events
    speed = np.sqrt(2.0**2 - 2 * 1.5 * 0.3)
    assert event.impulses[0][0] == pytest.approx(2.0 * speed, rel=1e-9)
    assert event.time == pytest.approx((2.0 - speed) / 1.5, abs=1e-9)


def test_a_foot_that_slides_with_a_stiff_ankle():
    """Friction at a contact and in a joint at once: a block drags over the floor a rod, held by friction in its hinge."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("block", mass=1.0, inertia=0.1, shapes=[ss.Box(size=(0.4, 0.4, 0.2))])
    b.planar("root", child="block")
    b.body("rod", mass=1.0, centre=(0, 0.5), inertia=1 / 12)
    b.revolute("hinge", parent="block", child="rod", dry_friction=10.0)
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 1))], material=ss.Material(friction=0.3))
    run = stepped(world, [0, 0.1, 0, 0], [2.0, 0, 0, 0], 1.0)
    assert np.abs(run.q[:, 3]).max() < 1e-14  # it takes m a l / 2 = 1.47 N m
    assert run.q[-1, 0] == pytest.approx(2.0**2 / (2 * 0.3 * G), abs=1e-3)
    assert np.abs(run.v[-1]).max() < 1e-14
