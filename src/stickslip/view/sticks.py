"""The skeleton of a mechanism: lines from joint to joint through each body, marks at the joints, and points.

A body is a line from the joint that carries it to each joint and loop that it carries. A body that carries nothing and has no
shape is a line to its centre of mass. Shapes are drawn over the sticks, which are seen where there are none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.contact import World
from stickslip.dynamics import Mechanism
from stickslip.dynamics.tree import Floats, Ints
from stickslip.mechanism import Body, JointKind, LoopKind, MechanismDescription, Point
from stickslip.mechanism.body import WORLD
from stickslip.view.poses import Poses, in_link

TURNING = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.BALL)
_LOOKS_LIKE = {
    LoopKind.POINT: JointKind.BALL,
    LoopKind.HINGE: JointKind.REVOLUTE,
    LoopKind.SLIDER: JointKind.PRISMATIC,
    LoopKind.PLANE: JointKind.PLANAR,
    LoopKind.WELD: JointKind.FIXED,
}


class Places(NamedTuple):
    """Points (k, 3) m, each in the axes of the link of row `body` (k,) of the poses."""

    body: Ints
    points: Floats

    def at(self, poses: Poses) -> Floats:
        """Where they are in the world (k, 3), in m."""
        return np.asarray(np.einsum("kij,kj->ki", poses.turn[self.body], self.points) + poses.place[self.body])


class Skeleton(NamedTuple):
    """`ends` (2 k) of sticks, two by two; places of hinges, of sliders, of centres of mass that end a stick, and of points."""

    ends: Places
    hinges: Places
    sliders: Places
    masses: Places
    points: Places


def skeleton_of(world: World) -> Skeleton:
    """The sticks and marks of a world's mechanism, and its shapes that are points."""
    mechanism = world.mechanism
    description = mechanism.description
    ends: list[tuple[str, Floats]] = []
    masses: list[tuple[str, Floats]] = []
    shown = _worth_showing(description)
    for body, joint in zip(description.bodies, description.joints, strict=True):
        if body.name not in shown:
            continue
        carried = _carried(description, body.name, shown) + _tips(body)
        floating = joint.kind in (JointKind.FREE, JointKind.PLANAR)
        hold = np.array(body.centre if floating else joint.anchor)
        if not carried and not body.shapes and body.mass:
            masses.append((body.name, np.array(body.centre)))
            carried = [] if floating else [np.array(body.centre)]
        for end in carried:
            ends += [(body.name, hold), (body.name, end)]
    marks = [(joint.child, np.array(joint.anchor), joint.kind) for joint in description.joints if joint.child in shown]
    marks += [(loop.second, np.array(loop.second_point), _LOOKS_LIKE[loop.kind]) for loop in description.loops]
    return Skeleton(
        _places(mechanism, ends),
        _places(mechanism, [(body, at) for body, at, kind in marks if kind in TURNING]),
        _places(mechanism, [(body, at) for body, at, kind in marks if kind is JointKind.PRISMATIC]),
        _places(mechanism, masses),
        _point_shapes(world),
    )


def _carried(description: MechanismDescription, body: str, shown: set[str]) -> list[Floats]:
    """Where joints and loops are on a body (3,), in m and in its frame."""
    joints = [np.array(joint.at) for joint in description.joints if joint.parent == body and joint.child in shown]
    firsts = [np.array(loop.first_point) for loop in description.loops if loop.first == body]
    return joints + firsts + [np.array(loop.second_point) for loop in description.loops if loop.second == body]


def _tips(body: Body) -> list[Floats]:
    """Where a body's shapes are that have no extent of their own to be seen by."""
    return [np.array(shape.centre) for shape in body.shapes if isinstance(shape, Point)]


def _worth_showing(description: MechanismDescription) -> set[str]:
    """Bodies that have shapes, move against their parents, close loops, or carry such: not frames of sensors."""
    shown: set[str] = {end for loop in description.loops for end in (loop.first, loop.second)}
    for body, joint in reversed(list(zip(description.bodies, description.joints, strict=True))):
        if body.shapes or joint.kind is not JointKind.FIXED or body.name in shown:
            shown |= {body.name, joint.parent}
    return shown - {WORLD}


def _point_shapes(world: World) -> Places:
    return _places(
        world.mechanism, [(part.body, np.array(part.shape.centre)) for part in world.parts if isinstance(part.shape, Point)]
    )


def _places(mechanism: Mechanism, places: list[tuple[str, Floats]]) -> Places:
    """Places in bodies' frames as places in their links' axes."""
    rows = np.array([mechanism._body_rows[body] for body, _ in places], dtype=np.int64)
    points = [in_link(mechanism, body, at[None])[0] for body, at in places]
    return Places(rows, np.array(points).reshape(-1, 3))
