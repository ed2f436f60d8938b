"""Mechanisms small enough to be solved by hand."""

from math import cos, pi, sin

import numpy as np
import pytest

import stickslip as ss

G = 9.81


def rods(*lengths: float, plane: str = "xz", gravity=(0, 0, -G)) -> ss.Mechanism:
    """A chain of uniform rods of mass 1 with hinges at their ends; angles count from +x, up is positive."""
    b = ss.MechanismBuilder(plane=plane, gravity=gravity)
    for k, length in enumerate(lengths):
        b.body(f"rod_{k}", mass=1.0, centre=(length / 2, 0.0), inertia=length**2 / 12)
        parent, at = ("world", (0.0, 0.0)) if k == 0 else (f"rod_{k - 1}", (lengths[k - 1], 0.0))
        b.revolute(f"hinge_{k}", parent=parent, child=f"rod_{k}", at=at)
    return ss.Mechanism(b)


@pytest.mark.parametrize("angle", [-2.0, 0.0, 0.4, pi / 2])
def test_a_physical_pendulum_falls_as_galileo_says(angle):
    """m l^2 / 3 a = - m g l / 2 cos(angle)"""
    pendulum = rods(2.0)
    a = pendulum.forward_dynamics([angle], [3.0], [0.0])
    assert a == pytest.approx([-1.5 * G / 2.0 * cos(angle)], rel=1e-14, abs=1e-14)


def test_in_the_plane_xy_gravity_does_no_work():
    assert rods(1.0, 1.0, plane="xy").bias([0.3, 0.4], [0.0, 0.0]) == pytest.approx([0, 0], abs=1e-15)


def test_angles_in_the_plane_count_from_x_towards_z():
    _, p = rods(1.0, 1.0).body_pose([pi / 2, 0.0], "rod_1")
    assert p == pytest.approx([0, 0, 1], abs=1e-15)


def test_mass_matrix_and_bias_of_the_double_pendulum():
    """Lagrange's equations of two uniform rods, with the second angle relative to the first."""
    l1, l2, (q1, q2), (w1, w2) = 1.3, 0.7, (0.4, -1.1), (0.9, -2.0)
    mech = rods(l1, l2)
    coupling = l1 * l2 * cos(q2) / 2
    m22 = l2**2 / 3
    M = [[l1**2 / 3 + l1**2 + m22 + 2 * coupling, m22 + coupling], [m22 + coupling, m22]]
    assert mech.mass_matrix([q1, q2]) == pytest.approx(np.array(M), rel=1e-14)
    swirl = l1 * l2 * sin(q2) / 2
    weight = G * np.array([1.5 * l1 * cos(q1) + l2 / 2 * cos(q1 + q2), l2 / 2 * cos(q1 + q2)])
    h = np.array([-swirl * (2 * w1 * w2 + w2**2), swirl * w1**2]) + weight
    assert mech.bias([q1, q2], [w1, w2]) == pytest.approx(h, rel=1e-13)


def test_a_free_body_turns_by_eulers_equations():
    inertia = np.array([0.3, 0.5, 0.6])
    b = ss.MechanismBuilder()
    b.body("box", mass=2.0, inertia=inertia)
    b.free("root", child="box")
    box = ss.Mechanism(b)
    q, v = box.configuration(root=[1, 2, 3, 0.5, -0.5, 0.1, 0.7]), np.array([4.0, 5.0, 6.0, 0.3, -1.0, 2.0])
    a = box.forward_dynamics(q, v, np.zeros(6))
    spin = v[3:]
    assert a[:3] == pytest.approx([0, 0, -G], rel=1e-13, abs=1e-13)
    assert a[3:] == pytest.approx(-np.cross(spin, inertia * spin) / inertia, rel=1e-13)
    assert box.mass_matrix(q) == pytest.approx(np.diag([2, 2, 2, *inertia]), abs=1e-14)


def test_a_ball_jointed_top_precesses():
    """Symmetric top on its tip, spinning fast, axis level: the torque m g l turns the angular momentum sideways."""
    length, moment, axial, spin = 0.2, 0.05, 0.01, 50.0
    b = ss.MechanismBuilder()
    b.body("top", mass=1.0, centre=(0, 0, length), inertia=(moment, moment, axial))
    b.ball("tip", child="top")
    top = ss.Mechanism(b)
    q = top.configuration(tip=[cos(pi / 4), 0, sin(pi / 4), 0])  # the top's z along the world's x
    about_tip = moment + length**2
    rate = G * length / (axial * spin)  # steady precession of a level top, exact: weight and gyroscopic torque balance
    v = np.array([-rate, 0.0, spin])  # precession about the world's z is -x in the body's axes
    a = top.forward_dynamics(q, v, np.zeros(3))
    # steady: the axis stays level, the spin stays constant, and seen from the body the precession vector turns with the spin
    assert a == pytest.approx([0.0, -v[0] * spin, 0.0], rel=1e-12, abs=1e-9)
    assert top.mass_matrix(q) == pytest.approx(np.diag([about_tip, about_tip, axial]), abs=1e-14)


def test_a_planar_body_slides_and_turns_about_its_frame():
    b = ss.MechanismBuilder(plane="xz")
    b.body("plate", mass=2.0, centre=(0.1, 0.0), inertia=0.3)
    b.planar("root", child="plate")
    plate = ss.Mechanism(b)
    angle = 0.7
    M = plate.mass_matrix([5.0, -3.0, angle])
    across = 2.0 * 0.1 * np.array([-sin(angle), cos(angle)])
    assert pytest.approx(M) == np.array([[2, 0, across[0]], [0, 2, across[1]], [across[0], across[1], 0.3 + 0.02]])
    _, p = plate.body_pose([5.0, -3.0, angle], "plate")
    assert p == pytest.approx([5, 0, -3])


@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 0, -1), (1e-6, 0, -1), (1e-5, 2e-5, -1), (1, 2, 3), (0, -1, 0)])
def test_the_axes_of_a_planar_joint_are_a_right_handed_frame(axis):
    b = ss.MechanismBuilder()
    b.body("plate", mass=1.0, inertia=(1, 1, 1))
    b.planar("root", child="plate", axis=axis)
    plate = ss.Mechanism(b)
    first, second = plate.point_jacobian([0, 0, 0], "plate", (0, 0, 0))[:, :2].T
    normal = plate.angular_jacobian([0, 0, 0], "plate")[:, 2]
    frame = np.array([first, second, normal])
    assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-14)
    assert np.cross(first, second) == pytest.approx(normal, abs=1e-14)
    assert normal == pytest.approx(np.array(axis) / np.linalg.norm(axis))


def test_a_prismatic_joint_feels_its_share_of_gravity():
    b = ss.MechanismBuilder()
    b.body("cart", mass=3.0)
    b.prismatic("ramp", child="cart", axis=(3, 0, 4))
    cart = ss.Mechanism(b)
    assert cart.forward_dynamics([0.0], [1.0], [0.0]) == pytest.approx([-G * 0.8])
    assert cart.energy([2.0], [1.0]) == pytest.approx((1.5, 3 * G * 1.6))
