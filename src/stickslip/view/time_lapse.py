"""Many poses of a run in one picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from stickslip.contact import World
from stickslip.dynamics.tree import Floats
from stickslip.simulate import Trajectory
from stickslip.view import style
from stickslip.view.belonging import check_belongs, checked_world
from stickslip.view.draw import stage
from stickslip.view.drawing import Drawing, Scenery
from stickslip.view.moments import checked_times, many_times, path_of
from stickslip.view.picture import picture_of
from stickslip.view.window import window_around

OLDEST = 0.8  # how far the oldest pose has faded: 0 not at all, 1 to white
LAYER = 10.0  # of zorder between two poses: the younger one is drawn over the older


def time_lapse(
    world: World,
    trajectory: Trajectory,
    times: Any,
    ax: Axes | None = None,
    *,
    along: Any = None,
    trace: Any = None,
) -> Axes:
    """The poses of a run at `times` in one picture, fading with age, on the axes `ax` or on a new figure's.

    `times` are in s, or a number of poses, evenly spaced from the first sample to the last. `trace` adds the path that a point
    of a body takes from the first of these times to the last: ("leg", (0, 0, -0.2)) in m in the body's frame, or "leg" for its
    centre of mass. `along` is that of `draw`. The run must be of the world's mechanism; that the world is the same otherwise, a
    run cannot know.

    >>> import stickslip as ss
    >>> scenario = ss.robots.pendulum(links=3)
    >>> run = scenario.run(duration=0.5)
    >>> axes = ss.view.time_lapse(scenario.world, run, 6, trace="link_3")
    """
    world = checked_world(world)
    check_belongs(world, trajectory)
    moments = checked_times(trajectory, times)
    scenery = Scenery(world, picture_of(world, along))
    states = trajectory.at(moments).q
    extents = [scenery.extent(q) for q in states]
    path = np.empty((0, 2))
    if trace is not None:
        path = path_of(world, trajectory, scenery.picture, trace, many_times(trajectory, moments[0], moments[-1]))
    axes = stage(scenery, window_around(world, scenery.picture, [*extents, path], scenery.obstacles()), ax)
    for k, q in enumerate(states):
        age = (len(states) - 1 - k) / max(len(states) - 1, 1)
        Drawing(axes, scenery, fading=OLDEST * age, order=LAYER * k).move(q)
    if len(path) > 1:
        axes.add_collection(_trail(path, LAYER * len(states)), autolim=False)
    first, last = float(moments[0]), float(moments[-1])
    style.note(axes, f"t = {first:.4g} s" + (f" to {last:.4g} s" if len(moments) > 1 else ""))
    return axes


def _trail(path: Floats, order: float) -> LineCollection:
    """A path (k, 2) m that fades with age, over everything."""
    pieces = np.stack([path[:-1], path[1:]], axis=1)
    parts = np.linspace(OLDEST, 0.0, len(pieces))
    colours = [style.faded(style.VERMILLION, 0.7 * part) for part in parts]
    return LineCollection(list(pieces), colors=colours, linewidths=style.LINE, capstyle="round", zorder=order, label="_trace")
