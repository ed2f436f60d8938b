"""Everything that MuJoCo computes, too, on random models read from MJCF: in its coordinates, joint by joint."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stickslip as ss
from mujoco_model import assert_same_motion, close, load, mass_matrix, random_position, state_of
from random_mjcf import random_mjcf

mujoco = pytest.importorskip("mujoco")


def both(text: str, folder: Path) -> tuple[ss.Mechanism, Any]:
    """A model as stickslip and as MuJoCo read it."""
    file = folder / "model.xml"
    file.write_text(text)
    return ss.Mechanism.from_mjcf(file), load(file)


@pytest.mark.parametrize("seed", range(100))
def test_random_model_agrees(seed: int, tmp_path: Path) -> None:
    mech, model = both(random_mjcf(seed, bodies=1 + seed % 12), tmp_path)
    assert mech.joint_names == [model.joint(index).name for index in range(model.njnt)]
    assert_same_motion(mech, model, seed)


def test_a_rotor_on_a_tendon_along_one_chain_agrees(tmp_path: Path) -> None:
    """Between branches MuJoCo's mass matrix has no room for what such a rotor couples; there the two must differ."""
    link = '<body pos="0 0 -1"><joint name="{}" axis="0 1 0"/><inertial mass="1" pos="0 0 -0.5" diaginertia="1 1 1"/>{}</body>'
    mech, model = both(
        f"""<mujoco><worldbody>{link.format("hip", link.format("knee", ""))}</worldbody>
        <tendon><fixed name="cable"><joint joint="hip" coef="2"/><joint joint="knee" coef="-3"/></fixed></tendon>
        <actuator><general tendon="cable" gear="4" gainprm="5" armature="0.2"/></actuator></mujoco>""",
        tmp_path,
    )
    q = np.array([0.3, 0.4])
    close(mech.mass_matrix(q), mass_matrix(model, state_of(model, q, np.zeros(2), np.zeros(1))))


CLOSED = """<mujoco><compiler angle="radian"/>
<worldbody>
  <body name="a" pos="0.1 0.2 0.3" quat="0.7 0.1 -0.5 0.2"><joint type="ball" pos="0 0.1 0"/>
    <inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
    <body name="b" pos="0.5 0 0" quat="0.2 0.8 0.1 0.3">
      <joint name="turn" ref="0.3"/><joint name="reach" type="slide" axis="1 2 0" ref="-0.2"/>
      <inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><site name="tip" pos="0.1 0.2 0.3" quat="0.5 0.5 0.1 -0.3"/>
    </body></body>
  <body name="c" pos="1 0 0"><freejoint name="float"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
    <site name="hook" pos="0.4 -0.2 0.3" quat="0.9 0.1 0.3 -0.2"/></body>
</worldbody>
<tendon><fixed name="cable"><joint joint="turn" coef="2"/><joint joint="reach" coef="-1"/></fixed></tendon>
<equality>{}</equality></mujoco>"""

POINTS = {
    "connect": '<connect body1="b" body2="c" anchor="0.1 0.2 0.3"/>',
    "connect to the world": '<connect body1="b" anchor="0.1 0.2 0.3"/>',
    "connect sites": '<connect site1="hook" site2="tip"/>',
    "weld": '<weld body1="c" body2="b" anchor="0.1 0.2 0.3"/>',
    "weld with a pose": '<weld body1="c" body2="b" anchor="0.1 0.2 0.3" relpose="0.3 0.2 0.1 0.5 0.5 -0.1 0.2"/>',
    "weld sites": '<weld site1="hook" site2="tip"/>',
}
COUPLINGS = {
    "joints": '<joint joint1="turn" joint2="reach" polycoef="0.1 -3 0 0 0"/>',
    "one joint": '<joint joint1="turn" polycoef="0.1 0 0 0 0"/>',
    "tendons": '<tendon tendon1="cable" polycoef="0.1 0 0 0 0"/>',
}


def constrained(equality: str, folder: Path) -> tuple[ss.Mechanism, Any, np.ndarray, Any]:
    with pytest.warns(ss.MjcfWarning, match="left out, as no part of a mechanism: sites"):
        mech, model = both(CLOSED.format(equality), folder)
    rng = np.random.default_rng(1)
    q = random_position(model, rng)
    return mech, model, q, state_of(model, q, rng.standard_normal(model.nv), np.zeros(0))


def rows_of(model: Any, data: Any) -> np.ndarray:
    assert not mujoco.mj_isSparse(model)
    return np.asarray(data.efc_J).reshape(data.nefc, model.nv)


@pytest.mark.parametrize("equality", POINTS.values(), ids=POINTS)
def test_points_that_stay_together_are_apart_by_as_much(equality: str, tmp_path: Path) -> None:
    mech, model, q, data = constrained(equality, tmp_path)
    close(mech.loop_residual(q)[:3], -data.efc_pos[:3])
    close(mech.loop_jacobian(q)[:3], -rows_of(model, data)[:3])


@pytest.mark.parametrize("equality", [text for text in POINTS.values() if "<weld" in text])
def test_welded_bodies_have_the_same_motions_left(equality: str, tmp_path: Path) -> None:
    """MuJoCo measures turning otherwise, so that the two agree only where the weld holds."""
    mech, model, q, _ = constrained(equality, tmp_path)
    (weld,) = mech.description.loops
    R, p = mech.body_pose(q, weld.second)
    turn = R @ np.array(weld.rotation).T
    place = p + R @ weld.second_point - turn @ weld.first_point
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, turn.ravel())
    q[mech.coordinates("float")[0]] = [*place, *quaternion]

    data = state_of(model, q, np.zeros(model.nv), np.zeros(0))
    np.testing.assert_allclose(mech.loop_residual(q), 0, rtol=0, atol=1e-12)
    np.testing.assert_allclose(data.efc_pos, 0, rtol=0, atol=1e-12)
    ours, theirs = mech.loop_jacobian(q), rows_of(model, data)
    assert np.linalg.matrix_rank(ours, 1e-9) == 6
    assert np.linalg.matrix_rank(np.vstack([ours, theirs]), 1e-9) == 6


@pytest.mark.parametrize("equality", COUPLINGS.values(), ids=COUPLINGS)
def test_coupled_joints_are_off_by_as_much(equality: str, tmp_path: Path) -> None:
    mech, model, q, data = constrained(equality, tmp_path)
    close(mech.loop_residual(q), data.efc_pos)
    close(mech.loop_jacobian(q), rows_of(model, data))
