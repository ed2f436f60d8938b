"""Loop closures: what they demand, its Jacobian and its drift, against differences along a motion."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import stickslip as ss
from differences import derivative
from random_trees import SCALAR, random_rotation, random_state, random_tree


def four_bar() -> ss.MechanismBuilder:
    b = ss.MechanismBuilder(plane="xz")
    for name, length in (("crank", 1.0), ("coupler", 2.0), ("rocker", 2.0)):
        b.body(name, mass=1.0, centre=(length / 2, 0), inertia=length**2 / 12)
    b.revolute("a", child="crank")
    b.revolute("b", parent="crank", child="coupler", at=(1.0, 0))
    b.revolute("d", child="rocker", at=(2.0, 0))
    b.close_hinge("c", first="coupler", second="rocker", first_point=(2.0, 0), second_point=(2.0, 0))
    return b


def test_a_four_bar_closes_where_geometry_says():
    mech = ss.Mechanism(four_bar())
    assert mech.loop_rows == 2
    # crank up, parallelogram-like: solve the closure by hand for the crank at 90 degrees
    crank = np.array([0.0, 1.0])
    foot = np.array([2.0, 0.0])
    span = np.linalg.norm(foot - crank)
    along = (foot - crank) / span
    tip = crank + along * span / 2 + np.array([-along[1], along[0]]) * np.sqrt(4 - span**2 / 4)
    angle = np.arctan2(*(tip - crank)[::-1])
    q = mech.configuration(a=np.pi / 2, b=angle - np.pi / 2, d=np.arctan2(*(tip - foot)[::-1]))
    assert mech.loop_residual(q) == pytest.approx([0, 0], abs=1e-14)
    assert mech.loop_jacobian(q).shape == (2, 3)
    assert np.linalg.matrix_rank(mech.loop_jacobian(q)) == 2


ROWS = {"close_point": 3, "close_hinge": 5, "close_slider": 5, "close_plane": 3, "close_weld": 6}


def closed(close: str, seed: int) -> ss.Mechanism:
    """A random tree with a loop between two of its bodies and another between a body and the world."""
    tree = random_tree(seed, joints=7, floating=seed % 2 == 0)
    rng = np.random.default_rng(seed)
    first, second = (str(name) for name in rng.choice([body.name for body in tree.bodies], 2, replace=False))
    options = {} if close in ("close_point", "close_weld") else {"axis": rng.standard_normal(3)}
    if close != "close_point":
        options["rotation"] = random_rotation(rng)
    b = ss.MechanismBuilder()
    for name, end in (("between", second), ("ground", "world")):
        places = {"first_point": rng.standard_normal(3), "second_point": rng.standard_normal(3)}
        getattr(b, close)(name, first=first, second=end, **places, **options)
    return ss.Mechanism(replace(tree, loops=tuple(b._loops)))


@pytest.mark.parametrize("close", ROWS)
@pytest.mark.parametrize("seed", range(5))
def test_jacobian_and_drift_are_derivatives_of_the_residual(close, seed):
    mech = closed(close, seed)
    assert mech.loop_rows == 2 * ROWS[close]
    q, v, _ = random_state(mech, seed)
    rate = derivative(lambda t: mech.loop_residual(mech.integrate(q, t * v)))
    np.testing.assert_allclose(mech.loop_jacobian(q) @ v, rate, rtol=1e-7, atol=1e-8)
    drift = derivative(lambda t: mech.loop_jacobian(mech.integrate(q, t * v)) @ v)
    np.testing.assert_allclose(mech.loop_drift(q, v), drift, rtol=1e-7, atol=1e-8)


def test_a_weld_is_satisfied_by_the_pose_that_it_describes():
    rng = np.random.default_rng(5)
    turn, place = random_rotation(rng), rng.standard_normal(3)
    b = ss.MechanismBuilder()
    for name in ("one", "two"):
        b.body(name, mass=1.0, inertia=(1, 1, 1))
        b.free(f"{name}_root", child=name)
    b.close_weld("weld", first="one", second="two", first_point=place, second_point=(0, 0, 0), rotation=turn)
    mech = ss.Mechanism(b)
    x, y, z, w = Rotation.from_matrix(turn).as_quat()
    q = mech.configuration(two_root=[*place, w, x, y, z])
    assert mech.loop_residual(q) == pytest.approx(np.zeros(6), abs=1e-14)


def two_free_boxes(**closure) -> ss.Mechanism:
    b = ss.MechanismBuilder()
    for name in ("one", "two"):
        b.body(name, mass=1.0, inertia=(1, 1, 1))
        b.free(f"{name}_root", child=name)
    getattr(b, closure.pop("close"))(
        "loop", first="one", second="two", first_point=(0, 0, 0), second_point=(0, 0, 0), **closure
    )
    return ss.Mechanism(b)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)])
@pytest.mark.parametrize("angle", [np.pi, 2 * np.pi / 3, 0.1])
def test_a_weld_turned_away_is_open(axis, angle):
    mech = two_free_boxes(close="close_weld")
    w, (x, y, z) = np.cos(angle / 2), np.sin(angle / 2) * np.array(axis) / np.linalg.norm(axis)
    q = mech.configuration(two_root=[0, 0, 0, w, x, y, z])
    assert np.linalg.norm(mech.loop_residual(q)) > 0.09


def test_a_hinge_with_its_axis_reversed_is_open():
    mech = two_free_boxes(close="close_hinge", axis=(0, 0, 1))
    assert mech.loop_residual(mech.configuration(two_root=[0, 0, 0, np.cos(0.4), 0, 0, np.sin(0.4)])) == pytest.approx(
        np.zeros(5), abs=1e-15
    )
    almost = (np.pi - 1e-3) / 2
    q = mech.configuration(two_root=[0, 0, 0, np.cos(almost), np.sin(almost), 0, 0])
    assert np.linalg.norm(mech.loop_residual(q)) > 1000


def test_a_small_turn_is_measured_by_its_angle():
    mech = two_free_boxes(close="close_weld")
    q = mech.integrate(mech.neutral(), mech.velocity(two_root=[0, 0, 0, 1e-5, -2e-5, 3e-5]))
    assert np.sort(np.abs(mech.loop_residual(q)[3:])) == pytest.approx([1e-5, 2e-5, 3e-5], rel=1e-4)


def test_a_weld_in_the_plane_holds_two_places_and_the_angle():
    b = ss.MechanismBuilder(plane="xz")
    b.body("plate", mass=1.0, inertia=1.0)
    b.planar("root", child="plate")
    b.close_weld("weld", first="world", second="plate", first_point=(1, 2), second_point=(0.5, 0))
    mech = ss.Mechanism(b)
    assert mech.loop_residual([0.5, 2.0, 0.0]) == pytest.approx([0, 0, 0], abs=1e-15)
    assert mech.loop_residual([0.5, 2.0, 1e-6])[2] == pytest.approx(1e-6)
    assert np.abs(mech.loop_residual([1.5, 2.0, np.pi - 1e-3])).max() > 1000
    assert np.linalg.matrix_rank(mech.loop_jacobian([0.1, 0.2, 0.3])) == 3
    q, v = np.array([0.1, 0.2, 0.3]), np.array([1.0, -2.0, 3.0])
    rate = derivative(lambda t: mech.loop_residual(mech.integrate(q, t * v)))
    np.testing.assert_allclose(mech.loop_jacobian(q) @ v, rate, rtol=0, atol=1e-9)


def test_a_slider_is_closed_along_its_line_and_nowhere_else():
    place, axis = np.array([0.1, -0.3, 0.2]), np.array([2.0, -1.0, 2.0]) / 3
    turn = Rotation.from_rotvec([0.3, -0.5, 1.1]).as_matrix()
    b = ss.MechanismBuilder()
    b.body("carriage", mass=1.0, inertia=(1, 1, 1))
    b.free("root", child="carriage")
    b.close_slider(
        "rail", first="world", second="carriage", first_point=place, second_point=(0, 0, 0), axis=axis, rotation=turn
    )
    mech = ss.Mechanism(b)
    x, y, z, w = Rotation.from_matrix(turn).as_quat()
    for travel in (-2.0, 0.0, 5.0):
        q = mech.configuration(root=[*(place + travel * turn @ axis), w, x, y, z])
        assert mech.loop_residual(q) == pytest.approx(np.zeros(5), abs=2e-15)
        aside = turn @ np.linalg.svd(axis[None])[2][1]
        assert np.linalg.norm(mech.loop_residual(mech.integrate(q, [*(0.1 * aside), 0, 0, 0]))) == pytest.approx(0.1)
        assert np.abs(mech.loop_residual(mech.integrate(q, [0, 0, 0, *(1e-5 * axis)]))).max() > 3e-6
        free = np.linalg.svd(mech.loop_jacobian(q))[2][5:]  # the one motion that the rail leaves
        assert np.abs(free) == pytest.approx(np.abs([[*(turn @ axis), 0, 0, 0]]), abs=1e-14)


def test_a_plane_leaves_two_ways_to_slide_and_one_to_turn():
    mech = two_free_boxes(close="close_plane", axis=(0, 0, 1))
    spun = [np.cos(0.4), 0, 0, np.sin(0.4)]
    assert mech.loop_residual(mech.configuration(two_root=[3.0, -2.0, 0, *spun])) == pytest.approx(np.zeros(3), abs=1e-15)
    assert np.abs(mech.loop_residual(mech.configuration(two_root=[3.0, -2.0, 0.1, *spun]))).max() == pytest.approx(0.1)
    tilted = [np.cos(0.05), np.sin(0.05), 0, 0]
    assert np.abs(mech.loop_residual(mech.configuration(two_root=[0, 0, 0, *tilted]))).max() == pytest.approx(2 * np.tan(0.05))


@pytest.mark.parametrize("plane", ["xz", "xy"])
def test_a_slider_in_the_plane_goes_with_the_body_that_carries_it(plane):
    b = ss.MechanismBuilder(plane=plane)
    for name in ("arm", "sleeve"):
        b.body(name, mass=1.0, inertia=1.0)
        b.planar(f"{name}_root", child=name)
    b.close_slider("rail", first="arm", second="sleeve", first_point=(1, 0), second_point=(0, 0.5), axis=(0, 2))
    b.close_plane("table", first="arm", second="sleeve", first_point=(0, 0), second_point=(0, 0))
    mech = ss.Mechanism(b)
    assert mech.loop_rows == 2  # the plane asks for nothing that a planar mechanism does not have
    angle, travel = 0.7, 3.0
    along, across = np.array([-np.sin(angle), np.cos(angle)]), np.array([np.cos(angle), np.sin(angle)])
    sleeve = across + (travel - 0.5) * along
    q = mech.configuration(sleeve_root=[*sleeve, angle], arm_root=[0, 0, angle])
    assert mech.loop_residual(q) == pytest.approx([0, 0], abs=1e-15)
    assert abs(mech.loop_residual(mech.integrate(q, [0, 0, 0, *(0.1 * across), 0]))[0]) == pytest.approx(0.1)
    v = np.array([0.3, -0.2, 1.0, 0.5, 0.7, -0.4])
    rate = derivative(lambda t: mech.loop_residual(mech.integrate(q, t * v)))
    np.testing.assert_allclose(mech.loop_jacobian(q) @ v, rate, rtol=0, atol=1e-9)
    drift = derivative(lambda t: mech.loop_jacobian(mech.integrate(q, t * v)) @ v)
    np.testing.assert_allclose(mech.loop_drift(q, v), drift, rtol=0, atol=1e-9)


def test_a_slider_out_of_the_plane_is_refused():
    b = four_bar()
    b.close_slider("rail", first="world", second="crank", first_point=(0, 0), second_point=(0, 0), axis=(0, 1, 1))
    with pytest.raises(ss.MechanismError, match="axis of slider loop 'rail' must lie in the plane 'xz'"):
        ss.Mechanism(b)


def test_couplings_tie_joints_together():
    b = four_bar()
    b.couple({"a": 2.0, "d": -1.0}, offset=0.5)
    mech = ss.Mechanism(b)
    q = mech.configuration(a=0.3, d=0.4)
    assert mech.loop_residual(q)[2] == pytest.approx(0.6 - 0.4 - 0.5)
    assert mech.loop_jacobian(q)[2] == pytest.approx([2, 0, -1])
    assert mech.loop_drift(q, [1.0, 2.0, 3.0])[2] == 0


def test_a_mechanism_without_loops_has_no_rows():
    mech = ss.Mechanism(random_tree(1, joints=3, kinds=SCALAR))
    assert mech.loop_jacobian(mech.neutral()).shape == (0, mech.nv)
