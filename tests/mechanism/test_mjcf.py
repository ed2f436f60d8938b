"""MJCF files through MuJoCo's compiler: one small file for each feature that is converted, left out or refused."""

import math
import os
import sys
import warnings

import numpy as np
import pytest

import stickslip as ss
from stickslip.mechanism import (
    ArgumentError,
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    JointKind,
    LoopKind,
    Mesh,
    MissingExtraError,
    MjcfError,
    MjcfWarning,
    Sphere,
)
from stickslip.mechanism.mjcf import read_mjcf

mujoco = pytest.importorskip("mujoco")

BALL = '<geom type="sphere" size="0.1" mass="2"/>'
HINGED = f'<worldbody><body name="leg"><joint name="hip" axis="0 1 0"/>{BALL}</body></worldbody>'
TWO = f"""<worldbody>
  <body name="thigh"><joint name="hip" axis="0 1 0"/>{BALL}
    <body name="shank" pos="0 0 -1"><joint name="knee" axis="0 1 0"/>{BALL}</body>
  </body></worldbody>"""
WITH_SITES = TWO.replace("</body>", '<site name="toe" pos="0 0 -1"/></body>', 1).replace(
    "</worldbody>", '<site name="hook" pos="0 1 0" quat="0 0 1 0"/></worldbody>'
)
SPATIAL = '<tendon><spatial name="line" {}><site site="hook"/><site site="toe"/></spatial></tendon>'


@pytest.fixture
def read(tmp_path):
    """Reads what stands between <mujoco> and </mujoco>, with angles in radians."""

    def read_text(text, **options):
        file = tmp_path / "robot.xml"
        file.write_text(f'<mujoco><compiler angle="radian"/>{text}</mujoco>')
        return read_mjcf(file, **options)

    return read_text


# ---- bodies and joints ---------------------------------------------------------------------------------------------


def test_a_body_keeps_its_mass_and_its_inertia_in_its_own_axes(read):
    description = read("""<worldbody><body name="box"><freejoint/>
        <inertial mass="2" pos="1 2 3" diaginertia="0.3 0.4 0.5" euler="0 0 1.5707963267948966"/></body></worldbody>""")
    box = description.body("box")
    assert box.mass == 2
    assert box.centre == (1, 2, 3)
    np.testing.assert_allclose(box.inertia, np.diag([0.4, 0.3, 0.5]), atol=1e-15)


def test_a_free_body_starts_where_the_file_puts_it(read):
    description = read(
        f'<worldbody><body name="box" pos="1 2 3" quat="0 1 0 0"><freejoint name="root"/>{BALL}</body></worldbody>'
    )
    root = description.joint("root")
    assert root.kind is JointKind.FREE
    assert root.home == (1, 2, 3, 0, 1, 0, 0)


def test_a_hinge_stands_at_its_anchor_and_turns_back_by_its_reference(read):
    description = read(
        f'<worldbody><body pos="1 0 0"><joint name="hip" axis="0 0 1" pos="0 2 0" ref="0.3"/>{BALL}</body></worldbody>'
    )
    hip = description.joint("hip")
    assert hip.kind is JointKind.CONTINUOUS
    assert hip.home == (0.3,)
    assert hip.at == (1, 2, 0)
    assert hip.anchor == (0, 2, 0)
    c, s = math.cos(0.3), math.sin(0.3)
    np.testing.assert_allclose(hip.rotation, [[c, s, 0], [-s, c, 0], [0, 0, 1]], atol=1e-15)


def test_a_slide_is_moved_back_by_its_reference(read):
    description = read(
        f'<worldbody><body pos="1 0 0"><joint name="rail" type="slide" axis="1 0 0" ref="0.25"/>{BALL}</body></worldbody>'
    )
    rail = description.joint("rail")
    assert rail.kind is JointKind.PRISMATIC
    assert rail.home == (0.25,)
    assert rail.at == (0.75, 0, 0)


def test_several_joints_become_a_chain_and_none_a_weld(read):
    description = read(f"""<worldbody><body name="torso">
        <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide"/><joint name="wrist" type="ball"/>{BALL}
        <body name="head">{BALL}</body></body></worldbody>""")
    assert [body.name for body in description.bodies] == ["torso/x", "torso/z", "torso", "head"]
    assert [joint.name for joint in description.joints] == ["x", "z", "wrist", "head_weld"]
    assert [joint.kind.label for joint in description.joints] == ["prismatic", "prismatic", "ball", "fixed"]
    assert [body.mass for body in description.bodies] == [0, 0, 2, 2]


def test_the_nameless_are_called_after_where_they_belong(read):
    description = read(f"""<worldbody>
        <body><joint/><joint axis="1 0 0"/>{BALL}{BALL}<body name="body_1_joint"><joint/>{BALL}</body></body></worldbody>""")
    assert [body.name for body in description.bodies] == ["body_1/body_1_joint", "body_1", "body_1_joint"]
    assert [joint.name for joint in description.joints] == ["body_1_joint", "body_1_joint_2", "body_1_joint_joint"]
    assert [shape.name for shape in description.body("body_1").shapes] == ["body_1_geom", "body_1_geom_2"]
    assert description.motors == ()


def test_what_acts_along_a_joint(read):
    description = read(f"""<worldbody><body name="leg">
        <joint name="hip" damping="0.5" armature="0.02" frictionloss="0.3" range="-1 2" stiffness="7" springref="0.4"/>
        {BALL}</body></worldbody>""")
    hip = description.joint("hip")
    assert hip.kind is JointKind.REVOLUTE
    assert hip.limits == (-1, 2)
    assert (hip.damping, hip.armature, hip.dry_friction) == (0.5, 0.02, 0.3)
    (spring,) = description.springs
    assert (spring.joints, spring.stiffness, spring.rest) == ((("hip", 1),), 7, 0.4)


def test_what_the_file_switches_off_stays_off(read):
    text = f"""<option gravity="0 1 -9"><flag {{}}="disable"/></option><worldbody><body>
        <joint damping="0.5" frictionloss="0.3" range="-1 2" stiffness="7"/>{BALL}</body></worldbody>"""
    assert read(text.format("sensor")).gravity == (0, 1, -9)
    assert read(text.format("gravity")).gravity == (0, 0, 0)
    assert read(text.format("spring")).springs == ()
    assert read(text.format("damper")).joints[0].damping == 0
    assert read(text.format("frictionloss")).joints[0].dry_friction == 0
    assert not read(text.format("limit")).joints[0].limited
    with pytest.warns(MjcfWarning, match="the file disables contacts"):
        assert read(text.format("contact")).bodies[0].shapes == ()


# ---- tendons and actuators -----------------------------------------------------------------------------------------


def test_a_motor_has_the_gear_the_name_and_the_limits_of_its_actuator(read):
    description = read(f"""{TWO}<actuator>
        <motor name="drive" joint="hip" gear="150" ctrlrange="-1 0.5"/>
        <motor joint="knee" gear="10" forcerange="-3 3" armature="0.1"/></actuator>""")
    drive, knee = description.motors
    assert (drive.name, drive.joints, drive.limits) == ("drive", (("hip", 150),), (-1, 0.5))
    assert (knee.name, knee.joints, knee.limits, knee.rotor_inertia) == ("knee", (("knee", 10),), (-3, 3), 0.1)


def test_the_input_is_ctrl_whatever_the_gain(read):
    description = read(f"""{HINGED}<actuator>
        <general joint="hip" gainprm="5" gear="2" armature="0.1" damping="0.3" forcerange="-20 10"/></actuator>""")
    (motor,), (drag,) = description.motors, description.springs
    assert motor.joints == (("hip", 10),)
    assert motor.rotor_inertia * 10**2 == pytest.approx(2**2 * 0.1)
    assert motor.limits == (-4, 2)
    assert (drag.joints, drag.stiffness, drag.damping) == ((("hip", 2),), 0, 0.3)


def test_a_limit_on_the_forces_of_a_joint_bounds_its_only_motor(read):
    leg = f'<worldbody><body><joint name="hip" actuatorfrcrange="-10 10"/>{BALL}</body></worldbody>'
    (motor,) = read(f'{leg}<actuator><motor joint="hip" gear="-5"/></actuator>').motors
    assert motor.limits == (-2, 2)
    with pytest.warns(MjcfWarning, match="not one input's alone \\('hip'\\)"):
        first, second = read(f'{leg}<actuator><motor joint="hip"/><motor joint="hip"/></actuator>').motors
    assert first.limits == second.limits == (-math.inf, math.inf)
    assert (first.name, second.name) == ("hip", "hip_2")


def test_a_position_servo_is_a_motor_and_a_spring(read):
    text = f'{HINGED}<actuator><position name="servo" joint="hip" kp="20" kv="3" gear="2" {{}}/></actuator>'
    description = read(text.format(""))
    (motor,), (spring,) = description.motors, description.springs
    assert motor.joints == (("hip", 40),)
    assert (spring.joints, spring.stiffness, spring.damping, spring.rest) == ((("hip", 2),), 20, 3, 0)
    with pytest.warns(MjcfWarning, match="not one input's alone \\('servo'\\)"):
        read(text.format('forcerange="-1 1"'))


def test_a_velocity_servo_is_a_motor_and_a_damper(read):
    description = read(f'{HINGED}<actuator><velocity joint="hip" kv="3"/></actuator>')
    (motor,), (damper,) = description.motors, description.springs
    assert motor.joints == (("hip", 3),)
    assert (damper.stiffness, damper.damping) == (0, 3)


@pytest.mark.parametrize(("dynamics", "limits"), [("filter", (-2, 2)), ("integrator", (-5, 5))])
def test_behind_activation_dynamics_the_input_is_the_activation(read, dynamics, limits):
    with pytest.warns(MjcfWarning, match="the input is act instead of ctrl \\('lag'\\)"):
        description = read(f"""{HINGED}<actuator>
            <general name="lag" joint="hip" dyntype="{dynamics}" ctrlrange="-2 2" actrange="-5 5"/></actuator>""")
    (motor,) = description.motors
    assert (motor.joints, motor.limits) == ((("hip", 1),), limits)


def test_a_fixed_tendon_is_a_combination(read):
    description = read(f"""{TWO}
        <tendon><fixed name="cable" stiffness="5" damping="0.1" springlength="0.2">
          <joint joint="hip" coef="2"/><joint joint="knee" coef="-3"/></fixed></tendon>
        <actuator><motor tendon="cable" gear="10" armature="0.5"/></actuator>""")
    (motor,), (spring,) = description.motors, description.springs
    assert (motor.name, motor.joints, motor.rotor_inertia) == ("cable", (("hip", 20), ("knee", -30)), 0.5)
    assert spring.joints == (("hip", 2), ("knee", -3))
    assert (spring.stiffness, spring.damping, spring.rest) == (5, 0.1, 0.2)


def test_a_spatial_tendon_that_does_nothing_is_left_out(read):
    with pytest.warns(MjcfWarning, match="spatial tendons \\('line'\\); sites"):
        read(WITH_SITES + SPATIAL.format(""))


# ---- equality constraints ------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*left out, .*sites")
def test_connections_and_welds_close_loops(read):
    description = read(f"""{WITH_SITES}<equality>
        <connect name="point" body1="shank" body2="world" anchor="0 0 -1"/>
        <connect name="sites" site1="toe" site2="hook"/>
        <weld name="weld" body1="world" body2="shank" anchor="0 0 -1" relpose="1 2 3 0 1 0 0"/>
        <weld name="frames" site1="toe" site2="hook"/>
        <weld name="soft" body1="thigh" torquescale="0"/></equality>""")
    point, sites, weld, frames, soft = description.loops
    assert (point.kind, point.first, point.second) == (LoopKind.POINT, "shank", "world")
    assert (point.first_point, point.second_point) == ((0, 0, -1), (0, 0, -2))
    assert (sites.kind, sites.first, sites.second) == (LoopKind.POINT, "shank", "world")
    assert (sites.first_point, sites.second_point) == ((0, 0, -1), (0, 1, 0))
    assert (weld.kind, weld.first, weld.second) == (LoopKind.WELD, "world", "shank")
    assert (weld.first_point, weld.second_point) == ((1, 2, 3), (0, 0, -1))
    np.testing.assert_allclose(weld.rotation, np.diag([1, -1, -1]), atol=1e-15)
    np.testing.assert_allclose(frames.rotation, np.diag([-1, 1, -1]), atol=1e-15)
    assert soft.kind is LoopKind.POINT


def test_linear_equations_between_joints_couple_them(read):
    text = TWO.replace('name="hip"', 'name="hip" ref="0.5"').replace('name="knee"', 'name="knee" ref="0.25"')
    both, one = read(f"""{text}<equality>
        <joint joint1="knee" joint2="hip" polycoef="0.1 2 0 0 0"/>
        <joint joint1="hip" polycoef="0.3 1 0 0 0"/></equality>""").couplings
    assert dict(both.joints) == {"knee": 1, "hip": -2}
    assert both.offset == pytest.approx(0.25 + 0.1 - 2 * 0.5)
    assert dict(one.joints) == {"hip": 1}
    assert one.offset == pytest.approx(0.5 + 0.3)


def test_linear_equations_between_fixed_tendons_couple_their_joints(read):
    text = TWO.replace('name="hip"', 'name="hip" ref="0.5"')
    (coupling,) = read(f"""{text}<tendon><fixed name="a"><joint joint="hip" coef="2"/></fixed>
        <fixed name="b"><joint joint="hip" coef="1"/><joint joint="knee" coef="4"/></fixed></tendon>
        <equality><tendon tendon1="a" tendon2="b" polycoef="0.1 3 0 0 0"/></equality>""").couplings
    assert dict(coupling.joints) == {"hip": 2 - 3, "knee": -12}
    assert coupling.offset == pytest.approx(2 * 0.5 + 0.1 - 3 * 0.5)


def test_constraints_that_are_not_active_are_left_out(read):
    with pytest.warns(MjcfWarning, match="equality constraints that are not active \\('rest'\\)"):
        description = read(f'{TWO}<equality><joint name="rest" joint1="hip" active="false"/></equality>')
    assert description.couplings == ()


# ---- shapes --------------------------------------------------------------------------------------------------------


def test_geoms_become_shapes(read):
    description = read("""<worldbody><body name="all"><freejoint/>
        <geom name="s" type="sphere" size="0.1" pos="1 2 3"/>
        <geom name="c" type="capsule" size="0.1 0.5" quat="0 1 0 0"/>
        <geom name="y" type="cylinder" size="0.1 0.5"/>
        <geom name="b" type="box" size="0.1 0.2 0.3"/>
        <geom name="e" type="ellipsoid" size="0.1 0.2 0.3"/></body></worldbody>""")
    s, c, y, b, e = description.body("all").shapes
    assert s == Sphere(0.1, name="s", centre=(1, 2, 3))
    assert c == Capsule(0.1, 1.0, name="c", rotation=((1, 0, 0), (0, -1, 0), (0, 0, -1)))
    assert y == Cylinder(0.1, 1.0, name="y")
    assert b == Box((0.2, 0.4, 0.6), name="b")
    assert e == Ellipsoid((0.1, 0.2, 0.3), name="e")


def test_a_mesh_becomes_the_corners_of_its_hull_where_the_file_put_them(read):
    corners = [(x, y, z) for x in (1, 2) for y in (0, 3) for z in (0, 5)]
    points = " ".join(f"{x} {y} {z}" for x, y, z in [*corners, (1.5, 1.5, 2.5)])
    description = read(f"""<asset><mesh name="crate" vertex="{points}"/></asset>
        <worldbody><body name="box"><freejoint/><geom type="mesh" mesh="crate"/></body></worldbody>""")
    (mesh,) = description.body("box").shapes
    assert isinstance(mesh, Mesh)
    assert mesh.source == "crate"
    placed = np.array(mesh.centre) + np.array(mesh.vertices) @ np.array(mesh.rotation).T
    assert sorted(map(tuple, placed.round(5) + 0.0)) == sorted(corners)


def test_only_what_can_touch_something_is_a_shape(read):
    text = """<worldbody><body name="box"><freejoint/><geom name="seen" size="0.1" contype="0" conaffinity="0"/>
        <geom name="felt" size="0.1"/></body></worldbody>"""
    assert [shape.name for shape in read(text).body("box").shapes] == ["felt"]
    assert read(text, collision=False).body("box").shapes == ()


def test_the_environment_and_the_settings_of_contacts_are_left_out_by_name(read):
    text = f"""<worldbody><geom name="floor" type="plane" size="1 1 1" friction="0.5"/><geom name="rock" size="1"/>
        <body name="table"><geom name="top" type="box" size="1 1 1" contype="2"/></body>
        <body name="a"><joint/>{BALL}</body><body name="b"><joint/>{BALL}</body></worldbody>
        <contact><exclude body1="a" body2="b"/></contact>"""
    with pytest.warns(MjcfWarning) as caught:
        description = read(text)
    assert str(caught[0].message).endswith(
        "robot.xml: left out, as no part of a mechanism: the environment ('floor', 'rock'); the friction of geoms; "
        "contype and conaffinity; excluded contacts."
    )
    assert caught[0].filename == __file__
    assert [shape.name for shape in description.body("table").shapes] == ["top"]


def test_warnings_point_at_the_line_that_reads_the_file(tmp_path):
    file = tmp_path / "robot.xml"
    file.write_text(f'<mujoco><compiler settotalmass="5"/>{HINGED.replace("<body", "<site/><body")}</mujoco>')
    for read_file in (read_mjcf, ss.Mechanism.from_mjcf):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            read_file(file)
        assert [type(warning.message) for warning in caught] == [MjcfWarning, MjcfWarning]
        assert {warning.filename for warning in caught} == {__file__}


# ---- what is refused -----------------------------------------------------------------------------------------------


def jointed(attributes):
    return f'<worldbody><body><joint name="hip" {attributes}/>{BALL}</body></worldbody>'


def actuated(actuator, joint=""):
    return jointed(joint) + f"<actuator>{actuator}</actuator>"


def hung(attributes):
    return WITH_SITES + SPATIAL.format(attributes)


def cabled(attributes):
    return f'{HINGED}<tendon><fixed name="cable" {attributes}><joint joint="hip" coef="2"/></fixed></tendon>'


REFUSED = {
    "fluid": (f'<option density="1000"/>{HINGED}', "in a fluid"),
    "viscosity": (f'<option viscosity="0.1"/>{HINGED}', "in a fluid"),
    "gravity compensation": (HINGED.replace("<body", '<body gravcomp="1"'), "body 'leg' has compensation of gravity"),
    "mocap": (f'<worldbody><body name="hand" mocap="true"/></worldbody>{HINGED}', "body 'hand' has a pose set by motion"),
    "ball limit": (jointed('type="ball" range="0 1"'), "ball joint 'hip' has a limit"),
    "ball spring": (jointed('type="ball" stiffness="1"'), "ball joint 'hip' has a spring"),
    "free spring": (jointed('type="free" stiffness="1"'), "free joint 'hip' has a spring"),
    "bent spring": (jointed('stiffness="1 1 0"'), "joint 'hip' has a spring that is not linear"),
    "bent damping": (jointed('damping="1 1 0"'), "joint 'hip' has damping that is not linear"),
    "yielding spring": (jointed('stiffness="1" springyield="0.1"'), "joint 'hip' has a spring that yields"),
    "negative spring": (jointed('stiffness="-1"'), "stiffness of spring 'hip_spring' must not be negative"),
    "NaN": (HINGED.replace('name="leg"', 'name="leg" pos="inf 0 0"'), "the place of joint 'hip' must be a finite"),
    "tendon limit": (cabled('range="0 1"'), "tendon 'cable' has a limit"),
    "tendon friction": (cabled('frictionloss="1"'), "tendon 'cable' has dry friction"),
    "tendon inertia": (cabled('armature="1"'), "tendon 'cable' has inertia"),
    "tendon spring": (cabled('stiffness="1 1 0"'), "tendon 'cable' has a spring that is not linear"),
    "tendon damping": (cabled('damping="1 1 0"'), "tendon 'cable' has damping that is not linear"),
    "dead band": (cabled('stiffness="1" springlength="0 1"'), "tendon 'cable' has a dead band"),
    "spatial spring": (hung('stiffness="1"'), "tendon 'line' has a spring along a path"),
    "spatial damping": (hung('damping="1"'), "tendon 'line' has damping along a path"),
    "spatial limit": (hung('range="0 1"'), "tendon 'line' has a limit"),
    "spatial motor": (f'{hung("")}<actuator><motor name="m" tendon="line"/></actuator>', "'m' .* type spatial tendon"),
    "spatial equality": (f'{hung("")}<equality><tendon name="e" tendon1="line"/></equality>', "'e' is about the spatial"),
    "site motor": (
        f'{WITH_SITES}<actuator><motor name="m" site="toe"/></actuator>',
        "actuator 'm' .* transmission of type site",
    ),
    "ball motor": (actuated('<motor name="m" joint="hip"/>', 'type="ball"'), "actuator 'm' drives the ball joint 'hip'"),
    "muscle": (actuated('<muscle name="m" joint="hip" lengthrange="0 1"/>'), "actuator 'm' has dynamics of type muscle"),
    "varying gain": (
        actuated('<general name="m" joint="hip" gaintype="affine" gainprm="1 1 0"/>'),
        "actuator 'm' has a gain of type affine",
    ),
    "constant force": (
        actuated('<general name="m" joint="hip" biastype="affine" biasprm="1 0 0"/>'),
        "actuator 'm' has a constant force",
    ),
    "no effect": (actuated('<motor name="m" joint="hip" gear="0"/>'), "actuator 'm' has an input without effect"),
    "bent drag": (actuated('<motor name="m" joint="hip" damping="0 1 0"/>'), "actuator 'm' has damping that is not linear"),
    "disabled group": ('<option actuatorgroupdisable="0"/>' + actuated('<motor joint="hip"/>'), "actuator 'hip' is disabled"),
    "many inputs": (actuated('<pid name="m" joint="hip" kp="1" input="pos vel"/>'), "actuator 'm' has several inputs"),
    "bent equality": (
        f'{TWO}<equality><joint name="e" joint1="hip" joint2="knee" polycoef="0 1 1 0 0"/></equality>',
        "equality constraint 'e' is not linear",
    ),
    "conveyor": (HINGED.replace("<geom", '<geom surfacevel="1 0 0 0 0 0"'), "geom 'leg_geom' has a moving surface"),
    "no body": ("<worldbody/>", "at least one body"),
}


@pytest.mark.filterwarnings("ignore::stickslip.MjcfWarning")
@pytest.mark.parametrize(("text", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_would_change_the_motion_is_refused_by_name(read, text, sentence):
    with pytest.raises(MjcfError, match=rf"robot\.xml: .*{sentence}.*\.$"):
        read(text)


# ---- arguments, and what is not there --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "sentence"),
    {
        ".": "this is a directory, not a file",
        "no/such/file.xml": "there is no such file",
        b"no/such/file.xml": "there is no such file",
        "a\0b": "there is no such file",
        "/dev/null": "this is not a regular file",
    }.items(),
)
def test_a_path_without_a_file_gives_one_sentence(path, sentence):
    with pytest.raises(MjcfError, match=rf"^{os.fsdecode(path)}: {sentence}\.$"):
        read_mjcf(path)


@pytest.mark.parametrize("path", [None, 5, ["robot.xml"], ""])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(ArgumentError, match="the path of an MJCF file must "):
        read_mjcf(path)


def test_collision_is_a_switch(read):
    with pytest.raises(ArgumentError, match="collision must be True or False, not 'no'"):
        read(HINGED, collision="no")


def test_without_mujoco_the_error_says_what_to_install(read, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingExtraError, match=r'pip install "stickslip\[mjcf\]"'):
        read(HINGED)


def test_remarks_of_the_compiler_are_warnings_and_leave_no_file_behind(read, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = mujoco.get_mju_user_warning()
    with pytest.warns(MjcfWarning, match="MuJoCo's compiler remarks: .*settotalmass"):
        read(f'<compiler settotalmass="5"/>{HINGED}')
    assert mujoco.get_mju_user_warning() is before
    assert [file.name for file in tmp_path.iterdir()] == ["robot.xml"]
