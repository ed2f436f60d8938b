"""What every method of a Mechanism stands on: the compiled arrays, a workspace for each thread, and errors as sentences."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

import numpy as np

from stickslip.dynamics.arguments import ready
from stickslip.dynamics.compliance import REACH_WIDTH
from stickslip.dynamics.kinematics import BAD_INPUT, BAD_Q, BAD_V, GOOD, TOO_LARGE, WORK_WIDTH
from stickslip.dynamics.loops import compile_loops
from stickslip.dynamics.tree import (
    Floats,
    Ints,
    body_rows,
    combination_row,
    compile_tree,
    coordinate_addresses,
    coordinate_rows,
)
from stickslip.mechanism.builder import MechanismBuilder
from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.errors import ArgumentError, MechanismError, SingularInertiaError, did_you_mean
from stickslip.mechanism.joint import JointKind
from stickslip.mechanism.plane import lifted

T = TypeVar("T")

LISTED = 12  # names that an error spells out before it counts the others


class CompiledMechanism:
    """A description and its arrays; `Mechanism` adds everything that users call."""

    def __init__(self, source: MechanismDescription | MechanismBuilder) -> None:
        description = source.description() if isinstance(source, MechanismBuilder) else source
        if not isinstance(description, MechanismDescription):
            raise MechanismError(
                "a Mechanism is made from a MechanismBuilder or a MechanismDescription, or by Mechanism.from_urdf or "
                f"Mechanism.from_mjcf from a file, not from {source!r:.60}."
            )
        self._description = description
        with np.errstate(over="ignore", invalid="ignore"):  # what is too large shows in the mass matrix, and is refused there
            self._tree, self._frames = compile_tree(description)
        self._loops = compile_loops(description)
        self._rows = coordinate_rows(description)
        self._addresses = coordinate_addresses(description)
        self._body_rows = body_rows(description)
        self._nv = len(self._tree.topology)
        self._nq = sum(joint.kind.nq for joint in description.moving_joints)
        self._nu = len(description.motors or ())
        self._input_map = self._compile_inputs()
        self._local = threading.local()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles go by the description, which holds everything."""
        return type(self), (self._description,)

    def _compile_inputs(self) -> Floats:
        rows = [combination_row(motor.joints, self._rows, self._nv) for motor in self._description.motors or ()]
        return np.array(rows).reshape(self._nu, self._nv).T.copy()

    def _generic_position(self) -> Floats:
        """A position without symmetry: what is singular there is almost surely singular everywhere."""
        q = np.modf(np.arange(1, self._nq + 1) * (5**0.5 - 1) / 2)[0] + 0.2
        for joint in self._description.moving_joints:
            if joint.kind in (JointKind.BALL, JointKind.FREE):
                end = self._addresses[joint.name].stop
                q[end - 4 : end] /= np.linalg.norm(q[end - 4 : end])
        return q

    # ---- arguments -------------------------------------------------------------------------------------------------

    def _q(self, q: Any) -> Floats:
        return ready(q, (self._nq,), "q")

    def _v(self, v: Any) -> Floats:
        return ready(v, (self._nv,), "v")

    def _body(self, body: str) -> int:
        return self._named(self._body_rows, body, "body")

    def _slice(self, slices: dict[str, slice], joint: str) -> slice:
        return self._named(slices, joint, "moving joint")

    def _point(self, point: Any, what: str = "point") -> Floats:
        """A point (3,) of a body; in a plane its two coordinates there are enough."""
        return ready(lifted(point, self._description.plane, what), (3,), what)

    def _points(self, points: Iterable[tuple[str, Any]]) -> tuple[Ints, Floats]:
        try:
            pairs = [(body, point) for body, point in points]
        except (TypeError, ValueError):
            raise ArgumentError("points must be pairs (body name, point (3,) in the body's frame).") from None
        bodies, places = np.empty(len(pairs), dtype=np.int64), np.empty((len(pairs), 3))
        for k, (body, point) in enumerate(pairs):
            bodies[k] = self._body(body)
            places[k] = self._point(point, "every point")
        return bodies, places

    # ---- scratch ---------------------------------------------------------------------------------------------------

    def _work(self) -> Floats:
        """This thread's workspace; its other scratch arrays are in place after the call."""
        local = self._local
        try:
            return local.work
        except AttributeError:
            local.work = np.zeros((self._nv, WORK_WIDTH))
            local.force = np.zeros(self._nv)
            local.dense = np.zeros((self._nv + 1, self._nv) if len(self._tree.rotors) else (1, 0))
            local.reach = np.zeros((self._nv, REACH_WIDTH))
            local.first = np.zeros(self._nv, dtype=np.int64)
            return local.work

    # ---- answers ---------------------------------------------------------------------------------------------------

    def _good(self, status: int, result: Any, argument: str = "") -> Any:
        """The result, unless the kernel says that it could not make it; `argument` names what it takes besides q and v."""
        if status == GOOD:
            return result
        self._complain(status, argument)

    def _complain(self, status: int, argument: str) -> NoReturn:
        if status == BAD_Q:
            raise ArgumentError("q must be finite, and the length of its quaternions neither zero nor huge.")
        if status == BAD_V:
            raise ArgumentError("v must be finite.")
        if status == BAD_INPUT:
            raise ArgumentError(f"{argument} must be finite.")
        if status == TOO_LARGE:
            raise ArgumentError(
                "the result is too large for floating-point numbers; the arguments are beyond all physical sizes."
            )
        joint = next(name for name, rows in self._rows.items() if rows.start <= status < rows.stop)
        raise SingularInertiaError(
            f"the mass matrix is singular at joint {joint!r}: it can move, by itself or together with others, without moving "
            "any inertia, so that accelerations do not follow from forces alone."
        )

    @staticmethod
    def _named(known: dict[str, T], name: Any, kind: str) -> T:
        """What `known` holds under that name, or a sentence that helps to find the right one."""
        if isinstance(name, str) and name in known:
            return known[name]
        near = did_you_mean(str(name), known)
        listed = ", ".join(list(known)[:LISTED]) + (f" and {len(known) - LISTED} more" if len(known) > LISTED else "")
        raise ArgumentError(f"there is no {kind} {name!r:.60}" + (near if near != "." else f"; there are {listed or 'none'}."))
