"""Loop closures and couplings as bilateral constraints: their residual, Jacobian, and acceleration at constant rates.

Every equation is one scalar row. A point row is d . (second point - first point) along a direction d of the world; in a guide
row d belongs to the first body and turns with it, so that the second point keeps a line or a plane of that body. A turn row
holds a unit vector z of the second body on a unit vector w of the first, seen along another vector u of the first, normal to w:
its residual is 2 (u . z) / (1 + w . z), which is the angle where that is small and grows without bound as z turns to -w: an
axis the wrong way round is never taken for closed. A hinge and a plane have two turn rows, a weld and a slider three. A
coupling row is a combination of joint coordinates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.dynamics.drift import arm_of, point_drift, point_velocity, spin_and_drift
from stickslip.dynamics.jacobian import body_frame
from stickslip.dynamics.kernel import entry, kernel
from stickslip.dynamics.kinematics import (
    AXIS,
    BAD_Q,
    GOOD,
    place,
    place_and_move,
)
from stickslip.dynamics.rotation import add3, cross3, dot3, minus3, rotate, scale3
from stickslip.dynamics.spatial import get3, get6, velocity_at
from stickslip.dynamics.tree import PARENT, Floats, Ints, Q, body_rows, combination_row, coordinate_rows
from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.loop import Loop, LoopKind
from stickslip.mechanism.numbers import Vector3, cross
from stickslip.mechanism.plane import NORMALS

# ---- columns of `which`, int64 ------------------------------------------------------------------------------------
ROW = 0  # one of the codes below
FIRST = 1  # row of a body, or of the world, in `Frames`
SECOND = 2

POINT, GUIDE, TURN = range(3)

# ---- columns of `vectors`, float64 --------------------------------------------------------------------------------
OF_FIRST = 0  # (3) the point in the first body's frame, or u
OF_SECOND = 3  # (3) the point in the second body's frame, or z
ALONG = 6  # (3) the direction of a point row in world axes; that of a guide row, or w, in the first body's

REVERSAL = 1e-12  # of 1 + w . z: nearer to -w the direction of z against u is lost in round-off
REVERSED = 2e6  # the residual there, where it does not matter which way leads back


class Loops(NamedTuple):
    """The arrays that kernels take, in this order."""

    which: Ints  # (rows, 3)
    vectors: Floats  # (rows, 9)
    couplings: Floats  # (couplings, 1 + nv): offset, then one coefficient a link


def compile_loops(description: MechanismDescription) -> Loops:
    """One row for every equation: loops in order, then couplings. In a plane only the equations within it are kept."""
    rows = coordinate_rows(description)
    nv = sum(joint.kind.nv for joint in description.joints)
    index = body_rows(description)
    which, vectors = [], []
    for loop in description.loops:
        for row, of_first, of_second, along in _equations(loop, description.plane):
            which.append((row, index[loop.first], index[loop.second]))
            vectors.append((*of_first, *of_second, *along))
    couplings = [np.concatenate([[c.offset], combination_row(c.joints, rows, nv)]) for c in description.couplings]
    return Loops(
        np.array(which, dtype=np.int64).reshape(len(which), 3),
        np.array(vectors, dtype=np.float64).reshape(len(vectors), 9),
        np.array(couplings, dtype=np.float64).reshape(len(couplings), 1 + nv),
    )


Equation = tuple[int, Vector3, Vector3, Vector3]


def _equations(loop: Loop, plane: str | None) -> list[Equation]:
    return _equations_in_space(loop) if plane is None else _equations_in_plane(loop, plane)


def _equations_in_space(loop: Loop) -> list[Equation]:
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    across = [_tuple(u) for u in np.linalg.svd(np.array([loop.axis]))[2][1:]]  # two vectors normal to the axis
    upright = [_turn(loop, u, loop.axis) for u in across]
    unturned = [_turn(loop, x, z), _turn(loop, y, z), _turn(loop, y, x)]
    together = [_point(loop, direction) for direction in (x, y, z)]
    if loop.kind is LoopKind.SLIDER:
        return [_guide(loop, direction) for direction in across] + unturned
    if loop.kind is LoopKind.PLANE:
        return [_guide(loop, loop.axis), *upright]
    return together + {LoopKind.POINT: [], LoopKind.HINGE: upright, LoopKind.WELD: unturned}[loop.kind]


def _equations_in_plane(loop: Loop, plane: str) -> list[Equation]:
    x, y = {"xz": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), "xy": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))}[plane]
    if loop.kind is LoopKind.PLANE:
        return []
    if loop.kind is LoopKind.SLIDER:
        return [_guide(loop, cross(NORMALS[plane], loop.axis)), _turn(loop, y, x)]
    together = [_point(loop, x), _point(loop, y)]
    return [*together, _turn(loop, y, x)] if loop.kind is LoopKind.WELD else together


def _point(loop: Loop, direction: Vector3) -> Equation:
    return POINT, loop.first_point, loop.second_point, direction


def _guide(loop: Loop, direction: Vector3) -> Equation:
    """The row that keeps the second point where the first is as seen along `direction`, given in the second body's axes."""
    return GUIDE, loop.first_point, loop.second_point, _tuple(np.array(loop.rotation) @ np.array(direction))


def _turn(loop: Loop, u: Vector3, z: Vector3) -> Equation:
    """The row that keeps z of the second body where it would be in the first, as seen along u."""
    turn = np.array(loop.rotation)
    return TURN, _tuple(turn @ np.array(u)), z, _tuple(turn @ np.array(z))


def _tuple(vector: Floats) -> Vector3:
    return float(vector[0]), float(vector[1]), float(vector[2])


@kernel
def direction_of(holder, offset, which, vectors, work, r):
    """The direction of a point row or guide row in world axes."""
    direction = get3(vectors, r, ALONG)
    if which[r, ROW] == POINT:
        return direction
    A, _ = body_frame(holder, offset, work, which[r, FIRST])
    return rotate(A, direction)


@kernel
def points(holder, offset, which, vectors, work, r):
    """The two points of a point row or guide row in the world."""
    A, p = body_frame(holder, offset, work, which[r, FIRST])
    B, s = body_frame(holder, offset, work, which[r, SECOND])
    return add3(p, rotate(A, get3(vectors, r, OF_FIRST))), add3(s, rotate(B, get3(vectors, r, OF_SECOND)))


@kernel
def turn(holder, offset, which, vectors, work, r):
    """A turn row's u, w and z in world axes, and its u . z and 1 + w . z."""
    A, _ = body_frame(holder, offset, work, which[r, FIRST])
    B, _ = body_frame(holder, offset, work, which[r, SECOND])
    u, w = rotate(A, get3(vectors, r, OF_FIRST)), rotate(A, get3(vectors, r, ALONG))
    z = rotate(B, get3(vectors, r, OF_SECOND))
    return u, w, z, dot3(u, z), 1.0 + dot3(w, z)


@kernel
def residual(holder, offset, which, vectors, work, r):
    if which[r, ROW] == TURN:
        _, _, _, across, along = turn(holder, offset, which, vectors, work, r)
        return REVERSED if along < REVERSAL else 2.0 * across / along
    a, b = points(holder, offset, which, vectors, work, r)
    return dot3(direction_of(holder, offset, which, vectors, work, r), minus3(b, a))


@kernel
def add_side(topology, work, link, direction, point, turns, sign, J, r):
    """Add to J[r] the rate of one side along `direction`: of the body's angle if it turns, else of the point."""
    arm = arm_of(topology, work, link, point)
    i = link
    while i >= 0:
        axis = get6(work, i, AXIS)
        rate = (axis[0], axis[1], axis[2]) if turns else velocity_at(axis, arm)
        J[r, i] += sign * dot3(direction, rate)
        i = topology[i, PARENT]


@kernel
def put_row(topology, holder, offset, which, vectors, work, J, r):
    """J[r], so that J[r] v is the rate of the residual: of a turn row, 2 / (1 + w . z) z x (u - ratio w) . relative spin."""
    turns = which[r, ROW] == TURN
    if turns:
        u, w, z, across, along = turn(holder, offset, which, vectors, work, r)
        direction = scale3(cross3(z, minus3(u, scale3(w, across / along))), 2.0 / along)
        a = b = (0.0, 0.0, 0.0)
    else:
        direction = direction_of(holder, offset, which, vectors, work, r)
        a, b = points(holder, offset, which, vectors, work, r)
        if which[r, ROW] == GUIDE:  # which turns with the first body: the second point moves against that body's place there
            a = b
    add_side(topology, work, holder[which[r, SECOND]], direction, b, turns, 1.0, J, r)
    add_side(topology, work, holder[which[r, FIRST]], direction, a, turns, -1.0, J, r)


@kernel
def turn_drift(topology, holder, offset, which, vectors, work, r):
    """The second derivative of a turn row's residual at constant rates: that of n . (relative spin), by parts."""
    u, w, z, across, along = turn(holder, offset, which, vectors, work, r)
    spin_a, drift_a = spin_and_drift(topology, work, holder[which[r, FIRST]])
    spin_b, drift_b = spin_and_drift(topology, work, holder[which[r, SECOND]])
    du, dw, dz = cross3(spin_a, u), cross3(spin_a, w), cross3(spin_b, z)
    d_across, d_along = dot3(du, z) + dot3(u, dz), dot3(dw, z) + dot3(w, dz)
    ratio = across / along
    d_ratio = (d_across - ratio * d_along) / along
    m = minus3(u, scale3(w, ratio))
    dm = minus3(du, add3(scale3(dw, ratio), scale3(w, d_ratio)))
    n = scale3(cross3(z, m), 2.0 / along)
    dn = add3(scale3(add3(cross3(dz, m), cross3(z, dm)), 2.0 / along), scale3(n, -d_along / along))
    return dot3(n, minus3(drift_b, drift_a)) + dot3(dn, minus3(spin_b, spin_a))


@kernel
def guide_drift(topology, holder, offset, which, vectors, work, r):
    """The second derivative of a guide row's residual at constant rates, by what an observer on the first body sees."""
    first, second = holder[which[r, FIRST]], holder[which[r, SECOND]]
    _, b = points(holder, offset, which, vectors, work, r)
    spin, _ = spin_and_drift(topology, work, first)
    velocity = minus3(point_velocity(topology, work, second, b), point_velocity(topology, work, first, b))
    seen = minus3(point_drift(topology, work, second, b), point_drift(topology, work, first, b))
    coriolis = scale3(cross3(spin, velocity), 2.0)
    return dot3(direction_of(holder, offset, which, vectors, work, r), minus3(seen, coriolis))


@kernel
def drift(topology, holder, offset, which, vectors, work, r):
    """The second derivative of the residual while all rates are constant: the row's Jdot v."""
    if which[r, ROW] == TURN:
        return turn_drift(topology, holder, offset, which, vectors, work, r)
    if which[r, ROW] == GUIDE:
        return guide_drift(topology, holder, offset, which, vectors, work, r)
    a, b = points(holder, offset, which, vectors, work, r)
    first = point_drift(topology, work, holder[which[r, FIRST]], a)
    second = point_drift(topology, work, holder[which[r, SECOND]], b)
    return dot3(get3(vectors, r, ALONG), minus3(second, first))


@kernel
def put_residuals(topology, q, holder, offset, which, vectors, couplings, work, residuals):
    """By how much every equation fails at the position q that `work` holds."""
    for r in range(which.shape[0]):
        residuals[r] = residual(holder, offset, which, vectors, work, r)
    for c in range(couplings.shape[0]):
        total = -couplings[c, 0]
        for i in range(topology.shape[0]):
            if couplings[c, 1 + i] != 0.0:
                total += couplings[c, 1 + i] * q[topology[i, Q]]
        residuals[which.shape[0] + c] = total


@kernel
def put_rows(topology, holder, offset, which, vectors, couplings, work, J):
    """The Jacobian of all equations at the position that `work` holds."""
    J[:, :] = 0.0
    for r in range(which.shape[0]):
        put_row(topology, holder, offset, which, vectors, work, J, r)
    for c in range(couplings.shape[0]):
        for i in range(topology.shape[0]):
            J[which.shape[0] + c, i] = couplings[c, 1 + i]


@kernel
def put_drifts(topology, holder, offset, which, vectors, work, drifts):
    """Jdot v of all equations, for the positions and velocities that `work` holds."""
    drifts[:] = 0.0
    for r in range(which.shape[0]):
        drifts[r] = drift(topology, holder, offset, which, vectors, work, r)


@entry
def loop_residual_into(topology, links, q, holder, offset, which, vectors, couplings, work, residuals):
    if not place(topology, links, q, work):
        return BAD_Q
    put_residuals(topology, q, holder, offset, which, vectors, couplings, work, residuals)
    return GOOD


@entry
def loop_jacobian_into(topology, links, q, holder, offset, which, vectors, couplings, work, J):
    if not place(topology, links, q, work):
        return BAD_Q
    put_rows(topology, holder, offset, which, vectors, couplings, work, J)
    return GOOD


@entry
def loop_drift_into(topology, links, q, v, holder, offset, which, vectors, work, drifts):
    status = place_and_move(topology, links, q, v, work)
    if status != GOOD:
        return status
    put_drifts(topology, holder, offset, which, vectors, work, drifts)
    return GOOD
