"""The builder: ten lines make a mechanism, and a wrong line says so."""

import math
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickslip.mechanism import Box, JointKind, LoopKind, MechanismBuilder, MechanismError, Sphere


def leg(plane: str | None = None) -> MechanismBuilder:
    """A thigh on a hip and a shank on a knee."""
    b = MechanismBuilder(plane=plane)
    for name in ("thigh", "shank"):
        b.body(name, mass=1.0, inertia=0.1 if plane else (0.1, 0.1, 0.1))
    b.revolute("hip", child="thigh")
    b.revolute("knee", parent="thigh", child="shank", at=(0.5, 0.0, 0.0))
    return b


def test_a_mechanism_in_ten_lines() -> None:
    b = MechanismBuilder(gravity=(0, 0, -1.62), name="lander")
    b.body("hull", mass=10, inertia=(1, 1, 1), shapes=Box(size=(1, 1, 1)))
    b.body("leg", mass=1, centre=(0, 0, -0.5), inertia=np.diag([0.1, 0.1, 0.01]), shapes=[Sphere(radius=0.1)])
    b.free("base", child="hull")
    b.revolute("hip", parent="hull", child="leg", axis=(0, 1, 0), limits=(-1, 1))
    b.spring("hip", stiffness=100, damping=1, rest=0.1)
    b.motor("hip", limits=(-5, 5), rotor_inertia=0.01)
    lander = b.description()
    assert [body.name for body in lander.bodies] == ["hull", "leg"]
    assert lander.joint("base").kind is JointKind.FREE
    assert lander.body("leg").shapes == (Sphere(radius=0.1),)
    assert (lander.springs[0].rest, lander.motors[0].limits) == (0.1, (-5, 5))
    assert (lander.name, lander.gravity) == ("lander", (0, 0, -1.62))


def test_bodies_and_joints_may_come_in_any_order() -> None:
    b = MechanismBuilder()
    b.revolute("knee", parent="thigh", child="shank")
    b.body("shank", mass=1)
    b.revolute("hip", child="thigh")
    b.body("thigh", mass=1)
    assert [joint.name for joint in b.description().joints] == ["hip", "knee"]


def test_every_kind_of_joint_has_its_line() -> None:
    for kind in JointKind:
        b = MechanismBuilder()
        b.body("part", mass=1, inertia=(1, 1, 1))
        getattr(b, kind.label)("joint", child="part")
        assert b.description().joint("joint").kind is kind


@pytest.mark.parametrize(("plane", "normal", "lifted"), [("xz", (0, -1, 0), (1, 0, 2)), ("xy", (0, 0, 1), (1, 2, 0))])
def test_in_a_plane_two_coordinates_and_one_moment_are_enough(plane: str, normal: tuple, lifted: tuple) -> None:
    b = MechanismBuilder(plane=plane)
    b.body("rod", mass=1, centre=(1, 2), inertia=0.5)
    b.revolute("hinge", child="rod", at=(1, 2), anchor=(1, 2))
    rod = b.description()
    assert rod.joint("hinge").axis == normal
    assert rod.body("rod").centre == rod.joint("hinge").at == rod.joint("hinge").anchor == lifted
    assert np.abs(normal) @ np.array(rod.body("rod").inertia) @ np.abs(normal) == 0.5


@given(st.floats(1e-6, 1e6), st.sampled_from(["xz", "xy"]))
def test_a_plate_obeys_the_perpendicular_axes(moment: float, plane: str) -> None:
    b = MechanismBuilder(plane=plane)
    b.body("plate", mass=1, inertia=moment)
    b.revolute("hinge", child="plate")
    small, middle, large = np.sort(np.diag(b.description().body("plate").inertia))
    assert (small + middle, large) == pytest.approx((moment, moment))


@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_a_transmission_neither_makes_nor_loses_power(size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    ratios = random.normal(size=(size, size)) + 3 * np.eye(size)
    b = MechanismBuilder()
    names = [f"j{i}" for i in range(size)]
    for parent, name in zip(["world", *names], names, strict=False):
        b.body(name, mass=1)
        b.revolute(name, parent=parent, child=name)
    b.transmission(motors=[f"m{i}" for i in range(size)], joints=names, ratios=ratios)
    gear = np.array([[dict(motor.joints).get(name, 0.0) for name in names] for motor in b.description().motors])
    torque, rate = random.normal(size=(2, size))  # of the motors
    assert (gear.T @ torque) @ (ratios @ rate) == pytest.approx(torque @ rate, rel=1e-9, abs=1e-9)


def test_a_transmission_takes_one_value_for_all_motors_or_one_for_each() -> None:
    b = leg()
    b.transmission(motors=["a", "b"], joints=["hip", "knee"], ratios=[[1, 0], [-1, 2]], rotor_inertia=0.1, limits=(-1, 1))
    first, second = b.description().motors
    assert (dict(first.joints), dict(second.joints)) == ({"hip": 1}, {"hip": 0.5, "knee": 0.5})
    assert (first.rotor_inertia, second.limits) == (0.1, (-1, 1))
    b = leg()
    b.transmission(
        motors=["a", "b"], joints=["hip", "knee"], ratios=np.eye(2), rotor_inertia=[1, 2], limits=[(-1, 1), (-2, math.inf)]
    )
    assert [(motor.rotor_inertia, motor.limits) for motor in b.description().motors] == [(1, (-1, 1)), (2, (-2, math.inf))]


def test_motors_are_called_after_their_joint_and_other_things_get_numbers() -> None:
    b = leg()
    b.motor("hip")
    b.motor({"hip": 1, "knee": 1})
    b.spring("hip", stiffness=1)
    b.spring({"hip": 1, "knee": 1}, damping=1, name="tendon")
    b.couple({"hip": 1, "knee": -2}, offset=0.5)
    made = b.description()
    assert [item.name for item in (*made.motors, *made.springs, *made.couplings)] == [
        "hip",
        "motor_2",
        "spring_1",
        "tendon",
        "coupling_1",
    ]


def test_a_free_joint_may_name_the_world_but_no_other_parent() -> None:
    b = MechanismBuilder()
    b.body("box", mass=1, inertia=(1, 1, 1))
    b.free("box_joint", child="box", parent="world")
    assert b.description().joint("box_joint").parent == "world"
    with pytest.raises(MechanismError, match="free joint 'lid_joint' must hang from the world's origin"):
        b.free("lid_joint", child="lid", parent="box")


def test_without_a_word_every_joint_has_a_motor_and_passive_takes_them_away() -> None:
    b = leg()
    assert [motor.name for motor in b.description().motors] == ["hip", "knee"]
    b.passive()
    assert b.description().motors == ()


def test_loops_close_by_points_hinges_and_welds() -> None:
    b = leg(plane="xz")
    ends = {"first": "world", "second": "shank", "first_point": (1, 0), "second_point": (0.5, 0)}
    b.close_point("point", **ends)
    b.close_hinge("hinge", **ends)
    b.close_weld("weld", **ends)
    loops = b.description().loops
    assert [loop.kind for loop in loops] == [LoopKind.POINT, LoopKind.HINGE, LoopKind.WELD]
    assert loops[0].second_point == (0.5, 0, 0)
    assert loops[1].axis == (0, -1, 0)


TRANSMISSION: dict[str, Any] = {"motors": ["a", "b"], "joints": ["hip", "knee"], "ratios": np.eye(2)}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda b: b.body("foot", mass=1, inertia=0.1), r"the inertia of body 'foot' must be a \(3, 3\) matrix or three"),
        (lambda b: b.body("foot", mass=1, inertia=[[1], [2, 3]]), "the inertia of body 'foot'"),
        (lambda b: b.body("foot", mass=1, inertia=(1, 1, "1")), "the inertia of body 'foot' must be a number"),
        (
            lambda b: b.revolute("ankle", child="foot", axes=(0, 0, 1)),
            "joint 'ankle' has no property 'axes'; did you mean 'axis'",
        ),
        (
            lambda b: b.close_hinge("ring", first="world", second="shank", first_point=(0,), second_point=(0,)),
            "the first point of loop 'ring'",
        ),
        (
            lambda b: b.close_weld("ring", first="a", second="b", first_point=0, second_point=0, angle=1),
            "loop 'ring' has no property 'angle'",
        ),
        (
            lambda b: b.close_weld("ring", first="a", second="b", first_point=0, second_point=0, axis=(0, 0, 1)),
            "weld loop 'ring' has no property 'axis'",
        ),
        (
            lambda b: b.close_hinge("ring", first="a", second="b", first_point=0, second_point=0, kind="weld"),
            "hinge loop 'ring' has no property 'kind'",
        ),
        (lambda b: b.revolute("ankle", child="foot", kind=JointKind.FIXED), "joint 'ankle' has no property 'kind'"),
        (lambda b: b.body(np.eye(60), mass=1, inertia=0.1), r"the inertia of body array.{55}… must be a \(3, 3\) matrix"),
        (lambda b: b.motor(None), "the joints of motor 'motor_1' must be a mapping"),
        (lambda b: b.spring("hip", name=""), "the name of a spring must be a name"),
        (
            lambda b: b.transmission(motors=["a", "b"], joints=["hip", "hip"], ratios=[[1, 1], [0, 1]]),
            "motor 'a' names a joint twice",
        ),
        (lambda b: b.transmission(**{**TRANSMISSION, "motors": None}), "the motors of a transmission must be a sequence"),
        (lambda b: b.transmission(**{**TRANSMISSION, "ratios": [[1, 0]]}), r"square matrix, .* not of shape \(1, 2\)"),
        (lambda b: b.transmission(**{**TRANSMISSION, "ratios": "fast"}), r"\['a', 'b'\] .* must be a matrix of numbers"),
        (lambda b: b.transmission(**{**TRANSMISSION, "ratios": np.ones((2, 2))}), "must be finite and invertible"),
        (lambda b: b.transmission(**TRANSMISSION, rotor_inertia=[1]), r"rotor_inertia .* one for each of \['a', 'b'\], not 1"),
        (lambda b: b.transmission(**TRANSMISSION, limits=[(0, 1)] * 3), r"limits .* one for each of \['a', 'b'\], not 3"),
    ],
)
def test_a_wrong_line_is_refused_by_name(wrong: Any, sentence: str) -> None:
    with pytest.raises(MechanismError, match=sentence):
        wrong(leg())


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda b: b.body("foot", mass=1, inertia=-1), "the inertia of body 'foot' must not be negative"),
        (lambda b: b.prismatic("slide", child="foot"), "prismatic joint 'slide' needs an axis in the plane 'xz'"),
        (lambda b: b.body("foot", mass=1, centre=7), "the centre of mass of body 'foot' must be a sequence"),
    ],
)
def test_a_wrong_line_in_a_plane_is_refused_by_name(wrong: Any, sentence: str) -> None:
    with pytest.raises(MechanismError, match=sentence):
        wrong(leg(plane="xz"))


def test_the_plane_is_checked_at_once() -> None:
    for plane in ("yz", 2, ["xz"]):
        with pytest.raises(MechanismError, match='the plane must be "xz", "xy" or None'):
            MechanismBuilder(plane=plane)


ODD: list[Any] = [
    None,
    -1,
    math.nan,
    math.inf,
    "x",
    "",
    [],
    [1],
    (1, 2),
    [[1, 2], [3]],
    np.array(1.0),
    np.zeros(3),
    {},
    True,
    1j,
]
LINES: dict[str, tuple[str, ...]] = {
    "body": ("name", "mass", "centre", "inertia", "shapes", "massless"),
    "revolute": ("name", "child", "parent", "at", "axis", "rotation", "limits", "damping", "gains", "home"),
    "spring": ("joints", "stiffness", "damping", "rest", "name"),
    "motor": ("joints", "rotor_inertia", "limits", "name"),
    "couple": ("joints", "offset", "name"),
    "transmission": ("motors", "joints", "ratios", "rotor_inertia", "limits"),
    "close_hinge": ("name", "first", "second", "first_point", "second_point", "axis", "rotation"),
}
PROPER: dict[str, dict[str, Any]] = {
    "body": {"name": "foot"},
    "revolute": {"name": "ankle", "child": "foot"},
    "spring": {"joints": "hip", "stiffness": 1},
    "motor": {"joints": "hip"},
    "couple": {"joints": "hip"},
    "transmission": TRANSMISSION,
    "close_hinge": {"name": "c", "first": "world", "second": "shank", "first_point": (0, 0, 0), "second_point": (0, 0, 0)},
}


@pytest.mark.parametrize("plane", [None, "xz"])
@pytest.mark.parametrize(("line", "argument"), [(line, argument) for line, known in LINES.items() for argument in known])
def test_odd_arguments_give_a_mechanism_or_a_sentence(plane: str | None, line: str, argument: str) -> None:
    for odd in ODD:
        b = leg(plane)
        with suppress(MechanismError):
            getattr(b, line)(**{**PROPER[line], argument: odd})
            b.description()
