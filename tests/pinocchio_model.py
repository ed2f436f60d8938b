"""The same mechanism in Pinocchio, built from the description alone, and the maps between the two state layouts.

Pinocchio gives a free body's velocity in the body's axes where ours is in the world's, a planar joint's likewise, and writes
quaternions xyzw: v_pin = T(q) v, so that M = T^T M_pin T and so on. Armature resists changes of v here and of v_pin there,
which differ by dT/dt v.
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin

import stickslip as ss
from stickslip import JointKind


def frame_of_axis(joint: ss.Joint) -> np.ndarray:
    """A frame whose z is the joint's axis, and whose x is a planar joint's x."""
    z = np.array(joint.axis)
    v, c = np.cross([0, 0, 1], z), z[2]
    skew = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + skew + skew @ skew / (1 + c)


class PinocchioModel:
    def __init__(self, description: ss.MechanismDescription) -> None:
        self.description = description
        self.model = pin.Model()
        self.model.gravity.linear = np.array(description.gravity)
        self.joint_of: dict[str, int] = {"world": 0}
        self.offset_of = {"world": pin.SE3.Identity()}
        self.armature, self.damping = [], []
        for joint in description.joints:
            self._add(joint, description.body(joint.child))
        self.model.armature = np.concatenate([np.zeros(0), *self.armature])
        self.data = self.model.createData()

    def _add(self, joint: ss.Joint, body: ss.Body) -> None:
        at = self.offset_of[joint.parent] * pin.SE3(np.array(joint.rotation), np.array(joint.at))
        parent = self.joint_of[joint.parent]
        child = pin.SE3(np.eye(3), -np.array(joint.anchor))
        if joint.kind is JointKind.FIXED:
            self.joint_of[joint.child], self.offset_of[joint.child] = parent, at * child
        else:
            turn = pin.SE3.Identity()
            if joint.kind is JointKind.PLANAR:
                turn = pin.SE3(frame_of_axis(joint), np.zeros(3))
            index = self.model.addJoint(parent, joint_model(joint), at * turn, joint.name)
            self.joint_of[joint.child], self.offset_of[joint.child] = index, turn.inverse() * child
            self.armature.append(np.full(joint.kind.nv, joint.armature))
            self.damping.append(np.full(joint.kind.nv, joint.damping))
        if body.mass > 0:
            inertia = pin.Inertia(body.mass, np.array(body.centre), np.array(body.inertia))
            self.model.appendBodyToJoint(self.joint_of[body.name], inertia, self.offset_of[body.name])

    def moving(self) -> list[tuple[ss.Joint, int, int]]:
        """Each moving joint with where its coordinates begin in our q and v."""
        listed, nq, nv = [], 0, 0
        for joint in self.description.moving_joints:
            listed.append((joint, nq, nv))
            nq, nv = nq + joint.kind.nq, nv + joint.kind.nv
        return listed

    def q(self, ours: np.ndarray) -> np.ndarray:
        theirs = pin.neutral(self.model)
        for joint, i, _ in self.moving():
            at = self.model.joints[self.joint_of[joint.child]].idx_q
            x = ours[i : i + joint.kind.nq]
            if joint.kind in (JointKind.BALL, JointKind.FREE):
                x = np.concatenate([x[:-4], x[-3:], [x[-4]]])
            if joint.kind is JointKind.PLANAR:
                x = np.array([x[0], x[1], np.cos(x[2]), np.sin(x[2])])
            if joint.kind.nq == 1 and self.model.joints[self.joint_of[joint.child]].nq == 2:  # its parser's continuous joints
                x = np.array([np.cos(x[0]), np.sin(x[0])])
            theirs[at : at + len(x)] = x
        return theirs

    def maps(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """T with v_pin = T v, and dT/dt v."""
        nv = len(v)
        T, change = np.zeros((nv, nv)), np.zeros(nv)
        for joint, i, j in self.moving():
            k = self.model.joints[self.joint_of[joint.child]].idx_v
            T[k : k + joint.kind.nv, j : j + joint.kind.nv] = np.eye(joint.kind.nv)
            if joint.kind is JointKind.FREE:
                w, x, y, z = q[i + 3 : i + 7]
                R = pin.Quaternion(w, x, y, z).matrix()
                T[k : k + 3, j : j + 3] = R.T
                change[k : k + 3] = -np.cross(v[j + 3 : j + 6], R.T @ v[j : j + 3])
            if joint.kind is JointKind.PLANAR:
                c, s = np.cos(q[i + 2]), np.sin(q[i + 2])
                T[k : k + 2, j : j + 2] = [[c, s], [-s, c]]
                change[k : k + 2] = v[j + 2] * np.array([[-s, c], [-c, -s]]) @ v[j : j + 2]
        return T, change

    def dissipation(self, v: np.ndarray) -> np.ndarray:
        return np.concatenate([np.zeros(0), *self.damping]) * v

    def mass_matrix(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        T, _ = self.maps(q, v)
        upper = pin.crba(self.model, self.data, self.q(q))
        upper = np.triu(upper)
        return T.T @ (upper + np.triu(upper, 1).T) @ T

    def inverse_dynamics(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        T, change = self.maps(q, v)
        a_pin = T @ a + change
        force = pin.rnea(self.model, self.data, self.q(q), T @ v, a_pin)
        return T.T @ (force - self.model.armature * change) + self.dissipation(v)

    def forward_dynamics(self, q: np.ndarray, v: np.ndarray, force: np.ndarray) -> np.ndarray:
        T, change = self.maps(q, v)
        applied = np.linalg.solve(T.T, force - self.dissipation(v)) + self.model.armature * change
        return np.linalg.solve(T, pin.aba(self.model, self.data, self.q(q), T @ v, applied) - change)

    def point_jacobian(self, q: np.ndarray, v: np.ndarray, body: str, point: np.ndarray) -> np.ndarray:
        T, _ = self.maps(q, v)
        joint = self.joint_of[body]
        if joint == 0:
            return np.zeros((3, self.model.nv))
        pin.computeJointJacobians(self.model, self.data, self.q(q))
        J = pin.getJointJacobian(self.model, self.data, joint, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        arm = self.data.oMi[joint].rotation @ (self.offset_of[body] * point)
        return (J[:3] - pin.skew(arm) @ J[3:]) @ T

    def pose(self, q: np.ndarray, body: str) -> tuple[np.ndarray, np.ndarray]:
        pin.forwardKinematics(self.model, self.data, self.q(q))
        placement = self.data.oMi[self.joint_of[body]] * self.offset_of[body]
        return placement.rotation, placement.translation


def joint_model(joint: ss.Joint) -> pin.JointModel:
    axis = np.array(joint.axis)
    if joint.kind in (JointKind.REVOLUTE, JointKind.CONTINUOUS):
        return pin.JointModelRevoluteUnaligned(axis)
    if joint.kind is JointKind.PRISMATIC:
        return pin.JointModelPrismaticUnaligned(axis)
    return {
        JointKind.BALL: pin.JointModelSpherical,
        JointKind.FREE: pin.JointModelFreeFlyer,
        JointKind.PLANAR: pin.JointModelPlanar,
    }[joint.kind]()
