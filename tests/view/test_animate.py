"""Films: how many frames, what is on each of them, and what becomes of the file."""

import os
import stat
import time

import numpy as np
import pytest
from matplotlib.colors import same_color, to_rgb
from PIL import Image

import stickslip as ss
from drawn import middle
from runs import run
from stickslip.simulate import ContactHistory, Layout
from stickslip.view import film, style
from stickslip.view.animate import FilmSet, frame_times, nearest_sample


@pytest.fixture(scope="module")
def swing():
    scenario = ss.robots.pendulum(links=3)
    return scenario.world, scenario.run(duration=1.6)


@pytest.fixture(scope="module")
def ball():
    """A ball of 0.1 m that rises at 1 m/s for 1 s."""
    b = ss.MechanismBuilder(plane="xz")
    b.body("ball", mass=1.0, inertia=0.1, shapes=[ss.Disc(radius=0.1)])
    b.planar("root", child="ball")
    world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 1), name="floor")])
    times = np.linspace(0, 1, 11)
    q = np.column_stack([0 * times, 0.1 + times, 0 * times])
    return world, run(Layout.of(world.mechanism), times, q, np.tile([0.0, 1.0, 0.0], (11, 1)))


def frames_of(path):
    with Image.open(path) as gif:
        for k in range(gif.n_frames):
            gif.seek(k)
            yield gif.info["duration"], np.asarray(gif.convert("RGB"))


# ---- frames ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fps", "speed", "frames"), [(10, 1.0, 11), (10, 0.5, 21), (30, 1.0, 31), (10, 0.3, 35), (7, 2.0, 5)])
def test_frames_are_evenly_spaced_and_the_last_one_is_the_end(ball, fps, speed, frames):
    times = frame_times(ball[1], fps, speed)
    assert len(times) == frames
    assert np.diff(times)[:-1] == pytest.approx(speed / fps)
    assert (times[0], times[-1]) == (0.0, 1.0)
    assert (np.diff(times) > 0).all()


def test_one_sample_is_one_frame(ball):
    assert frame_times(run(ball[1].layout, [3.0]), 30.0, 1.0).tolist() == [3.0]


@pytest.mark.parametrize("fps", [10, 30, 50])
def test_a_gif_has_all_frames_and_takes_the_right_time(ball, tmp_path, fps):
    told = []
    path = ss.view.animate(
        *ball, tmp_path / "ball.gif", fps=fps, size=(200, 160), progress=lambda *numbers: told.append(numbers)
    )
    frames = list(frames_of(path))
    assert len(frames) == fps + 1
    assert told == [(k, fps + 1) for k in range(1, fps + 2)]
    assert sum(pause for pause, _ in frames) == pytest.approx(1000 * (fps + 1) / fps, abs=10)
    assert frames[0][1].shape == (160, 200, 3)
    assert path == tmp_path / "ball.gif"
    assert os.listdir(tmp_path) == ["ball.gif"]


def test_the_file_shows_what_was_drawn(swing, tmp_path):
    """Frame by frame, though each holds only what has changed; where a colour is the style's own, exactly."""
    world, traj = swing
    path = ss.view.animate(world, traj, tmp_path / "swing.gif", fps=10, size=(320, 240), forces=True, trace="link_3")
    film_set = FilmSet(world, traj, size=(320, 240), forces=True, trace="link_3")
    body = np.round(255 * np.array(to_rgb(style.BODY))).astype(int)
    for moment, (_, stored) in zip(frame_times(traj, 10, 1.0), frames_of(path), strict=True):
        drawn = film_set.frame(moment)[:, :, :3].astype(int)
        assert np.abs(stored - drawn).mean() < 1.0
        for colour in (body, np.full(3, 255)):
            exact = (drawn == colour).all(axis=2)
            assert exact.sum() > 1000
            assert (stored[exact] == colour).all()


def test_artists_of_every_frame_are_where_the_bodies_are(swing):
    world, traj = swing
    film_set = FilmSet(world, traj)
    for moment in np.linspace(0, 1.6, 17):
        film_set.show(moment)
        for k in (1, 2, 3):
            rotation, place = world.mechanism.body_pose(traj.at(moment).q, f"link_{k}")
            assert middle(film_set.axes, f"link_{k}") == pytest.approx((place + rotation @ (0, 0, -1.0))[[0, 2]], abs=1e-9)
        assert film_set.clock.get_text() == f"t = {moment:.3f} s"


def test_a_pixel_is_where_its_body_is(ball):
    film_set = FilmSet(*ball, size=(400, 300))
    for moment in (0.0, 0.35, 1.0):
        pixels = film_set.frame(moment)
        x, y = film_set.axes.transData.transform((-0.05, 0.1 + moment))  # the spoke points to the right
        assert same_color(pixels[300 - round(y), round(x)][:3] / 255.0, style.BODY)


def test_the_window_holds_the_whole_motion(swing):
    world, traj = swing
    film_set = FilmSet(world, traj)
    lower, upper = np.array([film_set.axes.get_xlim(), film_set.axes.get_ylim()]).T
    for q in traj.q[::20]:
        points = film_set.drawing.scenery.extent(q)
        assert ((points > lower) & (points < upper)).all()


def test_axes_are_kept():
    scenario = ss.robots.pendulum(links=1)
    film_set = FilmSet(scenario.world, scenario.run(duration=0.1))
    before = [id(artist) for artist in film_set.axes.get_children()]
    for moment in (0.0, 0.05, 0.1):
        film_set.frame(moment)
    assert [id(artist) for artist in film_set.axes.get_children()] == before


# ---- forces and paths ------------------------------------------------------------------------------------------------


def test_forces_are_those_of_the_nearest_sample_in_the_colours_of_their_modes(swing):
    world, traj = swing
    film_set = FilmSet(world, traj, forces=True, force_scale=0.1)
    trace = traj.contact("link_3 on floor")
    seen = set()
    for moment in np.linspace(0.9, 1.6, 50):
        film_set.show(moment)
        k = nearest_sample(traj, moment)
        paths = film_set.arrows.arrows.get_paths()
        if not trace.mode[k]:
            assert not paths
            continue
        corners = paths[0].vertices
        foot, tip = 0.5 * (corners[0] + corners[6]), corners[3]
        normal, tangent = (tip - foot)[1] / 0.1, (tip - foot)[0] / 0.1
        assert (normal, tangent) == pytest.approx(tuple(trace.force[k]), abs=1e-9)
        assert foot == pytest.approx((middle(film_set.axes, "link_3")[0], 0.1), abs=1e-3)
        assert same_color(film_set.arrows.arrows.get_facecolor()[0], style.MODES[str(trace.mode[k])])
        assert film_set.clock.get_text().endswith(f"s   {trace.mode[k]}")
        seen.add(str(trace.mode[k]))
    assert {"R", "F"} <= seen


def test_contacts_that_the_world_does_not_know_are_left_out(ball):
    world, traj = ball
    history = ContactHistory(names=("other",), sample=[0], contact=[0], force=[[1.0, 0.0]], gap=[0.0], letter="F")
    film_set = FilmSet(world, run(traj.layout, traj.time, traj.q, contacts=history), forces=True)
    film_set.show(0.0)
    assert not film_set.arrows.arrows.get_paths()


def test_the_nearest_sample(ball):
    traj = run(ball[1].layout, [0.0, 1.0, 1.0, 2.0])
    assert [nearest_sample(traj, moment) for moment in (0.0, 0.4, 0.6, 1.0, 1.4, 1.6, 2.0)] == [0, 0, 1, 2, 2, 3, 3]


def test_the_path_grows(ball):
    film_set = FilmSet(*ball, trace="ball")
    film_set.show(0.5)
    assert film_set.trail.get_xydata()[-1] == pytest.approx((0.0, 0.6))
    film_set.show(1.0)
    assert film_set.trail.get_xydata() == pytest.approx(np.column_stack([np.zeros(11), ball[1].q[:, 1]]))


def test_fifty_frames_a_second_with_one_core(swing):
    """The clock is that of this process, so that others on the machine do not count."""
    world, traj = swing
    film_set = FilmSet(world, traj, forces=True, trace="link_3")
    film_set.frame(0.0)

    def rate():
        began = time.process_time()
        for moment in np.linspace(0, 1.6, 50):
            film_set.frame(moment)
        return 50 / (time.process_time() - began)

    assert max(rate() for _ in range(3)) > 50


# ---- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_is_interrupted_leaves_the_older_file(ball, tmp_path, error):
    path = tmp_path / "ball.gif"
    path.write_bytes(b"older")

    def stop(done, frames):
        if done == 5:
            raise error

    with pytest.raises(error):
        ss.view.animate(*ball, path, size=(200, 160), progress=stop)
    assert path.read_bytes() == b"older"
    assert os.listdir(tmp_path) == ["ball.gif"]
    ss.view.animate(*ball, path, fps=5, size=(200, 160))
    assert path.read_bytes().startswith(b"GIF89a")


FAKE = """#!/bin/sh
for target; do :; done
printf '%s\\n' "$@" > "$(dirname "$0")/arguments"
wc -c > "$target"
"""


def with_ffmpeg(tmp_path, monkeypatch, script):
    program = tmp_path / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text(script)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


def test_ffmpeg_gets_every_frame_whole(ball, tmp_path, monkeypatch):
    with_ffmpeg(tmp_path, monkeypatch, FAKE)
    path = ss.view.animate(*ball, tmp_path / "ball.mp4", fps=20, size=(200, 160))
    assert int(path.read_text()) == 21 * 200 * 160 * 4
    arguments = (tmp_path / "bin" / "arguments").read_text().split("\n")
    assert arguments[arguments.index("-s") + 1] == "200x160"
    assert arguments[arguments.index("-r") + 1] == "20"
    assert sorted(os.listdir(tmp_path)) == ["ball.mp4", "bin"]


@pytest.mark.parametrize("script", ["#!/bin/sh\necho 'no such codec.' >&2\nexit 1\n", "#!/bin/sh\ncat > /dev/null\nexit 3\n"])
def test_ffmpeg_that_fails_is_quoted(ball, tmp_path, monkeypatch, script):
    with_ffmpeg(tmp_path, monkeypatch, script)
    with pytest.raises(ss.StorageError, match=r"ffmpeg could not write the animation: (no such codec|it ended with code 3)\.$"):
        ss.view.animate(*ball, tmp_path / "ball.mp4", fps=20, size=(200, 160))
    assert os.listdir(tmp_path) == ["bin"]


def test_an_interrupted_ffmpeg_leaves_nothing(ball, tmp_path, monkeypatch):
    with_ffmpeg(tmp_path, monkeypatch, FAKE)

    def stop(done, frames):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ss.view.animate(*ball, tmp_path / "ball.mp4", size=(200, 160), progress=stop)
    assert os.listdir(tmp_path) == ["bin"]


def test_without_ffmpeg_it_says_what_to_install(ball, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        ss.MissingExtraError, match=r"written by the program ffmpeg, .* install it .*, or give the path of a \.gif"
    ):
        ss.view.animate(*ball, tmp_path / "ball.mp4")


def test_a_disk_that_is_full(ball, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(film._Gif, "add", full)
    with pytest.raises(ss.StorageError, match=r"cannot be written to .*ball\.gif: No space left on device\."):
        ss.view.animate(*ball, tmp_path / "ball.gif")
    assert os.listdir(tmp_path) == []


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "options", "sentence"),
    [
        ("ball.avi", {}, r"must end in \.gif or \.mp4, not"),
        ("ball", {}, r"must end in \.gif or \.mp4, not"),
        ("ball.gif", {"fps": 0}, "fps must be positive, but is 0"),
        ("ball.gif", {"fps": "fast"}, "fps must be a number, not 'fast'"),
        ("ball.gif", {"fps": 60}, r"a \.gif file shows from 0\.01 to 50 frames a second, not 60"),
        ("ball.gif", {"fps": 1e-3}, r"from 0\.01 to 50 frames a second, not 0\.001"),
        ("ball.gif", {"speed": -1}, "speed must be positive, but is -1"),
        ("ball.gif", {"speed": 1e-9}, "this would take 3e\\+10 frames, more than 100000; lower fps or raise speed"),
        ("ball.gif", {"size": 3}, r"size must be \(width, height\) in pixels, not 3"),
        ("ball.gif", {"size": (300, "x")}, r"size must be \(width, height\) in pixels"),
        ("ball.gif", {"size": (300, 201)}, "even numbers of pixels from 64 to 8192, not 201"),
        ("ball.gif", {"size": (300, 1e9)}, "not 1e\\+09"),
        ("ball.gif", {"forces": 1}, "forces must be True or False, not 1"),
        ("ball.gif", {"forces": True, "force_scale": 0}, "force_scale must be positive"),
        ("ball.gif", {"progress": 3}, "progress must be something to call with two numbers, not 3"),
        ("ball.gif", {"trace": "bell"}, "there is no body 'bell'; did you mean 'ball'"),
    ],
)
def test_bad_input(ball, tmp_path, path, options, sentence):
    with pytest.raises(ss.ArgumentError, match=sentence):
        ss.view.animate(*ball, tmp_path / path, **options)
    assert os.listdir(tmp_path) == []


def test_bad_places(ball, tmp_path):
    with pytest.raises(ss.StorageError, match=r"there is no directory .*/nowhere for the animation ball\.gif"):
        ss.view.animate(*ball, tmp_path / "nowhere" / "ball.gif")
    (tmp_path / "folder.gif").mkdir()
    with pytest.raises(ss.StorageError, match=r"folder\.gif is not a regular file"):
        ss.view.animate(*ball, tmp_path / "folder.gif")
    with pytest.raises(ss.ArgumentError, match="the path of an animation must be a string or a path, not 3"):
        ss.view.animate(*ball, 3)
