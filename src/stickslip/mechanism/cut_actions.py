"""What acts along the joints of a mechanism, once they are cut and have no coordinates any more.

A hinge's axis rests in both of its bodies, and so its rate is a fixed combination of the rates of two bodies that move by
themselves; so is that of a slider on the world, which does not turn. Motors and dampers along them are kept as they are. What
needs the coordinate itself, or a combination that changes with the position, is refused by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stickslip.mechanism.combination import Coupling, Motor, RateCombination, Spring
from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.errors import MechanismError
from stickslip.mechanism.joint import Joint, JointKind

Floats = NDArray[np.float64]
Poses = Mapping[str, tuple[Floats, Floats]]  # of bodies in the world: (R (3, 3), p (3,) in m)

HINGES = (JointKind.REVOLUTE, JointKind.CONTINUOUS)


class CutActions:
    """The motors, dampers and couplings of a description whose joints `cut` have made way for the `roots` of their bodies."""

    def __init__(self, description: MechanismDescription, cut: Iterable[Joint], roots: Iterable[Joint], poses: Poses) -> None:
        self._description = description
        self._cut = {joint.name: joint for joint in cut}
        self._poses = poses
        self._carriers: dict[str, Joint] = {}  # of every body that moves: the root that carries it
        for joint in roots:  # parents come before their children
            if joint.kind is not JointKind.FIXED:
                self._carriers[joint.child] = joint
            elif joint.parent in self._carriers:
                self._carriers[joint.child] = self._carriers[joint.parent]
        for joint in self._cut.values():
            _check(joint)

    def motors(self) -> tuple[Motor, ...]:
        """All inputs, along the rates of bodies where they were along joints."""
        motors = self._description.motors or ()
        return tuple(replace(motor, joints=self._along(motor.joints, f"motor {motor.name!r}")) for motor in motors)

    def dampers(self) -> tuple[Spring, ...]:
        """All dampers, those of cut joints included; a spring that has a stiffness is refused."""
        found = []
        for spring in self._description.springs:
            what = f"spring {spring.name!r}"
            if spring.stiffness > 0:
                raise _lost(spring.joints[0][0], what)
            found.append(replace(spring, joints=self._along(spring.joints, what)))
        for joint in self._cut.values():
            if joint.damping > 0:
                along = self._along(((joint.name, 1.0),), "its damping")
                found.append(Spring(name=f"damping of {joint.name}", joints=along, damping=joint.damping))
        return tuple(found)

    def couplings(self) -> tuple[Coupling, ...]:
        """None are left; any is refused."""
        for coupling in self._description.couplings:
            raise _lost(coupling.joints[0][0], f"coupling {coupling.name!r}")
        return ()

    def _along(self, joints: RateCombination, what: str) -> RateCombination:
        """A combination of joints by the rates of the roots."""
        total: dict[str, Floats] = {}
        for name, coefficient in joints:
            shares: Mapping[str, Any] = self._rate(self._cut[name], what) if name in self._cut else {name: 1.0}
            for root, share in shares.items():
                total[root] = total.get(root, 0.0) + np.multiply(coefficient, share)
        return tuple((root, tuple(share.tolist())) for root, share in total.items())

    def _rate(self, joint: Joint, what: str) -> dict[str, Floats]:
        """The joint's rate as a combination {root: (nv,)} of the rates of the two bodies that it joins."""
        child, parent = self._carriers[joint.child], self._carriers.get(joint.parent)
        axis = self._poses[joint.child][0] @ np.array(joint.axis)
        if joint.kind in HINGES:
            spin = {child.name: self._spin(child, axis)}
            return spin if parent is None else spin | {parent.name: -self._spin(parent, axis)}
        if joint.kind is JointKind.PRISMATIC and parent is None:
            return {child.name: self._advance(axis)}
        raise _lost(joint.name, what)

    def _spin(self, root: Joint, axis: Floats) -> Floats:
        """How fast the root's body turns about an axis of its own (3,), given in the world for the present pose."""
        if root.kind is JointKind.FREE:
            return np.concatenate([np.zeros(3), self._poses[root.child][0].T @ axis])
        own = np.array(root.rotation) @ np.array(root.axis)
        return np.array([0.0, 0.0, np.sign(axis @ own)])

    def _advance(self, axis: Floats) -> Floats:
        """How fast a body that was cut from the world moves along an axis of the world (3,)."""
        plane = self._description.plane
        along = axis if plane is None else axis[[0, 2 if plane == "xz" else 1]]
        return np.concatenate([along, np.zeros(3 if plane is None else 1)])


def _check(joint: Joint) -> None:
    """Refuse a joint whose coordinate is needed by what the joint itself has."""
    needed = {
        "its limits": joint.limited,
        "its gains": joint.gains is not None,
        "its dry friction": joint.dry_friction > 0,
        "its armature": joint.armature > 0,
    }
    for what, present in needed.items():
        if present:
            raise _lost(joint.name, what)


def _lost(joint: str, what: str) -> MechanismError:
    return MechanismError(
        f"joint {joint!r} cannot be cut, for {what} would be lost with its coordinate (only motors and dampers are kept, of "
        "hinges and of sliders on the world); describe the mechanism without."
    )
