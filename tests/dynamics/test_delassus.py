"""The Delassus matrix against J M^-1 J^T formed densely, and its structure."""

import numpy as np
import pinocchio as pin
import pytest

import stickslip as ss
from pinocchio_model import PinocchioModel
from random_trees import chain, random_state, random_tree


def dense(mech: ss.Mechanism, q: np.ndarray, points) -> np.ndarray:
    J = np.vstack([mech.point_jacobian(q, body, point) for body, point in points])
    return J @ np.linalg.solve(mech.mass_matrix(q), J.T)


@pytest.mark.parametrize("seed", range(30))
def test_many_points_anywhere_on_a_tree(seed):
    """Points share links, sit above each other, on branches that meet, and on the world."""
    mech = ss.Mechanism(random_tree(seed, joints=15, floating=seed % 2 == 0, branching=0.6))
    q, _, _ = random_state(mech, seed)
    rng = np.random.default_rng(seed)
    points = [(str(body), rng.standard_normal(3)) for body in rng.choice(mech.body_names, 10)]
    G, expected = mech.delassus(q, points), dense(mech, q, points)
    np.testing.assert_allclose(G, expected, rtol=0, atol=1e-10 * np.abs(expected).max())
    assert np.array_equal(G, G.T)
    assert np.linalg.eigvalsh(G).min() > -1e-10 * np.abs(G).max()


def test_separate_trees_do_not_feel_each_other():
    b = ss.MechanismBuilder()
    for name in ("left", "right"):
        b.body(name, mass=1.0, inertia=(0.1, 0.1, 0.1))
        b.free(f"{name}_root", child=name)
    mech = ss.Mechanism(b)
    G = mech.delassus(mech.neutral(), [("left", (1, 0, 0)), ("right", (1, 0, 0))])
    assert not G[:3, 3:].any()
    assert G[:3, :3] == pytest.approx(np.diag([1, 1 + 10, 1 + 10]))


def test_no_points_make_an_empty_matrix():
    mech = chain(2)
    assert mech.delassus(mech.neutral(), []).shape == (0, 0)


def in_pinocchio(mech: ss.Mechanism, q: np.ndarray, points) -> np.ndarray:
    """Pinocchio's own recursion for the same matrix, turned from the bodies' axes into the world's."""
    peer = PinocchioModel(mech.description)
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    turns = np.zeros((3 * len(points), 3 * len(points)))
    for k, (body, point) in enumerate(points):
        place = peer.offset_of[body] * pin.SE3(np.eye(3), np.array(point, dtype=float))
        frame = pin.ReferenceFrame.LOCAL
        models.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, peer.model, peer.joint_of[body], place, frame))
        datas.append(models[-1].createData())
        turns[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = mech.body_pose(q, body)[0]
    return turns @ pin.computeDelassusMatrix(peer.model, peer.data, peer.q(q), models, datas) @ turns.T


def test_a_long_chain_agrees_with_pinocchios_recursion():
    """Links by the hundred, where a dense mass matrix has lost the digits."""
    mech = chain(300, seed=4, length=0.1)
    q = 0.3 * np.random.default_rng(0).standard_normal(300)
    points = [(f"rod_{k}", (0, 0, -0.1)) for k in (10, 150, 151, 299)]
    expected = in_pinocchio(mech, q, points)
    np.testing.assert_allclose(mech.delassus(q, points), expected, rtol=0, atol=1e-10 * np.abs(expected).max())
