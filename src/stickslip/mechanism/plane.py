"""The two planes that a planar mechanism may live in, and what is allowed in them.

Angles count from the first axis towards the second, counter-clockwise as drawn with x to the right; in the plane "xz" that
is about -y.
"""

from __future__ import annotations

from typing import Any

from stickslip.mechanism.body import Body
from stickslip.mechanism.errors import MechanismError
from stickslip.mechanism.joint import Joint, JointKind
from stickslip.mechanism.loop import Loop, LoopKind
from stickslip.mechanism.numbers import Matrix3, Vector3, dot, not_negative, shown, vector

NORMALS: dict[str, Vector3] = {"xz": (0.0, -1.0, 0.0), "xy": (0.0, 0.0, 1.0)}

FLATNESS = 1e-9  # how far axes and places may leave the plane, relative to one


def check_plane(plane: str | None) -> None:
    """Refuse anything but a known plane, or None for a mechanism in space."""
    if plane is not None and not (isinstance(plane, str) and plane in NORMALS):
        raise MechanismError(f'the plane must be "xz", "xy" or None (in space), not {shown(plane)}.')


def lifted(value: Any, plane: str | None, what: str) -> Any:
    """A place given by its two coordinates in the plane, as one in space; anything else unchanged."""
    try:
        if plane is None or isinstance(value, str) or len(value) != 2:
            return value
    except TypeError:  # no sequence at all, which its owner will refuse by name
        return value
    first, second = vector(value, 2, what)
    return (first, 0.0, second) if plane == "xz" else (first, second, 0.0)


def lamina(moment: float, plane: str, what: str) -> Matrix3:
    """The inertia tensor of a thin plate in the plane with `moment` (kg m^2) about the plane's normal."""
    whole = not_negative(moment, what)
    half = whole / 2
    x, y, z = (half, whole, half) if plane == "xz" else (half, half, whole)
    return ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z))


def check_flat(joint: Joint, plane: str) -> None:
    """Refuse a joint that would move its child out of the plane."""
    normal = NORMALS[plane]
    along = abs(dot(joint.axis, normal))
    if joint.kind in (JointKind.BALL, JointKind.FREE):
        raise MechanismError(f"{joint.kind.label} joint {joint.name!r} leaves the plane {plane!r}; use a planar joint.")
    if joint.kind is JointKind.PRISMATIC and along > FLATNESS:
        raise MechanismError(f"the axis of prismatic joint {joint.name!r} must lie in the plane {plane!r}.")
    turning = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PLANAR)
    if joint.kind in turning and along < 1 - FLATNESS:
        raise MechanismError(f"the axis of {joint.kind.label} joint {joint.name!r} must be normal to the plane {plane!r}.")
    x, y, z = joint.rotation
    turned = dot(x, normal), dot(y, normal), dot(z, normal)
    if abs(dot(turned, normal)) < 1 - FLATNESS:
        raise MechanismError(f"the rotation of joint {joint.name!r} turns its child out of the plane {plane!r}.")


def check_flat_body(body: Body, plane: str) -> None:
    """Refuse a body whose inertia couples the plane to what is outside it."""
    row = 1 if plane == "xz" else 2
    off = max(abs(body.inertia[row][column]) for column in range(3) if column != row)
    if off > FLATNESS * max(abs(entry) for line in body.inertia for entry in line):
        raise MechanismError(f"the inertia of body {body.name!r} has products that would turn it out of the plane {plane!r}.")


def check_flat_loop(loop: Loop, plane: str) -> None:
    """Refuse a slider that leads out of the plane; of other loops only the equations within it are kept."""
    if loop.kind is LoopKind.SLIDER and abs(dot(loop.axis, NORMALS[plane])) > FLATNESS:
        raise MechanismError(f"the axis of slider loop {loop.name!r} must lie in the plane {plane!r}.")
