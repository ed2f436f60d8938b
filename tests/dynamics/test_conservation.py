"""What free motion must keep: energy and momentum."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stickslip as ss
from random_trees import chain, random_state, random_tree


def test_ten_links_in_free_swing_keep_their_energy():
    mech = chain(10)
    zero = np.zeros(10)

    def flow(_t, y):
        return np.concatenate([y[10:], mech.forward_dynamics(y[:10], y[10:], zero)])

    start = np.concatenate([mech.configuration(hinge_0=2.0, hinge_3=0.5), zero])
    path = solve_ivp(flow, (0, 10), start, method="DOP853", rtol=1e-12, atol=1e-12)
    energies = np.array([sum(mech.energy(y[:10].copy(), y[10:].copy())) for y in path.y.T])
    swing = max(mech.energy(y[:10].copy(), y[10:].copy())[0] for y in path.y.T)
    assert path.success
    assert swing > 50.0  # J: it does move
    assert np.abs(energies - energies[0]).max() < 1e-9 * swing


def floating(seed: int) -> ss.Mechanism:
    description = random_tree(seed, joints=12, floating=True, extras=False)
    return ss.Mechanism(ss.MechanismDescription(bodies=description.bodies, joints=description.joints, gravity=(0, 0, 0)))


def internal(mech: ss.Mechanism, force: np.ndarray) -> np.ndarray:
    """A force that only joints exert upon each other: nothing on the base."""
    return np.concatenate([np.zeros(6), force[6:]])


@pytest.mark.parametrize("seed", range(20))
def test_without_external_force_momentum_does_not_change(seed):
    """The rate of momentum, summed over the bodies by Newton and Euler from accelerations alone."""
    mech = floating(seed)
    q, v, force = random_state(mech, seed)
    a = mech.forward_dynamics(q, v, internal(mech, force))
    centre = mech.centre_of_mass(q)
    linear, angular, size = np.zeros(3), np.zeros(3), np.zeros(2)
    for body in mech.description.bodies:
        c = np.array(body.centre)
        R, p = mech.body_pose(q, body.name)
        acceleration = mech.point_jacobian(q, body.name, c) @ a + mech.point_jacobian_rate(q, v, body.name, c) @ v
        spin = mech.angular_jacobian(q, body.name) @ v
        turning = mech.angular_jacobian(q, body.name) @ a + mech.angular_jacobian_rate(q, v, body.name) @ v
        inertia = R @ np.array(body.inertia) @ R.T
        force_on = body.mass * acceleration
        torque_on = np.cross(p + R @ c - centre, force_on) + inertia @ turning + np.cross(spin, inertia @ spin)
        linear, angular = linear + force_on, angular + torque_on
        size += np.linalg.norm(force_on), np.linalg.norm(torque_on)
    assert np.linalg.norm(linear) < 1e-12 * size[0]
    assert np.linalg.norm(angular) < 1e-12 * size[1]


def rate_of_position(mech: ss.Mechanism, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """dq/dt: a quaternion's is half of itself times the angular velocity."""
    rate = np.empty(mech.nq)
    for joint in mech.description.moving_joints:
        here, there = mech.coordinates(joint.name)
        if joint.kind in (ss.JointKind.BALL, ss.JointKind.FREE):
            w, x, y, z = q[here][-4:]
            turn = np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]) @ v[there][-3:] / 2
            rate[here] = np.concatenate([v[there][:-3], turn])
        else:
            rate[here] = v[there]
    return rate


@pytest.mark.parametrize("seed", range(3))
def test_momentum_is_kept_over_a_second(seed):
    mech = floating(seed)
    q0, v0, force = random_state(mech, seed)
    force = internal(mech, force)

    def flow(_t, y):
        q, v = y[: mech.nq], y[mech.nq :]
        return np.concatenate([rate_of_position(mech, q, v), mech.forward_dynamics(q, v, force)])

    path = solve_ivp(flow, (0, 1), np.concatenate([q0, v0]), method="DOP853", rtol=1e-13, atol=1e-13)
    before, after = mech.momentum(q0, v0), mech.momentum(path.y[: mech.nq, -1], path.y[mech.nq :, -1])
    for old, new in zip(before, after, strict=True):
        assert np.linalg.norm(new - old) < 1e-10 * np.linalg.norm(old)
