"""What rests stays where it is, what slides goes as far as Coulomb lets it, and contacts that last stay closed."""

import numpy as np
import pytest

import stickslip as ss

G = 9.81
HALF = 0.1  # m, of a cube
WAYS = {"cone": ({}, 1e-15), "directions": ({"directions": 8}, 1e-11)}


def cube(normal, friction=0.5):
    b = ss.MechanismBuilder()
    b.body("cube", mass=1.0, inertia=np.diag([0.0067] * 3), shapes=[ss.Box(size=(2 * HALF,) * 3)])
    b.free("root", child="cube")
    return ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=normal)], material=ss.Material(friction=friction))


def flat_on(normal, turn=0.0):
    """The position of a cube that lies on the plane through the origin, turned about its normal."""
    tilt = np.arccos(normal[2])
    axis = np.cross([0, 0, 1], normal) / max(np.sin(tilt), 1e-300)
    down = np.array([np.cos(tilt / 2), *(np.sin(tilt / 2) * axis)])
    w, z = np.cos(turn / 2), np.sin(turn / 2)
    a, b, c, d = down
    return np.array([*(HALF * normal), a * w - d * z, b * w + c * z, c * w - b * z, d * w + a * z])


def stepped(world, q, v, duration, **more):
    run = ss.simulate(world, q, v, duration, "time-stepping", **more)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    return run


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("heading", [0.0, 0.5])
def test_a_cube_on_a_slope_does_not_creep_in_a_minute(way, heading):
    """At half the friction limit, whichever way the slope faces.

    With the cone only the last digit moves. Along directions nothing but inequalities hold it sideways, so that it may creep
    with the round-off of an LCP, 1e-14 m/s.
    """
    more, slack = WAYS[way]
    tilt = np.arctan(0.25)
    normal = np.array([np.sin(tilt) * np.cos(heading), np.sin(tilt) * np.sin(heading), np.cos(tilt)])
    run = stepped(cube(normal), flat_on(normal, 0.3), np.zeros(6), 60.0, record_every=100, **more)
    assert np.abs(run.q - run.q[0]).max() < slack
    assert np.abs(run.v).max() < slack


@pytest.mark.parametrize("degrees", [0, 30])
@pytest.mark.parametrize(("dt", "error"), [(1e-3, 3e-3), (1e-4, 3e-4)])
def test_a_thrown_cube_stops_where_coulomb_has_it(dt, error, degrees):
    """6 m/s along its edges or 30 degrees from them: v^2 / (2 mu g), on its line, without lifting or turning."""
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    run = stepped(cube((0, 0, 1)), flat_on(np.array([0.0, 0.0, 1.0])), [*(6 * way), 0, 0, 0, 0], 1.5, dt=dt)
    assert run.q[-1, :2] @ way == pytest.approx(36 / (2 * 0.5 * G), abs=error)
    assert np.abs(run.q[:, :2] @ [-way[1], way[0]]).max() < 1e-9
    assert np.abs(run.q[:, 2] - HALF).max() < 1e-10
    assert np.abs(run.q[:, 4:]).max() < 1e-10
    assert np.abs(run.v[-1]).max() < 1e-12
    stop = 6 / (0.5 * G)
    assert {"DDDD"} == {word for word, t in zip(run.mode[1:], run.time[1:], strict=True) if t < stop - 2 * dt}


def test_the_stop_of_a_thrown_cube_converges():
    """The step in which it stops brakes too late or too early: half the deceleration times the square of the step, at most."""
    for dt in (4e-3, 1e-3, 2.5e-4):
        run = stepped(cube((0, 0, 1)), flat_on(np.array([0.0, 0.0, 1.0])), [6.0, 0, 0, 0, 0, 0], 1.5, dt=dt)
        assert abs(run.q[-1, 0] - 36 / G) <= 0.5 * 0.5 * G * dt**2


def test_a_disc_that_rolls_down_a_hill_keeps_its_gap():
    """Round on round: the gap stays closed, friction holds, and the speed is that of m v^2 / 2 + m v^2 / 4 and the height."""
    radius, hill, mass = 0.1, 2.0, 1.0
    b = ss.MechanismBuilder(plane="xz")
    b.body("disc", mass=mass, inertia=mass * radius**2 / 2, shapes=[ss.Disc(radius=radius)])
    b.planar("root", child="disc")
    world = ss.World(ss.Mechanism(b), obstacles=[ss.Disc(radius=hill, name="hill")], material=ss.Material(friction=2.0))
    angle, rate, reach = 0.1, 0.3, hill + radius
    q = [reach * np.sin(angle), reach * np.cos(angle), 0.0]
    v = [reach * rate * np.cos(angle), -reach * rate * np.sin(angle), -reach * rate / radius]
    errors, slips = [], []
    for dt in (2e-3, 1e-3):
        run = stepped(world, q, v, 0.6, dt=dt)
        assert run.events == ()
        assert max(abs(world.gap(at)) for at in run.q) < 1e-10
        force = run.contact("disc").force[1:]
        assert (np.abs(force[:, 1]) < 0.2 * force[:, 0]).all()
        along = np.arctan2(run.q[:, 0], run.q[:, 1])
        speed = np.sqrt(rate**2 + 4 * G / (3 * reach) * (np.cos(angle) - np.cos(along)))
        errors.append(np.abs(np.hypot(run.v[:, 0], run.v[:, 1]) / reach / speed - 1).max())
        slips.append(max(abs(ss.contact_problem(world, *state).velocity[1]) for state in zip(run.q, run.v, strict=True)))
    assert errors[1] < 1e-3
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)
    assert max(slips) < 1e-9
