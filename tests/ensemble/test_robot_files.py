"""The robots that the other tests of this folder load are all there."""

from xml.etree import ElementTree

import pytest

from robot_files import ROBOTS, mjcf_files, urdf_files

pytestmark = pytest.mark.verify


def test_every_package_left_its_robots():
    assert ROBOTS.is_dir(), f"{ROBOTS} is missing: run `make robots`."
    assert len(urdf_files()) == 69
    assert len(mjcf_files()) == 33


@pytest.mark.parametrize("robot", ["ur5_robot", "panda", "solo12", "anymal", "talos_reduced", "simple_humanoid"])
def test_arms_quadrupeds_and_humanoids_are_among_them(robot):
    assert robot in {path.stem for path in urdf_files()}


@pytest.mark.parametrize("path", [*urdf_files(), *mjcf_files()], ids=lambda path: path.stem)
def test_files_are_well_formed(path):
    assert ElementTree.parse(path).getroot().tag in {"robot", "mujoco"}
