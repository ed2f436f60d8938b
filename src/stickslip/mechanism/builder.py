"""Describing a mechanism by hand, one line a body and one line a joint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from stickslip.mechanism.body import NO_INERTIA, WORLD, Body
from stickslip.mechanism.combination import Coupling, Motor, Spring
from stickslip.mechanism.description import GRAVITY, MechanismDescription
from stickslip.mechanism.errors import MechanismError, did_you_mean
from stickslip.mechanism.joint import Joint, JointKind
from stickslip.mechanism.loop import Loop, LoopKind
from stickslip.mechanism.numbers import entries, real, shown
from stickslip.mechanism.plane import NORMALS, check_plane, lamina, lifted
from stickslip.mechanism.shape import Shape

JOINT_OPTIONS = [field.name for field in fields(Joint) if field.name not in ("name", "kind", "parent", "child")]
LOOP_OPTIONS = dict.fromkeys(LoopKind, ("axis", "rotation")) | {LoopKind.POINT: (), LoopKind.WELD: ("rotation",)}


class MechanismBuilder:
    """Collects bodies and joints and makes a `MechanismDescription` of them.

    Bodies and joints may come in any order; the tree is checked at the end. With `plane="xz"` or `plane="xy"` the
    mechanism is planar: places may be given by two coordinates, inertias by the one moment about the plane's normal, and
    hinges turn about that normal unless told otherwise. `gravity` (3,) in m/s^2.

    >>> b = MechanismBuilder(plane="xz")
    >>> b.body("rod", mass=1.0, centre=(0.5, 0.0), inertia=1 / 12)
    >>> b.revolute("hinge", child="rod")
    >>> b.description().moving_joints[0].axis
    (0.0, -1.0, 0.0)
    """

    def __init__(self, *, plane: str | None = None, gravity: Any = GRAVITY, name: str = "mechanism") -> None:
        check_plane(plane)
        self.plane = plane
        self.gravity = gravity
        self.name = name
        self._bodies: list[Body] = []
        self._joints: list[Joint] = []
        self._springs: list[Spring] = []
        self._motors: list[Motor] | None = None
        self._loops: list[Loop] = []
        self._couplings: list[Coupling] = []

    def body(
        self,
        name: str,
        *,
        mass: float = 0.0,
        centre: Any = (0.0, 0.0, 0.0),
        inertia: Any = NO_INERTIA,
        shapes: Shape | Iterable[Shape] = (),
        massless: bool = False,
    ) -> None:
        """A body: `mass` in kg, `centre` of mass (3,) in m, `inertia` (3, 3) in kg m^2 about the centre of mass.

        The inertia may also be three principal moments about the body's axes or, in a plane, the one moment about the
        plane's normal.
        """
        tensor = self._tensor(inertia, f"the inertia of body {shown(name)}")
        place = self._place(centre, f"the centre of mass of body {shown(name)}")
        self._bodies.append(
            Body(name=name, mass=mass, centre=place, inertia=tensor, shapes=shapes, massless=massless)  # type: ignore[arg-type]
        )

    def revolute(self, name: str, *, child: str, parent: str = WORLD, **options: Any) -> None:
        """A hinge with one angle (rad); `options` are the fields of `Joint`: axis, at, rotation, limits, damping, …"""
        self._join(name, JointKind.REVOLUTE, parent, child, options)

    def continuous(self, name: str, *, child: str, parent: str = WORLD, **options: Any) -> None:
        """A hinge without limits (rad); `options` as for `revolute`."""
        self._join(name, JointKind.CONTINUOUS, parent, child, options)

    def prismatic(self, name: str, *, child: str, parent: str = WORLD, **options: Any) -> None:
        """A slider along `axis` (m); `options` as for `revolute`."""
        if self.plane is not None and "axis" not in options:
            raise MechanismError(f"prismatic joint {shown(name)} needs an axis in the plane {self.plane!r}.")
        self._join(name, JointKind.PRISMATIC, parent, child, options)

    def ball(self, name: str, *, child: str, parent: str = WORLD, **options: Any) -> None:
        """A ball joint: q (4,) a quaternion wxyz, v (3,) the angular velocity in the child's axes in rad/s."""
        self._join(name, JointKind.BALL, parent, child, options)

    def free(self, name: str, *, child: str, parent: str = WORLD, **options: Any) -> None:
        """A body that floats in the world: q (7,) position in m and quaternion wxyz, v (6,) in m/s and rad/s."""
        self._join(name, JointKind.FREE, parent, child, options)

    def planar(self, name: str, *, child: str, parent: str = WORLD, **options: Any) -> None:
        """A body that slides and turns in a plane: q (3,) = [x, y, angle] in m and rad, v its time derivative."""
        self._join(name, JointKind.PLANAR, parent, child, options)

    def fixed(self, name: str, *, child: str, parent: str = WORLD, **options: Any) -> None:
        """A weld of `child` to `parent` (no coordinates)."""
        self._join(name, JointKind.FIXED, parent, child, options)

    def spring(
        self,
        joints: str | Mapping[str, float | Sequence[float]],
        *,
        stiffness: float = 0.0,
        damping: float = 0.0,
        rest: float = 0.0,
        name: str | None = None,
    ) -> None:
        """A spring and damper on a joint or on a combination {joint: coefficient} (N m/rad, N m s/rad, rad; or N/m …).

        Without stiffness it may also damp a joint of several rates, along a combination of them: {joint: (nv,)}.
        """
        label = _label(name, "spring", joints, self._springs)
        self._springs.append(
            Spring(name=label, joints=joints, stiffness=stiffness, damping=damping, rest=rest)  # type: ignore[arg-type]
        )

    def motor(
        self,
        joints: str | Mapping[str, float | Sequence[float]],
        *,
        rotor_inertia: float = 0.0,
        limits: Any = (-np.inf, np.inf),
        name: str | None = None,
    ) -> None:
        """An input on a joint or a combination {joint: gear}; rotor inertia in kg m^2, limits on the input in N m or N.

        Of a joint of several rates, gear (nv,) says by which shares they are driven, as in {"root": (0, 0, 1)}.
        Without any call of `motor`, `transmission` or `passive`, every joint of one coordinate gets a motor of its own.
        """
        self._motors = self._motors or []
        label = _label(name, "motor", joints, self._motors)
        self._motors.append(
            Motor(name=label, joints=joints, rotor_inertia=rotor_inertia, limits=limits)  # type: ignore[arg-type]
        )

    def passive(self) -> None:
        """No inputs at all."""
        self._motors = self._motors or []

    def transmission(
        self,
        *,
        motors: Iterable[str],
        joints: Iterable[str],
        ratios: Any,
        rotor_inertia: Any = 0.0,
        limits: Any = (-np.inf, np.inf),
    ) -> None:
        """Motors that drive joints through cables or gears: joint coordinates = `ratios` (n, n) @ motor coordinates.

        `rotor_inertia` in kg m^2 and `limits` (lower, upper) in N m: one for all motors, or one for each.
        """
        motor_names = entries(motors, "the motors of a transmission")
        joint_names = entries(joints, "the joints of a transmission")
        gears = _inverted(ratios, motor_names, joint_names)
        inertias = _for_each(motor_names, rotor_inertia, "rotor_inertia")
        bounds = _for_each(motor_names, limits, "limits", pair=True)
        self._motors = self._motors or []
        for label, row, inertia, bound in zip(motor_names, gears, inertias, bounds, strict=True):
            gear = tuple((joint, float(ratio)) for joint, ratio in zip(joint_names, row, strict=True) if ratio != 0)
            self._motors.append(Motor(name=label, joints=gear, rotor_inertia=inertia, limits=bound))

    def close_point(self, name: str, *, first: str, second: str, first_point: Any, second_point: Any) -> None:
        """A loop closure that keeps a point of one body on a point of the other, each (3,) in m in its body's frame."""
        self._close(name, LoopKind.POINT, first, second, first_point, second_point, {})

    def close_hinge(self, name: str, *, first: str, second: str, first_point: Any, second_point: Any, **options: Any) -> None:
        """A loop closure by a hinge; `options` are `axis` (3,) and `rotation` (3, 3) of `Loop`."""
        if self.plane is not None:
            options.setdefault("axis", NORMALS[self.plane])
        self._close(name, LoopKind.HINGE, first, second, first_point, second_point, options)

    def close_weld(self, name: str, *, first: str, second: str, first_point: Any, second_point: Any, **options: Any) -> None:
        """A loop closure that welds two bodies together; `rotation` (3, 3) as in `Loop`."""
        self._close(name, LoopKind.WELD, first, second, first_point, second_point, options)

    def close_slider(
        self, name: str, *, first: str, second: str, first_point: Any, second_point: Any, axis: Any, **options: Any
    ) -> None:
        """A loop closure by a slider along `axis` (3,), without turning; `rotation` (3, 3) as in `Loop`."""
        options["axis"] = self._place(axis, f"the axis of loop {shown(name)}")
        self._close(name, LoopKind.SLIDER, first, second, first_point, second_point, options)

    def close_plane(self, name: str, *, first: str, second: str, first_point: Any, second_point: Any, **options: Any) -> None:
        """A loop closure that lets the second body slide and turn in a plane of the first; options as for `close_hinge`."""
        self._close(name, LoopKind.PLANE, first, second, first_point, second_point, options)

    def couple(self, joints: Mapping[str, float], *, offset: float = 0.0, name: str | None = None) -> None:
        """A bilateral constraint: the combination {joint: coefficient} of coordinates equals `offset` (rad or m)."""
        label = _label(name, "coupling", joints, self._couplings)
        self._couplings.append(Coupling(name=label, joints=joints, offset=offset))  # type: ignore[arg-type]

    def description(self) -> MechanismDescription:
        """All of it, checked: a tree that hangs together, with mass where motion needs it."""
        return MechanismDescription(
            name=self.name,
            plane=self.plane,
            gravity=self.gravity,
            bodies=tuple(self._bodies),
            joints=tuple(self._joints),
            springs=tuple(self._springs),
            motors=None if self._motors is None else tuple(self._motors),
            loops=tuple(self._loops),
            couplings=tuple(self._couplings),
        )

    def _join(self, name: str, kind: JointKind, parent: str, child: str, options: dict[str, Any]) -> None:
        for place in ("at", "anchor", "axis"):
            if place in options:
                options[place] = self._place(options[place], f"the {place} of joint {shown(name)}")
        if self.plane is not None:
            options.setdefault("axis", NORMALS[self.plane])
        _check_options(JOINT_OPTIONS, options, f"joint {shown(name)}")
        self._joints.append(Joint(name=name, kind=kind, parent=parent, child=child, **options))

    def _close(
        self, name: str, kind: LoopKind, first: str, second: str, first_point: Any, second_point: Any, options: dict[str, Any]
    ) -> None:
        _check_options(LOOP_OPTIONS[kind], options, f"{kind.label} loop {shown(name)}")
        at_first = self._place(first_point, f"the first point of loop {shown(name)}")
        at_second = self._place(second_point, f"the second point of loop {shown(name)}")
        self._loops.append(
            Loop(name=name, kind=kind, first=first, second=second, first_point=at_first, second_point=at_second, **options)
        )

    def _place(self, value: Any, what: str) -> Any:
        return lifted(value, self.plane, what)

    def _tensor(self, inertia: Any, what: str) -> Any:
        shape = _shape(inertia)
        if shape == () and self.plane is not None:
            return lamina(inertia, self.plane, what)
        if shape == ():
            raise MechanismError(
                f"{what} must be a (3, 3) matrix or three principal moments; one moment is enough only in a plane."
            )
        if shape == (3,):
            x, y, z = (real(moment, what) for moment in inertia)
            return ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z))
        return inertia


def _label(name: str | None, kind: str, joints: Any, existing: list[Any]) -> str:
    """A motor is called after the joint that it alone drives, unless it has a name; anything else gets a number."""
    if name is not None:
        return name
    joints = [joints] if isinstance(joints, str) else list(joints) if isinstance(joints, Mapping) else []
    return str(joints[0]) if kind == "motor" and len(joints) == 1 else f"{kind}_{len(existing) + 1}"


def _check_options(known: Iterable[str], options: Mapping[str, Any], what: str) -> None:
    for option in options:
        if option not in known:
            raise MechanismError(f"{what} has no property {option!r}{did_you_mean(option, known)}")


def _for_each(motors: list[str], value: Any, what: str, *, pair: bool = False) -> list[Any]:
    """A value for each motor: a list of them, or one number (or one pair) for all."""
    shape = _shape(value)
    if shape == ((2,) if pair else ()):
        return [value] * len(motors)
    listed = entries(value, f"{what} of a transmission")
    if len(listed) != len(motors):
        raise MechanismError(f"{what} of a transmission must be one for all or one for each of {motors}, not {len(listed)}.")
    return listed


def _inverted(ratios: Any, motors: list[str], joints: list[str]) -> np.ndarray:
    try:
        matrix = np.array(ratios, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise MechanismError(f"the ratios between motors {motors} and joints {joints} must be a matrix of numbers.") from None
    if matrix.shape != (len(joints), len(motors)) or len(joints) != len(motors) or not motors:
        raise MechanismError(
            f"the ratios of a transmission must be a square matrix, one row for each of the {len(joints)} joints and one "
            f"column for each of the {len(motors)} motors, not of shape {matrix.shape}."
        )
    if not np.isfinite(matrix).all() or np.linalg.cond(matrix) > 1e12:
        raise MechanismError(f"the ratios between motors {motors} and joints {joints} must be finite and invertible.")
    return np.asarray(np.linalg.inv(matrix))


def _shape(value: Any) -> tuple[int, ...] | None:
    """The shape of an array-like, or None of rows of different lengths."""
    try:
        return tuple(np.shape(value))
    except ValueError:
        return None
