"""What the mechanism does by itself: springs, dampers, PD loops, and rotors behind gears and cables."""

import numpy as np
import pytest

import stickslip as ss


def arm(build=lambda b: None, links=3) -> ss.Mechanism:
    b = ss.MechanismBuilder(gravity=(0, 0, -3))
    for k in range(links):
        b.body(f"link_{k}", mass=1.0 + k, centre=(0.4, 0.0, 0.1), inertia=(0.1, 0.2, 0.15))
        parent, at = ("world", (0, 0, 0)) if k == 0 else (f"link_{k - 1}", (1, 0, 0))
        b.revolute(f"joint_{k}", parent=parent, child=f"link_{k}", at=at, axis=(0.2 * k, 1, 0.1))
    build(b)
    return ss.Mechanism(b)


Q, V = np.array([0.3, -0.5, 0.9]), np.array([1.0, -2.0, 0.5])


def extra(build) -> np.ndarray:
    """What `build` adds to the bias."""
    return arm(build).bias(Q, V) - arm().bias(Q, V)


def test_a_spring_on_one_joint_pulls_towards_its_rest():
    force = extra(lambda b: b.spring("joint_1", stiffness=7.0, damping=2.0, rest=0.1))
    assert force == pytest.approx([0, -(7.0 * (0.1 + 0.5) + 2.0 * 2.0), 0])


def test_a_spring_over_two_joints_acts_on_both():
    gear = {"joint_0": 1.0, "joint_2": -2.0}
    force = extra(lambda b: b.spring(gear, stiffness=7.0, damping=2.0, rest=0.1))
    length, rate = Q[0] - 2 * Q[2], V[0] - 2 * V[2]
    tension = 7.0 * (0.1 - length) - 2.0 * rate
    assert force == pytest.approx([-tension, 0, 2 * tension])


def test_springs_store_what_they_take():
    def build(b):
        b.spring("joint_1", stiffness=7.0, rest=0.1)
        b.spring({"joint_0": 1.0, "joint_2": -2.0}, stiffness=5.0, rest=-0.2)

    mech = arm(build)
    stored = mech.energy(Q, V)[1] - arm().energy(Q, V)[1]
    assert stored == pytest.approx(3.5 * (Q[1] - 0.1) ** 2 + 2.5 * (Q[0] - 2 * Q[2] + 0.2) ** 2)


def test_springs_that_pull_against_each_other_store_energy_at_rest():
    def build(b):
        b.spring("joint_0", stiffness=1.0, rest=1.0)
        b.spring("joint_0", stiffness=1.0, rest=-1.0)

    still = np.zeros(3)
    assert arm(build).energy(still, still)[1] - arm().energy(still, still)[1] == pytest.approx(1.0)


def test_pd_gains_and_damping_are_part_of_the_bias():
    b = ss.MechanismBuilder(plane="xy")
    b.body("bar", mass=1.0, inertia=0.5)
    b.revolute("hinge", child="bar", gains=ss.PD(kp=3.0, kd=0.5, reference=1.0), damping=0.25)
    assert ss.Mechanism(b).bias([0.2], [2.0]) == pytest.approx([-(3.0 * 0.8 - 0.75 * 2.0)])


def test_the_rate_of_energy_is_the_power_of_dampers_and_forces():
    def build(b):
        b.spring("joint_1", stiffness=7.0, damping=0.3, rest=0.1)
        b.motor({"joint_0": 1.0, "joint_2": -2.0}, rotor_inertia=0.05)

    mech, force = arm(build), np.array([1.0, 2.0, -3.0])
    a, h = mech.forward_dynamics(Q, V, force), 1e-5
    before, after = (sum(mech.energy(Q + s * h * V + h * h / 2 * a, V + s * h * a)) for s in (-1, 1))
    assert (after - before) / (2 * h) == pytest.approx(force @ V - 0.3 * V[1] ** 2, rel=1e-7)


def test_a_rotor_on_one_joint_adds_its_geared_inertia():
    mech = arm(lambda b: b.motor({"joint_1": 20.0}, rotor_inertia=1e-3))
    assert mech.mass_matrix(Q) - arm().mass_matrix(Q) == pytest.approx(np.diag([0, 0.4, 0]))
    assert mech.input_map() == pytest.approx(np.array([[0], [20.0], [0]]))


RATIOS = np.array([[0.5, 0, 0], [0.5, 0.25, 0], [0.5, 0.25, 0.125]])  # every cable passes the joints before its own
ROTORS = np.array([0.01, 0.02, 0.03])


def cables(b):
    motors, joints = ["a", "b", "c"], ["joint_0", "joint_1", "joint_2"]
    b.transmission(motors=motors, joints=joints, ratios=RATIOS, rotor_inertia=ROTORS)


def test_a_transmission_maps_motors_to_joints_and_reflects_their_inertia():
    """joints = R motors, so that B = R^-T and the rotors add R^-T I R^-1."""
    mech, inverse = arm(cables), np.linalg.inv(RATIOS)
    assert mech.input_map() == pytest.approx(inverse.T)
    assert mech.motor_names == ["a", "b", "c"]
    added = mech.mass_matrix(Q) - arm().mass_matrix(Q)
    assert added == pytest.approx(inverse.T @ np.diag(ROTORS) @ inverse, rel=1e-10)


def test_coupled_rotors_are_in_every_algorithm():
    mech = arm(cables)
    M, h, force = mech.mass_matrix(Q), mech.bias(Q, V), np.array([1.0, -2.0, 3.0])
    a = mech.forward_dynamics(Q, V, force)
    assert M @ a + h == pytest.approx(force, rel=1e-11)
    assert mech.inverse_dynamics(Q, V, a) == pytest.approx(force, rel=1e-11)
    assert mech.energy(Q, V)[0] == pytest.approx(V @ M @ V / 2)
    points = [("link_2", (1, 0, 0)), ("link_0", (0, 0, 1))]
    J = np.vstack([mech.point_jacobian(Q, *point) for point in points])
    assert mech.delassus(Q, points) == pytest.approx(J @ np.linalg.solve(M, J.T), rel=1e-10)


def test_without_motors_every_joint_of_one_coordinate_has_one():
    assert arm().input_map() == pytest.approx(np.eye(3))
    assert arm(lambda b: b.passive()).nu == 0


def floating_box(build) -> ss.Mechanism:
    b = ss.MechanismBuilder(gravity=(0, 0, 0))
    b.body("box", mass=2.0, centre=(0.1, 0.2, 0.0), inertia=(0.3, 0.4, 0.5))
    b.free("root", child="box")
    build(b)
    return ss.Mechanism(b)


def test_a_motor_may_drive_several_rates_of_a_joint():
    shares = (1.0, 0, 0, 0, -2.0, 0.5)
    mech = floating_box(lambda b: b.motor({"root": shares}, rotor_inertia=0.3))
    plain = floating_box(lambda b: b.passive())
    q = mech.configuration(root=[1, 2, 3, 0.5, 0.1, -0.5, 0.7])
    assert mech.input_map()[:, 0] == pytest.approx(shares)
    rotor = 0.3 * np.outer(shares, shares)
    np.testing.assert_allclose(mech.mass_matrix(q) - plain.mass_matrix(q), rotor, rtol=0, atol=1e-14)


def test_a_damper_may_slow_several_rates_of_a_joint():
    shares, v = np.array([0, 0, 0, 1.0, -2.0, 0.5]), np.array([1.0, 2.0, 3.0, 0.3, -0.4, 0.9])
    mech, plain = floating_box(lambda b: b.spring({"root": shares}, damping=0.7)), floating_box(lambda b: b.passive())
    assert mech.bias(mech.neutral(), v) - plain.bias(mech.neutral(), v) == pytest.approx(0.7 * shares * (shares @ v))
    one = floating_box(lambda b: b.spring({"root": (0, 0, 0, 0, 0, 1)}, damping=0.7))
    assert one.bias(one.neutral(), v) - plain.bias(one.neutral(), v) == pytest.approx([0, 0, 0, 0, 0, 0.7 * 0.9])


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda b: b.motor({"root": (0, 1)}), "motor 'root' acts on joint 'root', which is free and has 6 rates, but .* for 2"),
        (lambda b: b.motor("root"), "which is free and has 6 rates, but gives a coefficient for 1"),
        (
            lambda b: b.spring({"root": (0,) * 5 + (1,)}, stiffness=1.0),
            "spring 'spring_1' needs a coordinate, but several rates",
        ),
        (lambda b: b.couple({"root": (0,) * 5 + (1,)}), "coupling 'coupling_1' needs a coordinate"),
        (lambda b: b.motor({"root": (0,) * 6}), "must act on at least one joint"),
        (lambda b: b.motor({"root": (0, 0, 0, 0, 0, "much")}), "coefficient of joint 'root' in motor 'root' must be a number"),
    ],
)
def test_rates_that_cannot_be_combined_are_refused(build, message):
    with pytest.raises(ss.MechanismError, match=message):
        floating_box(build)
