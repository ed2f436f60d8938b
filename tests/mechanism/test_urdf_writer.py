"""Writing URDF: what was read or built comes back to the last digits, and what cannot be said is refused by name."""

import dataclasses
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickslip.mechanism import (
    PD,
    Box,
    Capsule,
    Cylinder,
    Disc,
    MechanismBuilder,
    MechanismDescription,
    Mesh,
    Sphere,
    UrdfError,
)
from stickslip.mechanism.numbers import Matrix3
from stickslip.mechanism.quaternion import quaternion_from_rotation, rotation_from_quaternion
from stickslip.mechanism.urdf import read_urdf
from stickslip.mechanism.urdf.rotation import rotation_from_rpy, rpy_from_rotation
from stickslip.mechanism.urdf.writer import to_urdf

QUARTER = rotation_from_rpy((0.3, -0.2, math.pi / 2))


@pytest.fixture
def back(tmp_path: Path):
    """The description as it is after writing and reading."""

    def back(description: MechanismDescription, **options: Any) -> MechanismDescription:
        path = tmp_path / "again.urdf"
        path.write_text(to_urdf(description), encoding="utf-8")
        return read_urdf(path, **options)

    return back


def assert_same(first: Any, second: Any) -> None:
    """Equal in all parts, numbers to a few units in the last place."""
    if dataclasses.is_dataclass(first):
        assert type(first) is type(second)
        for field in dataclasses.fields(first):
            assert_same(getattr(first, field.name, None), getattr(second, field.name, None))
    elif isinstance(first, tuple):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same(one, other)
    elif isinstance(first, float):
        assert first == second or abs(first - second) < 1e-15 * max(1.0, abs(first))
    else:
        assert first == second


def builder(**root: Any) -> MechanismBuilder:
    """A body called trunk with an arm on a hinge called shoulder."""
    b = MechanismBuilder(name='the "robot" <&> Grüße')
    b.body("trunk", mass=3.0, inertia=(0.1, 0.1, 0.1))
    b.body("arm", mass=1 / 3, centre=(0.1, 0.2, 0.3), inertia=((0.3, 0.01, 0), (0.01, 0.3, 0.02), (0, 0.02, 0.4)))
    b.revolute("shoulder", parent="trunk", child="arm", axis=(1, 2, 3), at=(0.1, 0, 1 / 7), rotation=QUARTER, **root)
    return b


def welded(**options: Any) -> MechanismBuilder:
    b = builder(**options)
    b.fixed("root_joint", child="trunk")
    return b


def test_a_welded_robot_comes_back(back) -> None:
    description = welded(limits=(-1, 2.5), damping=0.1, dry_friction=0.2).description()
    assert_same(back(description), description)


def test_a_floating_robot_comes_back_floating(back) -> None:
    b = builder()
    b.free("root_joint", child="trunk")
    assert_same(back(b.description(), floating=True), b.description())


def test_a_free_joint_of_another_name_hangs_from_a_link_called_world(back) -> None:
    b = builder()
    b.free("base", child="trunk", home=(1, 2, 3, *quaternion_from_rotation(QUARTER)), damping=0.5)
    assert '<link name="world"' in to_urdf(b.description())
    assert_same(back(b.description()), b.description())


def test_a_forest_hangs_from_the_world(back) -> None:
    b = welded()
    b.body("crate", mass=1, inertia=(1, 1, 1))
    b.free("crate_joint", child="crate")
    assert_same(back(b.description()), b.description())


def test_every_kind_of_joint_comes_back(back) -> None:
    b = welded(limits=(-math.inf, 1.0))
    b.motor("shoulder", limits=(-5, 5))
    for i, kind in enumerate(("continuous", "prismatic", "planar", "fixed")):
        b.body(f"part{i}", mass=1, inertia=(1, 1, 1))
        getattr(b, kind)(f"{kind}_joint", parent="arm", child=f"part{i}", at=(i, 0, 0), rotation=QUARTER)
    b.motor("continuous_joint")
    b.motor("prismatic_joint", limits=(-1e-7, 1e-7))
    b.couple({"prismatic_joint": 1.0, "shoulder": -0.1}, offset=0.7, name="prismatic_joint")
    assert_same(back(b.description()), b.description())


def test_shapes_come_back(back, tmp_path: Path) -> None:
    path = tmp_path / "a tetra.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0.1\n")
    scale = (0.1, -2.0, 1 / 3)
    corners = np.array([(0, 0, 0), (0, 0, 0.1), (0, 1, 0), (1, 0, 0)]) * scale
    shapes = [
        Box(size=(1, 2, 1 / 3), name="brick"),
        Sphere(radius=0.1, centre=(1, 2, 3)),
        Cylinder(radius=0.1, length=2, rotation=QUARTER),
        Mesh(vertices=corners, source=str(path), scale=scale, centre=(0, 1, 0)),
    ]
    b = MechanismBuilder()
    b.body("ground", shapes=shapes)
    b.fixed("root_joint", child="ground")
    assert_same(back(b.description()), b.description())


def test_massless_frames_and_their_centres_come_back(back) -> None:
    b = welded()
    b.body("tool", centre=(1, 0, 0))
    b.fixed("grip", parent="arm", child="tool")
    assert_same(back(b.description()), b.description())


def refused(b: MechanismBuilder, sentence: str) -> None:
    with pytest.raises(UrdfError, match=sentence) as refusal:
        to_urdf(b.description())
    assert "cannot be said in URDF: " in str(refusal.value)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"anchor": (0, 0, 1)}, "the anchor of joint 'shoulder'"),
        ({"armature": 0.1}, "the armature of joint 'shoulder'"),
        ({"gains": PD(kp=1)}, "the gains of joint 'shoulder'"),
        ({"home": (0.1,)}, "the home of joint 'shoulder'"),
    ],
)
def test_properties_of_joints_that_urdf_lacks_are_named(option: dict[str, Any], sentence: str) -> None:
    refused(welded(**option), sentence)


def test_a_ball_joint_is_named() -> None:
    b = builder()
    b.ball("socket", child="trunk")
    refused(b, "ball joint 'socket'")


@pytest.mark.parametrize("shape", [Capsule(radius=1, length=1), Disc(radius=1)])
def test_a_shape_that_urdf_lacks_is_named(shape: Any) -> None:
    b = MechanismBuilder()
    b.body("foot", shapes=shape)
    b.fixed("root_joint", child="foot")
    refused(b, f"the {type(shape).__name__} of body 'foot'")


def test_a_mesh_without_its_file_is_named(tmp_path: Path) -> None:
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    path = tmp_path / "changed.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\n")
    for source, sentence in (
        ("", "a mesh of body 'foot' .* it has no file"),
        (str(path), r"a mesh of body 'foot' .* not those of its file .*changed\.obj"),
        (str(tmp_path / "gone.obj"), r"a mesh of body 'foot' has lost its file: .*gone\.obj"),
    ):
        b = MechanismBuilder()
        b.body("foot", shapes=Mesh(vertices=corners, source=source))
        b.fixed("root_joint", child="foot")
        with pytest.raises(UrdfError, match=sentence):
            to_urdf(b.description())


def test_springs_loops_and_declared_masslessness_are_named() -> None:
    b = welded()
    b.spring("shoulder", stiffness=1, name="tendon")
    refused(b, "spring 'tendon'")
    b = welded()
    b.close_point("ring", first="world", second="arm", first_point=(0, 0, 0), second_point=(0, 0, 0))
    refused(b, "loop 'ring'")
    b = welded()
    b.body("leg", massless=True)
    b.revolute("knee", parent="arm", child="leg")
    refused(b, "body 'leg', declared massless,")


def test_gravity_and_planes_are_named() -> None:
    b = welded()
    b.gravity = (0, 0, -1.62)
    refused(b, r"gravity \(0\.0, 0\.0, -1\.62\) .* the usual \(0\.0, 0\.0, -9\.81\), and give it again when the file is read")
    b = MechanismBuilder(plane="xz")
    b.body("rod", mass=1, inertia=1)
    b.revolute("hinge", child="rod")
    refused(b, "the plane 'xz' .* replace the plane by None")


def two_joints() -> MechanismBuilder:
    b = welded()
    b.body("hand", mass=1, inertia=(1, 1, 1))
    b.revolute("wrist", parent="arm", child="hand")
    return b


def test_motors_other_than_one_to_a_joint_are_named() -> None:
    b = two_joints()
    b.motor({"shoulder": 1, "wrist": 1}, name="cable")
    refused(b, "motor 'cable'")
    b = two_joints()
    b.motor("shoulder", rotor_inertia=0.1)
    refused(b, "motor 'shoulder'")
    b = two_joints()
    b.motor("shoulder", limits=(-1, 2))
    refused(b, r"motor 'shoulder' .* limits \(-1\.0, 2\.0\) are not symmetric")
    b = two_joints()
    b.motor("shoulder")
    refused(b, "passive joint 'wrist'")
    b = two_joints()
    b.motor("wrist")
    b.motor("shoulder")
    refused(b, "the order of the motors")


def test_a_coupling_that_is_no_mimic_is_named() -> None:
    b = two_joints()
    b.couple({"shoulder": 1, "wrist": -1}, name="belt")
    refused(b, "coupling 'belt'")


def test_a_name_that_xml_cannot_hold_is_named() -> None:
    b = MechanismBuilder()
    b.body("bell\a")
    b.fixed("root_joint", child="bell\a")
    refused(b, r"the name 'bell\\x07'")


ANGLE = st.floats(-math.pi, math.pi) | st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi])


@given(st.tuples(ANGLE, ANGLE, ANGLE))
def test_rotations_survive_angles_and_quaternions(rpy: tuple[float, float, float]) -> None:
    rotation: Matrix3 = rotation_from_rpy(rpy)
    np.testing.assert_allclose(rotation_from_rpy(rpy_from_rotation(rotation)), rotation, atol=1e-15)
    quaternion = quaternion_from_rotation(rotation)
    assert math.hypot(*quaternion) == pytest.approx(1, abs=1e-15)
    np.testing.assert_allclose(rotation_from_quaternion(quaternion), rotation, atol=2e-15)
