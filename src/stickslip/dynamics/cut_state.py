"""The state of a mechanism in the coordinates of its cut counterpart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.mechanism.cutting import coordinates_of_pose, is_cut, rates_of_motion
from stickslip.mechanism.errors import ArgumentError

if TYPE_CHECKING:
    from stickslip.dynamics.mechanism import Mechanism

FRAME = (0.0, 0.0, 0.0)  # of a body: where its coordinates are taken


def cut_state(mechanism: Mechanism, q: Floats, v: Floats) -> tuple[Floats, Floats]:
    """The position and velocity of `mechanism.cut_hinges()` in which all bodies are, and move, as at q (nq,), v (nv,)."""
    if not np.isfinite(v).all():
        raise ArgumentError("v must be finite.")
    plane = mechanism.plane
    positions, rates = [np.empty(0)], [np.empty(0)]
    for joint in mechanism.description.moving_joints:
        if is_cut(joint, plane):
            rotation, place = mechanism.body_pose(q, joint.child)
            velocity = mechanism.point_jacobian(q, joint.child, FRAME) @ v
            spin = mechanism.angular_jacobian(q, joint.child) @ v
            positions.append(np.array(coordinates_of_pose(rotation, place, plane)))
            rates.append(rates_of_motion(rotation, velocity, spin, plane))
        else:
            address, rows = mechanism.coordinates(joint.name)
            positions.append(q[address])
            rates.append(v[rows])
    return np.concatenate(positions), np.concatenate(rates)
