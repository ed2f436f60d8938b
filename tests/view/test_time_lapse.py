"""Poses of a run in one picture: the right ones, the young over the old, and the path between them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stickslip as ss
from drawn import outlines
from runs import crate, run
from stickslip.simulate import Layout


@pytest.fixture(scope="module")
def swing():
    scenario = ss.robots.pendulum(links=3)
    return scenario.world, scenario.run(duration=0.8)


def sphere(world, q, k):
    rotation, place = world.mechanism.body_pose(q, f"link_{k}")
    return (place + rotation @ (0, 0, -1.0))[[0, 2]]


def patches(axes, name):
    return [patch for patch in axes.patches if patch.get_label() == f"_{name}"]


@given(st.lists(st.floats(0.0, 0.8), min_size=1, max_size=6))
def test_every_pose_is_that_of_its_time(swing, times):
    world, traj = swing
    axes = ss.view.time_lapse(world, traj, times)
    for k in (1, 2, 3):
        found = [patch.get_path().get_extents().get_points().mean(axis=0) for patch in patches(axes, f"link_{k}")]
        expected = [sphere(world, traj.at(time).q, k) for time in sorted(times)]
        assert np.array(found) == pytest.approx(np.array(expected), abs=1e-9)


def test_poses_fade_with_age_and_the_young_are_over_the_old(swing):
    world, traj = swing
    drawn = patches(ss.view.time_lapse(world, traj, 5), "link_2")
    lightness = [np.sum(patch.get_facecolor()[:3]) for patch in drawn]
    assert len(drawn) == 5
    assert (np.diff(lightness) < 0).all()
    assert (np.diff([patch.get_zorder() for patch in drawn]) > 0).all()
    assert lightness[0] < 3.0  # not yet white


def test_a_number_of_poses_is_spread_over_the_run(swing):
    world, traj = swing
    axes = ss.view.time_lapse(world, traj, 3)
    middles = [points.mean(axis=0) for points in outlines(axes, "link_1")]
    expected = ss.view.time_lapse(world, traj, [0.0, 0.4, 0.8])
    assert np.array(middles) == pytest.approx(np.array([points.mean(axis=0) for points in outlines(expected, "link_1")]))
    assert axes.get_title(loc="right") == "t = 0 s to 0.8 s"


@pytest.mark.parametrize("trace", ["link_3", ("link_3", (0, -1.0)), ("link_3", (0, 0, -1.0))])
def test_the_path_of_a_point(swing, trace):
    """Of the last sphere's centre, by three names: it passes through every sample in between."""
    world, traj = swing
    axes = ss.view.time_lapse(world, traj, [0.2, 0.7], trace=trace)
    (path,) = [one for one in axes.collections if one.get_label() == "_trace"]
    pieces = np.array(path.get_segments())
    assert pieces[1:, 0] == pytest.approx(pieces[:-1, 1])
    samples = np.flatnonzero((traj.time >= 0.2) & (traj.time <= 0.7))
    points = np.vstack([pieces[:, 0], pieces[-1:, 1]])
    expected = np.array([sphere(world, traj.q[k], 3) for k in samples])
    assert np.abs(points[:, None] - expected).max(axis=2).min(axis=0).max() < 1e-9
    lower, upper = np.array([axes.get_xlim(), axes.get_ylim()]).T
    assert ((points > lower) & (points < upper)).all()


def test_a_run_that_was_saved_draws_the_same(swing, tmp_path):
    world, traj = swing
    traj.save(tmp_path / "run.h5")
    again = ss.view.time_lapse(world, ss.Trajectory.load(tmp_path / "run.h5"), 4)
    for one, other in zip(outlines(ss.view.time_lapse(world, traj, 4), "link_3"), outlines(again, "link_3"), strict=True):
        assert (one == other).all()


def test_a_run_that_left_the_numbers_is_drawn_up_to_there():
    world = ss.robots.pendulum(links=1).world
    q = [[0.0], [0.1], [0.2], [np.nan], [0.3]]
    traj = run(Layout.of(world.mechanism), np.arange(5.0), q, outcome=ss.Outcome.NOT_FINITE)
    axes = ss.view.time_lapse(world, traj, 3)
    assert axes.get_title(loc="right") == "t = 0 s to 2 s"
    with pytest.raises(ss.ArgumentError, match=r"within the run, from 0\.0 s to 2\.0 s, but one is 4\.0"):
        ss.view.time_lapse(world, traj, [0.0, 4.0])


def test_one_sample_is_one_pose():
    world = ss.robots.pendulum(links=1).world
    axes = ss.view.time_lapse(world, run(Layout.of(world.mechanism), [2.0]), 1, trace="link_1")
    assert len(patches(axes, "link_1")) == 1
    assert axes.get_title(loc="right") == "t = 2 s"


def test_in_space():
    mechanism = crate()
    world = ss.World(mechanism, obstacles=[ss.HalfSpace(normal=(0, 0, 1))])
    q = np.array([mechanism.configuration(root=(0.3 * k, 0, 1, 1, 0, 0, 0)) for k in range(4)])
    axes = ss.view.time_lapse(world, run(Layout.of(mechanism), np.arange(4.0), q), 4, along="y")
    found = [patch.get_path().get_extents().get_points().mean(axis=0) for patch in patches(axes, "crate")]
    assert np.array(found) == pytest.approx(np.array([(0.3 * k, 1.0) for k in range(4)]))


# ---- bad input -------------------------------------------------------------------------------------------------------


def test_runs_of_other_mechanisms_are_refused(swing):
    world, traj = swing
    with pytest.raises(
        ss.ArgumentError, match=r"the run has the joints hinge_1 \(revolute\), hinge_2 .*, but .* has .* and 9 more"
    ):
        ss.view.time_lapse(ss.robots.pendulum(links=15).world, traj, 3)
    with pytest.raises(
        ss.ArgumentError, match="the run was in the plane 'xz', but the world's mechanism 'mechanism' lives in sp"
    ):
        ss.view.time_lapse(ss.World(crate()), traj, 3)
    with pytest.raises(ss.ArgumentError, match=r"a run must be a Trajectory, as ss\.simulate returns it, not None"):
        ss.view.time_lapse(world, None, 3)
    with pytest.raises(ss.ArgumentError, match="no samples, and so nothing to draw"):
        ss.view.time_lapse(world, run(traj.layout, []), 3)
    with pytest.raises(ss.ArgumentError, match="are not finite at its first sample"):
        ss.view.time_lapse(world, run(traj.layout, [0.0], [[np.nan, 0, 0]]), 1)


@pytest.mark.parametrize(
    ("times", "options", "sentence"),
    [
        (0, {}, "at least one pose, not 0"),
        ([], {}, "at least one time"),
        ([0.9], {}, r"from 0\.0 s to 0\.8 s, but one is 0\.9"),
        ([-0.1, 0.5], {}, r"but one is -0\.1"),
        ("now", {}, "the times must be a sequence, not 'now'"),
        ([np.nan], {}, "each of the times must be a number, not NaN"),
        (2, {"trace": "link_4"}, "there is no body 'link_4'; did you mean"),
        (2, {"trace": 3}, "trace must be a body, or a pair"),
        (2, {"trace": ("link_3", (1,))}, "the point of trace must have 3 entries, not 1"),
    ],
)
def test_bad_input(swing, times, options, sentence):
    world, traj = swing
    with pytest.raises(ss.ArgumentError, match=sentence):
        ss.view.time_lapse(world, traj, times, **options)
