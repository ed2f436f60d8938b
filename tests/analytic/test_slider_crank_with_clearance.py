"""The slider-crank of Flores, Leine and Glocker (2010), from impact to impact by SciPy, and with a guide that fits on paper.

The reference is written here from scratch: absolute angles, Lagrange's equations, and the impact of sliding corners by hand.
"""

import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import stickslip as ss

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "slider_crank.py"))
slider_crank, start = EXAMPLE["slider_crank"], EXAMPLE["start"]

L1, L2, A, B, C = 0.153, 0.306, 0.05, 0.025, 0.001
M1, M2, M3, J1, J2, J3 = 0.038, 0.038, 0.076, 7.4e-5, 5.9e-4, 2.7e-6
G, MU, E = 9.81, 0.01, 0.4
COUPLED = (M2 / 2 + M3) * L1 * L2
CORNERS = [(x, z) for x in (-A, A) for z in (-B, B)]
TIGHT = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-15}


def mass(q):
    across = COUPLED * np.cos(q[1] - q[0])
    first, second = J1 + (M1 / 4 + M2 + M3) * L1**2, J2 + (M2 / 4 + M3) * L2**2
    return np.array([[first, across, 0], [across, second, 0], [0, 0, J3]])


def rate(_t, y):
    """Crank, rod and slider without walls; q are the bodies' own angles."""
    q, v = y[:3], y[3:]
    swing = COUPLED * np.sin(q[1] - q[0])
    weight = G * np.array([(M1 / 2 + M2 + M3) * L1 * np.cos(q[0]), (M2 / 2 + M3) * L2 * np.cos(q[1]), 0])
    return np.concatenate([v, np.linalg.solve(mass(q), [swing * v[1] ** 2, -swing * v[0] ** 2, 0] - weight)])


def gap(q, corner):
    """Of an upper corner to the upper wall, or of a lower one to the lower."""
    x, z = corner
    height = L1 * np.sin(q[0]) + L2 * np.sin(q[1]) + x * np.sin(q[2]) + z * np.cos(q[2])
    return B + C - np.sign(z) * height


def rows(q, corner):
    """The corner's normal velocity, away from its wall, and its velocity along x, for unit rates."""
    x, z = corner
    normal = -np.sign(z) * np.array([L1 * np.cos(q[0]), L2 * np.cos(q[1]), x * np.cos(q[2]) - z * np.sin(q[2])])
    return normal, np.array([-L1 * np.sin(q[0]), -L2 * np.sin(q[1]), -x * np.sin(q[2]) - z * np.cos(q[2])])


def after_impact(q, v):
    """Velocities after all closed corners have hit, and their normal impulses; they must slide on in one direction."""
    closed = [corner for corner in CORNERS if abs(gap(q, corner)) < 1e-10]
    N, T = (np.array(side) for side in zip(*(rows(q, corner) for corner in closed), strict=True))
    response = np.linalg.solve(mass(q), (N - MU * np.sign(T @ v)[:, None] * T).T)
    impulses = -(1 + E) * np.linalg.solve(N @ response, N @ v)
    later = v + response @ impulses
    assert (impulses > 0).all()
    assert (np.sign(T @ later) == np.sign(T @ v)).all()
    return later, impulses


def impacts(slider_rate, number):
    """Times in s, numbers of corners and summed normal impulses in N s of the first impacts."""

    def closes(corner):
        def event(_t, y):
            return gap(y[:3], corner)

        event.terminal, event.direction = True, -1
        return event

    events = [closes(corner) for corner in CORNERS]
    t, y, found = 0.0, np.array([0, 0, 0, 150.0, -75.0, slider_rate]), []
    for _ in range(number):
        flight = solve_ivp(rate, (t, t + 0.1), y, events=events, **TIGHT)
        t, y = flight.t[-1], flight.y[:, -1]
        v, impulses = after_impact(y[:3], y[3:])
        y = np.concatenate([y[:3], v])
        found.append((t, len(impulses), impulses.sum()))
    return [np.array(column) for column in zip(*found, strict=True)]


def stepped(slider_rate, duration, dt, **world):
    run = ss.simulate(slider_crank(**world), *start(slider_rate), duration, "time-stepping", dt=dt)
    assert run.outcome is ss.Outcome.FINISHED, run.trouble
    return run


def test_the_first_impact_is_where_scipy_has_it():
    [exact], _, _ = impacts(0.0, 1)
    first = stepped(0.0, 0.003, 1e-6).events[0]
    assert first.time == pytest.approx(exact, abs=1e-9)
    assert first.contacts == ("slider:2 on upper wall", "slider:3 on upper wall")


@pytest.mark.parametrize(
    ("slider_rate", "number", "duration"), [(0.0, 5, 0.009), (5.0, 10, 0.003)], ids=["flat", "one corner after the other"]
)
def test_impacts_follow_one_another_as_by_scipy(slider_rate, number, duration):
    """Times and impulses, with the square of the step."""
    times, corners, impulses = impacts(slider_rate, number)
    errors = []
    for dt in (2e-5, 1e-5, 5e-6):
        events = stepped(slider_rate, duration, dt).events[:number]
        assert [len(event.contacts) for event in events] == corners.tolist()
        found = np.array([sum(normal for normal, _ in event.impulses) for event in events])
        at = np.array([event.time for event in events])
        errors.append(max(np.abs(at - times).max() / times[-1], np.abs(found / impulses - 1).max()))
    assert errors[2] < 2e-4
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.25)
    assert errors[1] / errors[2] == pytest.approx(4, rel=0.25)


@pytest.mark.parametrize("slider_rate", [0.0, 5.0])
def test_a_long_run_stays_between_the_walls_and_only_loses_energy(slider_rate):
    """But for the ripple of the free steps, which falls with the square of the step or faster."""
    rises = []
    for dt in (2e-5, 1e-5):
        run = stepped(slider_rate, 0.2, dt)
        world = slider_crank()
        assert min(world.gap(q) for q in run.q[::3]) > -1e-9
        energy = run.energy.sum(axis=1)
        rises.append((energy - np.minimum.accumulate(energy)).max() / energy[0])
        assert energy[-1] < 0.95 * energy[0]
        assert (run.v[:, 0] < 150.0 * (1 + 1e-6)).all()
    assert rises[1] < 2e-6
    assert rises[1] < rises[0] / 3


def test_inelastic_impacts_leave_it_on_a_wall_until_that_would_have_to_pull():
    """Without restitution and friction the slider keeps to the wall that it has met; it leaves where the force is zero."""
    run = stepped(0.0, 0.03, 1e-5, restitution=0.0, friction=0.0)
    first = run.events[0]
    assert run.events[1].contacts == ("slider:0 on lower wall", "slider:1 on lower wall")
    height = EXAMPLE["rise"](run.q)
    on_wall = np.array(["F" in word or "R" in word or "L" in word for word in run.mode])
    begin, end = np.flatnonzero(on_wall)[[0, -1]]
    left = begin + np.flatnonzero(~on_wall[begin:])[0]
    assert run.time[begin] == pytest.approx(first.time, abs=1e-5)
    assert np.abs(height[begin:left] - C).max() < 1e-10
    assert left < end
    forces = sum(run.contact(name).force[begin:left, 0] for name in first.contacts)
    assert (forces > 0).all()
    assert forces[-1] < 1e-2 * forces.max()


# ---- a guide that fits -----------------------------------------------------------------------------------------------


def test_with_a_guide_that_fits_the_cranks_speed_is_that_of_its_energy():
    """On paper, at every angle; and the time by quadrature."""
    speed = EXAMPLE["ideal_speed"]
    errors = []
    for dt in (4e-5, 2e-5):
        run = stepped(0.0, 0.1, dt, fits=True)
        errors.append(max(abs(rate / speed(angle) - 1) for angle, rate in zip(run.q[::20, 0], run.v[::20, 0], strict=True)))
        heights = L1 * np.sin(run.q[:, 0]) + L2 * np.sin(run.q[:, 0] + run.q[:, 1])
        assert np.abs(heights).max() < 1e-10
        assert np.abs(run.q.sum(axis=1)).max() < 1e-10
        taken, _ = quad(lambda angle: 1 / speed(angle), 0, run.q[-1, 0], epsrel=1e-12, limit=200)
        assert taken == pytest.approx(0.1, abs=1e-6 * (dt / 2e-5) ** 2)
    assert errors[1] < 1e-5
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.2)
