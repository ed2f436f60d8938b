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
    with pytest.raises(ss.ArgumentError, match="length of its quaternions"):
        FREE.mass_matrix(np.zeros(7))
    with pytest.raises(ss.ArgumentError, match="length of its quaternions"):
        FREE.body_pose([0, 0, 0, 1e200, 1e200, 0, 0], "box")


def test_unknown_names_are_answered_with_those_that_exist():
    with pytest.raises(ss.ArgumentError, match=r"no body 'rod_9'; did you mean 'rod_\d'\?"):
        MECH.body_pose(FINE, "rod_9")
    with pytest.raises(ss.ArgumentError, match="no body 3; there are rod_0, rod_1, rod_2, world"):
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


def test_a_number_beyond_float64_is_not_finite():
    with pytest.raises(ss.ArgumentError, match="v must be finite"):
        MECH.bias(FINE, np.array(["1e4000", "0", "0"], dtype=np.longdouble))


def test_a_mechanism_is_made_from_a_description():
    with pytest.raises(ss.MechanismError, match="made from a MechanismBuilder"):
        ss.Mechanism("robot.urdf")


def spinning_stick(axis: np.ndarray) -> ss.MechanismBuilder:
    """A stick turning about its own axis, with no inertia about it."""
    u = axis / np.linalg.norm(axis)
    b = ss.MechanismBuilder()
    b.body("stick", mass=1.0, centre=u, inertia=0.1 * (np.eye(3) - np.outer(u, u)))
    b.revolute("spin", child="stick", axis=u)
    return b


@pytest.mark.parametrize("seed", range(40))
def test_a_singular_mass_matrix_is_refused_whatever_the_axis(seed):
    """Where the true inertia is zero, what comes out is round-off of either sign."""
    axis = np.random.default_rng(seed).standard_normal(3)
    with pytest.raises(ss.MechanismError, match=r"singular at joint 'spin'.*give it an inertia, or the joint an armature"):
        ss.Mechanism(spinning_stick(axis))


def test_a_massless_leg_elsewhere_does_not_excuse_it():
    b = spinning_stick(np.array([1.0, 2.0, 3.0]))
    b.body("leg", massless=True)
    b.revolute("hip", child="leg", axis=(1, 0, 0))
    with pytest.raises(ss.MechanismError, match="singular at joint 'spin'"):
        ss.Mechanism(b)


def table_with_leg() -> ss.MechanismBuilder:
    b = ss.MechanismBuilder()
    b.body("table", mass=1.0, inertia=(1, 1, 1))
    b.free("root", child="table")
    b.body("leg", massless=True)
    b.revolute("hip", parent="table", child="leg", axis=(1, 0, 0))
    return b


def test_where_it_is_meant_only_what_needs_the_inverse_is_refused():
    mech = ss.Mechanism(table_with_leg())
    q, zero = mech.configuration(hip=0.4), np.zeros(7)
    assert mech.mass_matrix(q)[6] == pytest.approx(zero, abs=1e-15)
    assert mech.bias(q, np.ones(7))[6] == pytest.approx(0, abs=1e-15)
    for call in (lambda: mech.forward_dynamics(q, zero, zero), lambda: mech.delassus(q, [("leg", (0, 0, 1))])):
        with pytest.raises(ss.SingularInertiaError, match="singular at joint 'hip'"):
            call()


def test_a_singularity_among_coupled_rotors_is_found_too():
    b = table_with_leg()
    b.body("arm", massless=True)
    b.revolute("shoulder", parent="table", child="arm")
    b.motor({"shoulder": 1.0, "hip": 1.0}, rotor_inertia=0.1)  # one rotor cannot give two joints an inertia
    with pytest.raises(ss.SingularInertiaError, match="singular at joint"):
        ss.Mechanism(b).forward_dynamics(ss.Mechanism(b).neutral(), np.zeros(8), np.zeros(8))


def wrist(boom: float) -> ss.Mechanism:
    """A boom with a hand on three axes z, y, z through massless intermediates: singular where the middle angle is zero."""
    b = ss.MechanismBuilder()
    b.body("boom", mass=1.0, centre=(boom / 2, 0, 0), inertia=(0.1, 1.0, 1.0))
    b.revolute("base", child="boom")
    b.body("first")
    b.revolute("yaw", parent="boom", child="first", at=(boom, 0, 0))
    b.body("second")
    b.revolute("pitch", parent="first", child="second", axis=(0, 1, 0))
    b.body("hand", mass=1.0, centre=(0, 0, 0.2), inertia=(0.01, 0.02, 0.03))
    b.revolute("roll", parent="second", child="hand")
    return ss.Mechanism(b)


@pytest.mark.parametrize("boom", [1.0, 10.0, 100.0])
def test_gimbal_lock_is_found_far_from_the_base_too(boom):
    mech, rng = wrist(boom), np.random.default_rng(0)
    for _ in range(50):
        base, yaw, roll = rng.uniform(-3, 3, 3)
        with pytest.raises(ss.SingularInertiaError, match="singular at joint 'yaw'"):
            mech.forward_dynamics([base, yaw, 0.0, roll], np.zeros(4), np.ones(4))


def test_great_ratios_of_mass_are_no_singularity():
    """A light rod above a heavy bob, hanging straight: the rod's own inertia is all that resists the upper hinge."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("rod", mass=1e-6, centre=(0, -0.5), inertia=1e-6 / 12)
    b.revolute("upper", child="rod")
    b.body("bob", mass=1e6, centre=(0, -1.0))
    b.revolute("lower", parent="rod", child="bob", at=(0, -1.0))
    a = ss.Mechanism(b).forward_dynamics([0, 0], [0, 0], [1e-6, 0])
    assert a[0] == pytest.approx(3.0, rel=1e-2)


def test_a_rotor_alone_is_inertia_enough():
    b = ss.MechanismBuilder()
    b.body("dial")
    b.revolute("spin", child="dial", armature=0.1)
    assert ss.Mechanism(b).forward_dynamics([0.0], [0.0], [1.0]) == pytest.approx([10.0])


def test_without_mass_there_is_no_momentum():
    b = ss.MechanismBuilder()
    b.body("dial")
    b.revolute("spin", child="dial", armature=0.1)
    with pytest.raises(ss.ArgumentError, match="nothing that moves has mass"):
        ss.Mechanism(b).centre_of_mass([0.0])


@pytest.mark.parametrize(
    "call",
    [
        lambda huge: MECH.bias(FINE, huge),
        lambda huge: MECH.forward_dynamics(FINE, huge, FINE),
        lambda huge: MECH.energy(FINE, huge),
        lambda huge: MECH.difference(-1e108 * huge, 1e108 * huge),
        lambda huge: FREE.integrate([1e308, 0, 0, 1, 0, 0, 0], [1e308, 0, 0, 0, 0, 0]),
    ],
)
def test_a_result_beyond_floating_point_is_an_error(call):
    with pytest.raises(ss.ArgumentError, match="too large for floating-point numbers"):
        call(np.full(3, 1.5e200))


@pytest.mark.parametrize("rotor", [0.0, 0.1])
@pytest.mark.parametrize("mass", [1e160, 1e308])
def test_a_mechanism_beyond_floating_point_is_an_error(mass, rotor):
    b = ss.MechanismBuilder()
    for name, parent in (("upper", "world"), ("lower", "upper")):
        b.body(name, mass=mass, centre=(1e80, 0, 0), inertia=(mass, mass, mass))
        b.revolute(name, parent=parent, child=name, at=(1e80, 0, 0))
    b.body("load", mass=mass)
    b.fixed("weld", parent="lower", child="load")
    b.motor({"upper": 1.0, "lower": 1.0}, rotor_inertia=rotor)
    with pytest.raises(ss.MechanismError, match="masses and lengths of the mechanism are too large"):
        ss.Mechanism(b)


def test_coordinates_are_given_by_name():
    for wrong in ([0.3], 0.3, "hip"):
        with pytest.raises(ss.ArgumentError, match="by name"):
            MECH.configuration(wrong)
    with pytest.raises(ss.ArgumentError, match=r"value of joint 'hinge_0' must be an array.*ragged"):
        MECH.velocity(hinge_0=[1, [2, 3]])
    with pytest.raises(ss.ArgumentError, match="no moving joint"):
        MECH.coordinates(["hinge_0"])
    for awkward in ("values", "self"):
        b = ss.MechanismBuilder()
        b.body("bar", mass=1.0, inertia=(1, 1, 1))
        b.revolute(awkward, child="bar")
        assert ss.Mechanism(b).configuration(**{awkward: 0.3}) == pytest.approx([0.3])


def test_sizes_cannot_be_overwritten():
    with pytest.raises(AttributeError):
        MECH.nv = 5


@pytest.mark.parametrize("number", [0.3, [0.3], (0.3,), np.array(0.3), np.array([0.3]), np.float32(0.3)])
def test_one_coordinate_is_one_number_however_it_is_written(number):
    assert MECH.configuration(hinge_1=number) == pytest.approx([0, 0.3, 0])


def test_the_world_is_a_body_that_stays():
    R, p = MECH.body_pose(FINE, "world")
    assert np.array_equal(R, np.eye(3))
    assert np.array_equal(p, np.zeros(3))
    assert not MECH.point_jacobian(FINE, "world", (1, 2, 3)).any()
    assert not MECH.delassus(FINE, [("world", (1, 2, 3))]).any()


def test_in_a_plane_a_point_has_two_coordinates():
    b = ss.MechanismBuilder(plane="xz")
    b.body("rod", mass=1.0, centre=(0.5, 0.0), inertia=1 / 12)
    b.revolute("hinge", child="rod")
    mech = ss.Mechanism(b)
    assert np.array_equal(mech.point_jacobian([0.3], "rod", (1, 2)), mech.point_jacobian([0.3], "rod", (1, 0, 2)))
    assert np.array_equal(mech.delassus([0.3], [("rod", (1, 2))]), mech.delassus([0.3], [("rod", (1, 0, 2))]))
