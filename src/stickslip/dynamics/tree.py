"""A mechanism compiled to flat arrays: one row for each velocity coordinate, called a link.

A joint of several coordinates is a chain of links; the last one carries the body, those before it are massless. So every
recursion is written once, for links of one coordinate, and covers all joints. A parent's row always comes before its
children's. Bodies welded to a moving body are merged into it; bodies welded to the world are not links.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stickslip.mechanism.body import WORLD, Body
from stickslip.mechanism.combination import RateCombination
from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.joint import Joint, JointKind
from stickslip.mechanism.numbers import Vector3

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# ---- columns of `topology`, int64 -------------------------------------------------------------------------------
KIND = 0  # one of the codes below, at a joint's first link; CONTINUED at its others
PARENT = 1  # row of the link before this one, -1 for the world
CARRIER = 2  # row of the link whose velocity carries this link's axis along
Q = 3  # where the joint's coordinates begin in q
ORIGIN = 4  # row whose body's position is the point that the tree's spatial vectors refer to
SLIDES = 5  # 1 where the coordinate is a length, 0 where it is an angle
TOPOLOGY_WIDTH = 6

HINGE, SLIDER, BALL, FREE, PLANAR, CONTINUED = range(6)

# ---- columns of `links`, float64 ----------------------------------------------------------------------------------
TURN = 0  # (9) the joint's axes in the parent body's
PLACE = 9  # (3) the joint's place in the parent body
DIRECTION = 12  # (3) the coordinate's axis: in the joint's axes; of ball and free joints' angles, in the body's
ANCHOR = 15  # (3) the joint's place in the child body
MASS = 18
CENTRE = 19  # (3) centre of mass in the body's frame
MOMENTS = 22  # (6) inertia about the centre of mass, xx yy zz xy xz yz
ARMATURE = 28  # inertia added on the mass matrix's diagonal, rotors of single joints included
DAMPING = 29  # of the joint, of springs along it alone and of its PD
STIFFNESS = 30  # of springs along this coordinate alone
TENSION = 31  # their stiffness times rest length
GAIN = 32  # kp of the joint's PD
TARGET = 33  # kp times reference
STORED = 34  # energy in those springs at zero coordinate
CARRIED = 35  # mass of all that the link carries
LINK_WIDTH = 36

# ---- columns of `springs`, then one coefficient a link -------------------------------------------------------------
SPRING_STIFFNESS = 0
SPRING_DAMPING = 1
SPRING_REST = 2
SPRING_ROW = 3

# ---- columns of `rotors`, then one coefficient a link ---------------------------------------------------------------
ROTOR_INERTIA = 0
ROTOR_ROW = 1

_CODES = {
    JointKind.REVOLUTE: HINGE,
    JointKind.CONTINUOUS: HINGE,
    JointKind.PRISMATIC: SLIDER,
    JointKind.BALL: BALL,
    JointKind.FREE: FREE,
    JointKind.PLANAR: PLANAR,
}


class Tree(NamedTuple):
    """The arrays that kernels take, in this order."""

    topology: Ints  # (nv, TOPOLOGY_WIDTH)
    links: Floats  # (nv, LINK_WIDTH)
    springs: Floats  # (springs that couple joints, SPRING_ROW + nv)
    rotors: Floats  # (rotors that couple joints, ROTOR_ROW + nv)
    gravity: Floats  # (3,)


class Frames(NamedTuple):
    """Where every described body is, and in the last row the world: welded to which link, and how."""

    holder: Ints  # (bodies + 1,) row of the link that carries the body, -1 for the world
    offset: Floats  # (bodies + 1, 12) rotation and position of the body's frame in the frame of the link's body


def compile_tree(description: MechanismDescription) -> tuple[Tree, Frames]:
    """The arrays of a description."""
    nv = sum(joint.kind.nv for joint in description.joints)
    topology = np.zeros((nv, TOPOLOGY_WIDTH), dtype=np.int64)
    links = np.zeros((nv, LINK_WIDTH))
    index = body_rows(description)
    frames = Frames(np.full(len(index), -1, dtype=np.int64), np.tile(_NOWHERE, (len(index), 1)))
    row = address = 0
    for b, joint in enumerate(description.joints):  # joint b moves body b: the description keeps them in one order
        parent = index[joint.parent]
        holder = int(frames.holder[parent])
        turn, place = _placed(joint, frames.offset[parent])
        if joint.kind is JointKind.FIXED:
            frames.holder[b] = holder
            frames.offset[b] = _packed(turn, place - turn @ np.array(joint.anchor))
        else:
            frames.holder[b] = row + joint.kind.nv - 1
            _fill_joint(joint, row, address, holder, _packed(turn, place), topology, links)
            row += joint.kind.nv
            address += joint.kind.nq
    _merge_masses(description.bodies, frames, links)
    _sum_carried_mass(topology, links)
    _choose_origins(topology, links)
    springs = _fill_springs(description, topology, links)
    rotors = _fill_rotors(description, topology, links)
    return Tree(topology, links, springs, rotors, np.array(description.gravity)), frames


def body_rows(description: MechanismDescription) -> dict[str, int]:
    """The row of every body in `Frames`; the world has the last."""
    return {name: b for b, name in enumerate([*(body.name for body in description.bodies), WORLD])}


def coordinate_rows(description: MechanismDescription) -> dict[str, slice]:
    """For every moving joint the rows of its links: its slice of v (nv,)."""
    return _slices(description, lambda kind: kind.nv)


def coordinate_addresses(description: MechanismDescription) -> dict[str, slice]:
    """For every moving joint its slice of q (nq,)."""
    return _slices(description, lambda kind: kind.nq)


def combination_row(joints: RateCombination, rows: dict[str, slice], nv: int) -> Floats:
    """The coefficients of a combination of joints, one for each link."""
    row = np.zeros(nv)
    for joint, coefficient in joints:
        row[rows[joint]] = coefficient
    return row


_NOWHERE = np.concatenate([np.eye(3).ravel(), np.zeros(3)])


def _slices(description: MechanismDescription, size: Callable[[JointKind], int]) -> dict[str, slice]:
    slices, start = {}, 0
    for joint in description.moving_joints:
        stop = start + size(joint.kind)
        slices[joint.name] = slice(start, stop)
        start = stop
    return slices


def _placed(joint: Joint, frame: Floats) -> tuple[Floats, Floats]:
    """The joint's axes and place in the frame of the link's body, where `frame` is the parent body's there."""
    turn, place = frame[:9].reshape(3, 3), frame[9:]
    return turn @ np.array(joint.rotation), place + turn @ np.array(joint.at)


def _packed(turn: Floats, place: Floats) -> Floats:
    return np.concatenate([turn.ravel(), place])


def _fill_joint(joint: Joint, row: int, address: int, parent: int, placement: Floats, topology: Ints, links: Floats) -> None:
    last = row + joint.kind.nv - 1
    axes = _axes(joint)
    for k, (direction, slides) in enumerate(axes):
        i = row + k
        links[i, TURN : PLACE + 3] = placement
        links[i, DIRECTION : DIRECTION + 3] = direction
        links[i, ANCHOR : ANCHOR + 3] = joint.anchor
        links[i, ARMATURE] = joint.armature
        links[i, DAMPING] = joint.damping
        carried_by_body = joint.kind in (JointKind.BALL, JointKind.FREE) and not slides
        topology[i, KIND] = _CODES[joint.kind] if k == 0 else CONTINUED
        topology[i, PARENT] = parent if k == 0 else i - 1
        topology[i, CARRIER] = last if carried_by_body else i
        topology[i, Q] = address
        topology[i, SLIDES] = slides
    if joint.gains is not None:
        links[row, DAMPING] += joint.gains.kd
        links[row, GAIN] = joint.gains.kp
        links[row, TARGET] = joint.gains.kp * joint.gains.reference


def _axes(joint: Joint) -> list[tuple[Vector3, bool]]:
    """For each coordinate of the joint its axis, and whether it is a length."""
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    if joint.kind is JointKind.FREE:
        return [(x, True), (y, True), (z, True), (x, False), (y, False), (z, False)]
    if joint.kind is JointKind.BALL:
        return [(x, False), (y, False), (z, False)]
    if joint.kind is JointKind.PLANAR:
        first, second = plane_axes(joint.axis)
        return [(first, True), (second, True), (joint.axis, False)]
    return [(joint.axis, joint.kind is JointKind.PRISMATIC)]


def plane_axes(normal: Vector3) -> tuple[Vector3, Vector3]:
    """The plane's x and y (3,): the joint's, turned along the shortest way that takes z to the unit vector `normal`."""
    a, b, c = normal
    if a == b == 0 and c < 0:  # upside down there is no shortest way: turn about x
        return (1.0, 0.0, 0.0), (0.0, -1.0, 0.0)
    s = 1 + c if c > 0 else (a * a + b * b) / (1 - c)  # the same number, without cancellation near -z
    return (1 - a * a / s, -a * b / s, -a), (-a * b / s, 1 - b * b / s, -b)


def _merge_masses(bodies: tuple[Body, ...], frames: Frames, links: Floats) -> None:
    """Add up each link's bodies: mass, centre, and moments about the common centre (parallel axes)."""
    welded: dict[int, list[tuple[float, Floats, Floats]]] = {}
    for body, holder, offset in zip(bodies, frames.holder[:-1], frames.offset[:-1], strict=True):
        if body.mass > 0 and holder >= 0:
            turn, place = offset[:9].reshape(3, 3), offset[9:]
            inertia = turn @ np.array(body.inertia) @ turn.T
            welded.setdefault(int(holder), []).append((body.mass, place + turn @ np.array(body.centre), inertia))
    for row, parts in welded.items():
        mass = sum(part[0] for part in parts)
        centre = sum(part[0] * part[1] for part in parts) / mass
        tensor = np.zeros((3, 3))
        for part_mass, part_centre, inertia in parts:
            r = part_centre - centre
            tensor += inertia + part_mass * (r @ r * np.eye(3) - np.outer(r, r))
        links[row, MASS] = mass
        links[row, CENTRE : CENTRE + 3] = centre
        links[row, MOMENTS : MOMENTS + 6] = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def _sum_carried_mass(topology: Ints, links: Floats) -> None:
    links[:, CARRIED] = links[:, MASS]
    for i in reversed(range(len(links))):
        if topology[i, PARENT] >= 0:
            links[topology[i, PARENT], CARRIED] += links[i, CARRIED]


def _choose_origins(topology: Ints, links: Floats) -> None:
    """Spatial vectors refer to the first body behind the tree's carriages, so that they stay short however far it travels."""
    children = np.bincount(topology[topology[:, PARENT] >= 0, PARENT], minlength=len(topology))
    for i in range(len(topology)):
        if topology[i, PARENT] >= 0:
            topology[i, ORIGIN] = topology[topology[i, PARENT], ORIGIN]
        else:
            origin = i
            while _leads_on(topology, links, children, origin):
                origin += 1  # depth first: an only child comes next
            topology[i, ORIGIN] = origin


def _leads_on(topology: Ints, links: Floats, children: Ints, row: int) -> bool:
    """Whether the link is a carriage of the only link after it: massless, or the base of a slider."""
    return children[row] == 1 and (links[row, MASS] == 0 or topology[row + 1, SLIDES] == 1)


def _fill_springs(description: MechanismDescription, topology: Ints, links: Floats) -> Floats:
    """Springs along one coordinate go into its row; the others are returned as rows of their own."""
    rows = coordinate_rows(description)
    coupling = []
    for spring in description.springs:
        row = combination_row(spring.joints, rows, len(topology))
        acting = np.flatnonzero(row)
        if acting.size == 1:
            c, link = row[acting[0]], links[acting[0]]
            link[STIFFNESS] += c * c * spring.stiffness
            link[TENSION] += c * spring.stiffness * spring.rest
            link[STORED] += spring.stiffness * spring.rest**2 / 2
            link[DAMPING] += c * c * spring.damping
        else:
            coupling.append(np.concatenate([[spring.stiffness, spring.damping, spring.rest], row]))
    return np.array(coupling).reshape(len(coupling), SPRING_ROW + len(topology))


def _fill_rotors(description: MechanismDescription, topology: Ints, links: Floats) -> Floats:
    """Rotors of one joint are armature; those that couple joints are returned as rows of their own."""
    rows = coordinate_rows(description)
    coupling = []
    for motor in description.motors or ():
        row = combination_row(motor.joints, rows, len(topology))
        acting = np.flatnonzero(row)
        if motor.rotor_inertia == 0:
            continue
        if acting.size == 1:
            links[acting[0], ARMATURE] += row[acting[0]] ** 2 * motor.rotor_inertia
        else:
            coupling.append(np.concatenate([[motor.rotor_inertia], row]))
    return np.array(coupling).reshape(len(coupling), ROTOR_ROW + len(topology))
