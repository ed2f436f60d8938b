"""Cutting hinges: what becomes of names, shapes, neighbours and motors, and what is refused."""

import pickle

import numpy as np
import pytest

import stickslip as ss


def two_links(plane: str | None = "xz", **hinge) -> ss.MechanismBuilder:
    """An upper link on the world and a lower one, with a foot welded to it; `hinge` is what the knee has besides."""
    b = ss.MechanismBuilder(plane=plane, name="leg")
    inertia = 0.1 if plane else (0.1, 0.1, 0.1)
    disc = ss.Disc if plane else ss.Sphere
    b.body("upper", mass=1.0, inertia=inertia, shapes=[disc(radius=0.2, name="thigh")])
    b.revolute("hip", child="upper", axis=(0, -1, 0))
    b.body("lower", mass=2.0, inertia=inertia, shapes=[disc(radius=0.2, name="shin")])
    b.revolute("knee", parent="upper", child="lower", axis=(0, -1, 0), at=(0.0, 0.0, -1.0), **hinge)
    b.body("foot", mass=0.5, inertia=inertia, shapes=[disc(radius=0.1, name="sole")])
    b.fixed("ankle", parent="lower", child="foot", at=(0.0, 0.0, -0.5))
    return b


@pytest.mark.parametrize(("plane", "kind", "nv", "rows"), [("xz", "PLANAR", 6, 4), (None, "FREE", 12, 10)])
def test_every_hinge_becomes_a_root_and_a_loop_of_its_name(plane, kind, nv, rows):
    whole = two_links(plane).description()
    cut = ss.Mechanism(whole).cut_hinges()
    assert (cut.nv, cut.loop_rows) == (nv, rows)
    assert [(j.name, j.kind.name, j.parent) for j in cut.description.moving_joints] == [
        ("hip", kind, "world"),
        ("knee", kind, "world"),
    ]
    assert cut.description.joint("ankle") == whole.joint("ankle")
    assert [(loop.name, loop.first, loop.second, loop.kind) for loop in cut.description.loops] == [
        ("hip", "world", "upper", ss.LoopKind.HINGE),
        ("knee", "upper", "lower", ss.LoopKind.HINGE),
    ]
    assert cut.description.bodies == whole.bodies  # shapes and all
    assert (cut.motor_names, cut.description.gravity, cut.plane) == (["hip", "knee"], whole.gravity, plane)
    assert cut.description.name == "leg"


def test_planar_coordinates_are_place_and_angle():
    mech = ss.Mechanism(two_links())
    Q, V = mech.cut_state([0.3, 0.4], [1.0, 2.0])
    knee = np.array([np.sin(0.3), -np.cos(0.3)])
    assert Q == pytest.approx([0, 0, 0.3, *knee, 0.7])
    assert V == pytest.approx([0, 0, 1, np.cos(0.3), np.sin(0.3), 3])
    assert mech.cut_hinges().input_map().T == pytest.approx(np.array([[0, 0, 1, 0, 0, 0], [0, 0, -1, 0, 0, 1]]))


@pytest.mark.parametrize("plane", ["xz", None])
def test_what_is_cut_already_stays_as_it_is(plane):
    cut = ss.Mechanism(two_links(plane, damping=0.3)).cut_hinges()
    assert cut.cut_hinges().description == cut.description
    q = cut.neutral()
    assert all(np.array_equal(x, y) for x, y in zip(cut.cut_state(q, q[: cut.nv]), (q, q[: cut.nv]), strict=True))


def test_a_cut_mechanism_can_be_pickled():
    cut = ss.Mechanism(two_links()).cut_hinges()
    assert pickle.loads(pickle.dumps(cut)).description == cut.description


@pytest.mark.parametrize("plane", ["xz", None])
def test_a_floating_base_keeps_its_joint(plane):
    b = two_links(plane)
    b.body("trunk", mass=1.0, inertia=0.1 if plane else (0.1, 0.1, 0.1))
    home = (1.0, 2.0, 0.3) if plane else (1.0, 0.0, 2.0, 0.6, 0.0, 0.8, 0.0)
    (b.planar if plane else b.free)("root", child="trunk", damping=0.1, armature=0.2, home=home)
    b.body("arm", mass=1.0, inertia=0.1 if plane else (0.1, 0.1, 0.1))
    b.revolute("shoulder", parent="trunk", child="arm", axis=(0, -1, 0))
    whole = ss.Mechanism(b)
    cut = whole.cut_hinges()
    assert cut.description.joint("root") == whole.description.joint("root")
    assert cut.configuration()[cut.coordinates("root")[0]] == pytest.approx(home)
    assert cut.joint_names == whole.joint_names


def test_bodies_welded_to_the_world_stay_there():
    b = ss.MechanismBuilder(plane="xz")
    b.body("stand", mass=1.0, inertia=0.1)
    b.fixed("bolt", child="stand", at=(0, 2))
    b.body("bob", mass=1.0, inertia=0.1)
    b.revolute("pin", parent="stand", child="bob", at=(0, 0.5))
    cut = ss.Mechanism(b).cut_hinges()
    assert cut.nv == 3
    assert cut.neutral() == pytest.approx([0, 2.5, 0])
    assert cut.input_map().T == pytest.approx(np.array([[0, 0, 1]]))
    assert cut.loop_residual(cut.neutral()) == pytest.approx([0, 0])


# ---- worlds --------------------------------------------------------------------------------------------------------


def scene(plane: str | None) -> ss.Mechanism:
    """A chain with one joint of every kind, a shape on every body."""
    b = ss.MechanismBuilder(plane=plane)
    normal = (0, 0, 1) if plane == "xy" else (0, -1, 0)
    shape = (ss.Disc if plane else ss.Sphere)(radius=0.3)
    kinds = ["revolute", "prismatic", "planar", "continuous", "fixed", "revolute"] + ([] if plane else ["ball"])
    for k, kind in enumerate(kinds):
        b.body(f"body_{k}", mass=1.0, inertia=0.1 if plane else (0.1, 0.1, 0.1), shapes=[shape])
        parent, axis = "world" if k == 0 else f"body_{k - 1}", (1, 0, 0) if kind == "prismatic" else normal
        getattr(b, kind)(f"joint_{k}", parent=parent, child=f"body_{k}", at=(0.5, 0, 0), axis=axis)
    b.passive()
    return ss.Mechanism(b)


@pytest.mark.parametrize("plane", ["xz", "xy", None])
def test_neighbours_still_do_not_touch(plane):
    """Those held by hinges, sliders and balls; bodies that slide in a plane may meet, before and after."""
    mech = scene(plane)
    floor = ss.HalfSpace(normal=(0, 1, 0) if plane == "xy" else (0, 0, 1), name="floor")
    before, after = (
        {frozenset(pair) for pair in ss.World(m, obstacles=[floor], self_contact=True).pairs} for m in (mech, mech.cut_hinges())
    )
    assert after == before
    touching = [frozenset((f"body_{k}", f"body_{k + 1}")) in after for k in range(len(mech.body_names) - 1)]
    assert touching == [False, True, False, False, False, False][: len(touching)]
    assert frozenset(("body_0", "floor")) in after


# ---- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hinge", "what"),
    [
        ({"limits": (-1, 1)}, "its limits"),
        ({"gains": ss.PD(kp=1.0)}, "its gains"),
        ({"dry_friction": 0.1}, "its dry friction"),
        ({"armature": 0.1}, "its armature"),
    ],
)
def test_what_needs_a_joints_coordinate_is_refused(hinge, what):
    with pytest.raises(ss.MechanismError, match=f"joint 'knee' cannot be cut, for {what} would be lost with its coordinate"):
        ss.Mechanism(two_links(**hinge)).cut_hinges()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda b: b.spring("knee", stiffness=1.0), "joint 'knee' cannot be cut, for spring 'spring_1'"),
        (lambda b: b.couple({"hip": 1.0, "knee": -1.0}), "joint 'hip' cannot be cut, for coupling 'coupling_1'"),
        (
            lambda b: b.close_point("knee", first="upper", second="foot", first_point=(0, 0), second_point=(0, 0)),
            "joint 'knee' cannot be cut: it would become a loop, and there is a loop of that name",
        ),
    ],
)
def test_what_acts_on_coordinates_is_refused(build, message):
    b = two_links()
    build(b)
    with pytest.raises(ss.MechanismError, match=message):
        ss.Mechanism(b).cut_hinges()


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("prismatic", {"axis": (0, 0, 1)}, "joint 'end' cannot be cut, for motor 'end' would be lost"),
        ("ball", {"damping": 0.1}, "joint 'end' cannot be cut, for its damping would be lost"),
        ("planar", {"damping": 0.1}, "joint 'end' cannot be cut, for its damping would be lost"),
    ],
)
def test_forces_along_axes_that_turn_against_a_body_are_refused(kind, options, message):
    b = two_links(None)
    b.body("tip", mass=1.0, inertia=(0.1, 0.1, 0.1))
    getattr(b, kind)("end", parent="lower", child="tip", **options)
    with pytest.raises(ss.MechanismError, match=message):
        ss.Mechanism(b).cut_hinges()


def test_a_body_without_mass_cannot_move_by_itself():
    b = ss.MechanismBuilder()
    b.body("cross")
    b.revolute("yaw", child="cross")
    b.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.1))
    b.revolute("pitch", parent="cross", child="arm", axis=(0, 1, 0))
    with pytest.raises(ss.MechanismError, match="the joints of body 'cross' cannot be cut, for it has no mass"):
        ss.Mechanism(b).cut_hinges()
    b.body("tag", mass=0.1, inertia=(0.01, 0.01, 0.01))
    b.fixed("glue", parent="cross", child="tag")  # what is welded on counts
    assert ss.Mechanism(b).cut_hinges().nv == 12


def test_a_point_mass_turns_no_body():
    b = ss.MechanismBuilder(plane="xz")
    b.body("bob", mass=1.0, centre=(0, -1))
    b.revolute("pin", child="bob")
    with pytest.raises(ss.MechanismError, match="mass matrix is singular at joint 'pin'"):
        ss.Mechanism(b).cut_hinges()


def test_a_massless_body_that_is_meant_stays_massless():
    b = two_links()
    b.body("whisker", massless=True)
    b.revolute("root", parent="lower", child="whisker")
    cut = ss.Mechanism(b).cut_hinges()
    M = cut.mass_matrix(cut.neutral())
    assert not M[cut.coordinates("root")[1]].any()


@pytest.mark.parametrize("state", [([np.nan, 0], [0, 0]), ([0, 0], [np.inf, 0]), ([0], [0, 0]), ([0, 0], [0, 0, 0])])
def test_states_that_are_none_are_refused(state):
    with pytest.raises(ss.ArgumentError):
        ss.Mechanism(two_links()).cut_state(*state)
