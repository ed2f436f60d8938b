"""Figures of runs: every number is in its panel, ribbons have their colours at the right times, and words do not overlap."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import same_color, to_hex
from matplotlib.figure import Figure

import stickslip as ss
from runs import crate, eventful_run, run
from stickslip.mechanism import JointKind
from stickslip.simulate import ContactHistory, Layout, Verdict
from stickslip.view import style
from stickslip.view.attitude import roll_pitch_yaw

FLAT = Layout(plane="xz", joints=("root",), kinds=(JointKind.PLANAR,))


def hinges(count, motors=0):
    names = tuple(f"hinge_{k}" for k in range(count))
    return Layout(plane="xz", joints=names, kinds=(JointKind.REVOLUTE,) * count, motors=names[:motors])


def panel(figure, title):
    """The axes with that label."""
    (axes,) = [axes for axes in figure.axes if axes.get_ylabel() == title]
    return axes


def titles(figure):
    return [axes.get_ylabel() for axes in figure.axes]


def curves(axes):
    """Values (n,) by name."""
    return {line.get_label(): line.get_ydata() for line in axes.lines if line.get_label() != "_event"}


def entries(axes):
    """The words of a panel's legend."""
    legend = axes.get_legend()
    return [text.get_text() for text in legend.get_texts()] if legend else []


def ribbons(axes):
    """For each row the spans (colour, from, until) in s, in their order."""
    rows = {}
    for collection in axes.collections:
        if isinstance(collection, PolyCollection):
            for path in collection.get_paths():
                (left, low), (right, high) = path.get_extents().get_points()
                rows.setdefault(round(0.5 * (low + high)), []).append((to_hex(collection.get_facecolor()[0]), left, right))
    return {row: sorted(spans, key=lambda span: span[1]) for row, spans in rows.items()}


def bouncing(letters="RFLL", **more):
    """A run of 6 samples at 1 s, a contact that is closed at samples 1 to 4, and another at sample 3."""
    history = ContactHistory(
        names=("toe", "heel", "never"),
        sample=[1, 2, 3, 3, 4],
        contact=[0, 0, 0, 1, 0],
        force=[[1.0, 0.5], [2.0, 0.0], [3.0, -1.5], [7.0, 0.0], [4.0, -2.0]],
        gap=np.zeros(5),
        letter=letters[:3] + "S" + letters[3:],
    )
    return run(FLAT, np.arange(6.0), contacts=history, **more)


# ---- curves ----------------------------------------------------------------------------------------------------------


def test_every_number_of_a_run_is_in_its_panel():
    traj = eventful_run()
    figure = traj.plot(["positions", "velocities", "inputs", "normal forces", "tangential forces", "energy"])
    places = curves(panel(figure, "position (m)"))
    assert list(places) == ["root.x", "root.y", "root.z"]
    for k, values in enumerate(places.values()):
        assert np.array_equal(values, traj.q[:, k], equal_nan=True)
    angles = curves(panel(figure, "angle (rad)"))
    assert list(angles) == ["root.roll", "root.pitch", "root.yaw", "hip", "socket.roll", "socket.pitch", "socket.yaw"]
    assert np.array_equal(angles["hip"], traj.q[:, 7])
    assert np.array_equal(angles["socket.yaw"], roll_pitch_yaw(traj.q[:, 8:12])[:, 2])
    assert list(curves(panel(figure, "velocity (m/s)"))) == ["root.vx", "root.vy", "root.vz"]
    rates = curves(panel(figure, "rate (rad/s)"))
    assert np.array_equal(rates["hip"], traj.v[:, 6])
    assert np.array_equal(curves(panel(figure, "input (N or N m)"))["hip"], traj.tau[:, 0])
    assert np.array_equal(curves(panel(figure, "normal force (N)"))["Zeh"], traj.contact("Zeh").force[:, 0])
    friction = curves(panel(figure, "friction (N)"))["Zeh"]
    assert friction == pytest.approx(np.hypot(*traj.contact("Zeh").force[:, 1:].T))
    energy = curves(panel(figure, "energy (J)"))
    assert np.array_equal(energy["total"], energy["kinetic"] + energy["potential"])
    assert np.array_equal(energy["potential"], traj.energy[:, 1])
    for axes in figure.axes:
        assert all(np.array_equal(line.get_xdata(), traj.time) for line in axes.lines if line.get_label() != "_event")
    assert figure.axes[-1].get_xlabel() == "time (s)"


def test_in_the_plane_friction_has_its_sign():
    figure = bouncing().plot("tangential forces")
    assert curves(panel(figure, "friction along t (N)"))["toe"].tolist() == [0, 0.5, 0, -1.5, -2, 0]


def test_only_what_there_is_to_show_is_shown():
    nothing = run(hinges(2, motors=1), np.arange(3.0))
    assert titles(nothing.plot()) == ["angle (rad)", "rate (rad/s)", "energy (J)"]
    moved = run(hinges(2, motors=1), np.arange(3.0), tau=[[0.0], [1.0], [np.nan]], events=[ss.Event(1.0, "slip")])
    assert titles(moved.plot()) == ["angle (rad)", "rate (rad/s)", "input (N or N m)", "events", "energy (J)"]
    assert titles(bouncing().plot()) == [
        *("position (m)", "angle (rad)", "velocity (m/s)", "rate (rad/s)"),
        *("normal force (N)", "friction along t (N)", "modes", "energy (J)"),
    ]


def test_inputs_that_are_not_known_are_said_to_be():
    traj = run(hinges(1, motors=1), np.arange(3.0), tau=np.full((3, 1), np.nan))
    assert "input (N or N m)" not in titles(traj.plot())
    assert entries(panel(traj.plot("inputs"), "input (N or N m)")) == ["hinge_0: not known"]


def test_eight_curves_stand_out_and_the_others_are_counted():
    sizes = np.array([1, 9, 2, 8, 3, 7, 4, 6, 5, 10, 11, 12])
    traj = run(hinges(12), np.arange(3.0), np.outer([0, 1, 0], sizes))
    axes = panel(traj.plot("positions"), "angle (rad)")
    assert entries(axes) == [f"hinge_{k}" for k in (1, 3, 5, 7, 8, 9, 10, 11)] + ["4 more"]
    grey = [line for line in axes.lines if same_color(line.get_color(), style.SOFT)]
    assert sorted(line.get_ydata()[1] for line in grey) == [1, 2, 3, 4]
    assert len({(to_hex(line.get_color()), str(line.get_linestyle())) for line in axes.lines}) == 9


def test_joints_and_contacts_are_chosen_by_name():
    traj = run(hinges(12, motors=12), np.arange(3.0), tau=np.ones((3, 12)))
    figure = traj.plot(joints=["hinge_7", "hinge_2"])
    assert entries(panel(figure, "angle (rad)")) == ["hinge_7", "hinge_2"]
    assert entries(panel(figure, "input (N or N m)")) == ["hinge_7", "hinge_2"]
    history = ContactHistory(
        names=("toe:0 on floor", "toe:1 on floor", "heel on floor"),
        sample=[0, 0, 0],
        contact=[0, 1, 2],
        force=np.ones((3, 2)),
        gap=np.zeros(3),
        letter="FFF",
    )
    figure = run(hinges(1), np.arange(3.0), contacts=history).plot(contacts="toe")
    assert entries(panel(figure, "normal force (N)")) == ["toe:0 on floor", "toe:1 on floor"]
    assert [label.get_text() for label in panel(figure, "modes").get_yticklabels()] == ["toe:0 on floor", "toe:1 on floor"]


# ---- ribbons and events ----------------------------------------------------------------------------------------------


def test_ribbons_have_the_colours_of_the_modes_at_their_times():
    """Each sample stands for the time half-way to its neighbours; equal letters are one piece; what is open is empty."""
    axes = panel(bouncing().plot(), "modes")
    r, f, left, s = (style.MODES[letter] for letter in "RFLS")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["toe", "heel", "never"]
    assert ribbons(axes) == {0: [(r, 0.5, 1.5), (f, 1.5, 2.5), (left, 2.5, 4.5)], 1: [(s, 2.5, 3.5)]}
    assert entries(axes) == ["S: separating", "F: fixed", "R: sliding to +t", "L: sliding to -t"]


def test_a_jump_divides_a_ribbon_at_its_time():
    """Two samples at one time: the first stands for what was before, the second for what is after."""
    history = ContactHistory(
        names=("toe",), sample=[0, 1, 2, 3], contact=[0] * 4, force=np.zeros((4, 2)), gap=np.zeros(4), letter="RRFF"
    )
    axes = panel(run(FLAT, [0.0, 1.0, 1.0, 2.0], contacts=history).plot(), "modes")
    assert ribbons(axes) == {0: [(style.MODES["R"], 0.0, 1.0), (style.MODES["F"], 1.0, 2.0)]}


@given(arrays("U1", st.integers(1, 30), elements=st.sampled_from(["", "F", "R", "L", "S", "X"])), st.integers(0, 9))
def test_ribbons_tell_the_modes_again(letters, seed):
    """Read back at the samples, they say what the run says."""
    closed = np.flatnonzero(letters != "")
    history = ContactHistory(
        names=("toe",),
        sample=closed,
        contact=np.zeros(len(closed), dtype=int),
        force=np.zeros((len(closed), 2)),
        gap=np.zeros(len(closed)),
        letter=letters[closed],
    )
    times = np.cumsum(np.random.default_rng(seed).uniform(0.1, 1.0, len(letters)))
    spans = ribbons(panel(run(FLAT, times, contacts=history).plot("modes"), "modes")).get(0, [])
    for time, letter in zip(times, letters, strict=True):
        there = [colour for colour, left, right in spans if left - 1e-9 <= time <= right + 1e-9]
        assert there == ([to_hex(style.mode_colour(str(letter)))] if letter else [])


def test_many_contacts_are_limited_to_those_that_were_closed_for_the_longest():
    n, count = 40, 30
    sample, contact = np.array([(k, c) for k in range(n) for c in range(count) if k <= c]).T
    history = ContactHistory(
        names=tuple(f"foot_{c}" for c in range(count)),
        sample=sample,
        contact=contact,
        force=np.zeros((len(sample), 2)),
        gap=np.zeros(len(sample)),
        letter="F" * len(sample),
    )
    axes = panel(run(FLAT, np.arange(float(n)), contacts=history).plot("modes"), "modes")
    assert [label.get_text() for label in axes.get_yticklabels()] == [f"foot_{c}" for c in range(6, 30)]
    assert axes.get_title(loc="right") == "6 contacts that were closed for less time are left out"


def test_events_have_a_row_for_each_kind_and_a_line_in_every_panel():
    events = [ss.Event(1.0, "slip", ("toe",)), ss.Event(2.5, "collision", ("heel",)), ss.Event(4.0, "slip", ("toe",))]
    figure = bouncing(events=events).plot()
    axes = panel(figure, "events")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["slip (2)", "collision (1)"]
    marks = {one.get_label(): one for one in axes.collections if isinstance(one, LineCollection)}
    assert [segment[0, 0] for segment in marks["_slip"].get_segments()] == [1.0, 4.0]
    assert same_color(marks["_collision"].get_colors()[0], style.ALARM)
    for axes in figure.axes:
        assert [line.get_xdata()[0] for line in axes.lines if line.get_label() == "_event"] == [1.0, 2.5, 4.0]


def test_many_events_leave_the_other_panels_alone():
    events = [ss.Event(0.01 * k, "collision", ("toe",)) for k in range(300)]
    figure = bouncing(events=events).plot()
    assert not [line for axes in figure.axes for line in axes.lines if line.get_label() == "_event"]
    assert len(panel(figure, "events").collections[0].get_segments()) == 300


def test_certificates_that_find_no_solution_are_events():
    painleve = ss.ContactProblem(mass=np.eye(2), bias=[0.0, 9.81], jacobian=[[0, 1], [1, 0]], friction=[0.5])
    verdict = Verdict.of(2.0, painleve.solve().certificate)
    no = Verdict(3.0, ss.Answer.NO, ss.Answer.UNDECIDED, ss.Answer.UNDECIDED, "")
    two = Verdict(4.0, ss.Answer.YES, ss.Answer.AMBIGUOUS, ss.Answer.AMBIGUOUS, "")
    axes = panel(bouncing(certificates=(verdict, no, two)).plot(), "events")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["no solution exists (1)", "motion is ambiguous (1)"]


# ---- attitudes -------------------------------------------------------------------------------------------------------


def quaternion(axis, angle):
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.eye(3)[axis])])


def product(p, q):
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


@given(st.lists(st.tuples(*[st.floats(-3, 3)] * 3), min_size=1, max_size=8))
def test_the_angles_turn_the_body_to_where_it_is(triples):
    quaternions = np.array([product(product(quaternion(2, y), quaternion(1, p)), quaternion(0, r)) for r, p, y in triples])
    for given_, (r, p, y) in zip(quaternions, roll_pitch_yaw(3.7 * quaternions), strict=True):
        again = product(product(quaternion(2, y), quaternion(1, p)), quaternion(0, r))
        assert min(np.abs(again - given_).max(), np.abs(again + given_).max()) < 1e-7


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_somersault_is_one_angle_that_goes_on(axis):
    angles = np.linspace(0, -9, 200)
    found = roll_pitch_yaw(np.array([quaternion(axis, angle) for angle in angles]))
    assert found[:, axis] == pytest.approx(angles, abs=1e-7)
    assert np.delete(found, axis, axis=1) == pytest.approx(0, abs=1e-7)


def test_what_is_no_attitude_is_not_known():
    found = roll_pitch_yaw(np.array([[1, 0, 0, 0], [np.nan, 0, 0, 0], [0, 0, 0, 0], [1e200, 0, 0, 0]], dtype=float))
    assert np.isnan(found).all(axis=1).tolist() == [False, True, True, False]


# ---- runs of all kinds -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 2])
def test_short_runs(n, tmp_path):
    figure = run(FLAT, np.arange(float(n))).plot()
    figure.savefig(tmp_path / "figure.png")
    if n == 0:
        assert [text.get_text() for text in figure.axes[0].texts] == ["this run has no samples"]
    if n == 1:
        assert {line.get_marker() for axes in figure.axes for line in axes.lines} == {"o"}
        assert figure.axes[0].get_xlim() == (-0.5, 0.5)


def test_a_choice_of_nothing_says_so():
    figure = run(FLAT, np.arange(3.0)).plot("positions", joints=[])
    assert [text.get_text() for text in figure.axes[0].texts] == ["nothing is chosen that could be shown"]


def test_a_panel_without_anything_says_so():
    figure = run(FLAT, np.arange(3.0)).plot(["modes", "events", "normal forces"])
    assert [axes.texts[0].get_text() for axes in figure.axes[:2]] == ["nothing touched", "no events"]


def test_a_run_that_did_not_finish_says_so_in_the_title():
    done = bouncing(settings={"method": "time-stepping", "dt": 1e-3}).plot()
    assert done.get_suptitle() == "mechanism: 6 samples in 5 s, time-stepping, dt = 0.001 s"
    stopped = bouncing(outcome=ss.Outcome.CONTROLLER_FAILED, trouble="it costs $5 or 5$.")
    figure = stopped.plot()
    assert figure.get_suptitle().endswith("gave inputs that are none. it costs \\$5 or 5\\$.")
    assert same_color(figure._suptitle.get_color(), style.ALARM)
    long = bouncing(outcome=ss.Outcome.TROUBLE, trouble="word " * 400).plot()
    assert len(long.get_suptitle().splitlines()) < 8


def test_numbers_beyond_all_sizes_are_drawn(tmp_path):
    q = [[0.0], [1e308], [-1e308], [np.inf], [np.nan]]
    traj = run(hinges(1), np.arange(5.0), q, energy=np.full((5, 2), 1.5e308), outcome=ss.Outcome.NOT_FINITE)
    traj.plot().savefig(tmp_path / "figure.png")


def test_a_run_that_was_saved_looks_the_same(tmp_path):
    scenario = ss.robots.pendulum(links=3)
    traj = scenario.run(duration=1.3)
    traj.save(tmp_path / "run.h5")
    figures = traj.plot(), ss.Trajectory.load(tmp_path / "run.h5").plot()
    for one, other in zip(*(figure.axes for figure in figures), strict=True):
        assert ribbons(one) == ribbons(other)
        for name, values in curves(one).items():
            assert np.array_equal(values, curves(other)[name])
    assert [panel(figures[0], "modes").get_yticklabels()[0].get_text()] == ["link_3 on floor"]


def test_words_do_not_overlap_with_thirty_joints_and_twenty_contacts():
    rng = np.random.default_rng(0)
    n, count = 200, 20
    sample, contact = np.nonzero(np.cumsum(rng.standard_normal((n, count)), axis=0) > 0)
    history = ContactHistory(
        names=tuple(f"left foot of robot {c} on the long floor" for c in range(count)),
        sample=sample,
        contact=contact,
        force=rng.random((len(sample), 2)),
        gap=np.zeros(len(sample)),
        letter=rng.choice(list("SFRL"), len(sample)),
    )
    layout, time = hinges(30, motors=30), np.linspace(0, 4, n)
    events = [ss.Event(t, kind) for t in (0.5, 1.5) for kind in ("slip", "stick", "collision")]
    traj = run(layout, time, rng.random((n, 30)), rng.random((n, 30)), tau=rng.random((n, 30)), contacts=history, events=events)
    figure = traj.plot()
    assert figure.get_size_inches()[1] < 17
    figure.draw_without_rendering()
    page = figure.bbox
    boxes = [axes.get_legend().get_window_extent() for axes in figure.axes if axes.get_legend()]
    boxes += [label.get_window_extent() for axes in figure.axes for label in axes.get_yticklabels()[:1]]
    for one in boxes:
        assert page.x0 <= one.x0 < one.x1 <= page.x1 + 1
        assert page.y0 - 1 <= one.y0 < one.y1 <= page.y1 + 1
    legends = sorted(boxes[: len([axes for axes in figure.axes if axes.get_legend()])], key=lambda box: box.y0)
    assert all(lower.y1 <= upper.y0 + 1 for lower, upper in pairwise(legends))
    assert min(axes.get_position().width for axes in figure.axes) > 0.4


# ---- manners ---------------------------------------------------------------------------------------------------------


def test_a_figure_of_the_user_is_drawn_in():
    mine = Figure(figsize=(6, 8), layout="constrained")
    assert bouncing().plot("energy", figure=mine) is mine
    left, _ = Figure(layout="constrained").subfigures(1, 2)
    assert bouncing().plot("modes", figure=left) is left
    assert titles(left) == ["modes"]


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (("position",), {}, "there is no panel 'position'; did you mean 'positions'"),
        ((["modes", "volume"],), {}, "there is no panel 'volume'; there are positions, velocities"),
        (([],), {}, "name at least one panel: positions"),
        (([3],), {}, "there is no panel 3; there are"),
        ((), {"joints": "rot"}, "there is no joint 'rot' in this run; did you mean 'root'"),
        ((), {"joints": [3]}, "there is no joint 3 in this run"),
        ((), {"contacts": "tow"}, "no contact 'tow' was ever closed in this run; did you mean 'toe'"),
        ((), {"figure": 3}, "figure must be a Figure or a SubFigure of Matplotlib, not 3"),
    ],
)
def test_bad_input(arguments, options, sentence):
    with pytest.raises(ss.ArgumentError, match=sentence):
        bouncing().plot(*arguments, **options)


def test_a_crate_in_space_has_angles_for_its_quaternions():
    layout = Layout.of(crate())
    figure = run(layout, np.arange(3.0), np.tile(crate().neutral(), (3, 1))).plot("positions", joints="socket")
    assert titles(figure) == ["angle (rad)"]
    assert entries(figure.axes[0]) == ["socket.roll", "socket.pitch", "socket.yaw"]
