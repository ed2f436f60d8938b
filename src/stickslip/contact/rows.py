"""The rows of a contact: its Jacobian, its relative velocity, and its exact accelerations while all rates are constant.

Let s be the rates at which the witness points wander over their bodies, r the velocity of the second body's point against the
first's. The points stay g n apart, so that, across n,

    r + s_second - s_first = g dn/dt

and each side's tie P s = Q (rate of its outward normal in its body) adds two equations more. Together they give the s and
dn/dt, whether the gap is open, closed or an overlap. With them

    d2g/dt2       = n . (dr/dt) + dn/dt . r
    d(t . r)/dt   = t . (dr/dt) + dt/dt . r,      dr/dt = J-part + [drift + spin x s] second - [the same] first

r is taken between the two witness points, each on its own body; they are one point where the gap is closed. The tangents
are functions of n, whose rates follow from dn/dt.
"""

from math import isfinite

from stickslip.contact.scene import LINK
from stickslip.contact.touch import (
    FIRST,
    FIRST_TIE,
    GAP,
    NORMAL,
    ON_FIRST,
    ON_SECOND,
    SECOND,
    SECOND_TIE,
    planar_tangent,
    tangents,
)
from stickslip.dynamics.drift import arm_of, point_drift, spin_and_drift
from stickslip.dynamics.kernel import entry, kernel, routine
from stickslip.dynamics.kinematics import AXIS, GOOD, VELOCITY, place_and_move
from stickslip.dynamics.rotation import add3, cross3, dot3, minus3, scale3
from stickslip.dynamics.spatial import get3, get6, velocity_at
from stickslip.dynamics.tree import PARENT

DEGENERATE = -12  # two faces or two parallel edges were recorded as one touch: their witness points could be anywhere


@kernel
def velocity_of(topology, work, link, point):
    """The velocity of a link's point that is now at `point` in the world."""
    if link < 0:
        return 0.0, 0.0, 0.0
    return velocity_at(get6(work, link, VELOCITY), arm_of(topology, work, link, point))


@kernel
def add_planar_side(topology, work, link, point, n, t, sign, J, row):
    """Add the motion of one body's point to the rows (n, t)."""
    arm = arm_of(topology, work, link, point)
    i = link
    while i >= 0:
        rate = velocity_at(get6(work, i, AXIS), arm)
        J[row, i] += sign * dot3(n, rate)
        J[row + 1, i] += sign * dot3(t, rate)
        i = topology[i, PARENT]


@kernel
def add_spatial_side(topology, work, link, point, n, t1, t2, sign, J, row):
    """Add the motion of one body's point to the rows (n, t1, t2)."""
    arm = arm_of(topology, work, link, point)
    i = link
    while i >= 0:
        rate = velocity_at(get6(work, i, AXIS), arm)
        J[row, i] += sign * dot3(n, rate)
        J[row + 1, i] += sign * dot3(t1, rate)
        J[row + 2, i] += sign * dot3(t2, rate)
        i = topology[i, PARENT]


@kernel
def relative_drift(topology, work, first, second, a, b, wander_a, wander_b):
    """dr/dt at constant rates: of the body points, and because other points become the witnesses."""
    spin_a, _ = spin_and_drift(topology, work, first)
    spin_b, _ = spin_and_drift(topology, work, second)
    return minus3(
        add3(point_drift(topology, work, second, b), cross3(spin_b, wander_b)),
        add3(point_drift(topology, work, first, a), cross3(spin_a, wander_a)),
    )


@kernel
def planar_rates(touches, k, u, turn_a, turn_b):
    """How n turns towards t, and how far both witness points wander along it, per second.

    u is the sliding velocity, the turns are the rates at which n would turn towards t if it were fixed to either body.
    """
    g = touches[k, GAP]
    p_a, q_a = touches[k, FIRST_TIE], touches[k, FIRST_TIE + 4]
    p_b, q_b = touches[k, SECOND_TIE], touches[k, SECOND_TIE + 4]
    divisor = g * p_a * p_b + p_a * q_b + p_b * q_a
    turn = (p_a * p_b * u + p_a * q_b * turn_b + p_b * q_a * turn_a) / divisor
    if p_a != 0.0:
        wander_a = q_a / p_a * (turn - turn_a)
        return turn, wander_a, wander_a + g * turn - u
    wander_b = -q_b / p_b * (turn - turn_b)
    return turn, u + wander_b - g * turn, wander_b


@routine
def planar_rows(topology, shapes, out, touches, identities, k, work, J, velocity, drift, row):
    """False where the witness points have no definite rates."""
    first, second = shapes[identities[k, FIRST], LINK], shapes[identities[k, SECOND], LINK]
    n = get3(touches, k, NORMAL)
    t = planar_tangent(n, out)
    a, b = get3(touches, k, ON_FIRST), get3(touches, k, ON_SECOND)
    for i in range(J.shape[1]):
        J[row, i] = J[row + 1, i] = 0.0
    add_planar_side(topology, work, second, b, n, t, 1.0, J, row)
    add_planar_side(topology, work, first, a, n, t, -1.0, J, row)
    r = minus3(velocity_of(topology, work, second, b), velocity_of(topology, work, first, a))
    velocity[row], velocity[row + 1] = dot3(n, r), dot3(t, r)
    spin_a, _ = spin_and_drift(topology, work, first)
    spin_b, _ = spin_and_drift(topology, work, second)
    turn, wander_a, wander_b = planar_rates(
        touches, k, velocity[row + 1], dot3(t, cross3(spin_a, n)), dot3(t, cross3(spin_b, n))
    )
    change = relative_drift(topology, work, first, second, a, b, scale3(t, wander_a), scale3(t, wander_b))
    drift[row] = dot3(n, change) + turn * velocity[row + 1]
    drift[row + 1] = dot3(t, change) - turn * velocity[row]  # t turns with n, towards -n
    return isfinite(turn)


@kernel
def tied(touches, k, side, x, y):
    """Q (x, y) of one side."""
    return (
        touches[k, side + 4] * x + touches[k, side + 5] * y,
        touches[k, side + 6] * x + touches[k, side + 7] * y,
    )


@kernel
def put_equations(touches, k, u, turn_a, turn_b, system):
    """The ties as four equations in (s_first, dn/dt), with s_second = s_first - u + g dn/dt."""
    g = touches[k, GAP]
    given_a = tied(touches, k, FIRST_TIE, turn_a[0], turn_a[1])
    given_b = tied(touches, k, SECOND_TIE, turn_b[0], turn_b[1])
    for i in range(2):
        for j in range(2):
            p_b = touches[k, SECOND_TIE + 2 * i + j]
            system[i, j] = touches[k, FIRST_TIE + 2 * i + j]
            system[i, 2 + j] = -touches[k, FIRST_TIE + 4 + 2 * i + j]
            system[2 + i, j] = p_b
            system[2 + i, 2 + j] = g * p_b + touches[k, SECOND_TIE + 4 + 2 * i + j]
        system[i, 4] = -given_a[i]
        system[2 + i, 4] = given_b[i] + touches[k, SECOND_TIE + 2 * i] * u[0] + touches[k, SECOND_TIE + 2 * i + 1] * u[1]


@kernel
def balance(system):
    """Each equation divided by its largest coefficient, so that pivots can be compared."""
    for i in range(4):
        largest = 0.0
        for j in range(4):
            largest = max(largest, abs(system[i, j]))
        if largest > 0.0:
            for j in range(5):
                system[i, j] /= largest


SINGULAR = 1e-13  # of a pivot, after balancing


@routine
def solved(system):
    """Solve the four equations in the first four columns for the fifth, which becomes the solution. Whether it exists."""
    balance(system)
    for c in range(4):
        p = c
        for i in range(c + 1, 4):
            if abs(system[i, c]) > abs(system[p, c]):
                p = i
        if not abs(system[p, c]) > SINGULAR:
            return False
        for j in range(c, 5):
            system[c, j], system[p, j] = system[p, j], system[c, j]
        for i in range(4):
            if i != c:
                factor = system[i, c] / system[c, c]
                for j in range(c, 5):
                    system[i, j] -= factor * system[c, j]
    for i in range(4):
        system[i, 4] /= system[i, i]
    return True


@kernel
def spin_of_tangents(n, dn):
    """How fast the first tangent turns towards the second because n changes."""
    a, b, c = n
    s = 1.0 + c if c > 0.0 else (a * a + b * b) / (1.0 - c)
    return (b * dn[0] - a * dn[1]) / s if s > 0.0 else 0.0


@kernel
def along(t1, t2, x, y):
    return add3(scale3(t1, x), scale3(t2, y))


@routine
def spatial_rows(topology, shapes, touches, identities, k, work, system, J, velocity, drift, row):
    """False where the witness points have no definite rates."""
    first, second = shapes[identities[k, FIRST], LINK], shapes[identities[k, SECOND], LINK]
    n = get3(touches, k, NORMAL)
    t1, t2 = tangents(n)
    a, b = get3(touches, k, ON_FIRST), get3(touches, k, ON_SECOND)
    for i in range(J.shape[1]):
        J[row, i] = J[row + 1, i] = J[row + 2, i] = 0.0
    add_spatial_side(topology, work, second, b, n, t1, t2, 1.0, J, row)
    add_spatial_side(topology, work, first, a, n, t1, t2, -1.0, J, row)
    r = minus3(velocity_of(topology, work, second, b), velocity_of(topology, work, first, a))
    u = dot3(t1, r), dot3(t2, r)
    velocity[row], velocity[row + 1], velocity[row + 2] = dot3(n, r), u[0], u[1]
    spin_a, _ = spin_and_drift(topology, work, first)
    spin_b, _ = spin_and_drift(topology, work, second)
    carried_a, carried_b = cross3(spin_a, n), cross3(spin_b, n)
    turn_a, turn_b = (dot3(t1, carried_a), dot3(t2, carried_a)), (dot3(t1, carried_b), dot3(t2, carried_b))
    put_equations(touches, k, u, turn_a, turn_b, system)
    if not solved(system):
        return False
    g = touches[k, GAP]
    s, turn = (system[0, 4], system[1, 4]), (system[2, 4], system[3, 4])
    wander_a = along(t1, t2, s[0], s[1])
    wander_b = along(t1, t2, s[0] - u[0] + g * turn[0], s[1] - u[1] + g * turn[1])
    change = relative_drift(topology, work, first, second, a, b, wander_a, wander_b)
    spin = spin_of_tangents(n, along(t1, t2, turn[0], turn[1]))
    drift[row] = dot3(n, change) + turn[0] * u[0] + turn[1] * u[1]
    drift[row + 1] = dot3(t1, change) - turn[0] * velocity[row] + spin * u[1]
    drift[row + 2] = dot3(t2, change) - turn[1] * velocity[row] - spin * u[0]
    return True


@entry
def planar_rows_into(topology, links, q, v, shapes, out, touches, identities, count, work, J, velocity, drift):
    """Rows (n, t) of the first `count` touches."""
    status = place_and_move(topology, links, q, v, work)
    if status != GOOD:
        return status
    for k in range(count):
        if not planar_rows(topology, shapes, out, touches, identities, k, work, J, velocity, drift, 2 * k):
            return DEGENERATE
    return GOOD


@entry
def spatial_rows_into(topology, links, q, v, shapes, touches, identities, count, work, system, J, velocity, drift):
    """Rows (n, t1, t2) of the first `count` touches; `system` (4, 5) is scratch."""
    status = place_and_move(topology, links, q, v, work)
    if status != GOOD:
        return status
    for k in range(count):
        if not spatial_rows(topology, shapes, touches, identities, k, work, system, J, velocity, drift, 3 * k):
            return DEGENERATE
    return GOOD
