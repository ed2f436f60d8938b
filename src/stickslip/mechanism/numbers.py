"""Numbers as users give them, turned into finite floats and tuples, or into a sentence that says what is wrong."""

from __future__ import annotations

import math
from typing import Any, cast

from stickslip.mechanism.errors import MechanismError

Vector3 = tuple[float, float, float]
Matrix3 = tuple[Vector3, Vector3, Vector3]

IDENTITY: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ORIGIN: Vector3 = (0.0, 0.0, 0.0)

LONGEST_QUOTE = 60  # letters of a wrong value that an error repeats

ROTATION_TOLERANCE = 1e-6  # how far R R^T may be from the identity: room for values printed with seven digits


def real(value: Any, what: str) -> float:
    """`value` as a finite float; `what` names it in the error, as in "mass of body 'leg'"."""
    number = real_or_infinite(value, what)
    if not math.isfinite(number):
        raise MechanismError(f"{what} must be a finite number, not {number:g}.")
    return number


def real_or_infinite(value: Any, what: str) -> float:
    """`value` as a float that may be infinite (a missing limit) but not NaN."""
    if isinstance(value, (bool, str, bytes)):
        raise MechanismError(f"{what} must be a number, not {shown(value)}.")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise MechanismError(f"{what} must be a number, not {shown(value)}.") from None
    if math.isnan(number):
        raise MechanismError(f"{what} must be a number, not NaN.")
    return number


def not_negative(value: Any, what: str) -> float:
    """`value` as a finite float, zero or more."""
    number = real(value, what)
    if number < 0:
        raise MechanismError(f"{what} must not be negative, but is {number:g}.")
    return number


def positive(value: Any, what: str) -> float:
    """`value` as a finite float above zero."""
    number = real(value, what)
    if number <= 0:
        raise MechanismError(f"{what} must be positive, but is {number:g}.")
    return number


def interval(value: Any, what: str) -> tuple[float, float]:
    """A pair (lower, upper) with lower <= upper; either end may be infinite."""
    ends = _listed(value, 2, what)
    lower = real_or_infinite(ends[0], f"the lower end of {what}")
    upper = real_or_infinite(ends[1], f"the upper end of {what}")
    if lower > upper:
        raise MechanismError(f"{what} must have lower <= upper, but is ({lower:g}, {upper:g}).")
    return lower, upper


def vector(value: Any, size: int, what: str) -> tuple[float, ...]:
    """`value` as a tuple of `size` finite floats."""
    return tuple(real(entry, what) for entry in _listed(value, size, what))


def vector3(value: Any, what: str) -> Vector3:
    """`value` as three finite floats."""
    return cast(Vector3, vector(value, 3, what))


def direction(value: Any, what: str) -> Vector3:
    """`value` as a unit vector; its length does not matter, unless it is zero."""
    x, y, z = vector3(value, what)
    length = math.hypot(x, y, z)
    if not 1e-12 < length < math.inf:
        raise MechanismError(f"{what} must point somewhere, but is ({x:g}, {y:g}, {z:g}).")
    return x / length, y / length, z / length


def matrix3(value: Any, what: str) -> Matrix3:
    """`value` as three rows of three finite floats."""
    rows = _listed(value, 3, what)
    return cast(Matrix3, tuple(vector3(row, what) for row in rows))


def rotation3(value: Any, what: str) -> Matrix3:
    """`value` as a proper rotation matrix, made exactly orthonormal."""
    x, y, z = matrix3(value, what)
    products = [dot(a, b) for a in (x, y, z) for b in (x, y, z)]
    expected = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    if max(abs(p - e) for p, e in zip(products, expected, strict=True)) > ROTATION_TOLERANCE:
        raise MechanismError(f"{what} must be a rotation matrix (its rows are not orthonormal).")
    if dot(cross(x, y), z) < 0:
        raise MechanismError(f"{what} must be a rotation matrix, but it is a reflection (determinant -1).")
    x = direction(x, what)
    z = direction(cross(x, y), what)
    return x, cross(z, x), z


def entries(value: Any, what: str) -> list[Any]:
    """`value` as a list of whatever it holds."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        return list(value)
    except TypeError:
        raise MechanismError(f"{what} must be a sequence, not {shown(value)}.") from None


def checked_name(value: Any, what: str) -> str:
    """`value` as a name: a string with something in it."""
    if not isinstance(value, str) or not value.strip():
        raise MechanismError(f"{what} must be a name, not {shown(value)}.")
    return value


def dot(a: Vector3, b: Vector3) -> float:
    """The inner product of two vectors (3,)."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector3, b: Vector3) -> Vector3:
    """The vector product (3,) of two vectors (3,)."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def shown(value: Any) -> str:
    """`value` as an error quotes it: on one line, and cut where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


def _listed(value: Any, size: int, what: str) -> list[Any]:
    listed = entries(value, what)
    if len(listed) != size:
        raise MechanismError(f"{what} must have {size} entries, not {len(listed)}.")
    return listed
