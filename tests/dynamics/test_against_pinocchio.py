"""Everything that Pinocchio computes, too, on three hundred random trees."""

import numpy as np
import pytest

import stickslip as ss
from pinocchio_model import PinocchioModel
from random_trees import random_state, random_tree

TREES = 300


def close(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Equal to 1e-9 of the largest entry."""
    scale = max(np.abs(theirs).max(initial=0.0), 1e-300)
    assert np.abs(ours - theirs).max(initial=0.0) <= 1e-9 * scale


def tree(seed: int) -> ss.MechanismDescription:
    rng = np.random.default_rng(10_000 + seed)
    return random_tree(seed, joints=int(rng.integers(1, 61)), floating=seed % 3 == 0, branching=rng.uniform(0, 0.8))


@pytest.mark.parametrize("seed", range(TREES))
def test_random_tree_agrees(seed: int) -> None:
    description = tree(seed)
    mech, peer = ss.Mechanism(description), PinocchioModel(description)
    q, v, force = random_state(mech, seed)

    M = mech.mass_matrix(q)
    close(M, peer.mass_matrix(q, v))
    close(mech.bias(q, v), peer.inverse_dynamics(q, v, np.zeros(mech.nv)))
    close(mech.inverse_dynamics(q, v, force), peer.inverse_dynamics(q, v, force))
    close(mech.forward_dynamics(q, v, force), peer.forward_dynamics(q, v, force))

    rng = np.random.default_rng(seed)
    points = [(str(body), rng.standard_normal(3)) for body in rng.choice(mech.body_names, 4)]
    J = np.vstack([peer.point_jacobian(q, v, body, point) for body, point in points])
    for k, (body, point) in enumerate(points):
        close(mech.point_jacobian(q, body, point), J[3 * k : 3 * k + 3])
        for ours, theirs in zip(mech.body_pose(q, body), peer.pose(q, body), strict=True):
            close(ours, theirs)
    close(mech.delassus(q, points), J @ np.linalg.solve(peer.mass_matrix(q, v), J.T))


def test_the_ensemble_has_every_kind_of_joint_and_both_kinds_of_base() -> None:
    joints = [joint for seed in range(TREES) for joint in tree(seed).joints]
    assert {joint.kind for joint in joints} == set(ss.JointKind)
    sizes = [len(tree(seed).moving_joints) for seed in range(TREES)]
    assert min(sizes) <= 2
    assert max(sizes) >= 59
