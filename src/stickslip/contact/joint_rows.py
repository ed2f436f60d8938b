"""What joints and loops add to a contact problem: limits that are reached, dry friction, and loops that stay closed."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

import numpy as np

from stickslip.complementarity.rows import Rows
from stickslip.contact.overlap import OverlapError
from stickslip.dynamics.mechanism import Mechanism
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.joint import JointKind
from stickslip.mechanism.loop import Loop


def limit_rows(mechanism: Mechanism, q: Floats, v: Floats, tolerance: float, threshold: float) -> Rows:
    """One row for every joint limit that is reached at q (nq,) within the tolerance (rad or m); it may only be left."""
    rows, names = [], []
    for joint, end, sign, distance in _distances(mechanism, q):
        if distance <= tolerance:
            row = np.zeros(mechanism.nv)
            row[mechanism.coordinates(joint)[1]] = sign
            rows.append(row)
            names.append(f"{joint} at its {end} limit")
    jacobian = np.array(rows).reshape(len(rows), mechanism.nv)
    return Rows(jacobian=jacobian, velocity=jacobian @ v, threshold=threshold, names=names)


def dry_friction_rows(mechanism: Mechanism, v: Floats, threshold: float) -> Rows:
    """One row for every velocity coordinate whose joint has dry friction, bounded by it (N m or N)."""
    rows, names, bounds = [], [], []
    for joint in mechanism.description.moving_joints:
        coordinates = mechanism.coordinates(joint.name)[1]
        if joint.dry_friction > 0:
            for k in range(coordinates.start, coordinates.stop):
                rows.append(np.eye(1, mechanism.nv, k)[0])
                bounds.append(joint.dry_friction)
                names.append(joint.name if joint.kind.nv == 1 else f"{joint.name}[{k - coordinates.start}]")
    jacobian = np.array(rows).reshape(len(rows), mechanism.nv)
    return Rows(jacobian=jacobian, velocity=jacobian @ v, bound=np.array(bounds), threshold=threshold, names=names)


def loop_rows(mechanism: Mechanism, q: Floats, v: Floats) -> Rows:
    """All equations of loops and couplings."""
    jacobian = mechanism.loop_jacobian(q)
    return Rows(
        jacobian=jacobian, drift=mechanism.loop_drift(q, v), velocity=jacobian @ v, names=_names_of_loop_rows(mechanism)
    )


def check_joints(mechanism: Mechanism, q: Floats, tolerance: float) -> None:
    """Refuse a position beyond a joint's limit, or in which a loop is open, by more than the tolerance (m or rad)."""
    for joint, end, _, distance in _distances(mechanism, q):
        if distance < -tolerance:
            raise OverlapError(
                f"joint {joint!r} is beyond its {end} limit by {-distance:.6g} {_unit(mechanism, joint)}.",
                (joint, f"{end} limit"),
                -distance,
            )
    residual = np.abs(mechanism.loop_residual(q))
    if residual.size and residual.max() > tolerance:
        r = int(residual.argmax())
        raise ArgumentError(
            f"{_names_of_loop_rows(mechanism)[r]} is open by {residual[r]:.6g} (m or rad) at q; close it first, or allow a "
            f"larger tolerance than {tolerance:g}."
        )


def _distances(mechanism: Mechanism, q: Floats) -> Iterator[tuple[str, str, float, float]]:
    """(joint, which end, the direction that leads away from it, distance from it) of all limits."""
    for joint in mechanism.description.moving_joints:
        if joint.limited:
            here = float(q[mechanism.coordinates(joint.name)[0]][0])
            for end, limit, sign in (("lower", joint.limits[0], 1.0), ("upper", joint.limits[1], -1.0)):
                if isfinite(limit):
                    yield joint.name, end, sign, sign * (here - limit)


def _unit(mechanism: Mechanism, joint: str) -> str:
    return "m" if mechanism.description.joint(joint).kind is JointKind.PRISMATIC else "rad"


def _names_of_loop_rows(mechanism: Mechanism) -> list[str]:
    description = mechanism.description

    def count(loop: Loop) -> int:
        return loop.kind.rows if description.plane is None else loop.kind.planar_rows

    names = [f"loop {loop.name!r}, equation {r + 1}" for loop in description.loops for r in range(count(loop))]
    return names + [f"coupling {coupling.name!r}" for coupling in description.couplings]
