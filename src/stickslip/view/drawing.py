"""A world as artists on an axis: made once, moved to any position."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from stickslip.contact import World
from stickslip.dynamics.tree import Floats
from stickslip.view import style
from stickslip.view.outlines import Outline, outlines_of
from stickslip.view.picture import Picture
from stickslip.view.poses import Poses, poses_of
from stickslip.view.sticks import skeleton_of

STICKS, SHAPES, MARKS = 2.0, 3.0, 4.0  # what is drawn over what

NOTHING = Path(np.empty((0, 2)))


class Scenery:
    """What is known of a world before it is drawn: what its parts look like, and its skeleton."""

    def __init__(self, world: World, picture: Picture) -> None:
        self.world, self.picture = world, picture
        outlines = outlines_of(world, picture)
        self.moving: dict[str, Outline] = {}
        self.standing: dict[str, Outline] = {}
        for row, outline in outlines.items():
            part = world.parts[row]
            (self.standing if part.is_obstacle else self.moving)[part.name] = outline
        self.skeleton = skeleton_of(world)

    def poses(self, q: Floats) -> Poses:
        """The poses at q (nq,), in m and rad."""
        return poses_of(self.world.mechanism, q)

    def extent(self, q: Floats) -> Floats:
        """Points (k, 2) m of the picture that hold the mechanism at q (nq,)."""
        poses = self.poses(q)
        rims = [outline.path(poses).get_extents().get_points() for outline in self.moving.values()]
        marks = [self.picture.seen(places.at(poses)) for places in self.skeleton]
        return np.vstack([*rims, *marks, np.empty((0, 2))])

    def obstacles(self) -> list[Floats]:
        """For every obstacle that ends somewhere the two corners (2, 2) m of what holds it in the picture."""
        nowhere = self.poses(self.world.mechanism.neutral())
        return [outline.path(nowhere).get_extents().get_points() for outline in self.standing.values()]


class Drawing:
    """One pose of a mechanism on an axis; `fading` from 0, as it is, to 1, white. `move` takes it to another position."""

    def __init__(
        self, axes: Axes, scenery: Scenery, *, fading: float = 0.0, order: float = 0.0, animated: bool = False
    ) -> None:
        self.scenery, self.order = scenery, order
        edge, fill = style.faded(style.BODY_EDGE, fading), style.faded(style.BODY, fading)
        self.sticks = Line2D(
            [], [], color=edge, linewidth=2.0 * style.LINE, solid_capstyle="round", zorder=STICKS + order, animated=animated
        )
        self.shapes = {
            name: PathPatch(
                NOTHING,
                facecolor=fill,
                edgecolor=edge,
                linewidth=style.THIN,
                joinstyle="round",
                capstyle="round",
                zorder=SHAPES + order,
                animated=animated,
                label=f"_{name}",
            )
            for name in scenery.moving
        }
        self.hinges, self.sliders, self.masses, self.points = (
            Line2D(
                [],
                [],
                linestyle="none",
                marker=marker,
                markersize=size,
                markerfacecolor=style.PAPER if hollow else edge,
                markeredgecolor=edge,
                markeredgewidth=style.THIN,
                zorder=MARKS + order,
                animated=animated,
            )
            for marker, size, hollow in (("o", 3.5, True), ("s", 4.0, True), ("o", 5.0, False), ("o", 3.0, False))
        )
        for artist in self.artists:
            axes.add_artist(artist)

    @property
    def artists(self) -> list[Artist]:
        """Everything that moves, what is behind first."""
        marks = self.hinges, self.sliders, self.masses, self.points
        return sorted([self.sticks, *self.shapes.values(), *marks], key=lambda artist: artist.get_zorder())

    def move(self, q: Floats) -> None:
        """Take everything to where it is at q (nq,), in m and rad."""
        poses, picture, skeleton = self.scenery.poses(q), self.scenery.picture, self.scenery.skeleton
        for name, patch in self.shapes.items():
            patch.set_path(self.scenery.moving[name].path(poses))
        self._order_by_depth(poses)
        ends = picture.seen(skeleton.ends.at(poses)).reshape(-1, 2, 2)
        broken = np.concatenate([ends, np.full((len(ends), 1, 2), np.nan)], axis=1).reshape(-1, 2)
        self.sticks.set_data(*broken.T)
        marks = (self.hinges, skeleton.hinges), (self.sliders, skeleton.sliders)
        for line, places in (*marks, (self.masses, skeleton.masses), (self.points, skeleton.points)):
            line.set_data(*picture.seen(places.at(poses)).T)

    def _order_by_depth(self, poses: Poses) -> None:
        """In space: what is nearer to the eye is drawn over what is farther away."""
        if self.scenery.world.plane is not None or not self.shapes:
            return
        outlines = self.scenery.moving.values()
        middles = [poses.turn[one.body] @ one.middle + poses.place[one.body] for one in outlines]
        depths = np.array(middles) @ self.scenery.picture.away
        ranks = np.empty(len(depths))
        ranks[np.argsort(-depths, kind="stable")] = np.arange(len(depths)) / len(depths)
        for patch, rank in zip(self.shapes.values(), ranks, strict=True):
            patch.set_zorder(SHAPES + self.order + 0.9 * rank)


def draw_obstacles(axes: Axes, scenery: Scenery) -> list[Artist]:
    """The obstacles that end somewhere, which never move, and those that are points."""
    nowhere = scenery.poses(scenery.world.mechanism.neutral())
    artists: list[Artist] = [
        PathPatch(
            outline.path(nowhere),
            facecolor=style.GROUND,
            edgecolor=style.GROUND_EDGE,
            linewidth=style.THIN,
            zorder=1.0,
            label=f"_{name}",
        )
        for name, outline in scenery.standing.items()
    ]
    for artist in artists:
        axes.add_artist(artist)
    return artists
