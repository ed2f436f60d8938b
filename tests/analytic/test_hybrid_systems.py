"""Hybrid systems of a few lines whose motion has a closed form."""

from math import atan, cos, exp, log, pi, sin, sqrt

import numpy as np
import pytest
from scipy.special import ellipk

import stickslip as ss

g = 9.81


def ball(restitution, floor=0.0):
    """A ball that bounces, and lies on the floor once it has bounced infinitely often."""
    return ss.HybridSystem(
        flow=lambda t, x, z: (x[1], 0.0, 0.0) if z[0] else (x[1], -g, 1.0),
        guard=lambda t, x, z: 1.0 if z[0] else x[0] - floor,
        events=["bounce"],
        jump=lambda t, x, z, due: ((x[0], -restitution * x[1], x[2]), z),
        after_accumulation=lambda t, x, z, due: ((floor, 0.0, x[2]), [1.0]),
        states=["height", "speed", "distance"],
        discrete=["lies"],
    )


@pytest.mark.parametrize("restitution", [0.1, 0.5, 0.9, 0.98])
def test_bouncing_ball_through_its_accumulation_point(restitution):
    """Dropped from one metre, with a steady motion to the side: T (1 + e) / (1 - e) until it lies, T that of the fall."""
    run = ss.simulate(ball(restitution), [1.0, 0.0, 0.0], [0.0], 60.0)
    fall = sqrt(2 / g)
    whole = fall * (1 + restitution) / (1 - restitution)
    bounces = np.array([event.time for event in run.events if event.kind == "bounce"])
    exact = fall + 2 * fall * np.cumsum(restitution ** np.arange(1, len(bounces)))
    assert bounces == pytest.approx(np.concatenate([[fall], exact]), abs=1e-9)
    (limit,) = [event.time for event in run.events if event.kind == "accumulation"]
    assert limit == pytest.approx(whole, abs=1e-9)
    assert run.value("height")[-1] == run.value("speed")[-1] == 0.0
    assert run.value("distance")[-1] == pytest.approx(whole, abs=1e-9)
    assert run.outcome is ss.Outcome.FINISHED
    assert run.value("height").min() > -1e-11
    assert run.at(fall + 0.5 * restitution * fall).x[0] == pytest.approx(
        g * (restitution * fall) * 0.5 * restitution * fall - g / 2 * (0.5 * restitution * fall) ** 2, abs=1e-11
    )


def test_a_ball_that_nothing_is_said_of_ends_where_it_lies():
    bounces = ss.HybridSystem(
        flow=lambda t, x, z: (x[1], -g),
        guard=lambda t, x, z: x[0],
        events=["bounce"],
        jump=lambda t, x, z, due: (x[0], -0.5 * x[1]),
    )
    run = ss.simulate(bounces, [1.0, 0.0], duration=5.0)
    assert run.outcome is ss.Outcome.ACCUMULATION
    assert run.time[-1] == pytest.approx(3 * sqrt(2 / g), abs=1e-9)
    assert run.x[-1] == pytest.approx([0.0, 0.0], abs=1e-9)
    never = ss.simulate(bounces, [1.0, 0.0], duration=5.0, accumulation_within=0.0)
    assert never.outcome is ss.Outcome.TOO_MANY_JUMPS
    assert never.time[-1] == pytest.approx(3 * sqrt(2 / g), abs=1e-9)
    early = ss.simulate(bounces, [1.0, 0.0], duration=3 * sqrt(2 / g) - 1e-7)  # the limit is beyond the end
    assert early.outcome is ss.Outcome.FINISHED


def test_bounces_that_do_not_accumulate_are_not_taken_to():
    """Restitution one: every flight takes as long as the one before."""
    run = ss.simulate(ball(1.0), [1e-13, 0.0, 0.0], [0.0], 1e-5)
    assert run.outcome is ss.Outcome.FINISHED
    assert all(event.kind == "bounce" for event in run.events)
    assert len(run.events) == pytest.approx(1e-5 / (2 * sqrt(2e-13 / g)), abs=2)


@pytest.mark.parametrize("amplitude", [0.1, 1.0, 3.0])
def test_period_of_a_pendulum(amplitude):
    """4 K(sin^2(a / 2)), seen at the turning points, where marks change nothing."""
    swing = ss.HybridSystem(
        flow=lambda t, x, z: (x[1], -sin(x[0])), guard=lambda t, x, z: x[1], events=["turn"], marks=["turn"]
    )
    run = ss.simulate(swing, [-amplitude, 0.0], duration=60.0, relative=1e-13, absolute=1e-14)
    times = np.array([event.time for event in run.events])
    period = 4 * ellipk(sin(amplitude / 2) ** 2)
    assert times == pytest.approx(period * (np.arange(len(times)) + 0.5), abs=1e-9)
    assert len(times) == int(60 / period + 0.5)


def block(friction, static):
    """A unit mass on a unit spring with dry friction: z is the way in which it slides, 0 where it sticks."""
    return ss.HybridSystem(
        flow=lambda t, x, z: (x[1], -x[0] - z[0] * friction) if z[0] else (0.0, 0.0),
        guard=lambda t, x, z: z[0] * x[1] if z[0] else static - abs(x[0]),
        events=["stop"],
        jump=lambda t, x, z, due: ((x[0], 0.0), [-np.sign(x[0]) if abs(x[0]) > static else 0.0]),
    )


def test_coulomb_oscillator():
    """Every half swing takes pi and costs 2 mu; it sticks at the first turning point within the static friction."""
    friction, static, x0 = 0.1, 0.15, 1.0
    run = ss.simulate(block(friction, static), [x0, 0.0], [-1.0], 20.0)
    turns = [(-1) ** k * (x0 - 2 * friction * k) for k in range(1, 6)]
    swings = next(k for k, x in enumerate(turns, 1) if abs(x) <= static)
    assert [event.time for event in run.events] == pytest.approx(pi * np.arange(1, swings + 1), abs=1e-9)
    assert run.x[-1] == pytest.approx([turns[swings - 1], 0.0], abs=1e-9)
    assert run.z[-1, 0] == 0.0


def test_thermostat():
    """Between 18 and 22 degrees, with exponentials in between."""
    cold, hot, low, high = 10.0, 30.0, 18.0, 22.0
    room = ss.HybridSystem(
        flow=lambda t, x, z: (hot if z[0] else cold) - x,
        guard=lambda t, x, z: high - x[0] if z[0] else x[0] - low,
        events=["switch"],
        jump=lambda t, x, z, due: (x, [1.0 - z[0]]),
    )
    run = ss.simulate(room, [20.0], [1.0], 5.0)
    heating, cooling = log((hot - low) / (hot - high)), log((high - cold) / (low - cold))
    times = np.array([event.time for event in run.events])
    assert times[0] == pytest.approx(log((hot - 20.0) / (hot - high)), abs=1e-9)
    assert np.diff(times)[::2] == pytest.approx(cooling, abs=1e-9)
    assert np.diff(times)[1::2] == pytest.approx(heating, abs=1e-9)
    assert (run.x >= low - 1e-9).all()
    assert (run.x <= high + 1e-9).all()
    inside = times[0] + 0.3
    assert run.at(inside).x[0] == pytest.approx(cold + (high - cold) * exp(-0.3), abs=1e-9)
    assert run.at(inside).z[0] == 0.0


def test_two_tanks():
    """A pipe of inflow w fills one of two tanks, both lose v; it turns to a tank where that is down to its mark.

    With w < 2 v the switches accumulate (Zeno) at (x1 + x2 - marks) / (2 v - w), when both tanks are at their marks.
    """
    w, v, mark = 1.5, 1.0, 1.0
    tanks = ss.HybridSystem(
        flow=lambda t, x, z: (w * (z[0] == 0) - v, w * (z[0] == 1) - v),
        guard=lambda t, x, z: (x[0] - mark if z[0] == 1 else 1.0, x[1] - mark if z[0] == 0 else 1.0),
        events=["first is low", "second is low"],
        jump=lambda t, x, z, due: (x, [0.0 if "first is low" in due else 1.0]),
    )
    run = ss.simulate(tanks, [1.8, 1.5], [0.0], 10.0)
    assert run.outcome is ss.Outcome.ACCUMULATION
    assert run.time[-1] == pytest.approx((1.8 + 1.5 - 2 * mark) / (2 * v - w), abs=1e-9)
    assert run.x[-1] == pytest.approx([mark, mark], abs=1e-9)
    assert run.events[0].time == pytest.approx((1.5 - mark) / v, abs=1e-12)


def test_two_balls_that_land_together_jump_together():
    """Two balls dropped from one height: both bounce in one jump. Let go below zero, one of them bounces at once."""
    seen = []

    def bounce(t, x, z, due):
        seen.append(due)
        x[2:] = [-0.5 * speed if name in due else speed for name, speed in zip(("a", "b"), x[2:], strict=True)]
        return x

    pair = ss.HybridSystem(
        flow=lambda t, x, z: (x[2], x[3], -g, -g), guard=lambda t, x, z: x[:2], events=["a", "b"], jump=bounce
    )
    run = ss.simulate(pair, [1.0, 1.0, 0.0, 0.0], duration=1.0)
    assert seen == [("a", "b"), ("a", "b")]
    assert [event.kind for event in run.events] == ["a", "b", "a", "b"]
    assert (run.time[1:] == run.time[:-1]).sum() == 2  # one sample before and one after each jump
    seen.clear()
    run = ss.simulate(pair, [1.0, 0.0, 0.0, -1.0], duration=0.01)
    assert seen == [("b",)]
    assert run.events[0].time == 0.0


def test_parabola_that_dips_below_a_rising_floor():
    """A step that is exact on parabolas, and as long as it likes, does not jump over a whole bounce."""
    dip = ss.HybridSystem(
        flow=lambda t, x, z: (x[1], 2.0),
        guard=lambda t, x, z: x[0],
        events=["in"],
        jump=lambda t, x, z, due: (x[0], -x[1]),
    )
    depth = 1e-8  # (t - 50)^2 - depth
    run = ss.simulate(dip, [2500.0 - depth, -100.0], duration=100.0)
    assert run.events[0].time == pytest.approx(50.0 - sqrt(depth), abs=1e-7)  # 2500 m are rounded to 5e-13 m
    above = ss.simulate(dip, [2500.0 + depth, -100.0], duration=100.0)
    assert above.events == ()


def test_a_wheel_without_a_rim_reaches_its_limit_cycle():
    """Every strike keeps cos(2 a) of the speed; a step downhill gives 4 g sin(a) sin(s) back."""
    half, slope = pi / 8, 0.15
    wheel = ss.HybridSystem(
        flow=lambda t, x, z: (x[1], sin(x[0])),
        guard=lambda t, x, z: half + slope - x[0],
        events=["strike"],
        jump=lambda t, x, z, due: (x[0] - 2 * half, cos(2 * half) * x[1]),
    )
    run = ss.simulate(wheel, [slope - half, 0.6], duration=40.0)
    after = run.x[1:][run.time[1:] == run.time[:-1]]
    kept = cos(2 * half) ** 2
    limit = sqrt(kept * 4 * sin(half) * sin(slope) / (1 - kept))
    assert after[-1] == pytest.approx([slope - half, limit], abs=1e-8)


def test_stick_and_slip_on_a_belt():
    """A block on a spring, carried by a belt: it sticks until the spring is at the static friction, then slides an arc."""
    belt, friction, static = 0.3, 0.5, 0.8

    def flow(t, x, z):
        return (belt, 0.0) if z[0] else (x[1], -x[0] + friction)

    carried = ss.HybridSystem(
        flow=flow,
        guard=lambda t, x, z: (static - x[0], 1.0) if z[0] else (1.0, belt - x[1]),
        events=["slip", "stick"],
        jump=lambda t, x, z, due: ((x[0], belt), [0.0 if "slip" in due else 1.0]),
    )
    run = ss.simulate(carried, [0.0, belt], [1.0], 30.0)
    angle = atan((static - friction) / belt)  # about the centre of the arc, whose ends both have the belt's speed
    slipping = 2 * pi - 2 * angle
    sticking = 2 * (static - friction) / belt
    times = np.array([event.time for event in run.events])
    assert times[0] == pytest.approx(static / belt, abs=1e-9)
    assert np.diff(times)[::2] == pytest.approx(slipping, abs=1e-8)
    assert np.diff(times)[1::2] == pytest.approx(sticking, abs=1e-8)
