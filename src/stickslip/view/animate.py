"""A run as a film."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any, cast

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg

from stickslip.contact import World
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.arguments import FilePath, switch
from stickslip.mechanism.errors import ArgumentError, MechanismError
from stickslip.mechanism.numbers import entries, positive, shown
from stickslip.simulate import Trajectory
from stickslip.view import style
from stickslip.view.belonging import check_belongs, checked_world
from stickslip.view.draw import scale_of, stage
from stickslip.view.drawing import Drawing, Scenery
from stickslip.view.film import Pixels, checked_film_path, film_at
from stickslip.view.forces import Arrows, note_of_scale, push_at, usual_size
from stickslip.view.moments import end_of, many_times, path_of
from stickslip.view.picture import picture_of
from stickslip.view.window import window_around

DPI = 100.0
SIZE = (800, 600)  # pixels
SMALLEST, LARGEST = 64, 8192  # pixels of a side
MOST_FRAMES = 100_000
LOOKS = 60  # poses by which the window is chosen
SAMPLES_OF_COLOUR = 4  # frames from which a GIF takes its colours


def animate(
    world: World,
    trajectory: Trajectory,
    path: FilePath,
    *,
    fps: float = 30.0,
    speed: float = 1.0,
    size: tuple[int, int] = SIZE,
    along: Any = None,
    forces: bool = False,
    force_scale: float | None = None,
    trace: Any = None,
    progress: Callable[[int, int], object] | None = None,
) -> Path:
    """Write a run as an animation to `path`, a .gif or, where the program ffmpeg is installed, an .mp4; the file's path.

    It has `fps` frames a second and is `speed` times as fast as what happened: at speed=0.1 a second of the run takes ten.
    `size` is in pixels, `along` that of `draw`. `forces` adds the contact forces, in the colours of their modes and
    `force_scale` m long for each N, and the word of the modes. `trace` adds the path of a point of a body, as `time_lapse`
    does.

    `progress(done, frames)` is called after each frame. Ctrl-C, or an error that `progress` raises, ends the work and leaves no
    half-written file; an older one at `path` stays as it was.
    """
    world = checked_world(world)
    check_belongs(world, trajectory)
    rate, width, height = _positive(fps, "fps"), *_checked_size(size)
    if progress is not None and not callable(progress):
        raise ArgumentError(f"progress must be something to call with two numbers, not {shown(progress)}.")
    target = checked_film_path(path, rate)
    times = frame_times(trajectory, rate, _positive(speed, "speed"))
    film_set = FilmSet(
        world,
        trajectory,
        size=(width, height),
        along=along,
        forces=switch(forces, "forces"),
        force_scale=force_scale,
        trace=trace,
    )
    probes = [film_set.frame(time).copy() for time in np.linspace(times[0], times[-1], SAMPLES_OF_COLOUR)]
    with film_at(target, rate, probes) as film:
        for done, time in enumerate(times, start=1):
            film.add(film_set.frame(time))
            if progress is not None:
                progress(done, len(times))
    return target


def frame_times(trajectory: Trajectory, fps: float, speed: float) -> Floats:
    """The times (frames,) in s that are shown: every speed / fps seconds from the first sample, and the last one."""
    first, last = float(trajectory.time[0]), end_of(trajectory)
    count = (last - first) * fps / speed
    if count > MOST_FRAMES:
        raise ArgumentError(f"this would take {count:.3g} frames, more than {MOST_FRAMES}; lower fps or raise speed.")
    whole = int(np.floor(count * (1.0 + 1e-12))) + 1
    times = first + np.arange(whole + (count > whole - 1 + 1e-9)) * speed / fps
    return np.asarray(np.minimum(times, last))


class FilmSet:
    """The figure of a film: what stands still is drawn once, what moves for every frame."""

    def __init__(
        self,
        world: World,
        trajectory: Trajectory,
        *,
        size: tuple[int, int] = SIZE,
        along: Any = None,
        forces: bool = False,
        force_scale: float | None = None,
        trace: Any = None,
    ) -> None:
        self.world, self.trajectory = world, trajectory
        scenery = Scenery(world, picture_of(world, along))
        first, last = float(trajectory.time[0]), end_of(trajectory)
        poses = [scenery.extent(q) for q in trajectory.at(np.linspace(first, last, LOOKS)).q]
        window = window_around(world, scenery.picture, poses, scenery.obstacles())
        figure = style.new_figure(size[0] / DPI, size[1] / DPI, DPI)
        self.canvas = cast(Any, FigureCanvasAgg(figure))  # which says nothing of types
        self.axes: Axes = stage(scenery, window, figure.add_subplot())
        self.drawing = Drawing(self.axes, scenery, animated=True)
        self.clock = self.axes.text(0.0, 1.015, "", transform=self.axes.transAxes, fontsize=style.TITLE, animated=True)
        self.arrows: Arrows | None = None
        if forces:
            scale = scale_of(force_scale, window, usual_size(trajectory))
            self.arrows = Arrows(self.axes, scenery.picture, window.size, scale, animated=True)
            style.note(self.axes, note_of_scale(scale, window.size))
        self.path_times = many_times(trajectory, first, last) if trace is not None else np.empty(0)
        self.path = path_of(world, trajectory, scenery.picture, trace, self.path_times) if trace is not None else None
        (self.trail,) = self.axes.plot([], [], color=style.VERMILLION, linewidth=style.LINE, zorder=2.5, animated=True)
        self.canvas.draw()
        self.background = self.canvas.copy_from_bbox(figure.bbox)

    def artists(self) -> Iterator[Artist]:
        """What moves, what is behind first."""
        yield self.trail
        yield from self.drawing.artists
        yield from self.arrows.artists if self.arrows else ()
        yield self.clock

    def show(self, time: float) -> None:
        """Take everything to where it is at a time in s."""
        q = self.trajectory.at(time).q
        self.drawing.move(q)
        said = f"t = {time:.3f} s"
        if self.arrows:
            k = nearest_sample(self.trajectory, time)
            self.arrows.show(push_at(self.world, self.trajectory, k, q))
            said += f"   {self.trajectory.mode[k]}"
        self.clock.set_text(said)
        if self.path is not None:
            self.trail.set_data(*self.path[self.path_times <= time].T)

    def frame(self, time: float) -> Pixels:
        """The pixels (height, width, 4) of the picture at a time in s; the next frame takes their place."""
        self.show(time)
        self.canvas.restore_region(self.background)
        for artist in self.artists():
            self.axes.draw_artist(artist)
        return np.asarray(self.canvas.buffer_rgba())


def nearest_sample(trajectory: Trajectory, time: float) -> int:
    """The sample whose time is nearest; of two with one time the later."""
    later = int(np.searchsorted(trajectory.time, time, side="right"))
    if later == len(trajectory):
        return later - 1
    if later == 0:
        return 0
    return later - 1 if time - trajectory.time[later - 1] <= trajectory.time[later] - time else later


def _positive(value: Any, what: str) -> float:
    try:
        return positive(value, what)
    except MechanismError as error:
        raise ArgumentError(str(error)) from None


def _checked_size(size: Any) -> tuple[int, int]:
    """Width and height in whole, even numbers of pixels, as films need them."""
    try:
        width, height = (float(side) for side in entries(size, "size"))
    except (MechanismError, TypeError, ValueError):
        raise ArgumentError(f"size must be (width, height) in pixels, not {shown(size)}.") from None
    for side in (width, height):
        if not isfinite(side) or not SMALLEST <= side <= LARGEST or side % 2:
            raise ArgumentError(f"the sides of size must be even numbers of pixels from {SMALLEST} to {LARGEST}, not {side:g}.")
    return int(width), int(height)
