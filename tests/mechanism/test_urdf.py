"""The URDF reader: what it makes of good files, and what it says about bad ones."""

import math
import os
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import stickslip as ss
from stickslip.mechanism import (
    ArgumentError,
    Box,
    Cylinder,
    InertiaWarning,
    JointKind,
    MechanismDescription,
    Mesh,
    Sphere,
    UrdfError,
    UrdfWarning,
)
from stickslip.mechanism.urdf import read_urdf
from urdf_text import INERTIAL, LIMIT, joint, link, pendulum, robot, with_collision


@pytest.fixture
def read(tmp_path: Path):
    """Read a text as if it were the file robot.urdf."""

    def read_text(text: str | bytes, **options: object) -> MechanismDescription:
        path = tmp_path / "robot.urdf"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_urdf(path, **options)

    return read_text


def test_a_pendulum_reads_as_it_is_written(read) -> None:
    dynamics = '<origin xyz="1 2 3"/><axis xyz="0 0 2"/><dynamics damping="0.5" friction="0.25"/>'
    description = read(pendulum(inside_joint=LIMIT + dynamics))
    hip = description.joint("hip")
    assert (hip.kind, hip.parent, hip.child) == (JointKind.REVOLUTE, "base", "arm")
    assert (hip.at, hip.axis, hip.limits) == ((1, 2, 3), (0, 0, 1), (-1, 2))
    assert (hip.damping, hip.dry_friction) == (0.5, 0.25)
    assert (description.body("arm").mass, description.body("arm").centre) == (2, (0.1, 0, 0))
    assert description.name == "tester"


def test_an_impossible_inertia_is_repaired_only_where_that_is_asked_for(read) -> None:
    text = pendulum(inside_link=INERTIAL.replace('izz="0.1"', 'izz="1"'))
    with pytest.raises(
        UrdfError, match=r"'arm' breaks the triangle .*\); correct the file, or read it with repair_inertia=True.$"
    ):
        read(text)
    with pytest.warns(InertiaWarning, match=r"robot.urdf: .* 'arm' breaks the triangle .*; the nearest possible one is used.$"):
        repaired = read(text, repair_inertia=True).body("arm")
    (xx, _, _), (_, yy, _), (_, _, zz) = repaired.inertia
    assert xx + yy == pytest.approx(zz)  # a flat body: all that was wrong with it is that the mass cannot be flatter than flat


def test_the_axis_is_x_unless_told_otherwise(read) -> None:
    assert read(pendulum()).joint("hip").axis == (1, 0, 0)


def test_every_joint_of_one_coordinate_has_a_motor_of_its_name_with_its_effort_limit(read) -> None:
    joints = [
        joint("turn", "base", "a"),
        joint("spin", "base", "b", kind="continuous", inside=""),
        joint("slide", "base", "c", kind="prismatic"),
        joint("glide", "base", "d", kind="planar", inside=""),
        joint("weld", "base", "e", kind="fixed", inside=""),
    ]
    description = read(robot(*map(link, ["base", *"abcde"]), *joints))
    limits = {motor.name: motor.limits for motor in description.motors}
    assert limits == {"turn": (-30, 30), "spin": (-math.inf, math.inf), "slide": (-30, 30)}
    assert [dict(motor.joints) for motor in description.motors] == [{"turn": 1}, {"spin": 1}, {"slide": 1}]


def test_the_root_is_welded_to_the_world_or_floats(read) -> None:
    for floating, kind in ((False, JointKind.FIXED), (True, JointKind.FREE)):
        root = read(pendulum(), floating=floating).joints[0]
        assert (root.name, root.kind, root.parent, root.child) == ("root_joint", kind, "world", "base")


def test_a_root_link_called_world_is_the_world(read) -> None:
    description = read(robot(link("world", ""), link("arm"), joint("hip", "world", "arm")))
    assert [body.name for body in description.bodies] == ["arm"]
    assert description.joint("hip").parent == "world"


def test_a_floating_joint_from_the_world_starts_at_its_origin(read) -> None:
    origin = '<origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/>'
    base = joint("base", "world", "arm", kind="floating", inside=origin)
    free = read(robot(link("world", ""), link("arm"), base)).joint("base")
    assert free.kind is JointKind.FREE
    assert free.home == pytest.approx((0, 0, 1, math.sqrt(0.5), 0, 0, math.sqrt(0.5)))


def test_the_state_is_ordered_depth_first_and_siblings_by_their_joints(read) -> None:
    joints = [joint("j1", "base", "c"), joint("j2", "a", "b"), joint("j3", "base", "a"), joint("j4", "c", "d")]
    description = read(robot(*map(link, ["d", "a", "b", "c", "base"]), *joints))
    assert [moving.name for moving in description.moving_joints] == ["j1", "j4", "j3", "j2"]
    assert [motor.name for motor in description.motors] == ["j1", "j4", "j3", "j2"]


def test_a_mimic_is_a_coupling(read) -> None:
    mimic = LIMIT + '<mimic joint="first" multiplier="-2" offset="0.5"/>'
    joints = joint("first", "base", "a"), joint("second", "base", "b", inside=mimic)
    (coupling,) = read(robot(link("base"), link("a"), link("b"), *joints)).couplings
    assert (coupling.name, dict(coupling.joints), coupling.offset) == ("second", {"second": 1, "first": 2}, 0.5)


def test_roll_pitch_and_yaw_turn_about_fixed_axes_in_that_order(read) -> None:
    rotation = np.array(read(pendulum(inside_joint=LIMIT + '<origin rpy="0.1 0.2 0.3"/>')).joint("hip").rotation)

    def about(axis: int, angle: float) -> np.ndarray:
        turn = np.eye(3)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn[[i, i, j, j], [i, j, i, j]] = math.cos(angle), -math.sin(angle), math.sin(angle), math.cos(angle)
        return turn

    np.testing.assert_allclose(rotation, about(2, 0.3) @ about(1, 0.2) @ about(0, 0.1), atol=1e-15)


def test_an_inertia_given_in_turned_axes_is_turned_into_the_body(read) -> None:
    turned = (
        '<inertial><origin rpy="0 0 1.5707963267948966"/><mass value="1"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>'
    )
    inertia = read(pendulum(inside_link=turned)).body("arm").inertia
    np.testing.assert_allclose(inertia, np.diag([2, 1, 2.5]), atol=1e-15)


def test_collision_geometry_becomes_shapes(read) -> None:
    def collision(geometry: str, name: str = "") -> str:
        return f'<collision{name}><origin xyz="0 0 1"/><geometry>{geometry}</geometry></collision>'

    pieces = (
        collision('<box size="1 2 3"/>', ' name="brick"')
        + collision('<sphere radius="0.5"/>')
        + collision('<cylinder radius="0.1" length="2"/>', ' name=""')
    )
    box, sphere, cylinder = read(pendulum(inside_link=INERTIAL + pieces)).body("arm").shapes
    assert box == Box(size=(1, 2, 3), name="brick", centre=(0, 0, 1))
    assert sphere == Sphere(radius=0.5, centre=(0, 0, 1))
    assert cylinder == Cylinder(radius=0.1, length=2, centre=(0, 0, 1))


def test_collision_geometry_can_be_left_unread(read) -> None:
    assert read(with_collision('<mesh filename="absent.stl"/>'), collision=False).body("arm").shapes == ()


def test_what_belongs_to_other_programs_is_left_alone(read) -> None:
    others = (
        '<material name="grey"/><gazebo><link name="nested"/></gazebo><transmission name="t"><joint name="hip"/></transmission>'
        '<ros2_control name="c"><joint name="hip"/></ros2_control>'
    )
    inside = INERTIAL + "<visual><geometry><nonsense/></geometry></visual><contact/>"
    text = pendulum(inside_link=inside, inside_joint=LIMIT + '<safety_controller k_velocity="x"/><calibration/>')
    assert len(read(text.replace("</robot>", f"{others}</robot>")).bodies) == 2


def test_extensions_are_left_alone_where_they_are_known(read) -> None:
    inside = '<limit lower="-1" upper="2" effort="1" velocity="1" acceleration="3" drake:jerk="1"/><drake:rotor/>'
    text = pendulum(
        inside_joint=inside + '<dynamics damping="1" mu_coulomb="2" D="3"/>', inside_link=INERTIAL + "<self_filter/>"
    )
    text = text.replace('<robot name="tester"', '<robot name="tester" xmlns:drake="x" xmlns="y"').replace(
        "</robot>", "<sensor/></robot>"
    )
    assert read(text).joint("hip").damping == 1


def test_a_limit_without_ends_locks_the_joint_and_says_so(read) -> None:
    with pytest.warns(UrdfWarning, match=r"robot\.urdf: .* locks these joints at zero: 'hip'; give it both, or make"):
        description = read(pendulum(inside_joint='<limit effort="1" velocity="1"/>'))
    assert description.joint("hip").limits == (0, 0)
    assert read(pendulum(inside_joint='<limit lower="0" upper="0"/>')).joint("hip").limits == (0, 0)


def test_a_fixed_joint_may_keep_the_remains_of_a_moving_one(read) -> None:
    remains = '<axis xyz="0 0 0"/><limit lower="2" upper="1"/><mimic joint="gone"/>'
    description = read(pendulum(kind="fixed", inside_joint=remains))
    assert description.joint("hip").kind is JointKind.FIXED
    assert description.couplings == ()


def test_links_without_inertial_are_massless_frames(read) -> None:
    text = robot(link("base", ""), link("arm"), link("tool", ""), joint("hip", "base", "arm"))
    text = text.replace("</robot>", joint("grip", "arm", "tool", kind="fixed", inside="") + "</robot>")
    assert [body.mass for body in read(text).bodies] == [0, 2, 0]


def test_gravity_and_a_missing_name_come_from_the_caller_and_the_file(read) -> None:
    description = read(pendulum().replace(' name="tester"', ""), gravity=(0, 0, -1.62))
    assert (description.gravity, description.name) == ((0, 0, -1.62), "robot")


def test_files_in_other_encodings_read_as_declared(read) -> None:
    text = pendulum().replace('name="arm"', 'name="Gelenk-Ä"').replace('link="arm"', 'link="Gelenk-Ä"')
    latin = text.replace('version="1.0"', 'version="1.0" encoding="iso-8859-1"').encode("latin-1")
    for data in (text.encode(), text.encode("utf-8-sig"), text.encode("utf-16"), latin):
        assert read(data).joint("hip").child == "Gelenk-Ä"


BASE, ARM, HIP = link("base"), link("arm"), joint("hip", "base", "arm")

BROKEN = {
    "unknown joint type": (pendulum(kind="spherical"), "type of joint 'hip' must be one of .*floating.* not 'spherical'"),
    "no joint type": (robot(BASE, ARM, HIP.replace(' type="revolute"', "")), "joint 'hip' needs the attribute 'type'"),
    "missing link": (robot(BASE, HIP), "joint 'hip' has the child link 'arm', which does not exist"),
    "misspelled parent": (robot(BASE, ARM, joint("hip", "basse", "arm")), "parent link 'basse'.* did you mean 'base'"),
    "two roots": (robot(BASE, ARM, link("stray"), HIP), "'base' and 'stray' are both roots"),
    "two links of one name": (robot(BASE, ARM, ARM, HIP), "two links called 'arm'"),
    "two joints of one name": (robot(BASE, ARM, link("leg"), HIP, HIP), "two joints called 'hip'"),
    "two parents": (
        robot(BASE, ARM, HIP, joint("hop", "base", "arm")),
        "'arm' is the child of both joint 'hip' and joint 'hop'",
    ),
    "a cycle": (robot(BASE, ARM, HIP, joint("back", "arm", "base")), "link '(arm|base)' is part of a cycle"),
    "a cycle beside a root": (
        robot(BASE, ARM, link("leg"), joint("to", "arm", "leg"), joint("fro", "leg", "arm")),
        "'leg' is part of a cycle",
    ),
    "a joint to itself": (robot(BASE, ARM, joint("hip", "arm", "arm")), "joint 'hip' connects body 'arm' to itself"),
    "no links": (robot(), "no links"),
    "zero axis": (pendulum(inside_joint=LIMIT + '<axis xyz="0 0 0"/>'), "axis of joint 'hip' must point somewhere"),
    "reversed limits": (pendulum(inside_joint='<limit lower="1" upper="-1"/>'), "limits of joint 'hip' .* lower <= upper"),
    "no limits": (pendulum(inside_joint=""), "joint 'hip' is revolute and needs a <limit> with lower and upper"),
    "no limits to slide": (pendulum(kind="prismatic", inside_joint=""), "joint 'hip' is prismatic and needs a <limit>"),
    "negative effort": (pendulum(inside_joint='<limit upper="1" effort="-3"/>'), "effort limit of joint 'hip' .* negative"),
    "negative damping": (pendulum(inside_joint=LIMIT + '<dynamics damping="-1"/>'), "damping of joint 'hip' .* negative"),
    "garbage vector": (
        pendulum(inside_joint=LIMIT + '<origin xyz="1 2 x"/>'),
        "'xyz' of <origin> of joint 'hip' must hold three finite numbers, not '1 2 x'",
    ),
    "short vector": (pendulum(inside_joint=LIMIT + '<axis xyz="1 0"/>'), "'xyz' of <axis> of joint 'hip' .* not '1 0'"),
    "NaN": (pendulum(inside_link=INERTIAL.replace('"2"', '"nan"')), "'value' of <mass> .* link 'arm' .* not 'nan'"),
    "infinite": (pendulum(inside_link=INERTIAL.replace('"2"', '"inf"')), "'value' of <mass> .* link 'arm' .* not 'inf'"),
    "huge": (pendulum(inside_link=INERTIAL.replace('"2"', '"1e400"')), "'value' of <mass> .* link 'arm' .* not '1e400'"),
    "digits of Python": (pendulum(inside_link=INERTIAL.replace('"2"', '"1_0"')), "'value' of <mass> .* not '1_0'"),
    "digits of Arabia": (pendulum(inside_link=INERTIAL.replace('"2"', '"٣"')), "'value' of <mass> .* not '٣'"),
    "no number": (pendulum(inside_link=INERTIAL.replace('"2"', '""')), "'value' of <mass> .* link 'arm' must not be empty"),
    "negative mass": (pendulum(inside_link=INERTIAL.replace('"2"', '"-2"')), "mass of body 'arm' must not be negative"),
    "no mass": (
        pendulum(inside_link=INERTIAL.replace('<mass value="2"/>', "")),
        "<inertial> of link 'arm' needs a <mass>",
    ),
    "no inertia": (pendulum(inside_link='<inertial><mass value="1"/></inertial>'), "link 'arm' needs a <inertia>"),
    "no moment": (pendulum(inside_link=INERTIAL.replace('izz="0.1"', "")), "link 'arm' needs the attribute 'izz'"),
    "impossible inertia": (pendulum(inside_link=INERTIAL.replace('izz="0.1"', 'izz="1"')), "body 'arm' breaks the triangle"),
    "negative inertia": (
        pendulum(inside_link=INERTIAL.replace('izz="0.1"', 'izz="-1"')),
        "body 'arm' has a negative principal",
    ),
    "moving nothing": (
        pendulum(inside_link=""),
        "'arm' moves on .* 'hip', but .* has mass; give it a mass, or make the joint fixed",
    ),
    "two inertials": (pendulum(inside_link=INERTIAL * 2), "link 'arm' has 2 <inertial> elements"),
    "no parent": (robot(BASE, ARM, HIP.replace('<parent link="base"/>', "")), "joint 'hip' needs a <parent>"),
    "parent of nothing": (
        robot(BASE, ARM, HIP.replace('link="base"', "")),
        "<parent> of joint 'hip' needs the attribute 'link'",
    ),
    "nameless link": (robot(BASE, ARM.replace(' name="arm"', ""), HIP), "<link> number 2 needs a name"),
    "blank name": (robot(BASE, link(" "), HIP), "<link> number 2 needs a name"),
    "link in a link": (robot(link("base", ARM), HIP), "<link> must not stand inside link 'base'"),
    "joint in a link": (robot(link("base", HIP), ARM), "<joint> must not stand inside link 'base'"),
    "inertial in a joint": (pendulum(inside_joint=INERTIAL), "<inertial> must not stand inside joint 'hip'"),
    "limit in a link": (pendulum(inside_link=LIMIT), "<limit> must not stand inside link 'arm'"),
    "collision in the robot": (robot(BASE, "<collision/>"), "<collision> must not stand inside <robot>"),
    "another format": ("<mujoco/>", "root element must be <robot>, not <mujoco>.*from_mjcf"),
    "a raw xacro file": (robot('<xacro:include filename="x"/>'), "run xacro"),
    "floating in the middle": (pendulum(kind="floating"), "joint 'hip' is floating but hangs from link 'base'"),
    "the world as a child": (robot(BASE, link("world"), joint("hip", "base", "world")), "no body may be called 'world'"),
    "a heavy world": (robot(link("world"), ARM, joint("hip", "world", "arm")), "'world' .* neither mass nor collision"),
    "the reader's name": (robot(BASE, ARM, joint("root_joint", "base", "arm")), "name 'root_joint' is kept"),
    "mimic of itself": (pendulum(inside_joint=LIMIT + '<mimic joint="hip"/>'), "joint 'hip' mimics itself"),
    "mimic of nobody": (pendulum(inside_joint=LIMIT + '<mimic joint="hop"/>'), "'hip' refers to joint 'hop', .* mean 'hip'"),
    "mimics in a circle": (
        robot(
            *map(link, ("base", "a", "b")),
            joint("left", "base", "a", inside=LIMIT + '<mimic joint="right"/>'),
            joint("right", "base", "b", inside=LIMIT + '<mimic joint="left"/>'),
        ),
        "joint 'left' mimics itself by way of other joints",
    ),
    "empty geometry": (with_collision(""), "<geometry> of <collision> of link 'arm' must hold one"),
    "unknown geometry": (
        with_collision('<torus radius="1"/>'),
        "link 'arm' has an unknown element <torus>; it may have box, sphere",
    ),
    "two shapes at once": (with_collision('<box size="1 1 1"/><sphere radius="1"/>'), "link 'arm' must hold one .* not 2"),
    "negative radius": (
        with_collision('<sphere radius="-1"/>'),
        "collision> of link 'arm': the radius of a Sphere .* positive",
    ),
    "flat box": (with_collision('<box size="1 0 1"/>'), "collision> of link 'arm': the size of a Box must be positive"),
    "no geometry": (pendulum(inside_link=INERTIAL + "<collision/>"), "<collision> of link 'arm' needs a <geometry>"),
    "a document type": ("<!DOCTYPE robot>" + pendulum().partition("\n")[2], "document type .*robot.* remove it"),
    "no end": (pendulum()[:-20], "not well-formed XML: .* in line 2"),
    "not XML": ("a = 1", "not well-formed XML"),
    "binary": (bytes(range(256)), "not well-formed XML"),
    "wrong encoding": (pendulum().replace("tester", "é").encode("latin-1"), "not well-formed XML"),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?><robot/>', "klingon"),
    "encoding of several bytes": ('<?xml version="1.0" encoding="shift_jis"?><robot/>', "save it as UTF-8"),
    "empty": ("", "empty"),
    "blank": (" \n ", "empty"),
    "misspelt limit": (pendulum(inside_joint='<limit lower="0" uper="1"/>'), "<limit> of joint 'hip' .* 'uper'; .* 'upper'"),
    "limit of SDF": (pendulum(inside_joint='<limit min="0" max="1"/>'), "unknown attribute 'min'; it may have lower, upper"),
    "misspelt place": (pendulum(inside_joint=LIMIT + '<origin xzy="1 0 0"/>'), "<origin> of joint 'hip' .* 'xzy'; .* 'xyz'"),
    "misspelt axis": (pendulum(inside_joint=LIMIT + '<axes xyz="1 0 0"/>'), "joint 'hip' .* element <axes>; .* mean 'axis'"),
    "misspelt damping": (pendulum(inside_joint=LIMIT + '<dynamics dampng="1"/>'), "<dynamics> .* 'dampng'; .* 'damping'"),
    "misspelt mimic": (pendulum(inside_joint=LIMIT + '<mimick joint="hip"/>'), "joint 'hip' .* <mimick>; .* mean 'mimic'"),
    "misspelt scale": (with_collision('<mesh filename="x.stl" scal="1 1 1"/>'), "'scal'; did you mean 'scale'"),
    "misspelt collision": (pendulum(inside_link=INERTIAL + "<colision/>"), "link 'arm' .* <colision>; .* mean 'collision'"),
    "misspelt link": (pendulum().replace("</robot>", '<linc name="a"/></robot>'), "<robot> .* element <linc>; .* mean 'link'"),
    "a quaternion": (pendulum(inside_joint=LIMIT + '<origin quat_xyzw="0 0 0 1"/>'), "'quat_xyzw'; it may have xyz, rpy"),
    "a mass within": (pendulum(inside_link="<inertial><mass><value/></mass></inertial>"), "<value>; it may have none"),
    "bottomless nesting": (robot("<x>" * 10_000 + "</x>" * 10_000), "<x> is nested more than 100 elements deep"),
    "nested links": ("<robot>" + '<link name="a">' * 10_000 + "</link>" * 10_000 + "</robot>", "<link> is nested more than"),
}


@pytest.mark.parametrize(("text", "sentence"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_with_a_sentence_that_names_the_culprit(read, text: str, sentence: str) -> None:
    with pytest.raises(UrdfError, match=sentence) as refusal:
        read(text)
    message = str(refusal.value)
    assert "robot.urdf: " in message
    assert message.endswith((".", "?"))
    assert "\n" not in message


def test_a_file_that_is_not_there_or_not_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UrdfError, match=r"absent\.urdf: there is no such file"):
        read_urdf(tmp_path / "absent.urdf")
    with pytest.raises(UrdfError, match="this is a directory"):
        read_urdf(tmp_path)


def test_what_is_no_path_is_refused() -> None:
    for path in (None, 5, ["robot.urdf"], ""):
        with pytest.raises(ArgumentError, match="the path of a URDF file must "):
            read_urdf(path)


def test_a_path_may_be_bytes(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(pendulum())
    assert read_urdf(bytes(path)) == read_urdf(path) == read_urdf(str(path))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"floating": "no"}, "floating must be True or False, not 'no'"),
        ({"collision": 1}, "collision must be True or False, not 1"),
        ({"repair_inertia": None}, "repair_inertia must be True or False, not None"),
        ({"package_dirs": None}, "package_dirs must be a folder or a sequence of folders, not None"),
        ({"package_dirs": 5}, "package_dirs must be a folder or a sequence of folders, not 5"),
        ({"package_dirs": [5]}, "each of package_dirs must be a string or a path, not 5"),
    ],
)
def test_odd_options_are_named(read, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        read(pendulum(), **options)


@pytest.mark.parametrize("kind", [str, Path, os.fsencode])
def test_one_folder_of_packages_needs_no_list(read, tmp_path: Path, kind: type) -> None:
    (tmp_path / "shelf/arm").mkdir(parents=True)
    (tmp_path / "shelf/arm/tetra.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
    text = with_collision('<mesh filename="package://arm/tetra.obj"/>')
    assert read(text, package_dirs=kind(tmp_path / "shelf")).body("arm").shapes


def test_warnings_point_at_the_line_that_reads_the_file(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(pendulum(inside_link=INERTIAL.replace('izz="0.1"', 'izz="1"'), inside_joint="<limit/>"))
    for read_file in (read_urdf, ss.Mechanism.from_urdf):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            read_file(path, repair_inertia=True)
        assert {type(warning.message) for warning in caught} == {InertiaWarning, UrdfWarning}
        assert {warning.filename for warning in caught} == {__file__}


def test_the_world_does_not_float(read) -> None:
    with pytest.raises(UrdfError, match="'world', which cannot float"):
        read(robot(link("world", ""), link("arm"), joint("hip", "world", "arm")), floating=True)


def test_a_billion_laughs_are_refused_before_the_first(read) -> None:
    lols = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "ha"}">' for i in range(10))
    start = time.perf_counter()
    with pytest.raises(UrdfError, match="document type"):
        read(f'<!DOCTYPE robot [{lols}]><robot name="&l9;">&l9;</robot>')
    assert time.perf_counter() - start < 1


def test_a_file_behind_an_entity_is_never_opened(read, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    with pytest.raises(UrdfError, match="document type") as refusal:
        read(f'<!DOCTYPE robot [<!ENTITY s SYSTEM "{tmp_path}/secret">]><robot name="&s;"/>')
    assert "secret" not in str(refusal.value).removeprefix(str(tmp_path))


@pytest.mark.parametrize("word", ["1" * 40_000 + "x", "1." * 20_000, "." + "1" * 40_000 + "."])
def test_a_number_of_forty_thousand_digits_is_judged_at_once(read, word: str) -> None:
    start = time.perf_counter()
    with pytest.raises(UrdfError, match=r"'value' of <mass> .* must hold a finite number, not '.{59}…\.$"):
        read(pendulum(inside_link=INERTIAL.replace('"2"', f'"{word}"')))
    assert time.perf_counter() - start < 2


def test_no_near_name_is_looked_for_where_that_would_take_long(read) -> None:
    parent, name = ("".join(chr(0x4E00 + 7 * i % 20_000) for i in range(start, start + 15_000)) for start in (0, 1))
    start = time.perf_counter()
    with pytest.raises(UrdfError, match="which does not exist"):
        read(robot(link(name), link("arm"), joint("hip", parent, "arm")))
    assert time.perf_counter() - start < 2


def chain(length: int) -> str:
    links = "".join(link(f"l{i}") for i in range(length))
    return robot(links, *(joint(f"j{i}", f"l{i - 1}", f"l{i}") for i in range(1, length)))


def test_a_chain_of_ten_thousand_links_is_refused_soon(read) -> None:
    start = time.perf_counter()
    with pytest.raises(UrdfError, match="at most 5000 bodies, not 10000"):
        read(chain(10_000))
    assert time.perf_counter() - start < 20


def test_a_star_of_twenty_thousand_links_is_refused_soon(read) -> None:
    start = time.perf_counter()
    with pytest.raises(UrdfError, match="at most 5000 bodies, not 20000"):
        read(robot(*(link(f"l{i}") for i in range(20_000)), *(joint(f"j{i}", "l0", f"l{i}") for i in range(1, 20_000))))
    assert time.perf_counter() - start < 20


def test_fifty_thousand_named_shapes_take_no_endless_time(read) -> None:
    start = time.perf_counter()
    pieces = (f'<collision name="c{i}"><geometry><sphere radius="1"/></geometry></collision>' for i in range(50_000))
    assert len(read(robot(link("a", INERTIAL + "".join(pieces)))).body("a").shapes) == 50_000
    assert time.perf_counter() - start < 20


def test_a_chain_of_three_thousand_links_reads(read) -> None:
    assert len(read(chain(3000)).moving_joints) == 2999


def test_a_mesh_is_read_once_and_scaled_where_it_is_used(read, tmp_path: Path) -> None:
    (tmp_path / "tetra.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
    (shape,) = read(with_collision('<mesh filename="tetra.obj" scale="1 -2 3"/>')).body("arm").shapes
    assert isinstance(shape, Mesh)
    assert set(shape.vertices) == {(0, 0, 0), (1, 0, 0), (0, -2, 0), (0, 0, 3)}
    assert Path(shape.source) == tmp_path / "tetra.obj"
    assert shape.scale == (1, -2, 3)


def test_a_mesh_that_cannot_be_read_names_its_link_and_file(read, tmp_path: Path) -> None:
    (tmp_path / "bad.obj").write_text("v 0 0 0\n")
    for geometry, sentence in {
        '<mesh filename="absent.stl"/>': r"<mesh> .* of link 'arm': mesh 'absent\.stl' does not exist",
        '<mesh filename="bad.obj"/>': r"of link 'arm': mesh file .*bad\.obj: it has 1 distinct vertices",
        '<mesh scale="1 1 1"/>': r"<mesh> .* of link 'arm' needs the attribute 'filename'",
    }.items():
        with pytest.raises(UrdfError, match=sentence):
            read(with_collision(geometry))


def test_a_mesh_cannot_be_scaled_to_nothing(read, tmp_path: Path) -> None:
    (tmp_path / "tetra.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
    with pytest.raises(UrdfError, match="link 'arm': the scale of a Mesh must not be zero"):
        read(with_collision('<mesh filename="tetra.obj" scale="1 0 1"/>'))
