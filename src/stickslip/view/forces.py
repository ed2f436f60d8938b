"""Contact forces in a picture: where they act, which way they push, and the arrows that show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection, PolyCollection

from stickslip.complementarity import Contact, ContactSolution
from stickslip.contact import World
from stickslip.contact.naming import is_meant
from stickslip.dynamics.arguments import ready
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError, did_you_mean
from stickslip.mechanism.numbers import shown
from stickslip.simulate import Trajectory
from stickslip.view import style
from stickslip.view.picture import Picture

NEAR = 1e-2  # m: contacts are looked for within it, by name; between two samples a gap need not be quite closed
LONG = 0.2  # of the window: the default length of the largest force
USUAL = 98.0  # percentile of all forces of a run that is drawn so long; what collides may be far beyond
ARROWS, DOTS = 5.0, 5.1  # drawn over everything else
SHAFT, HEAD = 0.004, 0.022  # of the window: half the shaft's width, the head's length

_ARROW = np.array([(0, 1), (0, 1), (0, 2.2), (1, 0), (0, -2.2), (0, -1), (0, -1)], dtype=float)


class Push(NamedTuple):
    """Contacts of one instant: `point` (k, 3) m, `force` (k, 3) N on the robot (or the second body), in the world; letters."""

    point: Floats
    force: Floats
    letters: Sequence[str]


NO_PUSH = Push(np.empty((0, 3)), np.empty((0, 3)), ())


def push_at(world: World, trajectory: Trajectory, k: int, q: Floats) -> Push:
    """The contacts of sample k, where they are at q (nq,), in m and rad."""
    history = trajectory.contacts
    first, last = np.searchsorted(history.sample, [k, k + 1])
    if first == last:
        return NO_PUSH
    near = {contact.name: contact for contact in world.contacts(q, margin=NEAR)}
    rows = [row for row in range(first, last) if history.names[history.contact[row]] in near]
    contacts = [near[history.names[history.contact[row]]] for row in rows]
    return _pushed(contacts, [history.force[row] for row in rows], [str(history.letter[row]) for row in rows])


def push_of(world: World, q: Floats, forces: Any) -> Push:
    """Forces that a user gives: a solution of the contact problem at q (nq,), or one force (2,) or (3,) in N by contact."""
    if isinstance(forces, ContactSolution):
        contacts = [contact for contact in forces.problem.contacts if contact.normal is not None]
        if len(contacts) != len(forces.problem.contacts):
            raise ArgumentError("the contacts of this solution have no places; only those of a world can be drawn.")
        rows = forces.force.reshape(len(contacts), -1) if contacts else np.empty((0, 2))
        return _pushed(contacts, rows, forces.word)
    if not isinstance(forces, Mapping):
        raise ArgumentError(f"forces must be a solution, or force by contact as in {{'toe': (9.8, 0)}}, not {shown(forces)}.")
    near = {contact.name: contact for contact in world.contacts(q, margin=NEAR)}
    size = 2 if world.planar else 3
    given = [ready(force, (size,), f"the force of contact {name!r}") for name, force in forces.items()]
    return _pushed([_one_of(near, name) for name in forces], given, [""] * len(given))


def usual_size(trajectory: Trajectory) -> float:
    """What counts as a large contact force of a run, in N; 0 if nothing pushes."""
    sizes = np.linalg.norm(trajectory.contacts.force, axis=1)
    sizes = sizes[np.isfinite(sizes) & (sizes > 0.0)]
    return float(np.percentile(sizes, USUAL)) if len(sizes) else 0.0


class Arrows:
    """Arrows and dots on an axis, `scale` m long for each N, in a window of the given size in m."""

    def __init__(self, axes: Axes, picture: Picture, size: float, scale: float, *, animated: bool = False) -> None:
        self.picture, self.size, self.scale = picture, size, scale
        self.arrows = PolyCollection([], zorder=ARROWS, animated=animated, edgecolors=style.PAPER, linewidths=style.HAIR)
        self.dots: PathCollection = axes.scatter(
            [], [], s=22.0, zorder=DOTS, animated=animated, edgecolors=style.PAPER, linewidths=style.HAIR
        )
        axes.add_collection(self.arrows, autolim=False)

    @property
    def artists(self) -> list[Artist]:
        """The arrows and the dots."""
        return [self.arrows, self.dots]

    def show(self, push: Push) -> None:
        """Draw these forces in place of those before, each in the colour of its mode."""
        feet, along = self.picture.seen(push.point), self.scale * self.picture.seen(push.force)
        colours = [style.mode_colour(letter) for letter in push.letters]
        self.arrows.set_verts([self._arrow(foot, vector) for foot, vector in zip(feet, along, strict=True)])
        self.arrows.set_facecolor(colours)
        self.dots.set_offsets(feet)
        self.dots.set_facecolor(colours)

    def _arrow(self, foot: Floats, vector: Floats) -> Floats:
        """The corners (7, 2) of an arrow; the head of a short one is as short."""
        length = float(np.hypot(*vector))
        if length == 0.0:
            return np.repeat(foot[None], len(_ARROW), axis=0)
        ahead = vector / length
        side = np.array([-ahead[1], ahead[0]])
        head = min(HEAD * self.size, length)
        reach = np.array([0.0, length - head, length - head, length, length - head, length - head, 0.0])
        width = SHAFT * self.size * min(1.0, head / (HEAD * self.size)) * _ARROW[:, 1]
        return np.asarray(foot + reach[:, None] * ahead + width[:, None] * side)


def note_of_scale(scale: float, size: float) -> str:
    """What an arrow's length means, with a round number of newtons."""
    force = 10.0 ** np.floor(np.log10(LONG * size / scale))
    return f"contact forces: {force:g} N is drawn {force * scale:.2g} m long"


def _one_of(near: Mapping[str, Contact], name: Any) -> Contact:
    meant = [contact for other, contact in near.items() if isinstance(name, str) and is_meant(other, name)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise ArgumentError(f"{name!r} stands for several contacts; name one of {', '.join(repr(c.name) for c in meant)}.")
    hint = did_you_mean(name, near) if isinstance(name, str) else "."
    raise ArgumentError(f"there is no contact {shown(name)} within {NEAR:g} m at this position{hint}")


def _pushed(contacts: Sequence[Contact], rows: Any, letters: Sequence[str]) -> Push:
    if not contacts:
        return NO_PUSH
    frames = [np.array([contact.normal, *contact.tangents]) for contact in contacts]
    force = [np.asarray(row) @ frame for row, frame in zip(rows, frames, strict=True)]
    return Push(np.array([contact.point for contact in contacts]), np.array(force), letters)
