"""Paper 2's pendulum of three links: its first contact on the steps' own motion, and both techniques under step halving."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from pendulums import minimal, redundant, way_of_the_last


def free_step(mechanism, q, v, h):
    """Kick, drift, kick; the first kick is repeated until nothing changes any more."""
    nothing, half = np.zeros_like(v), v
    for _ in range(60):
        before, half = half, v + h / 2 * mechanism.forward_dynamics(q, half, nothing)
        if np.abs(half - before).max() <= 1e-15 * (1 + np.abs(half).max()):
            break
    q = q + h * half
    return q, half + h / 2 * mechanism.forward_dynamics(q, half, nothing)


@pytest.mark.parametrize("reading", ["A", "B"])
@pytest.mark.parametrize("dt", [4e-3, 1e-3])
def test_the_first_contact_is_located_on_the_steps_own_motion(reading, dt):
    """To a nanosecond: the same steps made in Python, the last of them cut by root finding."""
    world, q, v = minimal(reading)
    mechanism, time = world.mechanism, 0.0
    while True:
        later = free_step(mechanism, q, v, dt)
        if world.gap(later[0]) < 0:
            break
        (q, v), time = later, time + dt
    cut = brentq(lambda h: world.gap(free_step(mechanism, q, v, h)[0]), 0, dt, xtol=1e-14)
    _, run = way_of_the_last(*minimal(reading), dt, duration=1.0)
    assert run.events[0].time == pytest.approx(time + cut, abs=1e-9)


@pytest.mark.parametrize("technique", [minimal, redundant])
def test_the_first_contact_converges_to_the_free_flights(technique):
    """With the square of the step, in minimal and in redundant coordinates."""
    world, q, v = minimal("B")

    def rate(_t, y):
        return np.concatenate([y[3:], world.mechanism.forward_dynamics(y[:3], y[3:], np.zeros(3))])

    def gap(_t, y):
        return world.gap(y[:3])

    gap.terminal, gap.direction = True, -1
    flight = solve_ivp(rate, (0, 2), np.concatenate([q, v]), method="DOP853", rtol=1e-12, atol=1e-12, events=gap)
    steps = (4e-3, 2e-3, 1e-3)
    errors = [abs(way_of_the_last(*technique("B"), dt, duration=1.0)[1].events[0].time - flight.t_events[0][0]) for dt in steps]
    assert errors[2] < 1e-6
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(4, rel=0.1)


@pytest.mark.parametrize("reading", ["A", "B"])
def test_step_halving_converges_by_both_techniques(reading):
    """Nearly second order over five seconds with floor and wall, and to one another."""
    steps = [1e-3, 5e-4, 2.5e-4, 1.25e-4]
    ways = {technique: [way_of_the_last(*technique(reading), dt) for dt in steps] for technique in (minimal, redundant)}
    for runs in ways.values():
        changes = [np.abs(after - before).max() for (before, _), (after, _) in pairwise(runs)]
        assert 2 * changes[0] < 15e-3  # the whole series of halvings
        assert changes[0] / changes[1] > 3
        assert changes[1] / changes[2] > 3
        assert len({tuple(event.contacts for event in run.events) for _, run in runs}) == 1
    between = [np.abs(first - second).max() for (first, _), (second, _) in zip(*ways.values(), strict=True)]
    assert between[0] < 15e-3
    assert between[-1] < between[0] / 6
