"""The models of gymnasium and of dm_control's suite: they move as in MuJoCo, or it is said why they do not load."""

from pathlib import Path

import pytest

import stickslip as ss
from mujoco_model import assert_same_motion, load
from robot_files import mjcf_files

pytestmark = [pytest.mark.verify, pytest.mark.filterwarnings("ignore::stickslip.MjcfWarning")]

REFUSED = {
    "gymnasium/swimmer": "moves in a fluid",
    "dm_control/swimmer": "moves in a fluid",
    "dm_control/fish": "moves in a fluid",
    "dm_control/ball_in_cup": "tendon 'string' has a limit on its length",
    "dm_control/lqr": "at least one body",  # its bodies are made by a program
}


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", [path for path in mjcf_files() if name_of(path) not in REFUSED], ids=name_of)
def test_a_robot_moves_as_in_mujoco(path: Path) -> None:
    mech, model = ss.Mechanism.from_mjcf(path), load(path)
    for seed in range(5):
        assert_same_motion(mech, model, seed)


@pytest.mark.parametrize("path", [path for path in mjcf_files() if name_of(path) in REFUSED], ids=name_of)
def test_what_cannot_move_as_in_mujoco_is_refused(path: Path) -> None:
    with pytest.raises(ss.MjcfError, match=REFUSED[name_of(path)]):
        ss.Mechanism.from_mjcf(path)
