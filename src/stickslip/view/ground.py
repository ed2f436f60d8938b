"""Half-spaces: hatched and without end where they are seen from the side, a sheet of their surface where they are not."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from stickslip.contact import HalfSpace, World
from stickslip.dynamics.tree import Floats
from stickslip.view import style
from stickslip.view.picture import Picture
from stickslip.view.window import Window

ENDLESS = 1e4  # times the window: nobody moves a picture that far
SIDEWAYS = 1.0 - 1e-9  # of the normal's length: as much of it lies in the picture where a surface is seen from the side
SHEET = 1.2  # times the window: how much is shown of a surface that is seen from above


def draw_ground(axes: Axes, world: World, picture: Picture, window: Window) -> list[Artist]:
    """All half-spaces of a world, behind everything else."""
    artists: list[Artist] = []
    for name, obstacle in world.obstacles.items():
        if isinstance(obstacle, HalfSpace):
            normal = np.array(obstacle.normal_in(world.plane))
            seen = picture.basis @ normal
            if np.linalg.norm(seen) > SIDEWAYS:
                drawn = _from_the_side(seen, obstacle.offset, window)
            else:
                drawn = [_from_above(normal, obstacle.offset, picture, window)]
            for artist in drawn:
                artist.set_label(f"_{name}")  # with a stroke in front: no legend lists it
                axes.add_artist(artist)
            artists += drawn
    return artists


def _from_the_side(normal: Floats, offset: float, window: Window) -> list[Artist]:
    """The half-plane normal . x <= offset, and its surface."""
    far = ENDLESS * window.size
    along = np.array([normal[1], -normal[0]])
    centre = 0.5 * (window.lower + window.upper)
    foot = centre + (offset - normal @ centre) * normal
    surface = np.array([foot - far * along, foot + far * along])
    solid = np.vstack([surface, surface[::-1] - far * normal])
    return [
        Polygon(solid, facecolor=style.GROUND, edgecolor=style.GROUND_HATCH, hatch="////", linewidth=0.0, zorder=0.5),
        Line2D(*surface.T, color=style.GROUND_EDGE, linewidth=style.LINE, zorder=0.6),
    ]


def _from_above(normal: Floats, offset: float, picture: Picture, window: Window) -> Artist:
    """A square of the surface around what is below (or beside) the middle of the window."""
    centre = 0.5 * (window.lower + window.upper)
    middle = centre @ picture.basis
    foot = middle + (offset - normal @ middle) * normal
    across = picture.away if abs(normal @ picture.away) < 0.9 else picture.up
    side = np.cross(normal, across)
    side /= np.linalg.norm(side)
    other = np.cross(normal, side)
    half = 0.5 * SHEET * window.size
    corners = np.array([foot + half * (a * side + b * other) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    return Polygon(picture.seen(corners), facecolor=style.GROUND, edgecolor=style.GROUND_EDGE, linewidth=style.HAIR, zorder=0.5)
