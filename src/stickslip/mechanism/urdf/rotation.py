"""Rotations as URDF writes them: roll, pitch, yaw about the fixed x, then y, then z axis."""

from __future__ import annotations

import math

from stickslip.mechanism.numbers import Matrix3, Vector3


def rotation_from_rpy(rpy: Vector3) -> Matrix3:
    """R = Rz(yaw) Ry(pitch) Rx(roll), (3, 3), from angles in rad."""
    (cr, cp, cy), (sr, sp, sy) = map(math.cos, rpy), map(math.sin, rpy)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def rpy_from_rotation(rotation: Matrix3) -> Vector3:
    """The angles (roll, pitch, yaw) in rad of a rotation (3, 3)."""
    (xx, xy, xz), (yx, yy, yz), (zx, _, _) = rotation
    yaw = math.atan2(yx, xx)
    pitch = math.atan2(-zx, math.hypot(xx, yx))
    # The roll is read off after the yaw is undone: with the pitch upright the two turn about one axis, the yaw is mere
    # rounding noise, and only their sum counts.
    cy, sy = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(sy * xz - cy * yz, cy * yy - sy * xy)
    return roll, pitch, yaw
