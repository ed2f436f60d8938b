"""Where everything is and how it moves: poses of the links' bodies, axes, velocities, and the accelerations of pure motion.

Poses are in the world; axes and velocities are spatial vectors in world axes about the tree's origin, the present position of
its ORIGIN body taken as a fixed point. So nothing has to be transformed from link to link (phi = identity in paper 2).
"""

from math import isfinite

from stickslip.dynamics.kernel import kernel
from stickslip.dynamics.rotation import (
    about,
    add3,
    column,
    compose,
    cross3,
    minus3,
    of_quaternion,
    rotate,
    rotated_moments,
    scale3,
)
from stickslip.dynamics.spatial import add, cross_motion, get3, get6, get9, put3, put6, put9, rigid, scale
from stickslip.dynamics.tree import (
    ANCHOR,
    BALL,
    CARRIED,
    CARRIER,
    CENTRE,
    CONTINUED,
    DIRECTION,
    FREE,
    HINGE,
    KIND,
    MASS,
    MOMENTS,
    ORIGIN,
    PARENT,
    PLACE,
    PLANAR,
    SLIDER,
    SLIDES,
    TURN,
    Q,
)

# ---- columns of the workspace, one row a link ----------------------------------------------------------------------
ROTATION = 0  # (9) world axes from the body's; valid at a joint's last link
POSITION = 9  # (3) of the body's frame in the world; likewise
AXIS = 12  # (6) motion under unit velocity of the coordinate: a column of the papers' H
VELOCITY = 18  # (6) of the link
BIAS = 24  # (6) acceleration of the link against its parent while the coordinate's rate is constant
INERTIA = 30  # (10) of all bodies carried, or (21) articulated
FORCE = 51  # (6)
PULL = 57  # (6) articulated inertia times axis
INVERSE = 63  # 1 / (axis . pull)
DRIVE = 64  # what is left of the joint's force
ACCELERATION = 65  # (6)
SPREAD = 71  # trace of the inertia of all that the link carries, about the tree's origin
RIGID = 72  # (10) inertia of the link's own body
LOADED = 82  # other than zero where FORCE holds anything
WORK_WIDTH = 83

# ---- what an entry kernel answers ------------------------------------------------------------------------------------
GOOD = -1
BAD_Q = -2
BAD_V = -3
BAD_INPUT = -4
TOO_LARGE = -5
# and a row, zero or more: that link's articulated inertia is singular


@kernel
def finite(x):
    for i in range(x.size):
        if not isfinite(x[i]):
            return False
    return True


@kernel
def finite_diagonal(M):
    """Of a positive semidefinite matrix the diagonal holds the largest entries."""
    for i in range(M.shape[0]):
        if not isfinite(M[i, i]):
            return False
    return True


@kernel
def usable(topology, q):
    """Whether q is finite and its quaternions have a length that is neither lost in round-off nor beyond bounds."""
    for i in range(topology.shape[0]):
        kind = topology[i, KIND]
        if kind == BALL or kind == FREE:
            c = topology[i, Q] + (3 if kind == FREE else 0)
            if not 1e-12 < q[c] * q[c] + q[c + 1] * q[c + 1] + q[c + 2] * q[c + 2] + q[c + 3] * q[c + 3] < 1e12:
                return False
    return finite(q)


@kernel
def place(topology, links, q, work):
    """Poses of all bodies and axes of all coordinates, base to tips. False if q is not usable."""
    if not usable(topology, q):
        return False
    for i in range(topology.shape[0]):
        kind = topology[i, KIND]
        if kind == CONTINUED:
            continue
        R, p = joint_frame(topology, links, work, i)
        c = topology[i, Q]
        if kind == HINGE:
            place_hinge(links, q[c], R, p, work, i)
        elif kind == SLIDER:
            place_slider(links, q[c], R, p, work, i)
        elif kind == BALL:
            place_ball(links, of_quaternion(q[c], q[c + 1], q[c + 2], q[c + 3]), R, p, work, i)
        elif kind == FREE:
            place_free(get_position(q, c), of_quaternion(q[c + 3], q[c + 4], q[c + 5], q[c + 6]), work, i)
        elif kind == PLANAR:
            place_planar(links, get_position(q, c), R, p, work, i)
    refer_to_origin(topology, work)
    return True


@kernel
def joint_frame(topology, links, work, i):
    """World axes and place of the joint that begins at link i."""
    R = get9(links, i, TURN)
    p = get3(links, i, PLACE)
    k = topology[i, PARENT]
    if k < 0:
        return R, p
    A = get9(work, k, ROTATION)
    return compose(A, R), add3(get3(work, k, POSITION), rotate(A, p))


@kernel
def get_position(q, c):
    return q[c], q[c + 1], q[c + 2]


@kernel
def put_pose(links, R, p, work, last):
    """The pose of a body with the axes R whose joint is at p."""
    put9(work, last, ROTATION, R)
    put3(work, last, POSITION, minus3(p, rotate(R, get3(links, last, ANCHOR))))


@kernel
def put_line(direction, point, work, i):
    """An axis, for now as a line in the world; `refer_to_origin` makes a spatial vector of it."""
    put3(work, i, AXIS, direction)
    put3(work, i, AXIS + 3, point)


@kernel
def place_hinge(links, angle, R, p, work, i):
    axis = get3(links, i, DIRECTION)
    put_pose(links, compose(R, about(axis, angle)), p, work, i)
    put_line(rotate(R, axis), p, work, i)


@kernel
def place_slider(links, length, R, p, work, i):
    axis = rotate(R, get3(links, i, DIRECTION))
    put_pose(links, R, add3(p, scale3(axis, length)), work, i)
    put_line(axis, p, work, i)


@kernel
def place_ball(links, turn, R, p, work, i):
    R = compose(R, turn)
    put_pose(links, R, p, work, i + 2)
    for k in range(3):
        put_line(column(R, k), p, work, i + k)


@kernel
def place_free(p, R, work, i):
    put9(work, i + 5, ROTATION, R)
    put3(work, i + 5, POSITION, p)
    put_line((1.0, 0.0, 0.0), p, work, i)
    put_line((0.0, 1.0, 0.0), p, work, i + 1)
    put_line((0.0, 0.0, 1.0), p, work, i + 2)
    for k in range(3):
        put_line(column(R, k), p, work, i + 3 + k)


@kernel
def place_planar(links, coordinates, R, p, work, i):
    x, y, angle = coordinates
    first = rotate(R, get3(links, i, DIRECTION))
    second = rotate(R, get3(links, i + 1, DIRECTION))
    normal = get3(links, i + 2, DIRECTION)
    p = add3(p, add3(scale3(first, x), scale3(second, y)))
    put_pose(links, compose(R, about(normal, angle)), p, work, i + 2)
    put_line(first, p, work, i)
    put_line(second, p, work, i + 1)
    put_line(rotate(R, normal), p, work, i + 2)


@kernel
def refer_to_origin(topology, work):
    """Turn the axes from lines into spatial vectors about their tree's origin."""
    for i in range(topology.shape[0]):
        direction = get3(work, i, AXIS)
        if topology[i, SLIDES]:
            put3(work, i, AXIS, (0.0, 0.0, 0.0))
            put3(work, i, AXIS + 3, direction)
        else:
            arm = minus3(get3(work, i, AXIS + 3), get3(work, topology[i, ORIGIN], POSITION))
            put3(work, i, AXIS + 3, cross3(arm, direction))


@kernel
def move(topology, v, work):
    """Velocities of all links and their velocity-product accelerations, base to tips."""
    for i in range(topology.shape[0]):
        velocity = scale(get6(work, i, AXIS), v[i])
        if topology[i, PARENT] >= 0:
            velocity = add(velocity, get6(work, topology[i, PARENT], VELOCITY))
        put6(work, i, VELOCITY, velocity)
    for i in range(topology.shape[0]):
        carrier = get6(work, topology[i, CARRIER], VELOCITY)
        put6(work, i, BIAS, cross_motion(carrier, scale(get6(work, i, AXIS), v[i])))


@kernel
def place_and_move(topology, links, q, v, work):
    """Poses, axes, velocities and biases of everything. GOOD, or what is wrong with q or v."""
    if not place(topology, links, q, work):
        return BAD_Q
    if not finite(v):
        return BAD_V
    move(topology, v, work)
    return GOOD


@kernel
def body_inertia(topology, links, work, i):
    """The inertia of link i's body about the tree's origin, 10 numbers in world axes."""
    R = get9(work, i, ROTATION)
    arm = minus3(get3(work, i, POSITION), get3(work, topology[i, ORIGIN], POSITION))
    r = add3(arm, rotate(R, get3(links, i, CENTRE)))
    return rigid(links[i, MASS], r, rotated_moments(R, get6(links, i, MOMENTS)))


ROUND_OFF = 64 * 2.0**-52  # what a sum of a few dozen rounded terms may be wrong by, relative to the terms


@kernel
def inertia_in_doubt(links, work, i):
    """An inertia about link i's axis as small as this is round-off: sums about the tree's origin have cancelled to nothing."""
    x = get6(work, i, AXIS)
    turning = x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
    moving = x[3] * x[3] + x[4] * x[4] + x[5] * x[5]
    return ROUND_OFF * (turning * work[i, SPREAD] + moving * links[i, CARRIED])
