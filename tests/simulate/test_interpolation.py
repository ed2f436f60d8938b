"""Between samples a trajectory is compared with motions that have a closed form, and with the kernels."""

import numpy as np
import pytest

import stickslip as ss
from runs import crate, eventful_run, run, same
from stickslip.mechanism import JointKind
from stickslip.simulate import Layout
from stickslip.simulate.interpolation import angular_velocity, rotation_vector, turn_rate, turned

BALL = Layout(joints=("socket",), kinds=(JointKind.BALL,))
SLIDERS = Layout(joints=("rail",), kinds=(JointKind.PRISMATIC,))


def test_at_a_sample_it_is_the_sample_bit_for_bit():
    traj = eventful_run()
    for k, t in enumerate(traj.time.tolist()):
        state = traj.at(t)
        assert state.time == t
        assert same(state.q, traj.q[k])
        assert same(state.v, traj.v[k])
    states = traj.at(traj.time)
    assert same(states.q, np.array(traj.q))
    assert same(states.v, np.array(traj.v))


def test_free_fall_between_two_samples_is_exact():
    g, speed = 9.81, 3.0
    time = np.array([0.0, 0.7])
    traj = run(SLIDERS, time, (speed * time - g * time**2 / 2)[:, None], (speed - g * time)[:, None])
    t = np.linspace(0, 0.7, 29)
    assert traj.at(t).q[:, 0] == pytest.approx(speed * t - g * t**2 / 2, abs=1e-15)
    assert traj.at(t).v[:, 0] == pytest.approx(speed - g * t, abs=4e-15)


def test_a_body_that_turns_steadily_does_so_between_samples():
    mechanism = crate()
    layout = Layout.of(mechanism)
    start = mechanism.integrate(mechanism.neutral(), np.linspace(-1.0, 1.0, layout.nv))
    v = np.concatenate([[0.3, -0.2, 0.1], [1.0, -2.0, 1.5], [0.4], [0.0, 0.0, -2.5]])
    time = np.array([0.0, 1.1])  # 170 degrees between samples
    traj = run(layout, time, [mechanism.integrate(start, v * t) for t in time], [v, v])
    for t in np.linspace(0.05, 1.05, 21):
        assert traj.at(t).q == pytest.approx(mechanism.integrate(start, v * t), abs=2e-15)
        assert traj.at(t).v == pytest.approx(v, abs=1e-14)


def test_a_tumbling_body_is_met_to_the_fourth_order():
    coarse, fine = (_worst_error_of_a_top(samples) for samples in (16, 32))
    assert fine[0] < 1e-6  # rad, at samples 0.125 s or 17 degrees apart
    assert coarse[0] / fine[0] > 14  # h^4 would be 16
    assert coarse[1] / fine[1] > 7  # of the velocity h^3, 8


def _top(t):
    """Attitude and angular velocity, in body axes, of a free symmetric top: it precesses about its momentum and spins."""
    along, across = 1.0, 2.0  # moments of inertia
    w = np.array([1.2, 0.0, 2.0])
    momentum = np.array([across * w[0], 0.0, along * w[2]])
    spin = np.array([0.0, 0.0, w[2] * (1 - along / across)])
    t = np.atleast_1d(t)[:, None]
    start = np.tile([1.0, 0.0, 0.0, 0.0], (len(t), 1))
    attitude = turned(turned(start, t * momentum / across), t * spin)
    inverse = turned(start, -t * spin)
    return attitude, _rotated(inverse, momentum / across) + spin


def _rotated(quaternion, vector):
    w, r = quaternion[:, :1], quaternion[:, 1:]
    return vector + 2 * np.cross(r, np.cross(r, vector) + w * vector)


def _worst_error_of_a_top(samples):
    time = np.linspace(0.0, 4.0, samples + 1)
    traj = run(BALL, time, *_top(time))
    t = np.linspace(0.0, 4.0, 1001)
    q, w = _top(t)
    states = traj.at(t)
    return np.abs(rotation_vector(states.q, q)).max(), np.abs(states.v - w).max()


def test_the_velocity_is_the_rate_of_the_position():
    mechanism = crate()
    layout = Layout.of(mechanism)
    rng = np.random.default_rng(3)
    q = [mechanism.integrate(mechanism.neutral(), 0.8 * rng.standard_normal(layout.nv)) for _ in range(6)]
    traj = run(layout, 0.5 * np.arange(6), q, rng.standard_normal((6, layout.nv)))
    h = 1e-5
    for t in np.linspace(0.01, 2.49, 50):
        rate = mechanism.difference(traj.at(t - h).q, traj.at(t + h).q) / (2 * h)
        assert traj.at(t).v == pytest.approx(rate, abs=2e-8)


def test_both_signs_of_a_quaternion_are_the_same_attitude():
    time = np.array([0.0, 0.5])
    q, w = _top(time)
    plain, turned_over = run(BALL, time, q, w), run(BALL, time, [q[0], -q[1]], w)
    assert same(plain.at(0.3).q, turned_over.at(0.3).q)
    assert same(plain.at(0.3).v, turned_over.at(0.3).v)


def test_of_two_samples_with_one_time_the_later_counts_and_the_earlier_is_led_up_to():
    time = [0.0, 1.0, 1.0, 2.0]
    traj = run(SLIDERS, time, [[1.0], [0.0], [0.0], [0.5]], [[-1.0], [-1.0], [0.5], [0.5]])
    assert traj.at(1.0).v == [0.5]
    assert traj.at(1.0 - 1e-12).v == pytest.approx([-1.0], abs=1e-11)
    assert traj.at([0.5, 1.5]).q == pytest.approx(np.array([[0.5], [0.25]]))
    ending = run(SLIDERS, [0.0, 1.0, 1.0], [[1.0], [0.0], [0.0]], [[-1.0], [-1.0], [0.5]])
    assert ending.at(1.0).v == [0.5]


def test_rotations_are_those_of_the_kernels():
    b = ss.MechanismBuilder()
    b.body("eye", mass=1.0, inertia=np.eye(3))
    b.ball("socket", child="eye")
    eye = ss.Mechanism(b)
    rng = np.random.default_rng(5)
    for size in (1e-13, 1e-6, 1e-3, 0.0099, 0.0101, 1.0, 3.0):
        axis, q = rng.standard_normal(3), rng.standard_normal(4)
        x, q = size * axis / np.linalg.norm(axis), q / np.linalg.norm(q)
        moved = turned(q[None], x[None])[0]
        assert moved == pytest.approx(eye.integrate(q, x), abs=1e-15)
        assert rotation_vector(q[None], moved[None])[0] == pytest.approx(eye.difference(q, moved), abs=1e-15)


@pytest.mark.parametrize("size", [0.0, 1e-9, 0.0099, 0.0101, 1.0, 3.0])
def test_the_rate_of_a_rotation_vector_and_the_angular_velocity_belong_together(size):
    rng = np.random.default_rng(6)
    x, rate = rng.standard_normal((20, 3)), rng.standard_normal((20, 3))
    x *= size / np.linalg.norm(x, axis=1, keepdims=True)
    w = angular_velocity(x, rate)
    assert turn_rate(x, w) == pytest.approx(rate, abs=3e-14)
    start, h = np.tile([1.0, 0.0, 0.0, 0.0], (20, 1)), 1e-5
    turning = rotation_vector(turned(start, x - h * rate), turned(start, x + h * rate)) / (2 * h)
    assert w == pytest.approx(turning, abs=1e-9)
