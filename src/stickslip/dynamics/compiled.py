"""What every method of a Mechanism stands on: the compiled arrays, a workspace for each thread, and errors as sentences."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from stickslip.dynamics.arguments import ready
from stickslip.dynamics.compliance import REACH_WIDTH
from stickslip.dynamics.kinematics import BAD_INPUT, BAD_Q, BAD_V, GOOD, WORK_WIDTH
from stickslip.dynamics.loops import compile_loops
from stickslip.dynamics.mass_matrix import measure_scales
from stickslip.dynamics.tree import Floats, Ints, combination_row, compile_tree, coordinate_addresses, coordinate_rows
from stickslip.mechanism.builder import MechanismBuilder
from stickslip.mechanism.description import MechanismDescription
from stickslip.mechanism.errors import ArgumentError, MechanismError, SingularInertiaError
from stickslip.mechanism.joint import JointKind


class CompiledMechanism:
    """A description and its arrays; `Mechanism` adds everything that users call."""

    def __init__(self, source: MechanismDescription | MechanismBuilder) -> None:
        description = source.description() if isinstance(source, MechanismBuilder) else source
        if not isinstance(description, MechanismDescription):
            raise MechanismError(f"a Mechanism is made from a MechanismBuilder or a MechanismDescription, not from {source!r}.")
        self.description = description
        self._tree, self._frames = compile_tree(description)
        self._loops = compile_loops(description)
        self._rows = coordinate_rows(description)
        self._addresses = coordinate_addresses(description)
        self._body_index = {body.name: b for b, body in enumerate(description.bodies)}
        self.nv = len(self._tree.topology)
        self.nq = sum(joint.kind.nq for joint in description.moving_joints)
        self.nu = len(description.motors or ())
        self._input_map = self._compile_inputs()
        self._local = threading.local()
        measure_scales(self._tree[0], self._tree[1], self._generic_position(), self._work())

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles go by the description, which holds everything."""
        return type(self), (self.description,)

    def _compile_inputs(self) -> Floats:
        rows = [combination_row(motor.joints, self._rows, self.nv) for motor in self.description.motors or ()]
        return np.array(rows).reshape(self.nu, self.nv).T.copy()

    def _generic_position(self) -> Floats:
        """A position without symmetry, so that what is singular there is singular everywhere."""
        q = np.modf(np.arange(1, self.nq + 1) * (5**0.5 - 1) / 2)[0] + 0.2
        for joint in self.description.moving_joints:
            if joint.kind in (JointKind.BALL, JointKind.FREE):
                end = self._addresses[joint.name].stop
                q[end - 4 : end] /= np.linalg.norm(q[end - 4 : end])
        return q

    # ---- arguments -------------------------------------------------------------------------------------------------

    def _q(self, q: Any) -> Floats:
        return ready(q, (self.nq,), "q")

    def _v(self, v: Any) -> Floats:
        return ready(v, (self.nv,), "v")

    def _body(self, body: str) -> int:
        try:
            return self._body_index[body]
        except (KeyError, TypeError):
            raise self._unknown("body", body, list(self._body_index)) from None

    def _points(self, points: Iterable[tuple[str, Any]]) -> tuple[Ints, Floats]:
        try:
            pairs = [(body, point) for body, point in points]
        except (TypeError, ValueError):
            raise ArgumentError("points must be pairs (body name, point (3,) in the body's frame).") from None
        bodies, places = np.empty(len(pairs), dtype=np.int64), np.empty((len(pairs), 3))
        for k, (body, point) in enumerate(pairs):
            bodies[k] = self._body(body)
            places[k] = ready(point, (3,), "every point")
        return bodies, places

    # ---- scratch ---------------------------------------------------------------------------------------------------

    def _work(self) -> Floats:
        """This thread's workspace; its other scratch arrays are in place after the call."""
        local = self._local
        try:
            return local.work
        except AttributeError:
            local.work = np.zeros((self.nv, WORK_WIDTH))
            local.force = np.zeros(self.nv)
            local.dense = np.zeros((self.nv + 1, self.nv) if len(self._tree.rotors) else (1, 0))
            local.reach = np.zeros((self.nv, REACH_WIDTH))
            local.first = np.zeros(self.nv, dtype=np.int64)
            return local.work

    # ---- answers ---------------------------------------------------------------------------------------------------

    def _good(self, status: int, result: Any, argument: str = "") -> Any:
        """The result, unless the kernel says that it could not make it; `argument` names what it takes besides q and v."""
        if status == GOOD:
            return result
        self._complain(status, argument)

    def _complain(self, status: int, argument: str) -> NoReturn:
        if status == BAD_Q:
            raise ArgumentError("q must be finite, and its quaternions must not be zero.")
        if status == BAD_V:
            raise ArgumentError("v must be finite.")
        if status == BAD_INPUT:
            raise ArgumentError(f"{argument} must be finite.")
        joint = next(name for name, rows in self._rows.items() if rows.start <= status < rows.stop)
        raise SingularInertiaError(
            f"the articulated inertia at joint {joint!r} is zero: what it carries can move there without any inertia, "
            "so that accelerations do not follow from forces alone."
        )

    @staticmethod
    def _unknown(kind: str, name: Any, names: list[str]) -> ArgumentError:
        return ArgumentError(f"there is no {kind} {name!r}; there are {', '.join(names) or 'none'}.")
