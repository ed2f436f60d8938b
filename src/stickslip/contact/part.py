"""The parts of a world: every shape of the mechanism's bodies and every obstacle, each under a name of its own.

A part is called by its shape's name where it has one. A body's only shape may go unnamed, and is then called like the body;
other shapes without a name are numbered by kind, as in "trunk/box_2". Where two bodies use one name for a shape, the body is
put in front: "leg_1/toe". Obstacles without a name are numbered by kind, too: "half_space_1", "disc_3".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from stickslip.contact.half_space import HalfSpace
from stickslip.mechanism.body import WORLD
from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.errors import ArgumentError, did_you_mean
from stickslip.mechanism.numbers import shown
from stickslip.mechanism.shape import Shape

Obstacle = Shape | HalfSpace

OF_BODY, OF_SHAPE, IN_FULL = 1, 2, 3  # how closely a name points at a part

LISTED = 12  # names that an error spells out before it counts the others


@dataclass(frozen=True, eq=False)
class Part:
    """A shape of `body`, or an obstacle, whose `body` is "world"; `name` is the part's own in its world."""

    name: str
    body: str
    shape: Obstacle
    full_name: str = ""

    @property
    def is_obstacle(self) -> bool:
        """Whether it belongs to no body of the mechanism."""
        return self.body == WORLD

    def answers_to(self, name: str) -> int:
        """How closely `name` points at this part: 0 not at all, 1 as its body, 2 as its shape, 3 as the shape of its body."""
        if name == self.full_name:
            return IN_FULL
        if name in (self.name, self.shape.name):
            return OF_SHAPE
        return OF_BODY if name == self.body and not self.is_obstacle else 0

    def __repr__(self) -> str:
        return f"<Part {self.name!r}: {type(self.shape).__name__} of {self.body!r}>"


def parts_of(description: MechanismDescription, obstacles: Iterable[Obstacle]) -> tuple[Part, ...]:
    """All parts of a world: first the mechanism's, body by body, then the obstacles in the order given."""
    listed = _listed(obstacles)
    own = [
        (body.name, shape, short)
        for body in description.bodies
        for shape, short in zip(body.shapes, _short_names(body.name, body.shapes), strict=True)
    ]
    others = _obstacle_names(listed, {body.name for body in description.bodies})
    taken = Counter([short for _, _, short in own] + others)
    parts = []
    for body, shape, short in own:
        full = short if "/" in short or short == body else f"{body}/{short}"
        parts.append(Part(short if taken[short] == 1 else full, body, shape, full))
    parts += [Part(name, WORLD, obstacle, name) for name, obstacle in zip(others, listed, strict=True)]
    return tuple(parts)


def check_known(name: str, parts: Iterable[Part], bodies: Iterable[str], what: str) -> None:
    """Refuse a name that points at nothing; `what` says where it stands."""
    known = dict.fromkeys(
        [*bodies, *(known for part in parts for known in (part.name, part.shape.name, part.full_name) if known)]
    )
    if not isinstance(name, str):
        raise ArgumentError(f"{what} must be names of bodies, shapes or obstacles, not {shown(name)}.")
    if name not in known:
        near = did_you_mean(name, known)
        listed = ", ".join(list(known)[:LISTED]) + (f" and {len(known) - LISTED} more" if len(known) > LISTED else "")
        raise ArgumentError(
            f"there is no body, shape or obstacle {name!r} for {what}"
            + (near if near != "." else f"; there are {listed or 'none'}.")
        )


def _listed(obstacles: Iterable[Obstacle]) -> list[Obstacle]:
    if isinstance(obstacles, (Shape, HalfSpace)):
        return [obstacles]
    try:
        listed = list(obstacles)
    except TypeError:
        raise ArgumentError(f"obstacles must be a sequence of shapes and half-spaces, not {shown(obstacles)}.") from None
    for obstacle in listed:
        if not isinstance(obstacle, (Shape, HalfSpace)):
            raise ArgumentError(f"obstacles must be shapes such as Disc(radius=…) or half-spaces, not {shown(obstacle)}.")
    return listed


def _short_names(body: str, shapes: tuple[Shape, ...]) -> list[str]:
    """Names of a body's shapes, before other bodies are looked at."""
    if len(shapes) == 1:
        return [shapes[0].name or body]
    numbers: Counter[str] = Counter()
    names = []
    for shape in shapes:
        kind = _kind(shape)
        numbers[kind] += 1
        names.append(shape.name or f"{body}/{kind}_{numbers[kind]}")
    return names


def _obstacle_names(obstacles: list[Obstacle], bodies: set[str]) -> list[str]:
    """Numbers count all obstacles of a kind, named ones too, so that naming one renames no other."""
    numbers: Counter[str] = Counter()
    names = []
    for obstacle in obstacles:
        kind = _kind(obstacle)
        numbers[kind] += 1
        names.append(obstacle.name or f"{kind}_{numbers[kind]}")
    for name, count in Counter(names).items():
        if count > 1:
            raise ArgumentError(f"the name {name!r} is used by more than one of the obstacles.")
        if name in bodies:
            raise ArgumentError(f"an obstacle is called {name!r} like a body of the mechanism; give it another name.")
    return names


def _kind(shape: Obstacle) -> str:
    """The class in lower case: "half_space" of a HalfSpace."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(shape).__name__).lower()
