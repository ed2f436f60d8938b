"""Loop closures and couplings as bilateral constraints: their residual, Jacobian, and acceleration at constant rates.

Every equation is one scalar row. A point row is d . (second point - first point) along a direction d of the world; a pair row
is u . w = 0 for a vector u of the first body and w of the second (a hinge has two, a weld three); a coupling row is a
combination of joint coordinates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.dynamics.jacobian import body_frame
from stickslip.dynamics.kernel import entry, kernel
from stickslip.dynamics.kinematics import AXIS, BAD_Q, BAD_V, BIAS, GOOD, POSITION, VELOCITY, finite, move, place
from stickslip.dynamics.rotation import add3, cross3, dot3, minus3, rotate
from stickslip.dynamics.spatial import add, get3, get6, velocity_at
from stickslip.dynamics.tree import ORIGIN, PARENT, Floats, Ints, Q, combination_row, coordinate_rows
from stickslip.mechanism.body import WORLD
from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.loop import Loop, LoopKind
from stickslip.mechanism.numbers import Vector3

# ---- columns of `which`, int64 ------------------------------------------------------------------------------------
PAIR = 0  # 1 for a pair row, 0 for a point row
FIRST = 1  # index of a body; the number of bodies stands for the world
SECOND = 2
# ---- columns of `vectors`, float64 --------------------------------------------------------------------------------
OF_FIRST = 0  # (3) point or vector in the first body's frame
OF_SECOND = 3  # (3) likewise in the second's
ALONG = 6  # (3) the direction of a point row, world axes


class Loops(NamedTuple):
    """The arrays that kernels take, in this order."""

    which: Ints  # (rows, 3)
    vectors: Floats  # (rows, 9)
    couplings: Floats  # (couplings, 1 + nv): offset, then one coefficient a link


def compile_loops(description: MechanismDescription) -> Loops:
    """One row for every equation: loops in order, then couplings. In a plane only the equations within it are kept."""
    rows = coordinate_rows(description)
    nv = sum(joint.kind.nv for joint in description.joints)
    index = {body.name: b for b, body in enumerate(description.bodies)} | {WORLD: len(description.bodies)}
    which, vectors = [], []
    for loop in description.loops:
        for pair, of_first, of_second, along in _equations(loop, description.plane):
            which.append((pair, index[loop.first], index[loop.second]))
            vectors.append((*of_first, *of_second, *along))
    couplings = [np.concatenate([[c.offset], combination_row(c.joints, rows, nv)]) for c in description.couplings]
    return Loops(
        np.array(which, dtype=np.int64).reshape(len(which), 3),
        np.array(vectors, dtype=np.float64).reshape(len(vectors), 9),
        np.array(couplings, dtype=np.float64).reshape(len(couplings), 1 + nv),
    )


def _equations(loop: Loop, plane: str | None) -> list[tuple[int, Vector3, Vector3, Vector3]]:
    nowhere = (0.0, 0.0, 0.0)
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    within = {"xz": (x, z), "xy": (x, y), None: (x, y, z)}[plane]
    equations = [(0, loop.first_point, loop.second_point, direction) for direction in within]
    turn = np.array(loop.rotation)
    if loop.kind is LoopKind.HINGE and plane is None:
        across = np.linalg.svd(np.array([loop.axis]))[2][1:]  # two vectors normal to the axis
        equations += [(1, _tuple(turn @ u), loop.axis, nowhere) for u in across]
    if loop.kind is LoopKind.WELD:
        pairs = ((y, z), (z, x), (x, y)) if plane is None else (within,)
        equations += [(1, _tuple(turn @ np.array(u)), w, nowhere) for u, w in pairs]
    return equations


def _tuple(vector: Floats) -> Vector3:
    return float(vector[0]), float(vector[1]), float(vector[2])


@kernel
def frame_of(holder, offset, work, body):
    """Rotation and position of a body, or of the world."""
    if body < holder.size:
        return body_frame(holder, offset, work, body)
    return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


@kernel
def link_of(holder, body):
    return holder[body] if body < holder.size else -1


@kernel
def ends(holder, offset, which, vectors, work, r):
    """Row r's two points, or its pair of vectors, in the world."""
    A, p = frame_of(holder, offset, work, which[r, FIRST])
    B, s = frame_of(holder, offset, work, which[r, SECOND])
    a = rotate(A, get3(vectors, r, OF_FIRST))
    b = rotate(B, get3(vectors, r, OF_SECOND))
    return (a, b) if which[r, PAIR] else (add3(p, a), add3(s, b))


@kernel
def residual(holder, offset, which, vectors, work, r):
    a, b = ends(holder, offset, which, vectors, work, r)
    return dot3(a, b) if which[r, PAIR] else dot3(get3(vectors, r, ALONG), minus3(b, a))


@kernel
def arm_of(topology, work, link, point):
    return point if link < 0 else minus3(point, get3(work, topology[link, ORIGIN], POSITION))


@kernel
def add_side(topology, work, link, direction, point, turning, sign, J, r):
    """Add to J[r] the rate of one side along `direction`: of the body's angle if `turning`, else of the point."""
    arm = arm_of(topology, work, link, point)
    i = link
    while i >= 0:
        axis = get6(work, i, AXIS)
        rate = (axis[0], axis[1], axis[2]) if turning else velocity_at(axis, arm)
        J[r, i] += sign * dot3(direction, rate)
        i = topology[i, PARENT]


@kernel
def put_row(topology, holder, offset, which, vectors, work, J, r):
    """J[r], so that J[r] v is the rate of the residual. A pair's rate is (w x u) . (angular velocity, second - first)."""
    a, b = ends(holder, offset, which, vectors, work, r)
    pair = which[r, PAIR] == 1
    direction = cross3(b, a) if pair else get3(vectors, r, ALONG)
    add_side(topology, work, link_of(holder, which[r, SECOND]), direction, b, pair, 1.0, J, r)
    add_side(topology, work, link_of(holder, which[r, FIRST]), direction, a, pair, -1.0, J, r)


@kernel
def side_motion(topology, work, link, point):
    """Angular velocity and velocity of a point of a link, and the accelerations of both at constant rates."""
    still = (0.0, 0.0, 0.0)
    if link < 0:
        return still, still, still, still
    V = get6(work, link, VELOCITY)
    bias = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    i = link
    while i >= 0:
        bias = add(bias, get6(work, i, BIAS))
        i = topology[i, PARENT]
    arm = arm_of(topology, work, link, point)
    spin = (V[0], V[1], V[2])
    speed = velocity_at(V, arm)
    return spin, speed, (bias[0], bias[1], bias[2]), add3(velocity_at(bias, arm), cross3(spin, speed))


@kernel
def drift(topology, holder, offset, which, vectors, work, r):
    """The second derivative of the residual while the rates v are constant: the row's Jdot v."""
    a, b = ends(holder, offset, which, vectors, work, r)
    first, second = link_of(holder, which[r, FIRST]), link_of(holder, which[r, SECOND])
    spin_a, _, turn_a, acceleration_a = side_motion(topology, work, first, a)
    spin_b, _, turn_b, acceleration_b = side_motion(topology, work, second, b)
    if not which[r, PAIR]:
        return dot3(get3(vectors, r, ALONG), minus3(acceleration_b, acceleration_a))
    rate_a, rate_b = cross3(spin_a, a), cross3(spin_b, b)
    change = add3(cross3(rate_b, a), cross3(b, rate_a))
    return dot3(cross3(b, a), minus3(turn_b, turn_a)) + dot3(change, minus3(spin_b, spin_a))


@entry
def loop_residual_into(topology, links, q, holder, offset, which, vectors, couplings, work, residuals):
    if not place(topology, links, q, work):
        return BAD_Q
    for r in range(which.shape[0]):
        residuals[r] = residual(holder, offset, which, vectors, work, r)
    for c in range(couplings.shape[0]):
        total = -couplings[c, 0]
        for i in range(topology.shape[0]):
            if couplings[c, 1 + i] != 0.0:
                total += couplings[c, 1 + i] * q[topology[i, Q]]
        residuals[which.shape[0] + c] = total
    return GOOD


@entry
def loop_jacobian_into(topology, links, q, holder, offset, which, vectors, couplings, work, J):
    if not place(topology, links, q, work):
        return BAD_Q
    J[:, :] = 0.0
    for r in range(which.shape[0]):
        put_row(topology, holder, offset, which, vectors, work, J, r)
    for c in range(couplings.shape[0]):
        for i in range(topology.shape[0]):
            J[which.shape[0] + c, i] = couplings[c, 1 + i]
    return GOOD


@entry
def loop_drift_into(topology, links, q, v, holder, offset, which, vectors, work, drifts):
    if not place(topology, links, q, work):
        return BAD_Q
    if not finite(v):
        return BAD_V
    move(topology, v, work)
    drifts[:] = 0.0
    for r in range(which.shape[0]):
        drifts[r] = drift(topology, holder, offset, which, vectors, work, r)
    return GOOD
