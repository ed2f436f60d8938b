"""Distance from the world's origin must not cost digits."""

import numpy as np
import pytest

import stickslip as ss
from random_trees import random_state, random_tree

FAR = np.array([600.0, -700.0, 400.0])  # a kilometre out


@pytest.mark.parametrize("seed", range(10))
def test_a_floating_robot_moves_alike_a_kilometre_out(seed):
    mech = ss.Mechanism(random_tree(seed, joints=10, floating=True))
    q, v, force = random_state(mech, seed)
    away = q.copy()
    away[:3] += FAR
    points = [(mech.body_names[-1], (0.1, 0.2, 0.3)), (mech.body_names[3], (0, 0, 1))]
    here = (mech.mass_matrix(q), mech.bias(q, v), mech.forward_dynamics(q, v, force), mech.delassus(q, points))
    there = (mech.mass_matrix(away), mech.bias(away, v), mech.forward_dynamics(away, v, force), mech.delassus(away, points))
    for near, far in zip(here, there, strict=True):
        np.testing.assert_allclose(far, near, rtol=0, atol=3e-11 * np.abs(near).max())


def test_so_does_one_on_a_heavy_cart_with_a_long_mast():
    b = ss.MechanismBuilder()
    b.body("cart", mass=5.0, inertia=(1, 1, 1))
    b.prismatic("x", child="cart", axis=(1, 0, 0))
    b.body("lift", mass=1.0, inertia=(0.1, 0.1, 0.1))
    b.prismatic("z", parent="cart", child="lift")
    b.body("arm", mass=1.0, centre=(0.3, 0, 0), inertia=(0.01, 0.1, 0.1))
    b.revolute("shoulder", parent="lift", child="arm", axis=(0, 1, 0))
    mech = ss.Mechanism(b)
    v, force = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])
    near, far = (mech.forward_dynamics([0.0, height, 0.4], v, force) for height in (0.0, 1000.0))
    np.testing.assert_allclose(far, near, rtol=0, atol=1e-11 * np.abs(near).max())


def test_so_does_one_that_travels_on_sliders():
    """As planar walkers are often described: massless carriages, then the torso."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("carriage")
    b.body("lift")
    b.body("torso", mass=2.0, centre=(0.1, 0.2), inertia=0.3)
    b.prismatic("x", child="carriage", axis=(1, 0))
    b.prismatic("z", parent="carriage", child="lift", axis=(0, 1))
    b.revolute("pitch", parent="lift", child="torso")
    mech = ss.Mechanism(b)
    q, v = np.array([0.0, 0.0, 0.4]), np.array([1.0, 2.0, 3.0])
    away = q + np.array([0, 1000.0, 0])
    np.testing.assert_allclose(mech.mass_matrix(away), mech.mass_matrix(q), rtol=0, atol=1e-12)
    near, far = mech.forward_dynamics(q, v, [1, 2, 3]), mech.forward_dynamics(away, v, [1, 2, 3])
    np.testing.assert_allclose(far, near, rtol=0, atol=1e-11 * np.abs(near).max())
