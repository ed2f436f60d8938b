"""The spatial operator identities of paper 2, section V, with dense matrices on small trees.

Everything here is NumPy on stacked 6n matrices: phi carries forces to the base, H picks the joints' axes, and the articulated
recursion gives P, D, K and psi. The kernels' results must come out of each identity.
"""

import numpy as np
import pytest

import stickslip as ss
from random_trees import SCALAR, random_state, random_tree


class Operators:
    """H, phi, spatial inertias and the articulated-body operators of a tree of scalar joints, about the world's origin."""

    def __init__(self, mech: ss.Mechanism, q: np.ndarray) -> None:
        joints = mech.description.moving_joints
        n = len(joints)
        index = {joint.child: k for k, joint in enumerate(joints)}
        parents = [index.get(joint.parent, -1) for joint in joints]
        self.H = np.zeros((n, 6 * n))
        self.inertia = np.zeros((6 * n, 6 * n))
        shift = np.zeros((6 * n, 6 * n))
        for k, joint in enumerate(joints):
            block = slice(6 * k, 6 * k + 6)
            self.H[k, block] = np.concatenate(
                [mech.angular_jacobian(q, joint.child)[:, k], velocity_at_origin(mech, q, joint.child)[:, k]]
            )
            self.inertia[block, block] = spatial_inertia(mech, q, joint.child)
            if parents[k] >= 0:
                shift[6 * parents[k] : 6 * parents[k] + 6, block] = np.eye(6)
        self.armature = np.array([joint.armature for joint in joints])
        identity = np.eye(6 * n)
        self.phi = np.linalg.inv(identity - shift)
        P, self.D, gains = self.inertia.copy(), np.zeros(n), np.zeros((6 * n, n))
        for k in reversed(range(n)):
            block = slice(6 * k, 6 * k + 6)
            U = P[block, block] @ self.H[k, block]
            self.D[k] = self.H[k, block] @ U + self.armature[k]
            gains[block, k] = U / self.D[k]
            if parents[k] >= 0:
                above = slice(6 * parents[k], 6 * parents[k] + 6)
                P[above, above] += P[block, block] - np.outer(U, U) / self.D[k]
        self.K = shift @ gains
        self.psi = np.linalg.inv(identity - shift @ (identity - gains @ self.H))


def velocity_at_origin(mech: ss.Mechanism, q: np.ndarray, body: str) -> np.ndarray:
    """Velocity, per unit of each rate, of the body's point at the world's origin."""
    R, p = mech.body_pose(q, body)
    return mech.point_jacobian(q, body, R.T @ -p)


def spatial_inertia(mech: ss.Mechanism, q: np.ndarray, name: str) -> np.ndarray:
    body = mech.description.body(name)
    R, p = mech.body_pose(q, name)
    c = p + R @ np.array(body.centre)
    skew = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    rotational = R @ np.array(body.inertia) @ R.T - body.mass * skew @ skew
    return np.block([[rotational, body.mass * skew], [-body.mass * skew, body.mass * np.eye(3)]])


def welded_free(seed: int) -> ss.MechanismDescription:
    """A tree without welded bodies: one body a joint, as in the paper."""
    while True:
        description = random_tree(seed, joints=int(np.random.default_rng(seed).integers(2, 9)), kinds=SCALAR)
        if len(description.bodies) == len(description.moving_joints):
            return description
        seed += 1000


@pytest.fixture(params=range(12))
def case(request):
    mech = ss.Mechanism(welded_free(request.param))
    q, _, _ = random_state(mech, request.param)
    return mech, q, Operators(mech, q)


def test_newton_euler_factorisation_is_the_mass_matrix(case):
    """M = H phi M phi* H* (42)"""
    mech, q, o = case
    dense = o.H @ o.phi @ o.inertia @ o.phi.T @ o.H.T + np.diag(o.armature)
    np.testing.assert_allclose(mech.mass_matrix(q), dense, rtol=1e-11, atol=1e-11 * np.abs(dense).max())


def test_square_factorisation_is_the_mass_matrix(case):
    """M = [I + H phi K] D [I + H phi K]* (42)"""
    mech, q, o = case
    factor = np.eye(len(o.D)) + o.H @ o.phi @ o.K
    dense = factor @ np.diag(o.D) @ factor.T
    np.testing.assert_allclose(mech.mass_matrix(q), dense, rtol=1e-11, atol=1e-11 * np.abs(dense).max())


def test_inverse_of_the_factor(case):
    """[I + H phi K]^-1 = I - H psi K (42)"""
    _, _, o = case
    one = np.eye(len(o.D))
    np.testing.assert_allclose((one + o.H @ o.phi @ o.K) @ (one - o.H @ o.psi @ o.K), one, rtol=0, atol=1e-11)


def test_inverse_of_the_mass_matrix(case):
    """M^-1 = [I - H psi K]* D^-1 [I - H psi K] (42): the articulated-body algorithm"""
    mech, q, o = case
    factor = np.eye(len(o.D)) - o.H @ o.psi @ o.K
    inverse = factor.T @ np.diag(1 / o.D) @ factor
    columns = [mech.forward_dynamics(q, np.zeros(mech.nv), e) for e in np.eye(mech.nv)]
    at_rest = mech.forward_dynamics(q, np.zeros(mech.nv), np.zeros(mech.nv))
    np.testing.assert_allclose(np.array(columns) - at_rest, inverse, rtol=1e-9, atol=1e-10 * np.abs(inverse).max())


def test_the_transition_identity(case):
    """(I - H psi K) H phi = H psi (47)"""
    _, _, o = case
    factor = np.eye(len(o.D)) - o.H @ o.psi @ o.K
    np.testing.assert_allclose(factor @ o.H @ o.phi, o.H @ o.psi, rtol=0, atol=1e-11 * np.abs(o.H @ o.psi).max())


def test_delassus_is_omega_picked_off(case):
    """Lambda = B* Omega B with Omega = psi* H* D^-1 H psi (48)"""
    mech, q, o = case
    joints = mech.description.moving_joints
    rng = np.random.default_rng(1)
    points = [(joints[k].child, rng.standard_normal(3)) for k in rng.integers(0, mech.nv, 4)]
    omega = o.psi.T @ o.H.T @ np.diag(1 / o.D) @ o.H @ o.psi
    B = np.zeros((6 * mech.nv, 12))
    for c, (body, point) in enumerate(points):
        k = next(k for k, joint in enumerate(joints) if joint.child == body)
        R, p = mech.body_pose(q, body)
        arm = p + R @ point
        for axis, e in enumerate(np.eye(3)):
            B[6 * k : 6 * k + 6, 3 * c + axis] = np.concatenate([np.cross(arm, e), e])
    dense = B.T @ omega @ B
    np.testing.assert_allclose(mech.delassus(q, points), dense, rtol=1e-9, atol=1e-11 * np.abs(dense).max())


def test_kernel_recursion_is_the_diagonal_of_omega(case):
    """Y(k) = T* Y(parent) T + H* D^-1 H (52) gives the diagonal blocks of Omega"""
    mech, _, o = case
    omega = o.psi.T @ o.H.T @ np.diag(1 / o.D) @ o.H @ o.psi
    joints = mech.description.moving_joints
    index = {joint.child: k for k, joint in enumerate(joints)}
    kernels = {}
    for k, joint in enumerate(joints):
        block = slice(6 * k, 6 * k + 6)
        Y = np.outer(o.H[k, block], o.H[k, block]) / o.D[k]
        if joint.parent in index:
            above = slice(6 * index[joint.parent], 6 * index[joint.parent] + 6)
            T = o.psi[above, block]
            Y = Y + T.T @ kernels[index[joint.parent]] @ T
        kernels[k] = Y
        np.testing.assert_allclose(Y, omega[block, block], rtol=0, atol=1e-10 * np.abs(omega).max())
