"""Redundant coordinates against minimal ones: the same positions, velocities, energies, accelerations and contact forces."""

from dataclasses import replace

import numpy as np
import pytest

import stickslip as ss
from differences import derivative
from random_trees import KINDS, random_state, random_tree

HINGES = (ss.JointKind.REVOLUTE, ss.JointKind.CONTINUOUS)
NORMALS = {"xz": np.array([0.0, -1.0, 0.0]), "xy": np.array([0.0, 0.0, 1.0])}


def spatial_tree(seed: int, kinds: tuple[str, ...] = KINDS) -> ss.Mechanism:
    """A random tree of which every joint can be cut: motors and dampers on its hinges alone, no armature."""
    tree = random_tree(seed, joints=7, kinds=kinds, floating=seed % 2 == 0)
    joints = tuple(replace(j, armature=0.0, damping=j.damping * (j.kind in HINGES)) for j in tree.joints)
    motors = tuple(ss.Motor(name=j.name, joints={j.name: 1.0}) for j in joints if j.kind in HINGES)
    return ss.Mechanism(replace(tree, joints=joints, motors=motors))


def planar_tree(seed: int, plane: str, kinds: tuple[str, ...] = ("revolute", "prismatic", "planar")) -> ss.Mechanism:
    """The same in a plane: bodies in layers, some of them turned over, some hinges with their axes reversed."""
    rng = np.random.default_rng(seed)
    normal = NORMALS[plane]
    b = ss.MechanismBuilder(plane=plane, gravity=5 * rng.standard_normal(3))
    bodies = ["world"]
    for k in range(6):
        b.body(f"body_{k}", mass=rng.uniform(0.2, 3), centre=0.3 * rng.standard_normal(2), inertia=rng.uniform(0.1, 1))
        kind, parent = str(rng.choice(kinds)), bodies[-1] if rng.random() < 0.6 else str(rng.choice(bodies))
        angle = rng.uniform(-3, 3)
        turn = np.eye(3) + np.sin(angle) * skew(normal) + (1 - np.cos(angle)) * skew(normal) @ skew(normal)
        turn = turn @ np.diag([1, -1, -1]) if rng.random() < 0.4 else turn
        along = rng.standard_normal(3)
        axis = along - (along @ normal) * normal if kind == "prismatic" else normal * rng.choice([-1, 1])
        options = {"damping": rng.uniform(0, 0.5)} if kind == "revolute" else {}
        places = {"at": 0.4 * rng.standard_normal(3), "anchor": 0.1 * rng.standard_normal(3)}
        getattr(b, kind)(f"joint_{k}", parent=parent, child=f"body_{k}", rotation=turn, axis=axis, **places, **options)
        if kind == "revolute":
            b.motor(f"joint_{k}")
        bodies.append(f"body_{k}")
        if rng.random() < 0.3:
            b.body(f"welded_{k}", mass=0.3, centre=0.1 * rng.standard_normal(2), inertia=0.1)
            b.fixed(f"weld_{k}", parent=parent, child=f"welded_{k}", at=rng.standard_normal(3), rotation=turn)
            bodies.append(f"welded_{k}")
    b.passive()
    return ss.Mechanism(b)


def skew(x: np.ndarray) -> np.ndarray:
    return np.cross(np.eye(3), -x)


MECHANISMS = [
    *(pytest.param(spatial_tree, (seed,), id=f"space-{seed}") for seed in range(8)),
    *(pytest.param(spatial_tree, (seed, ("revolute",)), id=f"hinges-{seed}") for seed in range(4)),
    *(pytest.param(planar_tree, (seed, plane), id=f"{plane}-{seed}") for seed in range(6) for plane in NORMALS),
    *(pytest.param(planar_tree, (seed, "xz", ("revolute",)), id=f"planar-hinges-{seed}") for seed in range(4)),
]
for_all = pytest.mark.parametrize(("make", "arguments"), MECHANISMS)


def constrained(mech: ss.Mechanism, q, v, tau) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations and loop forces: M a + h = B tau + J^T f and J a + drift = 0, by one dense solve."""
    M, J = mech.mass_matrix(q), mech.loop_jacobian(q)
    system = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
    solved = np.linalg.solve(system, np.concatenate([mech.input_map() @ tau - mech.bias(q, v), -mech.loop_drift(q, v)]))
    return solved[: mech.nv], solved[mech.nv :]


def cut_acceleration(mech: ss.Mechanism, q, v, a) -> np.ndarray:
    """How the cut mechanism accelerates while this one does so with `a`: by differences along a motion."""
    return derivative(lambda t: mech.cut_state(mech.integrate(q, t * v), v + t * a)[1])


@for_all
def test_bodies_are_where_they_were_and_all_loops_are_closed(make, arguments):
    mech = make(*arguments)
    cut = mech.cut_hinges()
    assert cut.joint_names == mech.joint_names
    assert cut.nv - cut.loop_rows == mech.nv
    for seed in range(3):
        q, v, _ = random_state(mech, seed)
        Q, V = mech.cut_state(q, v)
        assert np.abs(cut.loop_residual(Q)).max(initial=0) < 1e-12
        assert np.abs(cut.loop_jacobian(Q) @ V).max(initial=0) < 1e-12
        assert np.linalg.matrix_rank(cut.loop_jacobian(Q)) == cut.loop_rows
        for body in mech.body_names:
            for ours, theirs in zip(cut.body_pose(Q, body), mech.body_pose(q, body), strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-13)
            point = np.array([0.3, -0.2, 0.5])
            velocity = mech.point_jacobian(q, body, point) @ v
            np.testing.assert_allclose(cut.point_jacobian(Q, body, point) @ V, velocity, rtol=0, atol=1e-12)


@for_all
def test_home_is_where_it_was(make, arguments):
    mech = make(*arguments)
    cut = mech.cut_hinges()
    np.testing.assert_allclose(cut.neutral(), mech.cut_state(mech.neutral(), np.zeros(mech.nv))[0], rtol=0, atol=1e-14)


@for_all
def test_energies_are_the_same(make, arguments):
    mech = make(*arguments)
    q, v, _ = random_state(mech, 5)
    assert mech.cut_hinges().energy(*mech.cut_state(q, v)) == pytest.approx(mech.energy(q, v), rel=1e-12, abs=1e-12)


@for_all
def test_loop_forces_make_it_accelerate_as_it_did(make, arguments):
    mech = make(*arguments)
    cut = mech.cut_hinges()
    q, v, _ = random_state(mech, 7)
    tau = np.random.default_rng(7).standard_normal(mech.nu)
    assert cut.motor_names == mech.motor_names
    a = mech.forward_dynamics(q, v, mech.input_map() @ tau)
    A, _ = constrained(cut, *mech.cut_state(q, v), tau)
    np.testing.assert_allclose(A, cut_acceleration(mech, q, v, a), rtol=1e-8, atol=1e-8)


def test_geared_motors_with_rotors_and_dampers_between_hinges_are_kept():
    tree = random_tree(3, joints=6, kinds=("revolute",), extras=False)
    gear = {"joint_1": 1.0, "joint_4": -3.0, "joint_5": 0.5}
    motors = (ss.Motor(name="cable", joints=gear, rotor_inertia=0.2), ss.Motor(name="own", joints="joint_0", rotor_inertia=0.1))
    dampers = (ss.Spring(name="oil", joints={"joint_2": 1.0, "joint_3": 2.0}, damping=0.4),)
    mech = ss.Mechanism(replace(tree, motors=motors, springs=dampers))
    q, v, _ = random_state(mech, 1)
    tau = np.array([2.0, -3.0])
    a = mech.forward_dynamics(q, v, mech.input_map() @ tau)
    cut = mech.cut_hinges()
    Q, V = mech.cut_state(q, v)
    np.testing.assert_allclose(constrained(cut, Q, V, tau)[0], cut_acceleration(mech, q, v, a), rtol=1e-8, atol=1e-8)
    assert cut.energy(Q, V) == pytest.approx(mech.energy(q, v), rel=1e-12)


@pytest.mark.parametrize("plane", ["xz", None])
def test_motors_and_dampers_of_sliders_on_the_world_are_kept(plane):
    b = ss.MechanismBuilder(plane=plane)
    axis = (1.0, 0.0, 0.5) if plane else (1.0, -2.0, 0.5)
    inertia = 0.3 if plane else (0.3, 0.4, 0.5)
    b.body("cart", mass=2.0, inertia=inertia)
    b.prismatic("rail", child="cart", axis=axis, damping=0.7)
    b.body("pole", mass=1.0, centre=(0.0, 0.0, 0.5), inertia=inertia)
    b.revolute("hinge", parent="cart", child="pole", axis=(0, -1, 0), damping=0.2)
    mech = ss.Mechanism(b)
    q, v, tau = [0.3, 0.4], np.array([1.0, -2.0]), np.array([3.0, -1.0])
    a = mech.forward_dynamics(q, v, tau)
    A, _ = constrained(mech.cut_hinges(), *mech.cut_state(q, v), tau)
    np.testing.assert_allclose(A, cut_acceleration(mech, q, v, a), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("plane", ["xz", None])
def test_every_hinge_of_a_chain_at_rest_carries_what_hangs_from_it(plane):
    n, mass = 4, 1.5
    b = ss.MechanismBuilder(plane=plane)
    for k in range(n):
        b.body(f"rod_{k}", mass=mass, centre=(0, 0, -0.5), inertia=0.1 if plane else (0.1, 0.1, 0.1))
        parent, at = ("world", (0, 0, 0)) if k == 0 else (f"rod_{k - 1}", (0, 0, -1))
        b.revolute(f"hinge_{k}", parent=parent, child=f"rod_{k}", axis=(0, -1, 0), at=at)
    cut = ss.Mechanism(b).cut_hinges()
    a, force = constrained(cut, cut.neutral(), np.zeros(cut.nv), np.zeros(n))
    assert a == pytest.approx(np.zeros(cut.nv), abs=1e-12)
    rows = 2 if plane else 5
    for k in range(n):
        assert force[k * rows : k * rows + rows] == pytest.approx(
            np.eye(rows)[1 if plane else 2] * (n - k) * mass * 9.81, abs=1e-12
        )


def test_a_closed_chain_stays_closed():
    """A loop that was there is one of the cut mechanism's, and together they leave the same motion."""
    b = ss.MechanismBuilder(plane="xz")
    for name, length in (("crank", 1.0), ("coupler", 2.0), ("rocker", 2.0)):
        b.body(name, mass=length, centre=(length / 2, 0.1), inertia=length**3 / 12)
    b.revolute("a", child="crank")
    b.revolute("b", parent="crank", child="coupler", at=(1.0, 0))
    b.revolute("d", child="rocker", at=(2.0, 0))
    b.close_hinge("c", first="coupler", second="rocker", first_point=(2.0, 0), second_point=(2.0, 0))
    mech = ss.Mechanism(b)
    q = mech.configuration(a=np.pi / 2, b=0.2, d=2.0)
    for _ in range(20):  # Newton's method, to a position in which it is closed
        q = q - np.linalg.pinv(mech.loop_jacobian(q)) @ mech.loop_residual(q)
    v, tau = np.linalg.svd(mech.loop_jacobian(q))[2][2], np.array([1.0, 2.0, -3.0])
    a, force = constrained(mech, q, v, tau)
    cut = mech.cut_hinges()
    Q, V = mech.cut_state(q, v)
    assert cut.loop_rows == cut.nv - 1
    assert np.abs(cut.loop_residual(Q)).max() < 1e-12
    assert np.linalg.matrix_rank(cut.loop_jacobian(Q)) == cut.loop_rows
    A, forces = constrained(cut, Q, V, tau)
    np.testing.assert_allclose(A, cut_acceleration(mech, q, v, a), rtol=1e-8, atol=1e-8)
    assert forces[:2] == pytest.approx(force)  # of the loop that was there: the same force


@pytest.mark.parametrize("planar", [True, False])
def test_a_contact_pushes_as_hard_on_cut_links(planar):
    """Two links whose tip slides along a floor: the contact problem of an instant, with loops among its rows."""
    b = ss.MechanismBuilder(plane="xz" if planar else None)
    for k, name in enumerate(("upper", "lower")):
        shapes = [(ss.Disc if planar else ss.Sphere)(radius=0.1, centre=(1.0, 0.0, 0.0))]
        b.body(name, mass=1.0 + k, centre=(0.5, 0.0, 0.0), inertia=0.1 if planar else (0.1, 0.1, 0.1), shapes=shapes)
    b.revolute("shoulder", child="upper", axis=(0, -1, 0), at=(0, 0, 1.5), damping=0.1)
    b.revolute("elbow", parent="upper", child="lower", axis=(0, -1, 0), at=(1.0, 0, 0))
    mech = ss.Mechanism(b)
    cut = mech.cut_hinges()
    fall = -np.pi / 4
    rest = np.arcsin(0.1 - 1.5 - np.sin(fall)) - fall  # the tip's centre 0.1 m above the floor
    q = np.array([fall, rest])
    J = mech.point_jacobian(q, "lower", (1.0, 0.0, 0.0))
    v = np.linalg.svd(J[2:])[2][1]  # along the floor
    solved = []
    for mechanism, state in ((mech, (q, v)), (cut, mech.cut_state(q, v))):
        world = ss.World(mechanism, obstacles=[ss.HalfSpace(normal=(0, 0, 1), name="floor")], material=ss.Material(0.3))
        solved.append(ss.contact_problem(world, *state).solve([0.5, -0.2]))
    whole, parts = solved
    assert whole.word == parts.word
    assert whole.word != "S"
    rows = 2 if planar else 3
    assert whole.force[0] > 1.0
    assert parts.force[:rows] == pytest.approx(whole.force[:rows], rel=1e-9)
    np.testing.assert_allclose(parts.acceleration, cut_acceleration(mech, q, v, whole.acceleration), rtol=1e-8, atol=1e-8)
