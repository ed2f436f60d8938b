"""Time stepping against closed forms: falling, bouncing, sliding, sticking, stacking, swinging into the floor."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import stickslip as ss

G = 9.81


def body(shape, *, friction=0.5, restitution=0.0, tilt=0.0, plane="xz", mass=1.0, inertia=0.01, gravity=None):
    """One free body above a floor that rises to the right by `tilt`."""
    b = ss.MechanismBuilder(plane=plane) if gravity is None else ss.MechanismBuilder(plane=plane, gravity=gravity)
    b.body("body", mass=mass, inertia=inertia if plane else np.diag([inertia] * 3), shapes=[shape])
    (b.planar if plane else b.free)("root", child="body")
    floor = ss.HalfSpace(normal=(-np.sin(tilt), 0, np.cos(tilt)), name="floor")
    return ss.World(ss.Mechanism(b), obstacles=[floor], material=ss.Material(friction=friction, restitution=restitution))


def stepped(world, q, v, duration, **more):
    run = ss.simulate(world, q, v, duration, "time-stepping", **more)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    return run


# ---- without contact -------------------------------------------------------------------------------------------------


def test_free_fall_is_exact():
    run = stepped(body(ss.Sphere(radius=0.1)), [0, 100, 0], [3, 5, 2], 2.0, dt=0.01)
    t = run.time
    assert run.q == pytest.approx(np.stack([3 * t, 100 + 5 * t - G / 2 * t**2, 2 * t], axis=1), rel=1e-12)
    assert len(run) == 201
    assert run.mode == ("",) * 201


def test_a_tumbling_box_keeps_its_energy():
    """A free step is its own mirror image in time: no drift, only a small ripple."""
    b = ss.MechanismBuilder(gravity=(0, 0, 0))
    b.body("box", mass=1.0, inertia=np.diag([1.0, 2.0, 2.5]), shapes=[ss.Box(size=(0.3, 0.2, 0.1))])
    b.free("root", child="box")
    mech = ss.Mechanism(b)
    run = stepped(ss.World(mech), mech.neutral(), [0.1, 0, 0, 0.3, 5.0, 0.2], 10.0, record_every=10)
    energy = run.energy.sum(axis=1)
    assert np.abs(energy / energy[0] - 1).max() < 1e-6
    first, last = mech.momentum(run.q[0], run.v[0]), mech.momentum(run.q[-1], run.v[-1])
    assert last[0] == pytest.approx(first[0], rel=1e-12)
    assert last[1] == pytest.approx(first[1], rel=1e-4)


# ---- one contact -----------------------------------------------------------------------------------------------------


def test_a_ball_bounces_to_the_square_of_its_restitution():
    run = stepped(body(ss.Sphere(radius=0.1), restitution=0.5), [0, 1.1, 0], [0, 0, 0], 3.0)
    fall = np.sqrt(2 / G)
    times = [event.time for event in run.events[:4]]
    assert times == pytest.approx([fall * (1 + 2 * sum(0.5**k for k in range(1, n + 1))) for n in range(4)], abs=1e-9)
    between = (run.time > times[0]) & (run.time < times[1])
    assert run.q[between, 1].max() - 0.1 == pytest.approx(0.25, abs=1e-5)
    assert run.q[-1, 1] == pytest.approx(0.1, abs=1e-10)
    assert not run.v[-1].any()


def test_a_bounce_says_what_it_costs():
    """Fallen from h with the mass m it loses m g h (1 - e^2), then a part e^2 of that, and so on."""
    run = stepped(body(ss.Sphere(radius=0.1), restitution=0.5, mass=2.0), [0, 1.1, 0], [0, 0, 0], 1.5)
    lost = 2.0 * G * (1 - 0.25)
    expected = [-lost * 0.25**n for n in range(3)]
    assert [event.energy_change for event in run.events[:3]] == pytest.approx(expected, rel=1e-6)


def test_a_collision_is_located_to_a_nanosecond():
    for height in (0.3, 0.7123, 2.0):
        run = stepped(body(ss.Sphere(radius=0.1)), [0, 0.1 + height, 0], [0, 0, 0], 1.0, dt=0.01)
        assert run.events[0].time == pytest.approx(np.sqrt(2 * height / G), abs=1e-9)
        assert len(run.events) == 1


def test_a_block_within_its_friction_does_not_creep():
    tilt = np.arctan(0.25)  # half the limit
    world = body(ss.Box(size=(0.4, 0.4, 0.2)), tilt=tilt)
    q = [0.5 * np.cos(tilt) - 0.1 * np.sin(tilt), 0.5 * np.sin(tilt) + 0.1 * np.cos(tilt), tilt]
    run = stepped(world, q, [0, 0, 0], 60.0, record_every=100)
    assert np.abs(run.q - run.q[0]).max() < 1e-15 * 60
    assert np.abs(run.v).max() < 1e-15
    assert set(run.mode[1:]) == {"FF"}


@pytest.mark.parametrize(("dt", "error"), [(1e-3, 3e-3), (1e-4, 3e-4)])
def test_a_thrown_block_stops_where_coulomb_has_it(dt, error):
    world = body(ss.Box(size=(0.4, 0.4, 0.2)), inertia=0.02)
    run = stepped(world, [0, 0.1, 0], [6, 0, 0], 1.5, dt=dt)
    assert run.q[-1, 0] == pytest.approx(36 / (2 * 0.5 * G), abs=error)
    assert np.abs(run.q[:, 1] - 0.1).max() < 1e-10
    assert np.abs(run.q[:, 2]).max() < 1e-10
    assert np.abs(run.v[-1]).max() < 1e-15
    sliding = run.time[1:] < 1.2
    assert set(np.array(run.mode[1:])[sliding]) == {"RR"}


@pytest.mark.parametrize("degrees", [0, 30])
def test_a_cube_in_space_keeps_to_its_line_and_does_not_lift(degrees):
    """With the exact cone, also at 30 degrees to the axes, where friction along a few directions would lead it astray."""
    world = body(ss.Box(size=(0.2, 0.2, 0.2)), plane=None, inertia=0.0067)
    q = world.mechanism.neutral()
    q[2] = 0.1
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    run = stepped(world, q, [*(6 * way), 0, 0, 0, 0], 1.5)
    assert run.q[-1, :2] @ way == pytest.approx(36 / (2 * 0.5 * G), abs=3e-3)
    assert np.abs(run.q[:, :2] @ [-way[1], way[0]]).max() < 1e-9
    assert np.abs(run.q[:, 2] - 0.1).max() < 1e-9
    assert np.abs(run.v[-1]).max() < 1e-12


def test_friction_along_four_directions_leads_a_thrown_cube_astray():
    world = body(ss.Box(size=(0.2, 0.2, 0.2)), plane=None, inertia=0.0067)
    q = world.mechanism.neutral()
    q[2] = 0.1
    run = stepped(world, q, [6 * np.cos(np.pi / 6), 3.0, 0, 0, 0, 0], 0.4, directions=4)
    assert abs(run.q[-1, 1] / run.q[-1, 0] - np.tan(np.pi / 6)) > 0.01


def test_a_sliding_ball_begins_to_roll_at_five_sevenths():
    radius, mass = 0.1, 1.0
    world = body(ss.Sphere(radius=radius), friction=0.2, inertia=0.4 * mass * radius**2)
    run = stepped(world, [0, radius, 0], [2, 0, 0], 1.0)
    assert run.v[-1, 0] == pytest.approx(2 * 5 / 7, rel=1e-3)
    assert run.v[-1, 2] * radius == pytest.approx(run.v[-1, 0], rel=1e-12) or run.v[-1, 2] * radius == pytest.approx(
        -run.v[-1, 0], rel=1e-12
    )


def test_forces_are_those_of_the_contact_problem():
    tilt = 0.2
    world = body(ss.Sphere(radius=0.1), tilt=tilt, inertia=0.004, friction=0.8)
    q = [-0.1 * np.sin(tilt), 0.1 * np.cos(tilt), 0]
    run = stepped(world, q, [0, 0, 0], 0.1)
    expected = ss.contact_problem(world, q, np.zeros(3)).solve().force
    assert run.contact("body").force[50] == pytest.approx(expected, rel=1e-4)
    assert run.contact("body").mode[50] == "F"


# ---- several bodies --------------------------------------------------------------------------------------------------


def test_a_stack_of_ten_boxes_stands_still():
    b = ss.MechanismBuilder(plane="xz")
    for k in range(10):
        b.body(f"box_{k}", mass=1.0, inertia=0.01, shapes=[ss.Box(size=(0.4, 0.4, 0.2))])
        b.planar(f"root_{k}", child=f"box_{k}")
    mech = ss.Mechanism(b)
    world = ss.World(mech, obstacles=[ss.HalfSpace(normal=(0, 0, 1))], self_contact=True, material=ss.Material(friction=0.5))
    q = np.concatenate([[0.0, 0.1 + 0.2 * k, 0.0] for k in range(10)])
    run = stepped(world, q, np.zeros(30), 2.0, record_every=20)
    assert np.abs(run.q - q).max() < 1e-9
    assert run.contact("box_0:0").force[-1, 0] + run.contact("box_0:1").force[-1, 0] == pytest.approx(10 * G)


def test_newtons_cradle_by_poissons_law():
    """All contacts at once: -1/3, 2/3, 2/3; energy is kept."""
    b = ss.MechanismBuilder(plane="xz", gravity=(0, 0, 0))
    for k, x in enumerate((-1.5, 0.0, 1.0)):
        b.body(f"ball_{k}", mass=1.0, inertia=0.1, shapes=[ss.Sphere(radius=0.5)])
        b.prismatic(f"rail_{k}", child=f"ball_{k}", axis=(1, 0), at=(x, 0))
    world = ss.World(ss.Mechanism(b), self_contact=True, material=ss.Material(friction=0.0, restitution=1.0))
    run = stepped(world, np.zeros(3), [1.0, 0.0, 0.0], 1.0)
    assert run.v[-1] == pytest.approx([-1 / 3, 2 / 3, 2 / 3], rel=1e-12)
    assert [event.time for event in run.events] == pytest.approx([0.5], abs=1e-9)


def pendulum(links):
    """Paper 2's chain of spheres, base at 5 m, above a floor."""
    b = ss.MechanismBuilder(plane="xz")
    length, radius = 6.0 / links, 3.0 / links
    for k in range(links):
        ball = ss.Sphere(radius=radius, centre=(length / 2, 0, 0))
        b.body(f"link_{k}", mass=1.0, centre=(length / 2, 0), inertia=0.4 * radius**2, shapes=[ball])
        parent = {} if k == 0 else {"parent": f"link_{k - 1}"}
        b.revolute(f"hinge_{k}", child=f"link_{k}", at=(0, 5.0) if k == 0 else (length, 0), **parent)
    floor = ss.HalfSpace(normal=(0, 0, 1), offset=0.1)
    return ss.World(ss.Mechanism(b), obstacles=[floor], material=ss.Material(friction=0.5))


def test_a_pendulum_meets_the_floor_when_its_free_flight_does():
    """The time of the first collision converges with the square of the step to that of a tight integration."""
    world = pendulum(3)
    mech = world.mechanism
    q, v = np.array([np.pi, 0, 0]), np.array([-1.0, 0, 0])

    def gap(_t, y):
        return world.gap(y[:3])

    gap.terminal, gap.direction = True, -1
    flight = solve_ivp(
        lambda _t, y: np.concatenate([y[3:], mech.forward_dynamics(y[:3], y[3:], np.zeros(3))]),
        (0, 3), np.concatenate([q, v]), method="DOP853", rtol=1e-12, atol=1e-12, events=gap,
    )  # fmt: skip
    exact = flight.t_events[0][0]
    errors = [abs(stepped(world, q, v, 1.5, dt=dt).events[0].time - exact) for dt in (4e-3, 2e-3, 1e-3)]
    assert errors[2] < 1e-5
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(4, rel=0.2)


def test_the_pendulum_after_its_collision_stays_above_the_floor_and_loses_energy():
    run = stepped(pendulum(6), [np.pi, 0, 0, 0, 0, 0], [-1.0, 0, 0, 0, 0, 0], 3.0)
    world = pendulum(6)
    assert min(world.gap(q) for q in run.q[::10]) > -1e-9
    energy = run.energy.sum(axis=1)
    assert np.diff(energy).max() < 1e-3  # of the free steps' ripple; collisions only take
    assert energy[-1] < energy[0] - 1


# ---- energy ------------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_no_inelastic_impact_adds_energy(seed):
    """A chain of random links thrown at the floor: across every collision the kinetic energy falls."""
    rng = np.random.default_rng(seed)
    world = pendulum(int(rng.integers(1, 5)))
    mech = world.mechanism
    q = rng.uniform(-0.4, 0.4, mech.nq)
    q[0] += np.pi
    run = stepped(world, q, rng.normal(0, 3, mech.nv), 1.0) if world.gap(q) > 0 else None
    if run is None:
        return
    total = run.energy.sum(axis=1)
    for event in run.events:
        k = int(np.searchsorted(run.time, event.time))
        assert total[k] - total[k - 1] < 1e-3 * abs(total[0])


# ---- the same, and nothing hidden ------------------------------------------------------------------------------------


def test_the_same_run_gives_the_same_bits():
    world = pendulum(4)
    q, v = [np.pi, 0, 0, 0], [-1.0, 0.1, 0, 0]
    first, second = (stepped(world, q, v, 2.0) for _ in range(2))
    assert (first.q == second.q).all()
    assert (first.v == second.v).all()
    assert first.events == second.events


def test_longer_runs_than_a_record_holds():
    run = stepped(body(ss.Box(size=(0.4, 0.4, 0.2))), [0, 0.1, 0], [0, 0, 0], 5.0)
    assert len(run) == 5001
    assert run.time == pytest.approx(np.arange(5001) * 1e-3, rel=1e-14)
    assert run.contact("body:0").force[-1, 0] == pytest.approx(G / 2)


def test_a_run_can_be_kept(tmp_path):
    run = stepped(body(ss.Sphere(radius=0.1), restitution=0.5), [0, 1.1, 0], [0, 0, 0], 1.0)
    run.save(tmp_path / "ball.h5")
    again = ss.Trajectory.load(tmp_path / "ball.h5")
    assert (again.q == run.q).all()
    assert again.events == run.events
    assert again.settings["method"] == "time-stepping"
