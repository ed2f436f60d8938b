"""Whatever is wrong with a world or with where things stand in it, one sentence says so."""

from math import inf, nan

import numpy as np
import pytest

import stickslip as ss
from stickslip.contact import HalfSpace, Material, OverlapError, World, contact_problem
from stickslip.mechanism.errors import ArgumentError
from touching import loose, slope

BALL = loose(ss.Sphere(radius=0.5, name="tyre"))
FLOOR = HalfSpace(normal=(0, 0, 1), name="floor")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"obstacles": ["floor"]}, r"obstacles must be shapes such as Disc\(radius=…\) or half-spaces, not 'floor'"),
        ({"obstacles": 3}, "obstacles must be a sequence of shapes and half-spaces, not 3"),
        ({"obstacles": [FLOOR, FLOOR]}, "the name 'floor' is used by more than one of the obstacles"),
        ({"obstacles": [ss.Disc(radius=1, name="body")]}, "an obstacle is called 'body' like a body of the mechanism"),
        ({"obstacles": [HalfSpace(normal=(0, 1, 1))]}, "half_space_1.*plane 'xz'"),
        ({"material": 0.5}, r"the material of a world must be a Material\(friction=…\), not 0.5"),
        ({"materials": [("tyre", "floor")]}, "materials must be a mapping such as"),
        ({"materials": {("tyre", "floor"): 0.5}}, r"the material for \('tyre', 'floor'\) must be a Material"),
        (
            {"materials": {("tyre", "flor"): Material()}},
            "no body, shape or obstacle 'flor' for materials; did you mean 'floor'?",
        ),
        ({"materials": {("tyre", "slope", "x"): Material()}}, "materials must be a sequence of pairs of names"),
        ({"materials": {("tyre", 3): Material()}}, "materials must be names of bodies, shapes or obstacles, not 3"),
        ({"materials": {("tyre", "body"): Material()}}, r"the material for \('tyre', 'body'\) is never used"),
        (
            {"materials": {"body": Material(0.1), "floor": Material(0.2)}},
            "materials are given for 'body' and for 'floor', and neither is more specific for 'body/tyre' on 'floor'",
        ),
        (
            {"materials": {("body", "floor"): Material(0.1), ("floor", "body"): Material(0.2)}},
            r"materials are given for \('body', 'floor'\) and for \('floor', 'body'\), and neither is more specific",
        ),
        ({"self_contact": 1}, "self_contact must be a sequence of pairs of names"),
        ({"self_contact": "tyre"}, "self_contact must be a sequence of pairs of names"),
        ({"self_contact": [("tyre", "wheel")]}, "no body, shape or obstacle 'wheel' for self_contact"),
        ({"self_contact": [("tyre", "floor")]}, r"self_contact names the pair \('tyre', 'floor'\), but no two parts"),
        ({"ignore": ["tyr"]}, "no body, shape or obstacle 'tyr' for ignore; did you mean 'tyre'?"),
        ({"ignore": "tyre"}, "ignore must be a sequence of pairs of names"),
        ({"planar": False}, "planar is False, but mechanism 'mechanism' was built in the plane 'xz'"),
        ({"planar": "xz"}, "planar must be True, False or None"),
    ],
)
def test_impossible_worlds_are_refused(arguments, sentence):
    with pytest.raises(ArgumentError, match=sentence):
        World(BALL, **{"obstacles": [FLOOR], **arguments})


def test_a_world_is_made_of_a_mechanism():
    with pytest.raises(ArgumentError, match="a World is made of a Mechanism, not of 'robot'"):
        World("robot")


def test_what_moves_in_space_is_not_planar():
    with pytest.raises(
        ArgumentError, match="planar is True, but mechanism 'mechanism' moves in space: free joint 'root' leaves"
    ):
        World(loose(plane=None, inertia=(1, 1, 1)), planar=True)


def test_a_mechanism_that_stays_in_two_planes_does_not_say_which():
    b = ss.MechanismBuilder()
    b.body("slider", mass=1.0, shapes=[ss.Point()])
    b.prismatic("rail", child="slider", axis=(1, 0, 0))
    with pytest.raises(ArgumentError, match="stays in both planes"):
        World(ss.Mechanism(b), planar=True)


def test_a_normal_in_space_has_three_entries():
    with pytest.raises(ArgumentError, match="the normal of half-space 'slope' must have 3 entries in space, not 2"):
        World(loose(plane=None, inertia=(1, 1, 1)), obstacles=[slope(0.1)])


@pytest.mark.parametrize(
    "make", [lambda: ss.Disc(radius=0), lambda: ss.Sphere(radius=-1), lambda: ss.Capsule(radius=0, length=1)]
)
def test_shapes_without_size_are_refused(make):
    with pytest.raises(ss.MechanismError, match="must be positive"):
        make()


def test_flat_meshes_are_refused():
    with pytest.raises(ss.MechanismError, match="lie in one plane; a mesh has a volume"):
        ss.Mesh(vertices=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)])


# ---- where things stand ------------------------------------------------------------------------------------------------


def test_an_overlap_names_the_pair_and_its_depth():
    world = World(BALL, obstacles=[FLOOR])
    for call in (lambda q: world.check(q), lambda q: contact_problem(world, q, np.zeros(3))):
        with pytest.raises(OverlapError, match=r"'body/tyre' overlaps 'floor' by 0.125 m") as caught:
            call([0, 0.375, 0])
        assert caught.value.pair == ("floor", "tyre")
        assert caught.value.depth == pytest.approx(0.125)
    world.check([0, 0.5, 0])
    world.check([0, 0.375, 0], tolerance=0.2)


def test_the_deepest_overlap_is_named_and_the_others_counted():
    world = World(BALL, obstacles=[FLOOR, ss.Disc(radius=1, centre=(0, 0, 1.8125), name="lamp")])
    with pytest.raises(OverlapError, match=r"'body/tyre' overlaps 'floor' by 0.125 m; one more pair overlaps"):
        world.check([0, 0.375, 0])


def test_coincident_centres_have_no_normal():
    world = World(BALL, obstacles=[ss.Disc(radius=1.0, centre=(1, 0, 2), name="sun")])
    for call in (world.contacts, world.check, world.gap, lambda q: contact_problem(world, q, np.zeros(3))):
        with pytest.raises(ArgumentError, match=r"the centres of 'body/tyre' and 'sun' coincide"):
            call([1, 2, 0])


AT = (0.3, -0.2, 0.7)
SOLID = {"plane": None, "inertia": (1, 1, 1)}


@pytest.mark.parametrize(
    ("obstacle", "shape"),
    [
        (ss.Sphere(radius=1.0, centre=AT), ss.Sphere(radius=0.5)),
        (ss.Capsule(radius=0.3, length=1.0, centre=AT), ss.Sphere(radius=0.5)),
        (ss.Cylinder(radius=0.3, length=9.0, centre=AT), ss.Sphere(radius=0.5)),
        (ss.Ellipsoid(semi_axes=(3, 2, 1), centre=AT), ss.Point()),
    ],
)
def test_coincident_centres_in_space_have_no_normal(obstacle, shape):
    world = World(loose(shape, **SOLID), obstacles=[obstacle])
    with pytest.raises(OverlapError, match="so that no direction leads out of their overlap; move one of them") as caught:
        world.check([*AT, 1, 0, 0, 0])
    assert caught.value.pair == (world.parts[1].name, world.parts[0].name)


@pytest.mark.parametrize(
    ("obstacle", "shape", "depth"),
    [
        (ss.Box(size=(2, 2, 1), centre=(0, 0, -0.5)), ss.Box(size=(1, 1, 0.5)), 0.125),
        (ss.Box(size=(2, 2, 1), centre=(0, 0, -0.5)), ss.Cylinder(radius=0.5, length=0.5), 0.125),
        (ss.Mesh(vertices=[(9, 0, 0), (-9, 9, 0), (-9, -9, 0), (0, 0, -5)]), ss.Capsule(radius=0.125, length=0.25), 0.125),
        (FLOOR, ss.Ellipsoid(semi_axes=(1, 1, 0.25)), 0.125),
        (ss.Sphere(radius=1.0, centre=(0, 0, -1)), ss.Ellipsoid(semi_axes=(0.125, 0.125, 0.25)), 0.125),
    ],
)
def test_an_overlap_in_space_names_the_pair_and_its_depth(obstacle, shape, depth):
    world = World(loose(shape, **SOLID), obstacles=[obstacle])
    for call in (lambda q: world.check(q), lambda q: contact_problem(world, q, np.zeros(6))):
        with pytest.raises(OverlapError, match=rf"^'body' overlaps '.*' by {depth:g} m\.$") as caught:
            call([0, 0, 0.125, 1, 0, 0, 0])
        assert caught.value.depth == pytest.approx(depth, rel=1e-9)


def test_segments_on_one_line_have_no_normal():
    line = {"start": (-1, 0, 0), "end": (1, 0, 0)}
    world = World(loose(ss.Segment(**line), **SOLID), obstacles=[ss.Segment(**line, name="wire")])
    with pytest.raises(OverlapError, match=r"'body' and 'wire' coincide \(or their centre lines meet\)"):
        contact_problem(world, [0.5, 0, 0, 1, 0, 0, 0], np.zeros(6))


def test_a_rim_on_a_tip_cannot_tell_how_it_moves():
    """The tip may slip off either side of the rim, so nothing follows from their rates; there is a gap all the same."""
    corners = [(0.4, 0, 0), (-0.4, 0, 0), (0, 0.3, 0), (0, -0.3, 0), (0, 0, 0.35), (0, 0, -0.35)]
    upright = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
    coin = loose(ss.Disc(radius=0.35, rotation=upright, name="coin"), **SOLID)
    world = World(coin, obstacles=[ss.Mesh(vertices=corners, name="tip")])
    q = [0, 0, 0.7, 1, 0, 0, 0]
    assert world.gap(q) == pytest.approx(0.0, abs=1e-9)
    world.check(q)
    with pytest.raises(ArgumentError, match=r"^nothing says how the point of contact moves at 'coin:.*meet there in one point"):
        contact_problem(world, q, [1.0, 0, 0, 0, 0, 0])


@pytest.mark.parametrize("bad", [nan, inf])
def test_states_must_be_finite(bad):
    world = World(BALL, obstacles=[FLOOR])
    for call in (world.contacts, world.check, world.gap, lambda q: contact_problem(world, q, np.zeros(3))):
        with pytest.raises(ArgumentError, match="q must be finite"):
            call([0, bad, 0])
    with pytest.raises(ArgumentError, match="v must be finite"):
        contact_problem(world, [0, 0.5, 0], [0, bad, 0])


def test_states_must_have_their_size():
    world = World(BALL, obstacles=[FLOOR])
    with pytest.raises(ArgumentError, match=r"q must have shape \(3,\), not \(2,\)"):
        world.contacts([0, 0.5])
    with pytest.raises(ArgumentError, match=r"v must have shape \(3,\), not \(4,\)"):
        contact_problem(world, [0, 0.5, 0], np.zeros(4))


@pytest.mark.parametrize("bad", [-1e-3, nan, "wide"])
def test_margins_and_tolerances_are_lengths(bad):
    world = World(BALL, obstacles=[FLOOR])
    with pytest.raises(ArgumentError, match=r"^the margin must"):
        world.contacts([0, 0.5, 0], margin=bad)
    with pytest.raises(ArgumentError, match=r"^the tolerance must"):
        contact_problem(world, [0, 0.5, 0], np.zeros(3), tolerance=bad)


def test_a_problem_is_made_of_a_world():
    with pytest.raises(ArgumentError, match="a contact problem is made of a World, not of"):
        contact_problem(BALL, [0, 0, 0], np.zeros(3))


def test_a_joint_beyond_its_limit_is_named():
    b = ss.MechanismBuilder(plane="xz")
    b.body("rod", mass=1.0, inertia=1.0)
    b.revolute("hinge", child="rod", limits=(-1.0, 1.0))
    world = World(ss.Mechanism(b))
    with pytest.raises(OverlapError, match=r"joint 'hinge' is beyond its upper limit by 0.5"):
        contact_problem(world, [1.5], [0.0])
