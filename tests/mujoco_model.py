"""A model as MuJoCo reads and computes it, to compare a mechanism with."""

import os
from pathlib import Path

import numpy as np
import pytest

import stickslip as ss

mujoco = pytest.importorskip("mujoco")


def close(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Equal to 1e-9 of the largest entry."""
    scale = max(np.abs(theirs).max(initial=0.0), 1e-300)
    assert np.abs(ours - theirs).max(initial=0.0) <= 1e-9 * scale


def load(file: Path) -> "mujoco.MjModel":
    """The model without what acts only at times: contacts, limits of joints, and clamps on inputs and forces."""
    handler = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda remark: None)  # or MuJoCo writes a file into the working directory
    model = mujoco.MjModel.from_xml_path(os.fspath(file))
    mujoco.set_mju_user_warning(handler)
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT) | int(mujoco.mjtDisableBit.mjDSBL_LIMIT)
    for field in ("actuator_ctrllimited", "actuator_actlimited", "actuator_forcelimited", "jnt_actfrclimited"):
        getattr(model, field)[:] = False
    return model


def random_position(model: "mujoco.MjModel", rng: np.random.Generator) -> np.ndarray:
    """A position some way off the one in which the file draws the model."""
    q = model.qpos0.copy()
    mujoco.mj_integratePos(model, q, rng.standard_normal(model.nv), 1.0)
    return q


def state_of(model: "mujoco.MjModel", q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> "mujoco.MjData":
    """All that MuJoCo computes there; tau are the activations of actuators that have one, else the controls."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.ctrl[:] = q, v, tau
    active = model.actuator_actadr >= 0
    data.act[model.actuator_actadr[active]] = tau[active]
    mujoco.mj_forward(model, data)
    return data


def mass_matrix(model: "mujoco.MjModel", data: "mujoco.MjData") -> np.ndarray:
    """M (nv, nv)."""
    M = np.zeros((model.nv, model.nv))
    if model.nv:
        mujoco.mj_fullM(model, data, M)
    return M


def assert_same_motion(mech: ss.Mechanism, model: "mujoco.MjModel", seed: int) -> None:
    """Coordinates, poses, Jacobians, mass matrix, bias, inputs and accelerations agree in a random state."""
    rng = np.random.default_rng(seed)
    assert (mech.nq, mech.nv, mech.nu) == (model.nq, model.nv, model.nu)
    close(mech.neutral(), model.qpos0)
    q, v, tau = random_position(model, rng), rng.standard_normal(model.nv), rng.standard_normal(model.nu)
    _assert_same_manifold(mech, model, q, v)
    data = state_of(model, q, v, tau)
    close(mech.mass_matrix(q), mass_matrix(model, data))
    B = mech.input_map()
    close(mech.bias(q, v) - B @ tau, data.qfrc_bias - data.qfrc_passive - data.qfrc_actuator)
    close(B @ tau, data.qfrc_actuator - state_of(model, q, v, 0 * tau).qfrc_actuator)
    close(mech.forward_dynamics(q, v, B @ tau), data.qacc_smooth)
    _assert_same_places(mech, model, data, rng)


def _assert_same_manifold(mech: ss.Mechanism, model: "mujoco.MjModel", q: np.ndarray, dv: np.ndarray) -> None:
    moved, difference = q.copy(), np.zeros(model.nv)
    mujoco.mj_integratePos(model, moved, dv, 1.0)
    close(mech.integrate(q, dv), moved)
    mujoco.mj_differentiatePos(model, difference, 1.0, q, moved)
    close(mech.difference(q, moved), difference)


def _assert_same_places(mech: ss.Mechanism, model: "mujoco.MjModel", data: "mujoco.MjData", rng: np.random.Generator) -> None:
    J, R = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    for body in range(1, model.nbody):
        name, point = model.body(body).name or f"body_{body}", rng.standard_normal(3)
        rotation, position = mech.body_pose(data.qpos, name)
        close(rotation, data.xmat[body].reshape(3, 3))
        close(position, data.xpos[body])
        if model.nv:
            mujoco.mj_jac(model, data, J, R, position + rotation @ point, body)
        close(mech.point_jacobian(data.qpos, name, point), J)
        close(mech.angular_jacobian(data.qpos, name), R)
