"""What is drawn is what is there: outlines against textbook shapes, sticks against linkages, arrows against weights."""

import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import same_color
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

import stickslip as ss
from contact_scenes import OUTLINE, SOLIDS, UPRIGHT, WITHIN
from convex_shapes import reach
from drawn import box_on_a_slope, lines_with, middle, outline, reaches, sticks
from linkages import A, D, coupler_and_rocker, four_bar, four_bar_state, slider_crank, slider_crank_state
from random_trees import random_rotation
from stickslip.view import style
from stickslip.view.outlines import AROUND

ROUND = 3e-4  # by which Bezier curves miss a circle, relative to its radius
ANGLES = st.floats(-4, 4)


def turn_about(axis: int, angle: float) -> np.ndarray:
    """The rotation (3, 3) about an axis of the world."""
    c, s = np.cos(angle), np.sin(angle)
    first, second = [k for k in range(3) if k != axis]
    turn = np.eye(3)
    turn[[first, second], [first, second]] = c
    turn[first, second], turn[second, first] = -s, s
    return turn


# ---- outlines --------------------------------------------------------------------------------------------------------


@given(st.lists(ANGLES, min_size=3, max_size=3))
def test_circles_are_where_the_bodies_are(q):
    world = ss.robots.pendulum(links=3).world
    axes = ss.view.draw(world, q)
    for k in (1, 2, 3):
        rotation, place = world.mechanism.body_pose(q, f"link_{k}")
        assert middle(axes, f"link_{k}") == pytest.approx((place + rotation @ (0, 0, -1.0))[[0, 2]], abs=1e-9)
        vertices = outline(axes, f"link_{k}")
        assert np.linalg.norm(vertices - middle(axes, f"link_{k}"), axis=1).max() == pytest.approx(1.0, rel=ROUND)


FLAT = {
    "disc": ss.Disc(radius=0.35, centre=(0.1, 0, 0.2)),
    "sphere": ss.Sphere(radius=0.2),
    "box": ss.Box(size=(0.8, 0.3, 0.5), centre=(0.1, 0, 0.05)),
    "capsule": ss.Capsule(radius=0.15, length=0.6, centre=(0.3, 0, 0)),
    "cylinder": ss.Cylinder(radius=0.2, length=0.5),
    "ellipse": ss.Ellipsoid(semi_axes=(0.5, 0.3, 0.2)),
    "segment": ss.Segment(start=(-0.4, 0, 0.1), end=(0.5, 0, -0.2)),
    "polygon": ss.Polygon(vertices=OUTLINE, rotation=UPRIGHT),
    "mesh": ss.Mesh(vertices=[(x, y, z) for x, z in OUTLINE for y in (-0.2, 0.3)]),
}


@pytest.mark.parametrize("name", FLAT)
def test_cross_sections_reach_as_far_as_the_shapes(name):
    """On a body that is welded, turned, to another one that moves."""
    shape = FLAT[name]
    b = ss.MechanismBuilder(plane="xz")
    b.body("base", mass=1.0, inertia=0.1)
    b.planar("root", child="base")
    b.body("tool", mass=0.1, shapes=[shape])
    b.fixed("weld", parent="base", child="tool", at=(0.2, -0.1), rotation=turn_about(1, 0.7))
    mechanism = ss.Mechanism(b)
    q = np.array([0.5, 2.0, -1.2])
    drawn = outline(ss.view.draw(ss.World(mechanism), q), "tool")
    rotation, place = mechanism.body_pose(q, "tool")
    d = np.zeros((len(AROUND), 3))
    d[:, [0, 2]] = AROUND
    seen = ss.Sphere(radius=shape.radius) if name == "disc" else shape
    expected = reach(seen, d @ rotation @ np.array(shape.rotation)) + d @ (place + rotation @ shape.centre)
    assert reaches(drawn, AROUND) == pytest.approx(expected, abs=2 * ROUND)
    if name in ("box", "segment", "polygon", "mesh", "cylinder"):
        assert reaches(drawn, AROUND) == pytest.approx(expected, abs=1e-12)


def test_the_plane_xy():
    b = ss.MechanismBuilder(plane="xy")
    b.body("plate", mass=1.0, inertia=0.1, shapes=[ss.Polygon(vertices=OUTLINE)])
    b.planar("root", child="plate")
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 1), offset=-1.0)])
    axes = ss.view.draw(world, [1.0, 2.0, np.pi / 2])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x (m)", "y (m)")
    turned = np.array(OUTLINE) @ np.array([[0, 1], [-1, 0]]) + (1.0, 2.0)
    assert reaches(outline(axes, "plate"), AROUND) == pytest.approx(reaches(turned, AROUND), abs=1e-12)


def test_a_mechanism_in_space_that_keeps_to_a_plane():
    b = ss.MechanismBuilder()
    b.body("arm", mass=1.0, inertia=(1.0, 1.0, 1.0), shapes=[ss.Box(size=(0.6, 0.2, 0.4), centre=(0.3, 0, 0))])
    b.revolute("hip", child="arm", axis=(0, 1, 0), at=(0.1, 0, 1))
    world = ss.World(ss.Mechanism(b), planar=True)
    axes = ss.view.draw(world, [np.pi / 2])
    rotation, place = world.mechanism.body_pose([np.pi / 2], "arm")
    corners = np.array([(x, 0, z) for x in (0, 0.6) for z in (-0.2, 0.2)]) @ rotation.T + place
    assert reaches(outline(axes, "arm"), AROUND) == pytest.approx(reaches(corners[:, WITHIN["xz"]], AROUND), abs=1e-12)


@pytest.mark.parametrize("name", sorted(set(SOLIDS) - {"point"}))
@pytest.mark.parametrize("along", ["x", "y", "z", (1.0, -2.0, 0.5)])
def test_shadows_reach_as_far_as_the_solids(name, along):
    shape = SOLIDS[name]
    b = ss.MechanismBuilder()
    b.body("stone", mass=1.0, inertia=(1.0, 1.0, 1.0), shapes=[shape])
    b.free("root", child="stone")
    world = ss.World(ss.Mechanism(b))
    rng = np.random.default_rng(1)
    turn = rng.standard_normal(4)
    q = np.concatenate([rng.standard_normal(3), turn / np.linalg.norm(turn)])
    drawn = outline(ss.view.draw(world, q, along=along), "stone")
    right, up = {"x": "yz", "y": "xz", "z": "xy"}.get(str(along), (None, None))
    if right is None:
        away = np.array(along) / np.linalg.norm(along)
        right_axis = np.cross(away, (0, 0, 1)) / np.linalg.norm(np.cross(away, (0, 0, 1)))
        basis = np.array([right_axis, np.cross(right_axis, away)])
    else:
        basis = np.eye(3)[["xyz".index(right), "xyz".index(up)]]
    rotation, place = world.mechanism.body_pose(q, "stone")
    d = AROUND @ basis
    expected = reach(shape, d @ rotation @ np.array(shape.rotation)) + d @ (place + rotation @ shape.centre)
    assert reaches(drawn, AROUND) == pytest.approx(expected, abs=1e-9)


def test_what_is_nearer_is_drawn_over_what_is_farther_away():
    b = ss.MechanismBuilder()
    for k, name in enumerate(("near", "middle", "far")):
        b.body(name, mass=1.0, inertia=(1.0, 1.0, 1.0), shapes=[ss.Sphere(radius=0.2, centre=(0, k, 0))])
        b.revolute(f"joint_{k}", child=name)
    axes = ss.view.draw(ss.World(ss.Mechanism(b)), [0.0, 0.0, 0.0])
    order = {patch.get_label(): patch.get_zorder() for patch in axes.patches}
    assert order["_near"] > order["_middle"] > order["_far"]


# ---- obstacles -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("degrees", [0.0, 30.0, 90.0, 200.0])
def test_a_half_space_has_no_end(degrees):
    angle = np.radians(degrees)
    normal = np.array([-np.sin(angle), np.cos(angle)])
    b = ss.MechanismBuilder(plane="xz")
    b.body("ball", mass=1.0, inertia=0.1, shapes=[ss.Disc(radius=0.1)])
    b.planar("root", child="ball")
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=normal, offset=-0.2, name="floor")])
    axes = ss.view.draw(world, [0.2, 0.3, 0.0])
    (solid,) = [patch for patch in axes.patches if isinstance(patch, Polygon)]
    (surface,) = [line for line in axes.lines if line.get_label() == "_floor"]
    assert solid.get_hatch()
    assert surface.get_xydata() @ normal == pytest.approx([-0.2, -0.2], abs=1e-9)
    along = np.array([normal[1], -normal[0]])
    for far in (-1000.0, -1.0, 0.0, 1.0, 1000.0):
        assert solid.get_path().contains_point(-0.201 * normal + far * along)
        assert solid.get_path().contains_point(-900.0 * normal + far * along)
        assert not solid.get_path().contains_point(-0.199 * normal + far * along)
    lower, upper = np.array([axes.get_xlim(), axes.get_ylim()]).T
    foot = (0.2, 0.3) - (np.array([0.2, 0.3]) @ normal + 0.2) * normal  # of the ball on the floor
    assert (lower < foot).all()
    assert (foot < upper).all()


def test_a_floor_that_is_seen_from_above_is_a_sheet():
    b = ss.MechanismBuilder()
    b.body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), shapes=[ss.Sphere(radius=0.1)])
    b.free("root", child="ball")
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 0, 1))])
    axes = ss.view.draw(world, world.mechanism.configuration(root=(3, 4, 1, 1, 0, 0, 0)), along="z")
    (sheet,) = [patch for patch in axes.patches if isinstance(patch, Polygon)]
    assert sheet.get_xy()[:4].mean(axis=0) == pytest.approx((3, 4))
    oblique = ss.view.draw(world, world.mechanism.neutral(), along=(0, 1, -1))
    (sheet,) = [patch for patch in oblique.patches if isinstance(patch, Polygon)]
    sides = np.ptp(sheet.get_xy(), axis=0)
    assert sides[1] == pytest.approx(sides[0] / np.sqrt(2), rel=1e-9)


def test_obstacles_near_the_mechanism_are_shown_and_huge_ones_do_not_hide_it():
    def shown(*obstacles):
        b = ss.MechanismBuilder(plane="xz")
        b.body("ball", mass=1.0, inertia=0.1, shapes=[ss.Disc(radius=0.5)])
        b.planar("root", child="ball")
        axes = ss.view.draw(ss.World(ss.Mechanism(b), obstacles=obstacles), [0.0, 0.5, 0.0])
        return np.array([axes.get_xlim(), axes.get_ylim()])

    alone = shown()
    with_post = shown(ss.Box(size=(0.2, 1, 0.4), centre=(0.9, 0, 0.2)))
    assert alone[0, 1] < 0.8 < 1.0 < with_post[0, 1]
    ground = shown(ss.Box(size=(100, 1, 100), centre=(0, 0, -50)))
    assert np.ptp(ground, axis=1).max() < 3.0
    assert ground[1, 0] < 0.0
    assert shown(ss.Disc(radius=1, centre=(50, 0, 0))) == pytest.approx(alone)


# ---- sticks and marks ------------------------------------------------------------------------------------------------


def test_a_four_bar_linkage_is_three_sticks_that_close():
    crank = 1.0
    q, _ = four_bar_state(crank, 0.0)
    axes = ss.view.draw(ss.World(four_bar()), q)
    coupler, _ = coupler_and_rocker(crank)
    b = A * np.array([np.cos(crank), np.sin(crank)])
    c = b + 3.0 * np.array([np.cos(coupler), np.sin(coupler)])
    expected = {"a": ((0, 0), b), "b": (b, c), "d": ((D, 0), c)}
    found = sticks(axes)
    assert len(found) == 3
    for ends in expected.values():
        assert min(np.abs(found - np.array(ends)).max(axis=(1, 2))) < 1e-9
    (hinges,) = lines_with(axes, "o")[:1]
    assert sorted(map(tuple, hinges.get_xydata().round(9))) == sorted(map(tuple, np.round([(0, 0), b, (D, 0), c], 9) + 0.0))


@pytest.mark.parametrize("guided", [True, False])
def test_a_slider_has_a_square(guided):
    q, _ = slider_crank_state(0.6, 0.0, guided=guided)
    axes = ss.view.draw(ss.World(slider_crank(guided=guided)), q)
    (squares,) = lines_with(axes, "s")
    assert len(squares.get_xydata()) == 1
    assert squares.get_xydata()[0, 1] == pytest.approx(0.2, abs=1e-9)


def test_legs_without_mass_are_sticks_to_their_toes():
    b = ss.MechanismBuilder(plane="xz")
    b.body("trunk", mass=8.0, inertia=0.1, shapes=[ss.Box(size=(0.5, 0.3, 0.1))])
    b.planar("root", child="trunk")
    b.body("leg", massless=True, shapes=[ss.Point(name="toe", centre=(0.15, 0, 0))])
    b.revolute("hip", parent="trunk", child="leg", at=(-0.2, 0))
    mechanism = ss.Mechanism(b)
    axes = ss.view.draw(ss.World(mechanism), [1.0, 2.0, 0.0, -np.pi / 2])
    assert min(np.abs(sticks(axes) - [[(0.8, 2.0), (0.8, 1.85)]]).max(axis=(1, 2))) < 1e-12
    assert any(np.allclose(line.get_xydata(), [(0.8, 1.85)]) for line in lines_with(axes, "o"))


def test_a_mechanism_that_has_nothing_to_show():
    b = ss.MechanismBuilder(plane="xz")
    b.body("plate", mass=1.0)
    b.fixed("weld", child="plate")
    axes = ss.view.draw(ss.World(ss.Mechanism(b)), [])
    assert np.ptp(axes.get_xlim()) > 0.9


def test_frames_of_sensors_are_not_drawn():
    b = ss.MechanismBuilder(plane="xz")
    b.body("pole", mass=1.0, centre=(0.5, 0), inertia=0.1)
    b.revolute("pivot", child="pole")
    b.body("camera")
    b.fixed("mount", parent="pole", child="camera", at=(0.3, 0.3))
    axes = ss.view.draw(ss.World(ss.Mechanism(b)), [0.0])
    assert sticks(axes).tolist() == [[[0, 0], [0.5, 0]]]  # to the centre of mass


# ---- forces ----------------------------------------------------------------------------------------------------------


def arrows(axes):
    """Feet (k, 2) and tips (k, 2) of the arrows, in m, and their colours."""
    (collection,) = [one for one in axes.collections if type(one).__name__ == "PolyCollection"]
    corners = np.array([path.vertices[:7] for path in collection.get_paths()]).reshape(-1, 7, 2)
    return 0.5 * (corners[:, 0] + corners[:, 6]), corners[:, 3], collection.get_facecolor()


@pytest.mark.parametrize(("friction", "letter"), [(0.8, "F"), (0.2, "L")])
def test_arrows_are_contact_forces_in_the_colours_of_their_modes(friction, letter):
    world, q = box_on_a_slope(20.0, friction)
    solution = ss.contact_problem(world, q, np.zeros(3)).solve()
    assert solution.word == 2 * letter
    axes = ss.view.draw(world, q, forces=solution, force_scale=0.02)
    feet, tips, colours = arrows(axes)
    places = np.array([contact.point for contact in solution.problem.contacts])[:, [0, 2]]
    assert feet == pytest.approx(places)
    push = (tips - feet).sum(axis=0) / 0.02
    slope = np.array([np.cos(np.radians(20)), np.sin(np.radians(20))])
    weight = np.array([0.0, -2 * 9.81])
    if letter == "F":
        assert push == pytest.approx(-weight, abs=1e-9)
    else:
        normal = np.array([-slope[1], slope[0]])
        assert push == pytest.approx((weight @ -normal) * (normal + friction * slope), abs=1e-9)
    assert all(same_color(colour, style.MODES[letter]) for colour in colours)


def test_forces_by_name():
    world, q = box_on_a_slope(0.0)
    names = [contact.name for contact in world.contacts(q)]
    feet, tips, _ = arrows(ss.view.draw(world, q, forces={names[1]: (5.0, -2.0)}, force_scale=0.1))
    assert (tips - feet).tolist() == [pytest.approx([-0.2, 0.5])]
    feet, tips, _ = arrows(ss.view.draw(world, q, forces={names[0]: (0.0, 0.0)}))
    assert tips == pytest.approx(feet)


def test_the_longest_arrow_is_a_fifth_of_the_picture_and_the_scale_is_told():
    world, q = box_on_a_slope(0.0)
    axes = ss.view.draw(world, q, forces=ss.contact_problem(world, q, np.zeros(3)).solve())
    feet, tips, _ = arrows(axes)
    size = max(np.ptp(axes.get_xlim()), np.ptp(axes.get_ylim()))
    assert np.linalg.norm(tips - feet, axis=1).max() == pytest.approx(0.2 * size)
    force, length = axes.get_title(loc="right").removeprefix("contact forces: ").split(" N is drawn ")
    largest = np.linalg.norm(tips - feet, axis=1).max() / 9.81
    assert float(length.split()[0]) / float(force) == pytest.approx(largest, rel=0.05)


# ---- manners ---------------------------------------------------------------------------------------------------------


def test_axes_of_the_user_are_drawn_on():
    world, q = box_on_a_slope()
    mine = Figure().add_subplot()
    assert ss.view.draw(world, q, mine) is mine
    assert mine.get_aspect() == 1.0


def test_nothing_global_changes_and_pyplot_is_not_loaded(tmp_path):
    code = """
import sys, matplotlib, stickslip as ss
settings = lambda: {key: matplotlib.rcParams[key] for key in matplotlib.rcParams if key != "backend"}
before = settings()
scenario = ss.robots.pendulum()
run = scenario.run(duration=0.01)
ss.view.draw(scenario.world, scenario.q).figure.savefig(sys.argv[1])
ss.view.time_lapse(scenario.world, run, 2).figure.savefig(sys.argv[1])
ss.view.animate(scenario.world, run, sys.argv[2])
run.plot().savefig(sys.argv[1])
print(settings() == before, "matplotlib.pyplot" in sys.modules)
"""
    paths = str(tmp_path / "figure.png"), str(tmp_path / "film.gif")
    done = subprocess.run([sys.executable, "-W", "error", "-c", code, *paths], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "False"], done.stderr


def test_a_dark_style_of_the_user_changes_neither_paper_nor_ink():
    world, q = box_on_a_slope()
    with mpl.rc_context({"axes.facecolor": "black", "axes.labelcolor": "yellow", "figure.facecolor": "black"}):
        axes = ss.view.draw(world, q)
        assert same_color(axes.get_facecolor(), style.PAPER)
        assert same_color(axes.figure.get_facecolor(), style.PAPER)
        assert same_color(axes.xaxis.label.get_color(), style.INK)


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (("world", [0, 0, 0]), {}, "what is drawn must be a World, not 'world'"),
        ((None, [0, 0]), {}, r"q must have shape \(3,\), not \(2,\)"),
        ((None, [0, np.nan, 0]), {}, "q must be finite, but 'root.y' is nan"),
        ((None, [0, 0, 0], "axes"), {}, "ax must be Axes of Matplotlib"),
        ((None, [0, 0, 0]), {"along": "x"}, "seen in its own plane, 'xz'; leave `along` out"),
        ((None, [0, 0, 0]), {"forces": 3}, "forces must be a solution, or force by contact"),
        ((None, [0, 0, 0]), {"forces": {"bax:1": (1, 0)}}, "no contact 'bax:1' within 0.01 m at this position"),
        ((None, [0, 0.1, 0]), {"forces": {"box": (1, 0)}}, "'box' stands for several contacts; name one of 'box:"),
        ((None, [0, 0.1, 0]), {"forces": {"box:0": (1, 0, 0)}}, r"the force of contact 'box:0' must have shape \(2,\)"),
        ((None, [0, 0.1, 0]), {"forces": {}, "force_scale": -1}, "force_scale must be positive, but is -1"),
    ],
)
def test_bad_input(arguments, options, sentence):
    world, _ = box_on_a_slope(0.0)
    with pytest.raises(ss.ArgumentError, match=sentence):
        ss.view.draw(arguments[0] or world, *arguments[1:], **options)


@pytest.mark.parametrize("along", ["w", (0, 0, 0), (1, 2), 5])
def test_bad_directions(along):
    b = ss.MechanismBuilder()
    b.body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), shapes=[ss.Sphere(radius=0.1)])
    b.free("root", child="ball")
    world = ss.World(ss.Mechanism(b))
    with pytest.raises(ss.ArgumentError, match="`along` must"):
        ss.view.draw(world, world.mechanism.neutral(), along=along)


def test_forces_of_a_problem_by_hand_have_no_place():
    world, q = box_on_a_slope(0.0)
    by_hand = ss.ContactProblem(mass=np.eye(2), bias=[0.0, 9.81], jacobian=[[0, 1], [1, 0]], friction=[0.5]).solve()
    with pytest.raises(ss.ArgumentError, match="the contacts of this solution have no places"):
        ss.view.draw(world, q, forces=by_hand)


@pytest.mark.parametrize("seed", range(3))
def test_random_directions_give_right_handed_pictures(seed):
    from stickslip.view.picture import _along

    away = random_rotation(np.random.default_rng(seed))[0]
    picture = _along(tuple(away))
    assert np.cross(picture.up, picture.away) == pytest.approx(-np.cross(picture.away, picture.up))
    frame = np.array([picture.right, picture.up, -picture.away])
    assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(frame) == pytest.approx(1.0)
    assert picture.away == pytest.approx(away)
