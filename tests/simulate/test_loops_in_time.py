"""Closed loops in a run: textbook linkages, cut hinges, loops closed twice over, loops with contacts, limits and friction."""

from math import pi

import numpy as np
import pytest
from scipy.integrate import quad

import stickslip as ss
from linkages import (
    A,
    B,
    C,
    coupler_and_rocker,
    four_bar,
    four_bar_state,
    ratios,
    reduced_inertia,
    slider_at,
    slider_crank,
    slider_crank_state,
    weight,
)
from stickslip.mechanism.errors import ArgumentError

G = 9.81
CLOSED = 1e-10  # m or rad


def stepped(world, q, v, duration, **more):
    """A run in which every sample is closed, and stays closed."""
    world = world if isinstance(world, ss.World) else ss.World(world)
    run = ss.simulate(world, q, v, duration, "time-stepping", **more)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    mech = world.mechanism
    for q, v in zip(run.q, run.v, strict=True):
        assert np.abs(mech.loop_residual(q)).max(initial=0.0) < CLOSED
        assert np.abs(mech.loop_jacobian(q) @ v).max(initial=0.0) < 1e-12 * (1 + np.abs(v).max())
    return run


def ripple(run):
    """By how much the energy strays, relative to the largest kinetic energy."""
    energy = run.energy.sum(axis=1)
    return np.abs(energy - energy[0]).max() / run.energy[:, 0].max()


def time_between(rate, energy, potential, inertia, start, stop):
    """What a mechanism of one degree of freedom takes from one crank angle to another: the integral of da / w(a)."""
    return quad(lambda a: np.sqrt(inertia(a) / (2 * (energy - potential(a)))), start, stop, limit=500, epsrel=1e-11)[0]


# ---- textbook linkages -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [False, True], ids=["minimal", "redundant"])
def test_a_four_bar_goes_round_as_its_closed_form(cut):
    """Twice round: coupler and rocker where Freudenstein has them, the time by quadrature, second order in the step."""
    mech, start, rate = four_bar(), 0.1, 12.0
    q, v = four_bar_state(start, rate)
    energy = reduced_inertia(start) * rate**2 / 2 + weight(start)
    errors = []
    for dt in (2e-3, 1e-3):
        run = stepped(mech.cut_hinges() if cut else mech, *(mech.cut_state(q, v) if cut else (q, v)), 1.0, dt=dt)
        assert ripple(run) < 3e-4 * (dt / 1e-3) ** 2
        cranks = run.q[:, 2] if cut else run.q[:, 0]
        assert cranks[-1] > start + 4 * pi
        for k in range(0, len(run), 50):
            coupler, rocker = coupler_and_rocker(cranks[k])
            angles = run.q[k, [5, 8]] if cut else [run.q[k, 0] + run.q[k, 1], run.q[k, 2]]
            assert np.exp(1j * np.array(angles)) == pytest.approx(np.exp(1j * np.array([coupler, rocker])), abs=1e-10)
        errors.append(abs(time_between(rate, energy, weight, reduced_inertia, start, cranks[-1]) - 1.0))
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)


@pytest.mark.parametrize("cut", [False, True], ids=["minimal", "redundant"])
@pytest.mark.parametrize("guided", [False, True], ids=["jointed", "guided"])
def test_a_slider_crank_runs_as_its_closed_form(guided, cut):
    """Its slider where the closed form has it at every crank angle, and energy kept."""
    mech = slider_crank(guided=guided)
    q, v = slider_crank_state(0.4, 8.0, guided=guided)
    solved = mech.cut_hinges() if cut else mech
    errors = []
    for dt in (2e-3, 1e-3):
        run = stepped(solved, *(mech.cut_state(q, v) if cut else (q, v)), 1.0, dt=dt)
        errors.append(ripple(run))
        for k in range(0, len(run), 50):
            crank = run.q[k, 2 if cut else 0]
            assert solved.body_pose(run.q[k], "slider")[1][0] == pytest.approx(slider_at(crank)[0], abs=1e-9)
    assert errors[1] < 2e-4
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)


def test_bodies_whose_frames_are_in_their_centres_keep_their_energy_for_ever():
    """Then the mass matrix is constant, and step and kicks are symplectic: half a minute at 13 rad/s leaves no drift."""
    b = ss.MechanismBuilder(plane="xz")
    for name, length in (("crank", A), ("coupler", B), ("rocker", C)):
        b.body(name, mass=length, inertia=length**3 / 12)
        b.planar(f"root of {name}", child=name)
    b.close_point("a", first="world", second="crank", first_point=(0, 0), second_point=(-A / 2, 0))
    b.close_point("b", first="crank", second="coupler", first_point=(A / 2, 0), second_point=(-B / 2, 0))
    b.close_point("c", first="coupler", second="rocker", first_point=(B / 2, 0), second_point=(C / 2, 0))
    b.close_point("d", first="world", second="rocker", first_point=(3.0, 0), second_point=(-C / 2, 0))
    minimal = four_bar()
    q, v = (x.reshape(3, 3) for x in minimal.cut_state(*four_bar_state(0.1, 12.0)))
    for row, length in enumerate((A, B, C)):
        along = np.array([np.cos(q[row, 2]), np.sin(q[row, 2])])
        q[row, :2] += length / 2 * along
        v[row, :2] += length / 2 * v[row, 2] * np.array([-along[1], along[0]])
    run = stepped(ss.Mechanism(b), q.ravel(), v.ravel(), 30.0, dt=2e-3, record_every=5)
    energy = run.energy.sum(axis=1) / run.energy[:, 0].max()
    early, late = energy[:1000], energy[-1000:]
    assert np.ptp(early) < 1e-3
    assert late.min() == pytest.approx(early.min(), abs=1e-7)
    assert late.max() == pytest.approx(early.max(), abs=1e-7)


# ---- cut hinges ------------------------------------------------------------------------------------------------------


def pendulum(links, plane, *, floor=False, **hinge):
    """A chain of rods, with balls at their ends if there is a floor to fall on."""
    b = ss.MechanismBuilder(plane=plane)
    lift = (lambda x: (x, 0)) if plane else (lambda x: (x, 0, 0))
    axis = {} if plane else {"axis": (0, -1, 0)}
    for k in range(links):
        shapes = [ss.Sphere(radius=0.1, centre=(1.0, 0, 0))] if floor else []
        inertia = 1 / 12 if plane else np.diag([1e-2, 1 / 12, 1 / 12])
        b.body(f"rod_{k}", mass=1.0, centre=lift(0.5), inertia=inertia, shapes=shapes)
        parent = {"parent": f"rod_{k - 1}", "at": lift(1.0)} if k else {}
        b.revolute(f"hinge_{k}", child=f"rod_{k}", **parent, **axis, **hinge)
    return ss.Mechanism(b)


@pytest.mark.parametrize("plane", ["xz", None], ids=["plane", "space"])
def test_cut_hinges_move_as_the_pendulum(plane):
    mech = pendulum(3, plane)
    worlds = ss.World(mech), ss.World(mech.cut_hinges())
    q, v = np.array([-0.3, 0.2, 0.5]), np.array([0.1, -1.0, 2.0])
    errors = []
    for dt in (4e-3, 2e-3):
        runs = stepped(worlds[0], q, v, 1.0, dt=dt), stepped(worlds[1], *mech.cut_state(q, v), 1.0, dt=dt)
        assert ripple(runs[1]) < 2e-3
        every = slice(None, None, round(4e-3 / dt))
        first, second = (
            np.array([world.mechanism.body_pose(at, "rod_2")[1] for at in run.q[every]])
            for run, world in zip(runs, worlds, strict=True)
        )
        errors.append(np.abs(first - second).max())
    assert errors[1] < 5e-4
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)


def test_cut_hinges_fall_on_a_floor_as_the_pendulum():
    """Collision, sticking and sliding by both techniques; the events' times and the motion converge to one another."""
    mech = pendulum(2, "xz", floor=True)
    floor, material = ss.HalfSpace(normal=(0, 1), offset=-1.2), ss.Material(friction=0.4)
    worlds = [ss.World(m, obstacles=[floor], material=material) for m in (mech, mech.cut_hinges())]
    q, v = np.array([-0.2, 0.1]), np.zeros(2)
    errors, times = [], []
    for dt in (2e-3, 1e-3, 5e-4):
        runs = [
            stepped(worlds[0], q, v, 1.5, dt=dt),
            stepped(worlds[1], *mech.cut_state(q, v), 1.5, dt=dt),
        ]
        poses = [
            np.array([world.mechanism.body_pose(at, "rod_1")[1] for at in run.q[:: round(4e-3 / dt)]])
            for run, world in zip(runs, worlds, strict=True)
        ]
        errors.append(np.abs(poses[0] - poses[1]).max())
        times.append(abs(runs[0].events[0].time - runs[1].events[0].time))
        assert runs[0].events[0].contacts == runs[1].events[0].contacts
        for run, world in zip(runs, worlds, strict=True):
            assert min(world.gap(at) for at in run.q[::10]) > -1e-9
            assert set("FRL") & set("".join(run.mode))
    assert times[2] < 1e-5
    assert errors[2] < 5e-3
    assert errors[2] < errors[0] / 2


# ---- over and over ---------------------------------------------------------------------------------------------------


def test_a_loop_that_is_closed_twice_moves_as_one():
    """Once more by a hinge, and once by a coupling that says nothing new."""
    plain, double = four_bar(), four_bar_closed_twice()
    q, v = four_bar_state(0.1, 5.0)
    first, second = stepped(plain, q, v, 1.0), stepped(double, q, v, 1.0)
    assert double.loop_rows == 4
    assert second.q == pytest.approx(first.q, abs=1e-9)


def four_bar_closed_twice():
    b = ss.MechanismBuilder(plane="xz")
    for name, length in (("crank", A), ("coupler", B), ("rocker", C)):
        b.body(name, mass=length, centre=(length / 2, 0), inertia=length**3 / 12)
    b.revolute("a", child="crank")
    b.revolute("b", parent="crank", child="coupler", at=(A, 0))
    b.revolute("d", child="rocker", at=(3.0, 0))
    for name in ("c", "c again"):
        b.close_hinge(name, first="coupler", second="rocker", first_point=(B, 0), second_point=(C, 0))
    return ss.Mechanism(b)


def test_a_planar_linkage_in_space_is_overdetermined_and_moves_all_the_same():
    """A hinge in space closes the loop with five equations, of which three say nothing that parallel axes do not say."""
    b = ss.MechanismBuilder()
    for name, length in (("crank", A), ("coupler", B), ("rocker", C)):
        b.body(name, mass=length, centre=(length / 2, 0, 0), inertia=np.diag([0.01, length**3 / 12, length**3 / 12]))
    axis = {"axis": (0, -1, 0)}
    b.revolute("a", child="crank", **axis)
    b.revolute("b", parent="crank", child="coupler", at=(A, 0, 0), **axis)
    b.revolute("d", child="rocker", at=(3.0, 0, 0), **axis)
    b.close_hinge("c", first="coupler", second="rocker", first_point=(B, 0, 0), second_point=(C, 0, 0), **axis)
    q, v = four_bar_state(0.1, 5.0)
    plane, space = stepped(four_bar(), q, v, 1.0), stepped(ss.Mechanism(b), q, v, 1.0)
    assert space.q == pytest.approx(plane.q, abs=1e-9)


def test_a_coupling_is_a_gear():
    """Two wheels, coupled two to one: the torque's acceleration is tau / (I1 + 4 I2)."""
    b = ss.MechanismBuilder(plane="xz", gravity=(0, 0, 0))
    b.body("big", mass=1.0, inertia=0.5)
    b.revolute("big axle", child="big")
    b.body("small", mass=1.0, inertia=0.2)
    b.revolute("small axle", child="small")
    b.couple({"small axle": 1.0, "big axle": 2.0}, offset=0.3)
    b.motor("big axle")
    run = stepped(ss.Mechanism(b), [0.0, 0.3], [0.0, 0.0], 0.5, controller=lambda t, q, v: [1.3])
    assert run.q[:, 0] == pytest.approx(1.3 / (0.5 + 4 * 0.2) / 2 * run.time**2, abs=1e-12)
    assert run.q[:, 1] == pytest.approx(0.3 - 2 * run.q[:, 0], abs=1e-12)


# ---- with everything else --------------------------------------------------------------------------------------------


def weld(b, first, second, at):
    b.close_weld(f"{second} to {first}", first=first, second=second, first_point=at, second_point=(0,) * len(at))


@pytest.mark.parametrize(
    ("plane", "more"), [("xz", {}), (None, {}), (None, {"directions": 8})], ids=["plane", "cone", "directions"]
)
def test_two_balls_held_apart_by_a_loop_are_one_body(plane, more):
    """Two free balls welded to one another fall, land and slide to a stop as a block of their mass does."""
    b = ss.MechanismBuilder(plane=plane)
    inertia = 0.004 if plane else np.diag([0.004] * 3)
    for name in ("left", "right"):
        b.body(name, mass=1.0, inertia=inertia, shapes=[ss.Sphere(radius=0.1)])
        (b.planar if plane else b.free)(f"root of {name}", child=name)
    if plane is None:
        for name in ("far", "near"):
            b.body(name, mass=1.0, inertia=inertia, shapes=[ss.Sphere(radius=0.1)])
            b.free(f"root of {name}", child=name)
            weld(b, "left", name, (0, 1.0 if name == "far" else -1.0, 0))
    weld(b, "left", "right", (1.0, 0) if plane else (1.0, 0, 0))
    mech = ss.Mechanism(b)
    world = ss.World(mech, obstacles=[ss.HalfSpace(normal=(0, 0, 1))], material=ss.Material(friction=0.5))
    places = {"left": (0, 0), "right": (1, 0), "far": (0, 1), "near": (0, -1)}
    q, v = mech.neutral(), np.zeros(mech.nv)
    for body in mech.body_names:
        where, rates = mech.coordinates(f"root of {body}")
        x, y = places[body]
        q[where][: 2 if plane else 3] = (x, 0.15) if plane else (x, y, 0.15)
        v[rates][0] = 2.0
    run = stepped(world, q, v, 0.8, **more)
    assert run.events[0].time == pytest.approx(np.sqrt(2 * 0.05 / G), abs=1e-9)
    fall = np.sqrt(2 * 0.05 / G)
    speed = 2.0 - 0.5 * G * fall  # what the impulse of landing leaves of it
    place = 2.0 * fall + speed**2 / (2 * 0.5 * G)
    assert run.q[-1, 0] == pytest.approx(place, abs=2e-3)
    assert np.abs(run.v[-1]).max() < 1e-11
    up = 1 if plane else 2
    assert np.abs(run.q[200:, up] - 0.1).max() < 1e-9


def test_a_linkage_runs_into_a_limit_of_its_rocker():
    """The crank drives until the rocker's limit; all stops there at once, at the crank angle that the closed form has."""
    begin, end = 1.0, 1.8
    assert ratios(begin)[1] * ratios(end)[1] > 0  # it does not turn back on the way
    reach = coupler_and_rocker(end)[1]
    b = ss.MechanismBuilder(plane="xz", gravity=(0, 0, 0))
    for name, length in (("crank", A), ("coupler", B), ("rocker", C)):
        b.body(name, mass=length, centre=(length / 2, 0), inertia=length**3 / 12)
    b.revolute("a", child="crank")
    b.revolute("b", parent="crank", child="coupler", at=(A, 0))
    start = four_bar_state(begin, 2.0)
    rising = reach > start[0][2]
    b.revolute("d", child="rocker", at=(3.0, 0), limits=(-10.0, reach) if rising else (reach, 10.0))
    b.close_hinge("c", first="coupler", second="rocker", first_point=(B, 0), second_point=(C, 0))
    energy = reduced_inertia(begin) * 2.0**2 / 2
    exact = time_between(2.0, energy, lambda a: 0.0, reduced_inertia, begin, end)
    run = stepped(ss.Mechanism(b), *start, 0.5)
    assert run.events[0].kind == "limit reached"
    assert run.events[0].time == pytest.approx(exact, abs=1e-6)
    assert run.q[-1, 0] == pytest.approx(end, abs=1e-9)
    assert np.abs(run.v[-1]).max() < 1e-13


def test_dry_friction_holds_a_linkage_against_its_weight():
    """A four-bar whose crank needs the torque V'(a) stands still if its hinge can give a little more, and not if less."""
    slope = (weight(0.3 + 1e-6) - weight(0.3 - 1e-6)) / 2e-6
    for factor in (1.001, 0.999):
        b = ss.MechanismBuilder(plane="xz")
        for name, length in (("crank", A), ("coupler", B), ("rocker", C)):
            b.body(name, mass=length, centre=(length / 2, 0), inertia=length**3 / 12)
        b.revolute("a", child="crank", dry_friction=factor * abs(slope))
        b.revolute("b", parent="crank", child="coupler", at=(A, 0))
        b.revolute("d", child="rocker", at=(3.0, 0))
        b.close_hinge("c", first="coupler", second="rocker", first_point=(B, 0), second_point=(C, 0))
        run = stepped(ss.Mechanism(b), *four_bar_state(0.3, 0.0), 1.0)
        moved = np.abs(run.q - run.q[0]).max()
        assert moved < 1e-12 if factor > 1 else moved > 1e-4


def test_a_contact_that_a_loop_does_not_let_move_is_no_trouble():
    """A block welded to the world just touches the floor: no force is needed, and none is invented."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("block", mass=1.0, inertia=0.1, shapes=[ss.Box(size=(0.4, 0.4, 0.2))])
    b.planar("root", child="block")
    weld(b, "world", "block", (0, 0.1))
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 1))])
    run = stepped(world, [0, 0.1, 0], [0, 0, 0], 0.1)
    assert np.abs(run.q - run.q[0]).max() < 1e-13
    assert set("".join(run.mode)) <= {"S"}


def test_a_velocity_that_opens_a_loop_is_refused():
    q, _ = four_bar_state(0.1, 1.0)
    with pytest.raises(ArgumentError, match=r"loop 'c', equation \d opens with"):
        ss.simulate(ss.World(four_bar()), q, [1.0, 0.0, 0.0], 0.1, "time-stepping")


def test_a_linkage_gives_the_same_bits_again():
    q, v = four_bar_state(0.1, 5.0)
    first, second = (stepped(four_bar(), q, v, 0.3) for _ in range(2))
    assert (first.q == second.q).all()
    assert (first.v == second.v).all()


def test_a_four_bar_that_whirls_one_way_gains_energy_with_the_square_of_the_step():
    """The step is its own mirror image, but not symplectic where the mass matrix varies; docs/papers.md says by how much."""
    gains = []
    for dt in (1e-3, 5e-4):
        run = ss.simulate(ss.World(four_bar()), *four_bar_state(0.1, 13.0), 60.0, "time-stepping", dt=dt)
        energy, second = run.energy.sum(axis=1), round(1 / dt)
        gains.append((energy[-second:].mean() - energy[:second].mean()) / run.energy[:, 0].max())
    assert gains[0] == pytest.approx(0.0090, abs=0.0005)
    assert gains[0] / gains[1] == pytest.approx(4, rel=0.05)
