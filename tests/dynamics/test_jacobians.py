"""Jacobians and their rates against differences of poses along a motion."""

import numpy as np
import pytest

import stickslip as ss
from differences import derivative
from random_trees import random_state, random_tree


@pytest.fixture(params=range(15))
def case(request):
    seed = request.param
    mech = ss.Mechanism(random_tree(seed, joints=8, floating=seed % 2 == 0))
    q, v, _ = random_state(mech, seed)
    rng = np.random.default_rng(seed)
    return mech, q, v, str(rng.choice(mech.body_names)), rng.standard_normal(3)


def along(mech, q, v):
    """The position after moving for a time t with each joint's v constant (exact for one turn of [+] at a time)."""
    return lambda t: mech.integrate(q, t * v)


def test_a_points_velocity_is_the_jacobian_times_v(case):
    mech, q, v, body, point = case
    path = along(mech, q, v)

    def place(t):
        R, p = mech.body_pose(path(t), body)
        return p + R @ point

    np.testing.assert_allclose(mech.point_jacobian(q, body, point) @ v, derivative(place), rtol=0, atol=1e-9 * 10)


def test_a_bodys_spin_is_the_angular_jacobian_times_v(case):
    mech, q, v, body, _ = case
    path = along(mech, q, v)
    R = mech.body_pose(q, body)[0]
    change = derivative(lambda t: mech.body_pose(path(t), body)[0]) @ R.T
    spin = mech.angular_jacobian(q, body) @ v
    np.testing.assert_allclose([change[2, 1], change[0, 2], change[1, 0]], spin, rtol=0, atol=1e-8)


def test_rates_of_jacobians(case):
    mech, q, v, body, point = case
    path = along(mech, q, v)
    rate = derivative(lambda t: mech.point_jacobian(path(t), body, point))
    np.testing.assert_allclose(mech.point_jacobian_rate(q, v, body, point), rate, rtol=0, atol=1e-8)
    rate = derivative(lambda t: mech.angular_jacobian(path(t), body))
    np.testing.assert_allclose(mech.angular_jacobian_rate(q, v, body), rate, rtol=0, atol=1e-8)


def test_a_point_of_a_body_welded_to_the_world_does_not_move():
    b = ss.MechanismBuilder()
    b.body("post", mass=1.0)
    b.fixed("foot", child="post", at=(1, 2, 3))
    b.body("flap", mass=1.0, centre=(1, 0, 0))
    b.revolute("hinge", parent="post", child="flap", at=(0, 0, 1))
    mech = ss.Mechanism(b)
    assert mech.point_jacobian([0.1], "post", (1, 1, 1)) == pytest.approx(np.zeros((3, 1)))
    assert mech.body_pose([0.1], "post")[1] == pytest.approx([1, 2, 3])
    assert mech.body_pose([0.1], "flap")[1] == pytest.approx([1, 2, 4])
    G = mech.delassus([0.1], [("post", (1, 1, 1)), ("flap", (1, 0, 0))])
    assert G[:3].tolist() == np.zeros((3, 6)).tolist()
    assert G[3:, 3:].any()
