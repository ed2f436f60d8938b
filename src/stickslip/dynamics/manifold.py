"""Positions live on a manifold: moving along it by a velocity, and the velocity that leads from one place to another."""

from math import atan2, sqrt

from stickslip.dynamics.kernel import entry, kernel
from stickslip.dynamics.kinematics import BAD_INPUT, BAD_Q, GOOD, TOO_LARGE, finite, usable
from stickslip.dynamics.rotation import turned
from stickslip.dynamics.tree import BALL, CONTINUED, FREE, KIND, PLANAR, Q


@kernel
def turn_quaternion(q, c, dv, i, moved):
    turn = turned((q[c], q[c + 1], q[c + 2], q[c + 3]), (dv[i], dv[i + 1], dv[i + 2]))
    for k in range(4):
        moved[c + k] = turn[k]


@kernel
def integrate(topology, q, dv, moved):
    """moved = q [+] dv: coordinates move along straight lines, bodies turn about fixed axes."""
    for i in range(topology.shape[0]):
        kind = topology[i, KIND]
        c = topology[i, Q]
        if kind == CONTINUED:
            continue
        if kind == BALL:
            turn_quaternion(q, c, dv, i, moved)
        else:
            for k in range(3 if kind == FREE or kind == PLANAR else 1):
                moved[c + k] = q[c + k] + dv[i + k]
            if kind == FREE:
                turn_quaternion(q, c + 3, dv, i + 3, moved)


@kernel
def quaternion_difference(q, target, c, dv, i):
    """The shorter of the two rotation vectors, in body axes, that turn the body from q to target."""
    w, x, y, z = q[c], -q[c + 1], -q[c + 2], -q[c + 3]
    s, i1, j1, k1 = target[c], target[c + 1], target[c + 2], target[c + 3]
    rw = w * s - x * i1 - y * j1 - z * k1
    rx = w * i1 + x * s + y * k1 - z * j1
    ry = w * j1 - x * k1 + y * s + z * i1
    rz = w * k1 + x * j1 - y * i1 + z * s
    if rw < 0.0:
        rw, rx, ry, rz = -rw, -rx, -ry, -rz
    size = sqrt(rx * rx + ry * ry + rz * rz)
    factor = 2.0 / rw if size < 1e-12 * rw else 2.0 * atan2(size, rw) / size
    dv[i] = factor * rx
    dv[i + 1] = factor * ry
    dv[i + 2] = factor * rz


@kernel
def difference(topology, q, target, dv):
    """dv with q [+] dv = target."""
    for i in range(topology.shape[0]):
        kind = topology[i, KIND]
        c = topology[i, Q]
        if kind == CONTINUED:
            continue
        if kind == BALL:
            quaternion_difference(q, target, c, dv, i)
        else:
            for k in range(3 if kind == FREE or kind == PLANAR else 1):
                dv[i + k] = target[c + k] - q[c + k]
            if kind == FREE:
                quaternion_difference(q, target, c + 3, dv, i + 3)


@entry
def integrate_into(topology, q, dv, moved):
    if not usable(topology, q):
        return BAD_Q
    if not finite(dv):
        return BAD_INPUT
    integrate(topology, q, dv, moved)
    return GOOD if finite(moved) else TOO_LARGE


@entry
def difference_into(topology, q, target, dv):
    if not usable(topology, q):
        return BAD_Q
    if not usable(topology, target):
        return BAD_INPUT
    difference(topology, q, target, dv)
    return GOOD if finite(dv) else TOO_LARGE
