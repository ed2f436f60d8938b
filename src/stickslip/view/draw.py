"""One pose of a world."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from stickslip.contact import World
from stickslip.mechanism.errors import ArgumentError, MechanismError
from stickslip.mechanism.numbers import positive
from stickslip.view import style
from stickslip.view.belonging import checked_position, checked_world
from stickslip.view.drawing import Drawing, Scenery, draw_obstacles
from stickslip.view.forces import LONG, Arrows, note_of_scale, push_of
from stickslip.view.ground import draw_ground
from stickslip.view.picture import picture_of
from stickslip.view.window import Window, window_around

TALLEST = 0.8  # of its width: how high a figure may become


def draw(
    world: World,
    q: Any,
    ax: Axes | None = None,
    *,
    along: Any = None,
    forces: Any = None,
    force_scale: float | None = None,
) -> Axes:
    """A picture of `world` at the position `q` (nq,), in m and rad, on the axes `ax` or on a new figure's.

    A planar world is seen in its plane: shapes as their cross-sections, half-spaces hatched and without end. A world in space
    is seen from far away along "x", "y" (if nothing is said), "z" or a direction (3,), each shape by its outline. Bodies are
    also drawn as sticks from joint to joint, behind their shapes.

    `forces` draws contact forces on the robot as arrows: a solution of the contact problem at `q`, or a force (2,) or (3,) in
    N, normal first, by the contact's name. `force_scale` is their length in m for each N.

    >>> import stickslip as ss
    >>> scenario = ss.robots.pendulum(links=3)
    >>> axes = ss.view.draw(scenario.world, scenario.q)
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('x (m)', 'z (m)')
    >>> axes.figure.savefig("pendulum.png")  # doctest: +SKIP
    """
    world = checked_world(world)
    position = checked_position(world, q)
    scenery = Scenery(world, picture_of(world, along))
    window = window_around(world, scenery.picture, [scenery.extent(position)], scenery.obstacles())
    axes = stage(scenery, window, ax)
    Drawing(axes, scenery).move(position)
    if forces is not None:
        push = push_of(world, position, forces)
        largest = float(np.linalg.norm(push.force, axis=1).max(initial=0.0))
        scale = scale_of(force_scale, window, largest)
        Arrows(axes, scenery.picture, window.size, scale).show(push)
        style.note(axes, note_of_scale(scale, window.size))
    return axes


def stage(scenery: Scenery, window: Window, ax: Axes | None = None, *, width: float = style.WIDTH) -> Axes:
    """Axes with all that stands still, on which the window is shown; on a figure of their own if there is none, in inches."""
    if ax is None:
        shape = (window.upper - window.lower)[1] / (window.upper - window.lower)[0]
        ax = style.new_figure(width, width * min(TALLEST, max(0.3, float(shape)))).add_subplot()
    elif not isinstance(ax, Axes) or not hasattr(ax, "set_aspect"):
        raise ArgumentError("ax must be Axes of Matplotlib.")
    style.dress(ax)
    draw_ground(ax, scenery.world, scenery.picture, window)
    draw_obstacles(ax, scenery)
    ax.set_aspect("equal")
    ax.set_xlim(window.lower[0], window.upper[0])
    ax.set_ylim(window.lower[1], window.upper[1])
    style.label(ax, x=scenery.picture.labels[0], y=scenery.picture.labels[1])
    return ax


def scale_of(given: Any, window: Window, largest: float) -> float:
    """The length of arrows in m for each N: as given, or so that the largest force is well seen."""
    if given is not None:
        try:
            return positive(given, "force_scale")
        except MechanismError as error:
            raise ArgumentError(str(error)) from None
    return LONG * window.size / largest if largest > 0.0 else 1.0
