"""Which parts of a world may touch each other.

Parts of a body meet all obstacles. They meet each other only where self-contact is asked for, and even then not where bodies
are neighbours: joined by a hinge, a slider, a ball joint or a loop closure, directly or through bodies without mass and shape.
Two neighbours meet when their pair is named. What is welded together never meets.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from stickslip.contact.part import Part, check_known
from stickslip.mechanism.body import WORLD
from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.joint import JointKind
from stickslip.mechanism.loop import LoopKind
from stickslip.mechanism.numbers import shown

Names = tuple[str, str]
Pair = tuple[int, int]  # indices of parts: the environment's side or the first body's, then the robot's or the second body's

LOOSE = (JointKind.FREE, JointKind.PLANAR)  # joints that leave a body free to go and come back, as loops of kind plane do


def possible_pairs(
    description: MechanismDescription, parts: tuple[Part, ...], self_contact: bool | Iterable[Any], ignore: Iterable[Any]
) -> list[Pair]:
    """All pairs of parts that may touch, in an order that depends on nothing but the order of the parts."""
    bodies = [body.name for body in description.bodies]
    welded = _welded(description)
    fixed = _fixed(description, welded)
    movers = [p for p, part in enumerate(parts) if not part.is_obstacle and welded[part.body] not in fixed]
    obstacles = [p for p, part in enumerate(parts) if part.is_obstacle]
    pairs = [(o, m) for m in movers for o in obstacles]
    if self_contact is True:
        wanted = None
    elif self_contact is False:
        wanted = []
    else:
        wanted = name_pairs(self_contact, parts, bodies, "self_contact")
    if wanted is None or wanted:
        pairs += _own_pairs(parts, welded, fixed, _neighbours(description, welded), wanted)
    dropped = name_pairs(ignore, parts, bodies, "ignore", single=True)
    return [pair for pair in pairs if not any(_named(parts, pair, names) for names in dropped)]


def name_pairs(
    value: Any, parts: tuple[Part, ...], bodies: list[str], what: str, *, single: bool = False
) -> list[tuple[str, ...]]:
    """Pairs of known names; with `single`, a name alone stands for all pairs that it is in."""
    wrong = f"{what} must be a sequence of pairs of names such as ('leg', 'floor'), not {shown(value)}."
    try:
        if isinstance(value, str):
            raise TypeError
        listed: list[tuple[str, ...]] = [(entry,) if single and isinstance(entry, str) else _pair(entry) for entry in value]
    except TypeError:
        raise ArgumentError(wrong) from None
    for names in listed:
        for name in names:
            check_known(name, parts, bodies, what)
    return listed


def _pair(entry: Any) -> Names:
    if isinstance(entry, str) or len(entry) != 2:
        raise TypeError
    first, second = entry
    return first, second


def _named(parts: tuple[Part, ...], pair: Pair, names: tuple[str, ...]) -> bool:
    a, b = parts[pair[0]], parts[pair[1]]
    if len(names) == 1:
        return bool(a.answers_to(names[0]) or b.answers_to(names[0]))
    x, y = names
    return bool((a.answers_to(x) and b.answers_to(y)) or (a.answers_to(y) and b.answers_to(x)))


def _own_pairs(
    parts: tuple[Part, ...],
    welded: dict[str, str],
    fixed: set[str],
    neighbours: set[frozenset[str]],
    wanted: list[tuple[str, ...]] | None,
) -> list[Pair]:
    """Pairs of the mechanism's own parts: all but neighbours, or those that are wanted by name."""
    own = [p for p, part in enumerate(parts) if not part.is_obstacle]
    own.sort(key=lambda p: welded[parts[p].body] not in fixed)  # what cannot move is the environment's side
    found = []
    met = set()
    for pair in combinations(own, 2):
        a, b = (welded[parts[p].body] for p in pair)
        rigid = a == b or (a in fixed and b in fixed)
        if wanted is None:
            if not rigid and frozenset((a, b)) not in neighbours:
                found.append(pair)
            continue
        asked = [names for names in wanted if _named(parts, pair, names)]
        if asked and not rigid:
            found.append(pair)
            met.update(asked)
    for names in wanted or []:
        if names not in met:
            raise ArgumentError(
                f"self_contact names the pair {names!r}, but no two parts of the mechanism that move against each other are "
                "called so."
            )
    return found


def _welded(description: MechanismDescription) -> dict[str, str]:
    """For every body the first body of all that it is welded to; the world is not counted as one."""
    first: dict[str, str] = {WORLD: WORLD}
    for joint in description.joints:  # parents come before their children
        glued = joint.kind is JointKind.FIXED and joint.parent != WORLD
        first[joint.child] = first[joint.parent] if glued else joint.child
    return first


def _fixed(description: MechanismDescription, welded: dict[str, str]) -> set[str]:
    """The first bodies of all that is welded to the world."""
    return {welded[j.child] for j in description.joints if j.kind is JointKind.FIXED and j.parent == WORLD}


def _neighbours(description: MechanismDescription, welded: dict[str, str]) -> set[frozenset[str]]:
    """Pairs of welded groups, by their first bodies, that a joint or a loop closure holds together."""
    joined = [(j.parent, j.child) for j in description.joints if j.kind is not JointKind.FIXED and j.kind not in LOOSE]
    joined += [(loop.first, loop.second) for loop in description.loops if loop.kind is not LoopKind.PLANE]
    links: dict[str, set[str]] = {}
    for one, other in joined:
        a, b = welded[one], welded[other]
        if a != b and WORLD not in (a, b):
            links.setdefault(a, set()).add(b)
            links.setdefault(b, set()).add(a)
    solid = {welded[body.name] for body in description.bodies if body.shapes or body.mass}
    return {frozenset((a, b)) for a in links for b in _reached(a, links, solid)}


def _reached(start: str, links: dict[str, set[str]], solid: set[str]) -> set[str]:
    """What is joined to `start`, straight away or through groups that have neither mass nor shape."""
    found: set[str] = set()
    waiting = list(links[start])
    while waiting:
        group = waiting.pop()
        if group == start or group in found:
            continue
        found.add(group)
        if group not in solid:
            waiting.extend(links[group])
    return found
