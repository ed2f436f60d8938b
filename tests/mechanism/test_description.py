"""Descriptions: what a mechanism must be, in which order it is kept, and the sentence for each way to get it wrong."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_trees import random_rotation
from stickslip.mechanism import (
    PD,
    Body,
    Coupling,
    Joint,
    JointKind,
    Loop,
    LoopKind,
    MechanismDescription,
    MechanismError,
    Motor,
    Polygon,
    Sphere,
    Spring,
)
from stickslip.mechanism.body import nearest_inertia
from stickslip.mechanism.numbers import rotation3

nan, inf = math.nan, math.inf


def body(name: str = "leg", **properties: Any) -> Body:
    return Body(**{"name": name, "mass": 1.0, "inertia": np.eye(3), **properties})


def joint(name: str = "hip", child: str = "leg", parent: str = "world", **properties: Any) -> Joint:
    return Joint(**{"name": name, "kind": JointKind.REVOLUTE, "parent": parent, "child": child, **properties})


def free(child: str) -> Joint:
    return joint(child, child, kind=JointKind.FREE)


def mechanism(**parts: Any) -> MechanismDescription:
    return MechanismDescription(**{"bodies": [body()], "joints": [joint()], **parts})


@pytest.mark.parametrize(
    ("properties", "sentence"),
    [
        ({"mass": nan}, "the mass of body 'leg' must be a number, not NaN"),
        ({"mass": inf}, "the mass of body 'leg' must be a finite number"),
        ({"mass": -1}, "the mass of body 'leg' must not be negative"),
        ({"mass": "1"}, "the mass of body 'leg' must be a number, not '1'"),
        ({"mass": 0}, "body 'leg' has an inertia but no mass"),
        ({"massless": True}, "body 'leg' is declared massless but has a mass of 1 kg"),
        ({"massless": 1}, "`massless` of body 'leg' must be True or False"),
        ({"centre": (0, nan, 0)}, "the centre of mass of body 'leg'"),
        ({"centre": (0, 0)}, "the centre of mass of body 'leg' must have 3 entries, not 2"),
        ({"inertia": np.diag([1, 1, 3])}, "the inertia of body 'leg' breaks the triangle inequality"),
        ({"inertia": np.diag([1, 1, -1])}, "the inertia of body 'leg' has a negative principal moment"),
        ({"inertia": [[1, 1, 0], [0, 1, 0], [0, 0, 1]]}, "the inertia of body 'leg' must be a symmetric matrix"),
        ({"inertia": [[1, 2], [3]]}, "the inertia of body 'leg' must have 3 entries"),
        ({"inertia": np.full((3, 3), inf)}, "the inertia of body 'leg' must be a finite number"),
        ({"inertia": np.full((3, 3), 1.7e308)}, "the inertia of body 'leg' breaks the triangle inequality"),
        ({"shapes": 3}, "the shapes of body 'leg' must be a sequence"),
        ({"shapes": ["sphere"]}, "the shapes of body 'leg' must be shapes"),
        ({"shapes": [Sphere(1, name="toe"), Sphere(2, name="toe")]}, "the name 'toe' is used by more .* shapes of body 'leg'"),
        ({"mass": np.eye(60)}, r"the mass of body 'leg' must be a number, not array.{55}…\.$"),
        ({"massless": "x" * 1000}, r"`massless` of body 'leg' must be True or False, not 'x{59}…\.$"),
        ({"name": "world"}, "no body may be called 'world'"),
        ({"name": " "}, "the name of a body must be a name"),
    ],
)
def test_a_body_that_cannot_be_is_named(properties: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MechanismError, match=sentence):
        body(**properties)


@pytest.mark.parametrize(
    ("properties", "sentence"),
    [
        ({"axis": (0, 0, 0)}, "the axis of joint 'hip' must point somewhere"),
        ({"axis": (0, nan, 0)}, "the axis of joint 'hip'"),
        ({"limits": (1, -1)}, r"the limits of joint 'hip' must have lower <= upper, but is \(1, -1\)"),
        ({"limits": (nan, 1)}, "the lower end of the limits of joint 'hip' must be a number, not NaN"),
        ({"limits": (inf, inf)}, "the limits of joint 'hip' leave it no position"),
        ({"limits": (0, 1), "kind": JointKind.CONTINUOUS}, "joint 'hip' is continuous and cannot have limits"),
        ({"damping": -1}, "the damping of joint 'hip' must not be negative"),
        ({"dry_friction": -1}, "the dry friction of joint 'hip' must not be negative"),
        ({"armature": np.float64(inf)}, r"the armature of joint 'hip' must be a finite number, not inf\.$"),
        ({"rotation": -np.eye(3)}, "the rotation of joint 'hip' .* reflection"),
        ({"rotation": 2 * np.eye(3)}, "the rotation of joint 'hip' .* not orthonormal"),
        ({"at": (0, 0, inf)}, "the place of joint 'hip' must be a finite number"),
        ({"parent": "leg"}, "joint 'hip' connects body 'leg' to itself"),
        ({"kind": "revolute"}, "the kind of joint 'hip' must be a JointKind"),
        ({"kind": JointKind.BALL, "gains": PD(kp=1)}, "the gains of joint 'hip' must be a PD on a joint of one coordinate"),
        ({"kind": JointKind.FREE, "at": (0, 0, 1)}, "free joint 'hip' must hang from the world's origin"),
        ({"kind": JointKind.FREE, "parent": "trunk"}, "free joint 'hip' must hang from the world's origin"),
        ({"kind": JointKind.BALL, "home": (0, 0, 0, 0)}, "the home of joint 'hip' holds a quaternion of length zero"),
        ({"home": (0, 0)}, "the home of joint 'hip' must have 1 entries, not 2"),
    ],
)
def test_a_joint_that_cannot_be_is_named(properties: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MechanismError, match=sentence):
        joint(**properties)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"bodies": [], "joints": []}, "at least one body"),
        ({"bodies": [body(), body()]}, "the name 'leg' is used by more than one of the bodies"),
        ({"joints": [joint(), joint()]}, "the name 'hip' is used by more than one of the joints"),
        ({"joints": [joint(child="log")]}, "joint 'hip' refers to body 'log', which does not exist; did you mean 'leg'"),
        ({"joints": [joint(parent="trunk")]}, "joint 'hip' refers to body 'trunk', which does not exist"),
        ({"joints": [joint(), joint("hop")]}, "body 'leg' is the child of both joint 'hip' and joint 'hop'"),
        ({"joints": []}, "body 'leg' hangs on nothing"),
        ({"joints": [joint(parent="leg", child="world")]}, "joint 'hip' has the world as its child"),
        (
            {"bodies": [body("a"), body("b")], "joints": [joint("j", "a", "b"), joint("k", "b", "a")]},
            "body 'a' is part of a cycle",
        ),
        (
            {
                "bodies": [body("leaf"), body("a"), body("b")],
                "joints": [joint("i", "leaf", "b"), joint("j", "a", "b"), joint("k", "b", "a")],
            },
            "body '[ab]' is part of a cycle",
        ),
        (
            {"bodies": [body(f"b{i}") for i in range(1667)], "joints": [free(f"b{i}") for i in range(1667)]},
            "at most 10000 coordinates, but its joints have 10002",
        ),
        (
            {"bodies": [Body(name="leg")]},
            "body 'leg' moves on joint 'hip', but neither it nor anything that it carries has mass",
        ),
        ({"springs": [Spring(name="s", joints="hop", damping=1)]}, "spring 's' refers to joint 'hop', .* did you mean 'hip'"),
        ({"motors": [Motor(name="m", joints={"hip": 1, "knee": 1})]}, "motor 'm' refers to joint 'knee'"),
        ({"couplings": [Coupling(name="c", joints="knee")]}, "coupling 'c' refers to joint 'knee'"),
        ({"loops": [Loop(name="l", kind=LoopKind.POINT, first="leg", second="log")]}, "loop 'l' refers to body 'log', .*'leg'"),
        ({"gravity": (0, 0, nan)}, "gravity must be a number, not NaN"),
        ({"gravity": -9.81}, "gravity must be a sequence"),
        ({"plane": "yz"}, "the plane must be .* not 'yz'"),
        ({"plane": "xy", "joints": [joint(axis=(1, 0, 0))]}, "axis of revolute joint 'hip' must be normal to the plane 'xy'"),
        ({"plane": "xy", "joints": [joint(kind=JointKind.BALL)]}, "ball joint 'hip' leaves the plane 'xy'"),
        ({"bodies": "leg"}, "the bodies of a mechanism must be a sequence, not 'leg'"),
        ({"bodies": ["leg"]}, "the bodies of a mechanism must be a sequence of Body; 'leg' is none"),
        ({"name": 3}, "the name of a mechanism must be a name, not 3"),
    ],
)
def test_a_mechanism_that_cannot_be_is_refused_by_name(parts: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MechanismError, match=sentence):
        mechanism(**parts)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Spring(name="s", joints="hip", stiffness=-1), "the stiffness of spring 's' must not be negative"),
        (lambda: Spring(name="s", joints={"hip": nan}), "the coefficient of joint 'hip' in spring 's'"),
        (lambda: Spring(name="s", joints="hip", rest=1), "spring 's' does nothing; give it a stiffness or a damping"),
        (lambda: Polygon([(0, 0), (1, 1), (1e9, 1e9)]), "the vertices of a Polygon lie on one line; a polygon has an area"),
        (lambda: Motor(name="m", joints={}), "motor 'm' must act on at least one joint"),
        (lambda: Motor(name="m", joints={"hip": 0}), "motor 'm' must act on at least one joint"),
        (lambda: Motor(name="m", joints=[("hip", 1), ("hip", 2)]), "motor 'm' names a joint twice"),
        (lambda: Motor(name="m", joints="hip", limits=(1, 0)), "the limits of motor 'm' must have lower <= upper"),
        (lambda: Coupling(name="c", joints=7), "the joints of coupling 'c' must be a mapping"),
        (lambda: Loop(name="l", kind=LoopKind.POINT, first="leg", second="leg"), "loop 'l' connects body 'leg' to itself"),
        (lambda: PD(kp=-1), "the gain kp must not be negative"),
        (lambda: Sphere(radius=0, name="toe"), "the radius of Sphere 'toe' must be positive, but is 0"),
    ],
)
def test_parts_that_cannot_be_are_named(make: Any, sentence: str) -> None:
    with pytest.raises(MechanismError, match=sentence):
        make()


def test_mass_may_be_anywhere_that_the_joint_carries() -> None:
    bodies = [Body(name="rod"), body("bob")]
    mechanism(bodies=bodies, joints=[joint("hip", "rod"), joint("weld", "bob", "rod", kind=JointKind.FIXED)])


def test_mass_may_be_left_out_on_purpose_or_where_nothing_moves() -> None:
    mechanism(bodies=[Body(name="leg", massless=True)])
    mechanism(bodies=[Body(name="leg")], joints=[joint(armature=0.1)])
    mechanism(bodies=[Body(name="leg")], joints=[joint(kind=JointKind.FIXED)])


def test_every_joint_of_one_coordinate_has_a_motor_unless_told_otherwise() -> None:
    bodies = [body(kind.label) for kind in JointKind]
    joints = [joint(f"{kind.label}_joint", kind.label, kind=kind) for kind in JointKind]
    names = [motor.name for motor in mechanism(bodies=bodies, joints=joints).motors]
    assert names == ["revolute_joint", "continuous_joint", "prismatic_joint"]
    assert mechanism(motors=()).motors == ()


def test_bodies_and_joints_are_found_by_name_or_the_nearest_is_offered() -> None:
    found = mechanism()
    assert (found.body("leg").name, found.joint("hip").name) == ("leg", "hip")
    with pytest.raises(MechanismError, match="no joint 'hop'; did you mean 'hip'"):
        found.joint("hop")


def test_an_unknown_name_is_answered_by_one_sentence() -> None:
    many = mechanism(bodies=[body(f"b{i}") for i in range(100)], joints=[joint(f"j{i}", f"b{i}") for i in range(100)])
    for name, sentence in {"b7x": "; did you mean 'b7'?", 7: "7; the bodies are 'b0', .* 'b7' and 92 more."}.items():
        with pytest.raises(MechanismError, match=sentence.replace("?", r"\?") + "$") as refusal:
            many.body(name)
        assert str(refusal.value).count(".") + str(refusal.value).count("?") == 1


@pytest.mark.parametrize("spread", [1e-300, 1.0, 1e300])
def test_a_polygon_is_the_hull_of_its_corners_in_any_order_and_of_any_size(spread: float) -> None:
    corners = ((0, 0), (spread, spread), (spread, 0), (0, spread))
    assert Polygon(corners).vertices == corners


def test_a_mechanism_may_have_five_thousand_bodies_and_no_more() -> None:
    def chain(length: int) -> dict[str, Any]:
        names = [f"b{i}" for i in range(length)]
        bodies = [Body(name=name, mass=1) for name in names]
        return {"bodies": bodies, "joints": [joint(f"j{n}", n, p) for n, p in zip(names, ["world", *names], strict=False)]}

    assert len(mechanism(**chain(5000)).joints) == 5000
    with pytest.raises(MechanismError, match="a mechanism can have at most 5000 bodies, not 5001; divide it"):
        mechanism(**chain(5001))


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_order_is_depth_first_and_among_siblings_as_given(seeds: list[int], random: Any) -> None:
    parents = ["world"] + [f"b{seed % i}" for i, seed in enumerate(seeds) if i]
    joints = [joint(f"j{i}", f"b{i}", parent) for i, parent in enumerate(parents)]
    random.shuffle(joints)
    ordered = mechanism(bodies=[body(f"b{i}") for i in range(len(parents))], joints=joints).joints

    def visit(parent: str) -> list[str]:
        return [name for child in joints if child.parent == parent for name in (child.name, *visit(child.child))]

    assert [item.name for item in ordered] == visit("world")


POINTS = st.lists(st.tuples(st.floats(0.01, 10), *[st.floats(-10, 10)] * 3), min_size=1, max_size=6)


@given(POINTS)
def test_every_cloud_of_mass_points_has_an_inertia_that_is_accepted(points: list[tuple[float, ...]]) -> None:
    mass = np.array(points)[:, 0]
    place = np.array(points)[:, 1:]
    place = place - mass @ place / mass.sum()
    inertia = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(mass, place, strict=True))
    body(mass=mass.sum(), inertia=inertia)


@given(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(1.001, 10), st.integers(0, 2**32 - 1))
def test_a_moment_above_the_sum_of_the_others_is_refused_in_any_axes(a: float, b: float, factor: float, seed: int) -> None:
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    inertia = turn @ np.diag([a, b, factor * (a + b)]) @ turn.T
    with pytest.raises(MechanismError, match="body 'leg' breaks the triangle inequality"):
        body(inertia=(inertia + inertia.T) / 2)


@given(st.tuples(*[st.floats(-1e6, 1e6)] * 3))
def test_an_axis_becomes_a_unit_vector(axis: tuple[float, float, float]) -> None:
    if math.hypot(*axis) > 1e-6:
        assert math.hypot(*joint(axis=axis).axis) == pytest.approx(1, abs=1e-15)


@given(st.integers(0, 2**32 - 1))
def test_a_rotation_printed_with_seven_digits_becomes_orthonormal(seed: int) -> None:
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    turn *= np.linalg.det(turn)
    rotation = np.array(rotation3(np.round(turn, 7), "a rotation"))
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(rotation, turn, atol=1e-6)


@given(
    moments=st.tuples(*[st.floats(-1.0, 1.0)] * 3),
    turn=st.integers(0, 100).map(lambda seed: random_rotation(np.random.default_rng(seed))),
)
def test_the_nearest_inertia_is_possible_and_leaves_possible_ones_alone(moments, turn):
    tensor = turn @ np.diag(moments) @ turn.T
    repaired = nearest_inertia(1.0, tensor)
    assert Body(name="repaired", mass=1.0, inertia=repaired)
    small, middle, large = sorted(moments)
    if small + middle >= large:
        np.testing.assert_allclose(repaired, tensor, atol=1e-14)


def test_without_mass_the_nearest_inertia_is_none():
    assert not np.any(nearest_inertia(0.0, np.eye(3)))
