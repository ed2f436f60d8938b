"""Scenario files: what a good one means, by closed forms, and that a bad one is refused by a sentence that names the key."""

import math
import string
from textwrap import dedent

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import stickslip as ss
from runs import same

CART = """\
<robot name="cart">
  <link name="rail">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="cart">
    <inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <joint name="lift" type="prismatic">
    <parent link="rail"/><child link="cart"/><axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="0" velocity="0"/>
  </joint>
</robot>
"""

FALL = """\
duration = 1.0
method = "time-stepping"

[robot]
urdf = "cart.urdf"

[start.q]
lift = 1.1

[[obstacles]]
kind = "half_space"
name = "floor"
normal = [0, 0, 1]

[material]
restitution = 0.5
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cart.urdf").write_text(CART)
    return tmp_path


def loaded(folder, text):
    path = folder / "case.toml"
    path.write_text(dedent(text))
    return ss.Scenario.load(path)


# ---- what a file means ---------------------------------------------------------------------------------------------


def test_a_ball_dropped_onto_the_floor_is_the_closed_form(folder):
    """It falls 1 m, bounces with half of its speed, and is caught by the clock on its way up or down."""
    scenario = loaded(folder, FALL)
    run = scenario.run()
    first = math.sqrt(2 / 9.81)
    assert (scenario.name, scenario.duration, scenario.method) == ("case", 1.0, "time-stepping")
    assert run.events[0].time == pytest.approx(first, abs=1e-9)
    t = 0.8 - first
    assert run.at(0.8).q[0] == pytest.approx(0.1 + 0.5 * math.sqrt(2 * 9.81) * t - 0.5 * 9.81 * t**2, abs=1e-6)


def test_a_robot_of_the_papers_runs_as_its_function_gives_it(folder):
    scenario = loaded(folder, 'robot = "pendulum"\nduration = 0.2')
    assert same(scenario.run(), ss.robots.pendulum().run(duration=0.2))


def test_options_start_and_settings_are_taken_over(folder):
    scenario = loaded(
        folder,
        """\
        name = "four links"
        about = "they hang askew."
        duration = 0.3
        dt = 2e-3
        record_every = 5

        [robot]
        name = "pendulum"
        options = {links = 4, friction = 0.1}

        [start.q]
        hinge_1 = 0.25
        [start.v]
        hinge_4 = -2
        """,
    )
    assert str(scenario) == "four links: they hang askew."
    assert scenario.q.tolist() == [0.25, 0, 0, 0]
    assert scenario.v.tolist() == [-1, 0, 0, -2]
    assert dict(scenario.settings) == {"dt": 2e-3, "record_every": 5}
    assert scenario.world.material_of("link_4", "floor") == ss.Material(0.1)


def test_obstacles_of_all_kinds_are_what_their_classes_make_of_them(folder):
    text = FALL + dedent(
        """
        [[obstacles]]
        kind = "box"
        name = "crate"
        size = [1, 2.5, 3]
        centre = [5, 0, 0]
        rotation = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
        [[obstacles]]
        kind = "capsule"
        radius = 0.5
        length = 2
        centre = [0, 5, 0]
        [[obstacles]]
        kind = "cylinder"
        radius = 0.5
        length = 2
        centre = [0, -5, 0]
        [[obstacles]]
        kind = "ellipsoid"
        semi_axes = [0.1, 0.2, 0.3]
        centre = [0, 0, 5]
        [[obstacles]]
        kind = "sphere"
        radius = 0.25
        centre = [-5, 0, 0]
        [[obstacles]]
        kind = "disc"
        radius = 0.25
        centre = [-5, 5, 0]
        [[obstacles]]
        kind = "segment"
        start = [7, 0, 0]
        end = [7, 1, 0]
        [[obstacles]]
        kind = "point"
        centre = [8, 0, 0]
        [[obstacles]]
        kind = "polygon"
        vertices = [[0, 0], [1, 0], [0, 1]]
        centre = [9, 0, 0]
        """
    )
    turned = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    assert list(loaded(folder, text).world.obstacles.values()) == [
        ss.HalfSpace(normal=(0, 0, 1), name="floor"),
        ss.Box(size=(1, 2.5, 3), centre=(5, 0, 0), name="crate", rotation=turned),
        ss.Capsule(radius=0.5, length=2, centre=(0, 5, 0)),
        ss.Cylinder(radius=0.5, length=2, centre=(0, -5, 0)),
        ss.Ellipsoid(semi_axes=(0.1, 0.2, 0.3), centre=(0, 0, 5)),
        ss.Sphere(radius=0.25, centre=(-5, 0, 0)),
        ss.Disc(radius=0.25, centre=(-5, 5, 0)),
        ss.Segment(start=(7, 0, 0), end=(7, 1, 0)),
        ss.Point(centre=(8, 0, 0)),
        ss.Polygon(vertices=((0, 0), (1, 0), (0, 1)), centre=(9, 0, 0)),
    ]


def test_materials_of_pairs_and_what_never_touches(folder):
    text = FALL.replace("[robot]", 'ignore = ["crate"]\n[robot]') + dedent(
        """
        [[obstacles]]
        kind = "sphere"
        name = "crate"
        radius = 0.1
        [[materials]]
        between = ["cart", "floor"]
        friction = 0.9
        static_friction = 1.0
        """
    )
    world = loaded(folder, text).world
    assert world.material_of("cart", "floor") == ss.Material(0.9, 1.0)
    assert world.pairs == [("floor", "cart")]


def test_a_floating_robot_under_its_own_gravity(folder):
    text = FALL.replace('urdf = "cart.urdf"', 'urdf = "cart.urdf"\nfloating = true\ngravity = [0, 0, -1.62]')
    mechanism = loaded(folder, text).world.mechanism
    assert mechanism.nv == 7
    assert mechanism.description.gravity == (0, 0, -1.62)


def test_an_mjcf_file_beside_it(folder):
    pytest.importorskip("mujoco")
    (folder / "ball.xml").write_text(
        '<mujoco><worldbody><body pos="0 0 1"><freejoint name="root"/><geom name="ball" type="sphere" size="0.1"/></body>'
        "</worldbody></mujoco>"
    )
    scenario = loaded(folder, 'duration = 1\n[robot]\nmjcf = "ball.xml"\n[start.v]\nroot = [1, 0, 0, 0, 0, 0]')
    assert scenario.v.tolist() == [1, 0, 0, 0, 0, 0]
    assert scenario.q[2] == 1.0


def test_progress_is_told_of_the_time_and_of_what_was_hit(folder):
    told = []
    scenario = loaded(folder, FALL)
    run = scenario.run(dt=1e-4, progress=lambda time, hits: told.append((time, hits)))
    times, hits = np.transpose(told)
    assert times[-1] == pytest.approx(1.0)
    assert len(times) > 2
    assert (np.diff(times) > 0).all()
    assert hits[-1] == len(run.events) == 2
    assert hits[0] == 0


def test_who_interrupts_by_way_of_progress_keeps_what_was_done(folder):
    def stop(time, _hits):
        if time > 0.3:
            raise KeyboardInterrupt

    whole = loaded(folder, FALL).run(dt=1e-4)
    run = loaded(folder, FALL).run(dt=1e-4, progress=stop)
    assert run.outcome is ss.Outcome.INTERRUPTED
    assert 0.3 < run.duration < 1.0
    assert np.array_equal(run.q, whole.q[: len(run)])


# ---- what is wrong with one ----------------------------------------------------------------------------------------

PENDULUM = 'robot = "pendulum"\n'
BOX = FALL + '[[obstacles]]\nkind = "box"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the file is empty"),
        ("robot = [", "this is not TOML: "),
        ("a = " + "[" * 5000, "nested too deeply"),
        (PENDULUM + "duration = " + "1" * 5000, "this is not TOML: exceeds the limit"),
        ("duration = 1", "robot is missing"),
        ("robot = 3", "robot must be a table with the key name, urdf or mjcf"),
        ("[robot]\noptions = {}", "robot must be a table with the key name, urdf or mjcf"),
        ('robot = "pendulm"', "robot.name: there is no built-in robot 'pendulm'; did you mean 'pendulum'?"),
        ('[robot]\nname = "pendulum"\nurdf = "a"', "robot has no key 'urdf'; it may have name, options"),
        ('robot = {name = "pendulum", options = {link = 3}}', "has no option 'link'; did you mean 'links'?"),
        ('robot = {name = "pendulum", options = {links = 0}}', "robot.options: links must be a whole number"),
        ('robot = {urdf = "cart.urdf"}', "duration is missing: say how long to simulate, in s"),
        ('duration = 1\nrobot = {urdf = "none.urdf"}', "robot: .*none.urdf: there is no such file"),
        ('duration = 1\nrobot = {urdf = "case.toml"}', "robot: .*case.toml: the file is not well-formed XML"),
        (PENDULUM + "duratoin = 1", "the scenario has no key 'duratoin'; did you mean 'duration'?"),
        (PENDULUM + 'duration = "long"', "duration must be a number, not 'long'"),
        (PENDULUM + "duration = true", "duration must be a number, not True"),
        (PENDULUM + "duration = nan", "duration must be a finite number, not nan"),
        (PENDULUM + "duration = inf\ndt = -1", r"duration must be a finite number, not inf. \(1 more key is wrong, too.\)"),
        (PENDULUM + "duration = 1" + 400 * "0", "duration must be a number, not 1000"),
        (PENDULUM + "duration = 0", "duration must be more than 0, not 0"),
        (PENDULUM + "record_every = 1.0", "record_every must be a whole number, not 1.0"),
        (PENDULUM + "record_every = 0", "record_every must be at least 1, not 0"),
        (PENDULUM + "most_contacts = 99999999999", "most_contacts must be at most 1000000000"),
        (PENDULUM + 'method = "euler"', "method must be 'event-driven' or 'time-stepping', not 'euler'"),
        (PENDULUM + "obstacles = []", "obstacles cannot be given, since robot 'pendulum' brings its world along"),
        (PENDULUM + "start = 1", "start must be a table, not 1"),
        (PENDULUM + "[start.q]\nhip = 1", "start.q: there is no moving joint 'hip'"),
        (PENDULUM + "[start.v]\nhinge_1 = [1, 2]", r"start.v: the value of joint 'hinge_1' must have shape \(1,\)"),
        (PENDULUM + "[start.q]\nhinge_1 = nan", "start.q.hinge_1 must be a number or a list of numbers"),
        (FALL.replace("[0, 0, 1]", "[0]"), r"obstacles\[1\].normal must have at least 2 entries, not 1"),
        (FALL.replace("[0, 0, 1]", "[0, 0, 0]"), r"obstacles\[1\]: the normal of half-space 'floor' must point somewhere"),
        (FALL.replace("half_space", "halfspace"), r"obstacles\[1\].kind must be one of 'half_space', .*not 'halfspace'"),
        (BOX, r"obstacles\[2\].size is missing"),
        (BOX + "size = [1, 1, nan]", r"obstacles\[2\].size\[3\] must be a finite number, not nan"),
        (BOX + "size = [1, 1, -1]", r"obstacles\[2\]: the size of a Box must be positive"),
        (BOX + "size = [1, 1, 1]\nmu = 1", r"obstacles\[2\] has no key 'mu'; it may have name, centre, rotation, kind, size"),
        (FALL + "friction = -1", "material: friction must not be negative"),
        (FALL + '[[materials]]\nbetween = ["flor"]', "no body, shape or obstacle 'flor' for materials"),
        (FALL + '[[materials]]\nbetween = ["a", "b", "c"]', r"materials\[1\].between must have at most 2 entries, not 3"),
        ("ignore = [1]\n" + FALL, r"ignore\[1\] must be a name or a pair of names"),
        ("ignore = [['a', 'b', 'c']]\n" + FALL, r"ignore\[1\] must be a name or a pair of names"),
    ],
)
def test_bad_files(folder, text, sentence):
    with pytest.raises(ss.ScenarioError, match=rf"case\.toml: .*{sentence}"):
        loaded(folder, text)


def test_files_that_are_none(folder):
    with pytest.raises(ss.ScenarioError, match=r"none.toml: there is no such file"):
        ss.Scenario.load(folder / "none.toml")
    with pytest.raises(ss.ScenarioError, match="this is a directory, not a file"):
        ss.Scenario.load(folder)
    (folder / "run.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    with pytest.raises(ss.ScenarioError, match=r"run.h5: this is not a text file in UTF-8"):
        ss.Scenario.load(folder / "run.h5")
    with pytest.raises(ss.ArgumentError, match="the path of a scenario must be a string or a path, not 3"):
        ss.Scenario.load(3)


KEYS = st.sampled_from(
    ["name", "duration", "method", "dt", "robot", "start", "obstacles", "material", "materials", "ignore", "record_every"]
) | st.text(string.ascii_lowercase + "_", min_size=1, max_size=6)

LEAVES = st.one_of(
    st.booleans(),
    st.integers(-3, 3),
    st.integers(),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from(["pendulum", "half_space", "time-stepping", "cart.urdf", "", "\x00", "naïve"]),
)

VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["name", "urdf", "options", "links", "q", "v", "kind", "normal", "size", "between", "hinge_1", "x"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


def toml(value):
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(key)} = {toml(inner)}" for key, inner in value.items()) + "}"
    return repr(value)


ANYTHING = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])


def told(path):
    """The sentence by which a file is refused; None of a good one."""
    try:
        assert np.isfinite(ss.Scenario.load(path).q).all()
    except ss.ScenarioError as error:
        return str(error)


def is_a_sentence(told, path):
    return told is None or (told.startswith(f"{path}: ") and "\n" not in told and told.endswith((".", "?", ".)")))


def written(folder, table):
    path = folder / "case.toml"
    path.write_text("".join(f"{toml(key)} = {toml(value)}\n" for key, value in table.items()))
    return path


@ANYTHING
@given(table=st.dictionaries(KEYS, VALUES, max_size=5))
def test_any_table_is_a_scenario_or_a_sentence(folder, table):
    path = written(folder, table)
    assert is_a_sentence(told(path), path)


@ANYTHING
@given(key=KEYS, value=VALUES, place=st.sampled_from(["", "robot", "start", "obstacles", "material"]))
def test_one_key_in_a_good_file_replaced_or_added(folder, key, value, place):
    good = {
        "duration": 1.0,
        "robot": {"urdf": "cart.urdf"},
        "start": {"q": {"lift": 1.1}},
        "obstacles": [{"kind": "half_space", "normal": [0, 0, 1]}],
        "material": {"friction": 0.5},
    }
    path = written(folder, good)
    assert told(path) is None
    where = good[place] if place else good
    (where[0] if isinstance(where, list) else where)[key] = value
    path = written(folder, good)
    assert is_a_sentence(told(path), path)


@ANYTHING
@given(text=st.binary(max_size=80))
def test_any_bytes_are_refused_by_a_sentence(folder, text):
    path = folder / "case.toml"
    path.write_bytes(text)
    assert told(path) is not None
    assert is_a_sentence(told(path), path)
