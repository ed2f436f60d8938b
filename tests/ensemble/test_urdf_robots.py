"""The robots of example-robot-data: read by us and by Pinocchio's own parser they move alike, or it is said why not."""

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import stickslip as ss
from pinocchio_model import PinocchioModel
from random_trees import random_state
from robot_files import urdf_files

pytestmark = [
    pytest.mark.verify,
    pytest.mark.filterwarnings(
        "ignore:.*with neither lower nor upper:stickslip.mechanism.UrdfWarning"
    ),  # centauro and quadruped
]

TRIANGLE = "breaks the triangle inequality"
REFUSED = {  # each for a fault of the file
    "alex_psyonic_hands": TRIANGLE,
    "allegro_left_hand": TRIANGLE,
    "allegro_right_hand": TRIANGLE,
    "anymal": TRIANGLE,  # a placeholder with all six entries of its inertia alike, as in the next five
    "anymal-kinova": TRIANGLE,
    "b1": TRIANGLE,
    "b1-z1": TRIANGLE,
    "go1": TRIANGLE,
    "hyq_no_sensors": TRIANGLE,
    "pr2": TRIANGLE,
    "romeo_laas_small": TRIANGLE,
    "romeo_small": TRIANGLE,
    "bolt": "has an inertia but no mass",
    "romeo": "neither it nor anything that it carries has mass",
    "tiago": "negative principal moment",
    "tiago_dual": "negative principal moment",
    "tiago_no_hand": "negative principal moment",
    "ur3": "describes no links",
}
MORE_FAULTS = {"alex_psyonic_hands", "romeo", "romeo_laas_small", "ur3"}  # faults besides an impossible inertia
ROOTED_IN_THE_WORLD = {"TwoDofs", "xarm7", "z1", "ur3_gripper", "ur5_gripper"} | {
    f"ur{size}{joints}_robot" for size in (3, 5, 10) for joints in ("", "_joint_limited")
}
ACCEPTED = [path for path in urdf_files() if path.stem not in REFUSED]


def name_of(path: Path) -> str:
    return path.stem


class ParsedPinocchioModel(PinocchioModel):
    """Pinocchio's own reading of a URDF, with our names mapped onto its joints and frames."""

    def __init__(self, path: Path, description: ss.MechanismDescription, *, floating: bool) -> None:
        self.description = description
        self.model = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if floating else []))
        self.model.gravity.linear = np.array(description.gravity)
        self.data = self.model.createData()
        self.joint_of, self.offset_of = {"world": 0}, {"world": pin.SE3.Identity()}
        for body in description.bodies:
            frame = self.model.frames[self.model.getFrameId(body.name, pin.FrameType.BODY)]
            self.joint_of[body.name], self.offset_of[body.name] = frame.parentJoint, frame.placement
        self.damping = [np.full(joint.kind.nv, joint.damping) for joint in description.moving_joints]


def close(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Equal to 1e-9 of the largest entry."""
    assert np.abs(ours - theirs).max(initial=0.0) <= 1e-9 * np.abs(theirs).max(initial=1e-300)


@pytest.mark.parametrize("path", ACCEPTED, ids=name_of)
def test_a_welded_robot_moves_as_in_pinocchio(path: Path) -> None:
    moves_as_in_pinocchio(path, floating=False)


@pytest.mark.parametrize("path", [path for path in ACCEPTED if path.stem not in ROOTED_IN_THE_WORLD], ids=name_of)
def test_a_floating_robot_moves_as_in_pinocchio(path: Path) -> None:
    moves_as_in_pinocchio(path, floating=True)


def moves_as_in_pinocchio(path: Path, *, floating: bool) -> None:
    mech = ss.Mechanism.from_urdf(path, floating=floating)
    peer = ParsedPinocchioModel(path, mech.description, floating=floating)
    assert mech.nv == peer.model.nv
    assert {joint.name for joint in mech.description.moving_joints} == set(peer.model.names[1:])
    q, v, force = random_state(mech, 1)
    M = peer.mass_matrix(q, v)
    close(mech.mass_matrix(q), M)
    close(mech.bias(q, v), peer.inverse_dynamics(q, v, np.zeros(mech.nv)))
    close(mech.inverse_dynamics(q, v, force), peer.inverse_dynamics(q, v, force))
    close(mech.forward_dynamics(q, v, force), peer.forward_dynamics(q, v, force))
    rng = np.random.default_rng(0)
    points = [(str(body), rng.standard_normal(3)) for body in rng.choice(mech.body_names, 4)]
    J = np.vstack([peer.point_jacobian(q, v, body, point) for body, point in points])
    close(np.vstack([mech.point_jacobian(q, body, point) for body, point in points]), J)
    close(mech.delassus(q, points), J @ np.linalg.solve(M, J.T))


def test_arms_quadrupeds_and_humanoids_are_among_them() -> None:
    assert {"panda", "ur5_robot", "solo12", "talos_full_v2", "icub"} <= {path.stem for path in ACCEPTED}
    assert len(ACCEPTED) >= 50


@pytest.mark.parametrize("path", [path for path in urdf_files() if path.stem in REFUSED.keys() - MORE_FAULTS], ids=name_of)
def test_impossible_inertias_can_be_repaired_on_demand(path: Path) -> None:
    with pytest.warns(ss.InertiaWarning, match="the nearest possible one is used"):
        mech = ss.Mechanism.from_urdf(path, collision=False, repair_inertia=True)
    q, v, force = random_state(mech, 1)
    close(mech.inverse_dynamics(q, v, mech.forward_dynamics(q, v, force)), force)


@pytest.mark.parametrize("path", [path for path in urdf_files() if path.stem in REFUSED], ids=name_of)
def test_a_faulty_file_is_refused_with_its_reason(path: Path) -> None:
    with pytest.raises(ss.UrdfError, match=REFUSED[path.stem]):
        ss.Mechanism.from_urdf(path, collision=False)
