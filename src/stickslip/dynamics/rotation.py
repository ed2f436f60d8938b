"""Vectors (3 numbers) and rotations (9 numbers, row by row) as tuples, for use inside kernels."""

from math import cos, sin, sqrt

from stickslip.dynamics.kernel import kernel


@kernel
def add3(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def minus3(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale3(a, s):
    return a[0] * s, a[1] * s, a[2] * s


@kernel
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross3(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def rotate(R, x):
    """R x"""
    return (
        R[0] * x[0] + R[1] * x[1] + R[2] * x[2],
        R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
        R[6] * x[0] + R[7] * x[1] + R[8] * x[2],
    )


@kernel
def compose(A, B):
    """A B"""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@kernel
def about(axis, angle):
    """The rotation by `angle` about the unit vector `axis` (Rodrigues)."""
    x, y, z = axis
    c = cos(angle)
    s = sin(angle)
    t = 1.0 - c
    return (
        t * x * x + c,
        t * x * y - s * z,
        t * x * z + s * y,
        t * x * y + s * z,
        t * y * y + c,
        t * y * z - s * x,
        t * x * z - s * y,
        t * y * z + s * x,
        t * z * z + c,
    )


@kernel
def of_quaternion(w, x, y, z):
    """The rotation of a quaternion of any length but zero."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    )


@kernel
def turned(quaternion, rotation_vector):
    """The unit quaternion of: `quaternion`, then the rotation by `rotation_vector` (rad) in the turned axes."""
    w, x, y, z = quaternion
    angle = sqrt(dot3(rotation_vector, rotation_vector))
    # sin(angle / 2) / angle, by its series where the quotient would lose digits
    factor = 0.5 - angle * angle / 48.0 if angle < 1e-4 else sin(0.5 * angle) / angle
    c = cos(0.5 * angle)
    i, j, k = scale3(rotation_vector, factor)
    w, x, y, z = (
        w * c - x * i - y * j - z * k,
        w * i + x * c + y * k - z * j,
        w * j - x * k + y * c + z * i,
        w * k + x * j - y * i + z * c,
    )
    length = sqrt(w * w + x * x + y * y + z * z)
    return w / length, x / length, y / length, z / length


@kernel
def column(R, k):
    """The k-th axis of the turned frame."""
    return (R[0], R[3], R[6]) if k == 0 else (R[1], R[4], R[7]) if k == 1 else (R[2], R[5], R[8])


@kernel
def rotated_moments(R, moments):
    """R I R^T of a symmetric matrix I = (xx, yy, zz, xy, xz, yz)."""
    xx, yy, zz, xy, xz, yz = moments
    ax, ay, az = rotate(R, (xx, xy, xz))
    bx, by, bz = rotate(R, (xy, yy, yz))
    cx, cy, cz = rotate(R, (xz, yz, zz))
    return (
        R[0] * ax + R[1] * bx + R[2] * cx,
        R[3] * ay + R[4] * by + R[5] * cy,
        R[6] * az + R[7] * bz + R[8] * cz,
        R[0] * ay + R[1] * by + R[2] * cy,
        R[0] * az + R[1] * bz + R[2] * cz,
        R[3] * az + R[4] * bz + R[5] * cz,
    )
