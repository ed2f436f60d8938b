"""Whatever is wrong with an argument, one sentence says what was expected."""

import numpy as np
import pytest

import stickslip as ss
from random_trees import chain

MECH = chain(3)
FINE = np.zeros(3)
FREE = ss.Mechanism(
    ss.MechanismDescription(
        bodies=(ss.Body(name="box", mass=1.0, inertia=np.eye(3)),),
        joints=(ss.Joint(name="root", kind=ss.JointKind.FREE, child="box"),),
    )
)

WRONG = {
    "too long": (np.zeros(4), r"shape \(3,\), not \(4,\)"),
    "a matrix": (np.zeros((3, 1)), r"shape \(3,\), not \(3, 1\)"),
    "a number": (1.0, r"shape \(3,\), not \(\)"),
    "complex": (np.zeros(3, dtype=complex), "real numbers, not complex128"),
    "text": (["a", "b", "c"], "real numbers"),
    "objects": ([None, None, None], "real numbers, not object"),
    "truths": ([True, False, True], "real numbers, not bool"),
    "ragged": ([1.0, [2.0, 3.0]], "ragged"),
    "None": (None, "real numbers"),
}

METHODS = {
    "mass_matrix q": (lambda x: MECH.mass_matrix(x), "q"),
    "bias q": (lambda x: MECH.bias(x, FINE), "q"),
    "bias v": (lambda x: MECH.bias(FINE, x), "v"),
    "forward_dynamics q": (lambda x: MECH.forward_dynamics(x, FINE, FINE), "q"),
    "forward_dynamics v": (lambda x: MECH.forward_dynamics(FINE, x, FINE), "v"),
    "forward_dynamics force": (lambda x: MECH.forward_dynamics(FINE, FINE, x), "generalised_force"),
    "inverse_dynamics a": (lambda x: MECH.inverse_dynamics(FINE, FINE, x), "a"),
    "body_pose q": (lambda x: MECH.body_pose(x, "rod_0"), "q"),
    "point_jacobian q": (lambda x: MECH.point_jacobian(x, "rod_0", FINE), "q"),
    "point_jacobian_rate v": (lambda x: MECH.point_jacobian_rate(FINE, x, "rod_0", FINE), "v"),
    "angular_jacobian q": (lambda x: MECH.angular_jacobian(x, "rod_0"), "q"),
    "angular_jacobian_rate v": (lambda x: MECH.angular_jacobian_rate(FINE, x, "rod_0"), "v"),
    "delassus q": (lambda x: MECH.delassus(x, [("rod_0", FINE)]), "q"),
    "energy v": (lambda x: MECH.energy(FINE, x), "v"),
    "momentum v": (lambda x: MECH.momentum(FINE, x), "v"),
    "integrate q": (lambda x: MECH.integrate(x, FINE), "q"),
    "integrate dv": (lambda x: MECH.integrate(FINE, x), "dv"),
    "difference target": (lambda x: MECH.difference(FINE, x), "target"),
    "loop_residual q": (lambda x: MECH.loop_residual(x), "q"),
    "loop_jacobian q": (lambda x: MECH.loop_jacobian(x), "q"),
    "loop_drift v": (lambda x: MECH.loop_drift(FINE, x), "v"),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("method", METHODS)
def test_wrong_arrays_are_named(method, wrong):
    call, argument = METHODS[method]
    value, sentence = WRONG[wrong]
    with pytest.raises(ss.ArgumentError, match=rf"^{argument} must .*{sentence}"):
        call(value)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("method", METHODS)
def test_numbers_must_be_finite(method, bad):
    call, argument = METHODS[method]
    with pytest.raises(ss.ArgumentError, match=rf"{argument}.* must be finite"):
        call(np.array([0.0, bad, 0.0]))


def test_points_must_be_finite_triples():
    for call in (lambda p: MECH.point_jacobian(FINE, "rod_0", p), lambda p: MECH.delassus(FINE, [("rod_0", p)])):
        with pytest.raises(ss.ArgumentError, match=r"point.*shape \(3,\), not \(2,\)"):
            call([1.0, 2.0])
        with pytest.raises(ss.ArgumentError, match="point must be finite"):
            call([1.0, np.nan, 2.0])
    with pytest.raises(ss.ArgumentError, match="pairs"):
        MECH.delassus(FINE, [1, 2])


def test_a_quaternion_must_have_a_direction():
    with pytest.raises(ss.ArgumentError, match="quaternions must not be zero"):
        FREE.mass_matrix(np.zeros(7))


def test_unknown_names_are_answered_with_those_that_exist():
    with pytest.raises(ss.ArgumentError, match="no body 'rod_9'; there are rod_0, rod_1, rod_2"):
        MECH.body_pose(FINE, "rod_9")
    with pytest.raises(ss.ArgumentError, match="no body 3"):
        MECH.body_pose(FINE, 3)
    with pytest.raises(ss.ArgumentError, match="no moving joint 'hip'; there are hinge_0"):
        MECH.configuration(hip=0.3)
    with pytest.raises(ss.ArgumentError, match=r"value of joint 'hinge_0' must have shape \(1,\)"):
        MECH.configuration(hinge_0=[1.0, 2.0])
    with pytest.raises(ss.ArgumentError, match="value of joint 'hinge_0' must be finite"):
        MECH.configuration(hinge_0=np.nan)


@pytest.mark.parametrize("out", [np.zeros((3, 4)), np.zeros((3, 3), dtype=np.float32), np.zeros((3, 3), order="F"), [[0.0]]])
def test_out_must_fit(out):
    with pytest.raises(ss.ArgumentError, match=r"out must be a C-contiguous writable float64 array of shape \(3, 3\)"):
        MECH.mass_matrix(FINE, out=out)


def test_out_is_filled_and_returned():
    out = np.full((3, 3), np.nan)
    assert MECH.mass_matrix(FINE, out=out) is out
    assert out == pytest.approx(MECH.mass_matrix(FINE))


def test_any_layout_of_good_numbers_is_taken():
    q = np.array([0.1, 0.2, 0.3])
    frozen = q.copy()
    frozen.flags.writeable = False
    expected = MECH.mass_matrix(q)
    for same in (list(q), tuple(q), frozen, np.repeat(q, 2)[::2], q.astype(">f8"), q.astype(np.longdouble)):
        assert np.array_equal(MECH.mass_matrix(same), expected)
    assert np.array_equal(MECH.mass_matrix([0, 0, 0]), MECH.mass_matrix(FINE))


def test_a_mechanism_is_made_from_a_description():
    with pytest.raises(ss.MechanismError, match="made from a MechanismBuilder"):
        ss.Mechanism("robot.urdf")


def singular(massless: bool) -> ss.MechanismBuilder:
    """A rod turning about its own axis, with no inertia about it."""
    b = ss.MechanismBuilder()
    b.body("stick", mass=1.0, centre=(0, 0, 1), inertia=(0.1, 0.1, 0.0))
    b.revolute("spin", child="stick", axis=(0, 0, 1))
    if massless:
        b.body("leg", massless=True)
        b.revolute("hip", parent="stick", child="leg", axis=(1, 0, 0))
    return b


def test_a_singular_mass_matrix_is_refused_unless_it_is_meant():
    with pytest.raises(ss.MechanismError, match=r"joint 'spin' is zero.*massless=True"):
        ss.Mechanism(singular(massless=False))


def test_where_it_is_meant_only_what_needs_the_inverse_is_refused():
    mech = ss.Mechanism(singular(massless=True))
    q = np.array([0.3, 0.4])
    assert mech.mass_matrix(q) == pytest.approx(np.zeros((2, 2)), abs=1e-12)
    assert mech.bias(q, [1.0, 1.0]) == pytest.approx([0, 0], abs=1e-12)
    for call in (lambda: mech.forward_dynamics(q, [0, 0], [0, 0]), lambda: mech.delassus(q, [("leg", (0, 0, 1))])):
        with pytest.raises(ss.SingularInertiaError, match="joint 'hip' is zero"):
            call()


def test_a_singularity_behind_coupled_rotors_is_found_too():
    b = singular(massless=True)
    b.motor({"spin": 1.0, "hip": 1.0}, rotor_inertia=0.1)
    with pytest.raises(ss.SingularInertiaError):
        ss.Mechanism(b).forward_dynamics([0.1, 0.2], [0, 0], [0, 0])
