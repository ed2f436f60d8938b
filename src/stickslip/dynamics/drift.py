"""Points and spins of links: where they are seen from, and their accelerations while all rates are constant."""

from stickslip.dynamics.kernel import kernel
from stickslip.dynamics.kinematics import BIAS, POSITION, VELOCITY
from stickslip.dynamics.rotation import add3, cross3, minus3
from stickslip.dynamics.spatial import add, get3, get6, velocity_at
from stickslip.dynamics.tree import ORIGIN, PARENT


@kernel
def arm_of(topology, work, link, point):
    """From the origin of the link's tree to a point of the world; the point itself where the link is the world."""
    return point if link < 0 else minus3(point, get3(work, topology[link, ORIGIN], POSITION))


@kernel
def bias_of(topology, work, link):
    """The spatial acceleration of a link while all rates are constant."""
    bias = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    i = link
    while i >= 0:
        bias = add(bias, get6(work, i, BIAS))
        i = topology[i, PARENT]
    return bias


@kernel
def point_velocity(topology, work, link, point):
    """The velocity of a point of a link."""
    if link < 0:
        return 0.0, 0.0, 0.0
    return velocity_at(get6(work, link, VELOCITY), arm_of(topology, work, link, point))


@kernel
def point_drift(topology, work, link, point):
    """The acceleration of a point of a link while all rates are constant."""
    if link < 0:
        return 0.0, 0.0, 0.0
    V, bias = get6(work, link, VELOCITY), bias_of(topology, work, link)
    arm = arm_of(topology, work, link, point)
    return add3(velocity_at(bias, arm), cross3((V[0], V[1], V[2]), velocity_at(V, arm)))


@kernel
def spin_and_drift(topology, work, link):
    """The angular velocity of a link, and its angular acceleration while all rates are constant."""
    if link < 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    bias = bias_of(topology, work, link)
    return get3(work, link, VELOCITY), (bias[0], bias[1], bias[2])
