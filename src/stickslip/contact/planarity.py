"""Whether a world is planar, and in which plane: what the mechanism says, checked against what the user says."""

from __future__ import annotations

from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.errors import ArgumentError, MechanismError
from stickslip.mechanism.numbers import shown
from stickslip.mechanism.plane import NORMALS, check_flat, check_flat_body


def plane_of_world(description: MechanismDescription, planar: bool | None) -> str | None:
    """The plane, "xz" or "xy", or None in space.

    None leaves it to the mechanism. True is also right for a mechanism in space that cannot leave one of the planes, such as
    a chain of parallel hinges read from a file; False contradicts a mechanism that was built in a plane.
    """
    if planar is not None and not isinstance(planar, bool):
        raise ArgumentError(f"planar must be True, False or None (as the mechanism says), not {shown(planar)}.")
    plane = description.plane
    if planar is None or planar == (plane is not None):
        return plane
    if plane is not None:
        raise ArgumentError(
            f"planar is False, but mechanism {description.name!r} was built in the plane {plane!r} and cannot leave it; "
            "build it with plane=None for a world in space."
        )
    return _plane_of_motion(description)


def _plane_of_motion(description: MechanismDescription) -> str:
    complaints = {plane: _complaint(description, plane) for plane in NORMALS}
    kept = [plane for plane, complaint in complaints.items() if not complaint]
    if len(kept) == 1:
        return kept[0]
    if kept:
        raise ArgumentError(
            f"planar is True, but mechanism {description.name!r} stays in both planes, 'xz' and 'xy'; build it with "
            "plane=… to say which is meant."
        )
    reasons = "; ".join(complaints.values())
    raise ArgumentError(f"planar is True, but mechanism {description.name!r} moves in space: {reasons}.")


def _complaint(description: MechanismDescription, plane: str) -> str:
    """Why the mechanism does not stay in the plane; empty if it does."""
    try:
        for joint in description.joints:
            check_flat(joint, plane)
        for body in description.bodies:
            check_flat_body(body, plane)
    except MechanismError as error:
        return str(error).rstrip(".")
    return ""
