"""Rotations as unit quaternions (w, x, y, z), the coordinates of free and ball joints."""

from __future__ import annotations

import math

from stickslip.mechanism.numbers import Matrix3


def quaternion_from_rotation(rotation: Matrix3) -> tuple[float, float, float, float]:
    """The unit quaternion (w, x, y, z) with w >= 0 of a rotation (3, 3)."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rotation
    squares = (1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz)  # 4 times those of w, x, y, z
    # Each row is 4 times one entry times the quaternion; the largest entry gives the row that loses no digits.
    w, x, y, z = (
        (squares[0], zy - yz, xz - zx, yx - xy),
        (zy - yz, squares[1], yx + xy, xz + zx),
        (xz - zx, yx + xy, squares[2], zy + yz),
        (yx - xy, xz + zx, zy + yz, squares[3]),
    )[max(range(4), key=squares.__getitem__)]
    length = math.copysign(math.hypot(w, x, y, z), w)
    return w / length, x / length, y / length, z / length


def rotation_from_quaternion(quaternion: tuple[float, ...]) -> Matrix3:
    """The rotation (3, 3) of a unit quaternion (w, x, y, z)."""
    w, x, y, z = quaternion
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
