"""Worlds: what their parts are called, which of them may touch, what their surfaces are like, and what touches now."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from math import pi

import numpy as np
import pytest

import stickslip as ss
from stickslip.contact import HalfSpace, Material, World
from stickslip.contact.naming import is_meant
from stickslip.mechanism.errors import ArgumentError
from touching import loose, slope

FLOOR = HalfSpace(normal=(0, 0, 1), name="floor")


def robot(plane="xz") -> ss.Mechanism:
    """A trunk with two legs of two links each; every toe is called "toe"."""
    b = ss.MechanismBuilder(plane=plane)
    b.body("trunk", mass=1.0, inertia=(1, 1, 1), shapes=[ss.Box(size=(1, 0.2, 0.2)), ss.Sphere(radius=0.3, centre=(0.5, 0, 0))])
    (b.planar if plane else b.free)("root", child="trunk")
    for side, x in (("left", -0.4), ("right", 0.4)):
        b.body(f"{side}_thigh", mass=1.0, inertia=(1, 1, 1), shapes=[ss.Capsule(radius=0.05, length=0.3, centre=(0, 0, -0.2))])
        b.revolute(f"{side}_hip", parent="trunk", child=f"{side}_thigh", at=(x, 0, 0), axis=(0, -1, 0))
        b.body(f"{side}_shank", mass=1.0, inertia=(1, 1, 1), shapes=[ss.Sphere(radius=0.05, centre=(0, 0, -0.4), name="toe")])
        b.revolute(f"{side}_knee", parent=f"{side}_thigh", child=f"{side}_shank", at=(0, 0, -0.4), axis=(0, -1, 0))
    return ss.Mechanism(b)


def names_of_pairs(world: World) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in world.pairs}


# ---- names -----------------------------------------------------------------------------------------------------------


def test_parts_have_names_of_their_own():
    world = World(robot(), obstacles=[FLOOR, HalfSpace(normal=(1, 0)), ss.Disc(radius=1.0, centre=(9, 0, 0)), slope(0.1)])
    assert [part.name for part in world.parts] == [
        "trunk/box_1",
        "trunk/sphere_1",
        "left_thigh",
        "left_shank/toe",
        "right_thigh",
        "right_shank/toe",
        "floor",
        "half_space_2",
        "disc_1",
        "slope",
    ]


def test_a_contact_is_called_like_its_shape_where_that_says_everything():
    mech = loose(ss.Sphere(radius=0.5, name="tyre"))
    (contact,) = World(mech, obstacles=[FLOOR]).contacts([0, 0.5, 0])
    assert (contact.name, contact.bodies) == ("tyre", ("floor", "body"))
    (contact,) = World(mech, obstacles=[FLOOR, slope(1.5)]).contacts([-4, 0.5, 0])
    assert contact.name == "tyre on floor"


def test_corners_are_numbered():
    mech = loose(ss.Box(size=(1, 1, 1), name="crate"))
    names = {contact.name for contact in World(mech, obstacles=[FLOOR]).contacts([0, 0.5, 0])}
    assert len(names) == 2
    assert all(name.startswith("crate:") for name in names)


def test_names_and_identities_last():
    """A box slides, tips over one corner and comes back: the corners keep their names whatever else touches."""
    world = World(loose(ss.Box(size=(1, 1, 1), name="crate")), obstacles=[FLOOR])
    both = {c.name: c.id for c in world.contacts([0, 0.5, 0], margin=1e-6)}
    left = {c.name: c.id for c in world.contacts([3.0, 0.5 * 2**0.5 * np.sin(pi / 4 + 0.1), 0.1], margin=1e-6)}
    assert len(both) == 2
    assert len(left) == 1
    assert left.items() < both.items()


def test_the_same_world_gives_the_same_names():
    def words():
        return [c.name for c in World(robot(), obstacles=[FLOOR], self_contact=True).contacts(robot().neutral(), margin=10.0)]

    assert words() == words()


# ---- who meets whom --------------------------------------------------------------------------------------------------


def test_a_robot_meets_obstacles_only_unless_asked():
    assert names_of_pairs(World(robot(), obstacles=[FLOOR])) == {
        frozenset((part, "floor"))
        for part in ("trunk/box_1", "trunk/sphere_1", "left_thigh", "left_shank/toe", "right_thigh", "right_shank/toe")
    }


def test_neighbours_never_meet_by_themselves():
    pairs = names_of_pairs(World(robot(), self_contact=True))
    assert frozenset(("trunk/box_1", "left_thigh")) not in pairs
    assert frozenset(("left_thigh", "left_shank/toe")) not in pairs
    assert frozenset(("trunk/box_1", "trunk/sphere_1")) not in pairs  # one body
    assert frozenset(("trunk/box_1", "left_shank/toe")) in pairs
    assert frozenset(("left_thigh", "right_thigh")) in pairs
    assert len(pairs) == 4 + 4  # trunk's two shapes with two toes; two links of one leg with two of the other


def test_pairs_are_asked_for_and_left_out_by_name():
    world = World(robot(), obstacles=[FLOOR], self_contact=[("toe", "left_thigh")], ignore=["trunk", ("right_thigh", "floor")])
    assert names_of_pairs(world) == {
        frozenset(pair)
        for pair in (
            ("left_thigh", "left_shank/toe"),  # neighbours, since they are named
            ("left_thigh", "right_shank/toe"),
            ("left_thigh", "floor"),
            ("left_shank/toe", "floor"),
            ("right_shank/toe", "floor"),
        )
    }


def test_what_is_welded_to_the_world_is_the_environments_side_and_meets_no_obstacle():
    b = ss.MechanismBuilder(plane="xz")
    b.body("ball", mass=1.0, inertia=1.0, shapes=[ss.Sphere(radius=1.0)])
    b.planar("root", child="ball")
    b.body("table", shapes=[ss.Box(size=(2, 2, 2), centre=(0, 0, -1))])
    b.fixed("legs", child="table")
    mech = ss.Mechanism(b)
    assert World(mech, obstacles=[FLOOR]).pairs == [("floor", "ball")]
    world = World(mech, self_contact=True)
    assert world.pairs == [("table", "ball")]
    (contact,) = world.contacts([0, 1, 0])
    assert contact.bodies == ("table", "ball")
    assert contact.normal == pytest.approx((0, 0, 1))
    assert contact.name == "ball on table"


def test_loops_and_links_without_mass_and_shape_make_neighbours():
    b = ss.MechanismBuilder()
    for name in "abcd":
        b.body(name, mass=1.0, inertia=(1, 1, 1), shapes=[ss.Sphere(radius=0.1)])
    b.body("cross", massless=True)
    b.free("root", child="a")
    b.revolute("first", parent="a", child="cross", axis=(1, 0, 0))
    b.revolute("second", parent="cross", child="b", axis=(0, 1, 0))
    b.revolute("third", parent="b", child="c", axis=(0, 1, 0))
    b.revolute("fourth", parent="c", child="d", axis=(0, 1, 0))
    b.close_point("ring", first="d", second="a", first_point=(0, 0, 0), second_point=(0, 0, 0))
    assert names_of_pairs(World(ss.Mechanism(b), self_contact=True)) == {frozenset("ac"), frozenset("bd")}


# ---- surfaces --------------------------------------------------------------------------------------------------------


def test_the_most_specific_material_wins():
    ice, rubber, wood, tar = Material(0.05), Material(1.0), Material(0.3), Material(2.0)
    world = World(
        robot(),
        obstacles=[FLOOR, slope(0.3)],
        material=wood,
        materials={"floor": ice, ("left_shank", "floor"): rubber, ("toe", "slope"): rubber, ("left_shank/toe", "slope"): tar},
    )
    assert world.material_of("left_thigh", "floor") == ice
    assert world.material_of("left_thigh", "slope") == wood
    assert world.material_of("left_shank/toe", "floor") == world.material_of("floor", "left_shank/toe") == rubber
    assert world.material_of("right_shank/toe", "slope") == rubber
    assert world.material_of("left_shank/toe", "slope") == tar


def test_rules_that_agree_need_no_judge():
    ice = Material(0.05)
    world = World(robot(), obstacles=[FLOOR], materials={"floor": ice, "toe": Material(0.05)})
    assert world.material_of("left_shank/toe", "floor") == ice


def test_contacts_carry_their_material():
    mech = loose(ss.Sphere(radius=0.5))
    world = World(mech, obstacles=[FLOOR], material=Material(0.3, static_friction=0.4, restitution=0.7))
    (contact,) = world.contacts([0, 0.5, 0])
    assert (contact.friction, contact.static_friction, contact.restitution) == (0.3, 0.4, 0.7)


# ---- plane and space -------------------------------------------------------------------------------------------------


def test_a_world_is_as_planar_as_its_mechanism():
    flat, full = robot(), robot(None)
    assert World(flat).plane == World(flat, planar=True).plane == "xz"
    assert World(flat).planar
    assert World(full).plane is World(full, planar=False).plane is None
    assert not World(full).planar


def test_parallel_hinges_are_planar_if_the_user_says_so():
    b = ss.MechanismBuilder()
    b.body("rod", mass=1.0, inertia=(1, 1, 1), shapes=[ss.Sphere(radius=0.1, centre=(1, 0, 0))])
    b.revolute("hinge", child="rod", axis=(0, 1, 0))
    mech = ss.Mechanism(b)
    assert World(mech).plane is None
    world = World(mech, obstacles=[HalfSpace(normal=(0, 1), offset=-0.1)], planar=True)
    assert world.plane == "xz"
    (contact,) = world.contacts([0.0])
    assert contact.tangents == (pytest.approx((1, 0, 0)),)


# ---- what touches ----------------------------------------------------------------------------------------------------


def test_a_contact_says_where_it_is():
    (contact,) = World(loose(ss.Sphere(radius=0.5)), obstacles=[slope(0.3)]).contacts([0, 0.8, 0], margin=1.0)
    normal = np.array([-np.sin(0.3), 0, np.cos(0.3)])
    assert contact.gap == pytest.approx(normal @ [0, 0, 0.8] - 0.5)
    assert contact.normal == pytest.approx(normal)
    assert contact.tangents == (pytest.approx((np.cos(0.3), 0, np.sin(0.3))),)
    assert normal @ contact.point == pytest.approx(contact.gap / 2)  # half-way across the gap


def test_in_space_there_are_two_tangents():
    (contact,) = World(loose(ss.Sphere(radius=0.5), plane=None, inertia=(1, 1, 1)), obstacles=[FLOOR]).contacts(
        [0, 0, 0.5, 1, 0, 0, 0]
    )
    frame = np.array([contact.normal, *contact.tangents])
    assert frame == pytest.approx(np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]))


def test_margin_is_how_far_a_contact_may_be_open():
    world = World(loose(ss.Sphere(radius=0.5)), obstacles=[FLOOR])
    assert world.contacts([0, 0.7, 0]) == []
    assert world.contacts([0, 0.7, 0], margin=0.1) == []
    assert len(world.contacts([0, 0.7, 0], margin=0.21)) == 1


def test_gap_is_that_of_the_nearest_pair_however_far():
    world = World(loose(ss.Sphere(radius=0.5)), obstacles=[FLOOR, ss.Disc(radius=1.0, centre=(0, 0, 50))])
    assert world.gap([0, 20.5, 0]) == pytest.approx(20.0)
    assert world.gap([0, 40.5, 0]) == pytest.approx(8.0)
    assert world.gap([0, 0.4, 0]) == pytest.approx(-0.1)


def test_a_world_without_anything_to_touch():
    world = World(loose())
    assert world.contacts([0, 0, 0]) == []
    assert world.gap([0, 0, 0]) == np.inf
    world.check([0, 0, 0])


def test_a_world_introduces_itself():
    assert repr(World(loose(ss.Point()), obstacles=[FLOOR])) == "<World of 'mechanism' in the plane 'xz': 2 parts, 1 pair>"


# ---- names stand for contacts ------------------------------------------------------------------------------------------


def test_a_name_without_its_end_stands_for_all_that_go_on_after_it():
    assert is_meant("toe", "toe")
    assert is_meant("toe:3 on floor", "toe")
    assert is_meant("toe:3 on floor", "toe:3")
    assert not is_meant("toe:31 on floor", "toe:3")
    assert not is_meant("toe_rear", "toe")
    assert not is_meant("toe", "toe on floor")


# ---- copies and threads ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda world: pickle.loads(pickle.dumps(world))])
def test_worlds_can_be_copied_and_pickled(copied):
    world = World(
        robot(),
        obstacles=[FLOOR],
        materials={"floor": Material(0.1)},
        self_contact=iter([("toe", "left_thigh")]),
        ignore=(name for name in ["trunk"]),
    )
    other = copied(world)
    assert other.pairs == world.pairs
    assert other.material_of("left_thigh", "floor") == Material(0.1)
    q = robot().neutral()
    assert other.contacts(q, margin=5.0) == world.contacts(q, margin=5.0)


def test_threads_do_not_disturb_each_other():
    world = World(robot(), obstacles=[FLOOR], self_contact=True)
    states = np.random.default_rng(0).normal(0.0, 0.5, (200, world.mechanism.nq))
    expected = [world.contacts(q, margin=0.2) for q in states]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda q: world.contacts(q, margin=0.2), states)) == expected
    assert sum(map(len, expected)) > 100


def test_more_touches_than_there_was_room_for():
    world = World(loose(ss.Disc(radius=5.0)), obstacles=[ss.Disc(radius=0.1, centre=(0.01 * k, 0, 0)) for k in range(500)])
    assert len(world.contacts([0.0, 0.5, 0.0])) == 500


def test_asking_for_a_material():
    world = World(robot(), obstacles=[FLOOR], materials={("left_shank", "floor"): Material(0.1)})
    with pytest.raises(ArgumentError, match="'left_thigh' and 'trunk' never touch in this world"):
        world.material_of("left_thigh", "trunk")
    with pytest.raises(ArgumentError, match="'toe' and 'floor' have parts of different materials"):
        world.material_of("toe", "floor")
    with pytest.raises(ArgumentError, match="no body, shape or obstacle 'flor' for a material; did you mean 'floor'"):
        world.material_of("toe", "flor")
