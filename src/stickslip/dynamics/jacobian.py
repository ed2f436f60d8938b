"""Jacobians of points and of orientations, and their rates of change."""

from stickslip.dynamics.kernel import entry, kernel
from stickslip.dynamics.kinematics import (
    AXIS,
    BAD_INPUT,
    BAD_Q,
    GOOD,
    POSITION,
    ROTATION,
    VELOCITY,
    finite,
    place,
    place_and_move,
)
from stickslip.dynamics.rotation import add3, compose, cross3, minus3, rotate
from stickslip.dynamics.spatial import cross_motion, get3, get6, get9, put3, put9, velocity_at
from stickslip.dynamics.tree import CARRIER, ORIGIN, PARENT


@kernel
def body_frame(holder, offset, work, body):
    """World rotation and position of a described body, from the poses in `work`."""
    R = get9(offset, body, 0)
    p = get3(offset, body, 9)
    k = holder[body]
    if k < 0:
        return R, p
    A = get9(work, k, ROTATION)
    return compose(A, R), add3(get3(work, k, POSITION), rotate(A, p))


@kernel
def arm_to(topology, holder, offset, work, body, point):
    """From the origin of the body's tree to `point` (body frame), in world axes; the point itself for the world."""
    R, p = body_frame(holder, offset, work, body)
    x = add3(p, rotate(R, point))
    k = holder[body]
    return x if k < 0 else minus3(x, get3(work, topology[k, ORIGIN], POSITION))


@kernel
def point_jacobian(topology, link, arm, work, J, row):
    """J[row:row+3] (world axes): velocity of the point at `arm` from the origin of link's tree, per unit of each rate."""
    clear_rows(J, row)
    i = link
    while i >= 0:
        put_column(J, row, i, velocity_at(get6(work, i, AXIS), arm))
        i = topology[i, PARENT]


@kernel
def point_jacobian_rate(topology, link, arm, work, J, row):
    """The rate of change of the same: the axes are carried along, and so is the point."""
    speed = (0.0, 0.0, 0.0)
    if link >= 0:
        speed = velocity_at(get6(work, link, VELOCITY), arm)
    clear_rows(J, row)
    i = link
    while i >= 0:
        axis = get6(work, i, AXIS)
        change = cross_motion(get6(work, topology[i, CARRIER], VELOCITY), axis)
        put_column(J, row, i, add3(velocity_at(change, arm), cross3((axis[0], axis[1], axis[2]), speed)))
        i = topology[i, PARENT]


@kernel
def clear_rows(J, row):
    for i in range(J.shape[1]):
        put_column(J, row, i, (0.0, 0.0, 0.0))


@kernel
def put_column(J, row, i, x):
    J[row, i] = x[0]
    J[row + 1, i] = x[1]
    J[row + 2, i] = x[2]


@kernel
def angular_jacobian(topology, link, work, J, row):
    """J[row:row+3] (world axes): angular velocity of the link per unit of each rate."""
    clear_rows(J, row)
    i = link
    while i >= 0:
        put_column(J, row, i, get3(work, i, AXIS))
        i = topology[i, PARENT]


@kernel
def angular_jacobian_rate(topology, link, work, J, row):
    """The rate of change of the same."""
    clear_rows(J, row)
    i = link
    while i >= 0:
        carrier = get3(work, topology[i, CARRIER], VELOCITY)
        put_column(J, row, i, cross3(carrier, get3(work, i, AXIS)))
        i = topology[i, PARENT]


@entry
def body_poses_into(topology, links, q, holder, offset, work, poses):
    """Rotation (9) and position (3) of every body, in rows of `poses`."""
    if not place(topology, links, q, work):
        return BAD_Q
    for body in range(poses.shape[0]):
        R, p = body_frame(holder, offset, work, body)
        put9(poses, body, 0, R)
        put3(poses, body, 9, p)
    return GOOD


@entry
def body_pose_into(topology, links, q, holder, offset, body, work, pose):
    if not place(topology, links, q, work):
        return BAD_Q
    R, p = body_frame(holder, offset, work, body)
    put9(pose, 0, 0, R)
    put3(pose, 0, 9, p)
    return GOOD


@entry
def point_jacobian_into(topology, links, q, holder, offset, body, point, work, J):
    if not place(topology, links, q, work):
        return BAD_Q
    if not finite(point):
        return BAD_INPUT
    arm = arm_to(topology, holder, offset, work, body, (point[0], point[1], point[2]))
    point_jacobian(topology, holder[body], arm, work, J, 0)
    return GOOD


@entry
def point_jacobian_rate_into(topology, links, q, v, holder, offset, body, point, work, J):
    status = place_and_move(topology, links, q, v, work)
    if status != GOOD:
        return status
    if not finite(point):
        return BAD_INPUT
    arm = arm_to(topology, holder, offset, work, body, (point[0], point[1], point[2]))
    point_jacobian_rate(topology, holder[body], arm, work, J, 0)
    return GOOD


@entry
def angular_jacobian_into(topology, links, q, holder, body, work, J):
    if not place(topology, links, q, work):
        return BAD_Q
    angular_jacobian(topology, holder[body], work, J, 0)
    return GOOD


@entry
def angular_jacobian_rate_into(topology, links, q, v, holder, body, work, J):
    status = place_and_move(topology, links, q, v, work)
    if status != GOOD:
        return status
    angular_jacobian_rate(topology, holder[body], work, J, 0)
    return GOOD
