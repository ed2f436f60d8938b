"""The whole of a mechanism as plain, frozen, validated data: what the readers and the builder make, and `Mechanism` takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from stickslip.mechanism.body import WORLD, Body
from stickslip.mechanism.combination import Coupling, Motor, Spring
from stickslip.mechanism.errors import MasslessError, MechanismError, did_you_mean
from stickslip.mechanism.joint import Joint, JointKind
from stickslip.mechanism.loop import Loop
from stickslip.mechanism.numbers import Vector3, checked_name, entries, shown, vector3
from stickslip.mechanism.plane import check_flat, check_flat_body, check_flat_loop, check_plane

GRAVITY: Vector3 = (0.0, 0.0, -9.81)

# More is taken for a mistake: the mass matrix is dense and would fill the memory.
MOST_BODIES = 5000
MOST_COORDINATES = 10_000

LISTED = 8  # names that an error spells out before it counts the others


@dataclass(frozen=True, kw_only=True)
class MechanismDescription:
    """Bodies joined to trees, and what acts between them.

    Every body has exactly one joint to its parent or to the world; several roots make several trees, a whole scene.
    `gravity` (3,) in m/s^2. `motors` are the inputs, in the order of tau; None gives every revolute, continuous and
    prismatic joint a motor of its own. `plane` is "xz", "xy" or None for a mechanism in space.

    The fields `bodies` and `joints` are kept in the order of the state: depth first from the world, among siblings in
    the order given.
    """

    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    springs: tuple[Spring, ...] = ()
    motors: tuple[Motor, ...] | None = None
    loops: tuple[Loop, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    gravity: Vector3 = GRAVITY
    plane: str | None = None
    name: str = "mechanism"

    def __post_init__(self) -> None:
        checked_name(self.name, "the name of a mechanism")
        check_plane(self.plane)
        self._set("gravity", vector3(self.gravity, "gravity"))
        for field, kind in (("bodies", Body), ("joints", Joint), ("springs", Spring), ("loops", Loop), ("couplings", Coupling)):
            self._set(field, _uniquely_named(getattr(self, field), kind, field))
        if not self.bodies:
            raise MechanismError("a mechanism needs at least one body.")
        self._check_size()
        self._order_depth_first()
        self._check_ends()
        if self.motors is None:
            self._set("motors", tuple(Motor(name=j.name, joints=((j.name, 1.0),)) for j in self.joints if j.kind.nv == 1))
        self._set("motors", _uniquely_named(self.motors, Motor, "motors"))
        self._check_combinations()
        self._check_masses()
        if self.plane is not None:
            self._check_flatness(self.plane)

    @cached_property
    def moving_joints(self) -> tuple[Joint, ...]:
        """The joints that have coordinates, in the order of the state."""
        return tuple(joint for joint in self.joints if joint.kind is not JointKind.FIXED)

    def body(self, name: str) -> Body:
        """The body of that name."""
        return self.bodies[_found(name, [body.name for body in self.bodies], "body", "bodies")]

    def joint(self, name: str) -> Joint:
        """The joint of that name."""
        return self.joints[_found(name, [joint.name for joint in self.joints], "joint", "joints")]

    def _check_size(self) -> None:
        if len(self.bodies) > MOST_BODIES:
            raise MechanismError(f"a mechanism can have at most {MOST_BODIES} bodies, not {len(self.bodies)}; divide it.")
        coordinates = sum(joint.kind.nv for joint in self.joints)
        if coordinates > MOST_COORDINATES:
            raise MechanismError(
                f"a mechanism can have at most {MOST_COORDINATES} coordinates, but its joints have {coordinates}; divide it."
            )

    def _order_depth_first(self) -> None:
        bodies = {body.name: body for body in self.bodies}
        children: dict[str, list[Joint]] = {name: [] for name in (WORLD, *bodies)}
        holder: dict[str, Joint] = {}
        for joint in self.joints:
            for end in (joint.parent, joint.child):
                if end not in children:
                    raise MechanismError(
                        f"joint {joint.name!r} refers to body {end!r}, which does not exist{did_you_mean(end, bodies)}"
                    )
            if joint.child == WORLD:
                raise MechanismError(f"joint {joint.name!r} has the world as its child; the world does not move.")
            if joint.child in holder:
                raise MechanismError(
                    f"body {joint.child!r} is the child of both joint {holder[joint.child].name!r} and joint {joint.name!r}; "
                    "close loops with a loop closure."
                )
            holder[joint.child] = joint
            children[joint.parent].append(joint)
        for name in bodies:
            if name not in holder:
                raise MechanismError(f"body {name!r} hangs on nothing; join it to the world or to another body.")
        ordered: list[Joint] = []
        waiting = list(reversed(children[WORLD]))
        while waiting:
            joint = waiting.pop()
            ordered.append(joint)
            waiting.extend(reversed(children[joint.child]))
        for joint in ordered:
            del holder[joint.child]
        if holder:
            name = body_on_a_cycle({child: joint.parent for child, joint in holder.items()})
            raise MechanismError(f"body {name!r} is part of a cycle of joints that never reaches the world.")
        self._set("joints", tuple(ordered))
        self._set("bodies", tuple(bodies[joint.child] for joint in ordered))

    def _check_ends(self) -> None:
        known = {WORLD, *(body.name for body in self.bodies)}
        for loop in self.loops:
            for end in (loop.first, loop.second):
                if end not in known:
                    raise MechanismError(
                        f"loop {loop.name!r} refers to body {end!r}, which does not exist{did_you_mean(end, known)}"
                    )

    def _check_combinations(self) -> None:
        kinds = {joint.name: joint.kind for joint in self.joints}
        combined: list[tuple[str, Sequence[Spring | Motor | Coupling]]] = [
            ("spring", self.springs),
            ("motor", self.motors or ()),
            ("coupling", self.couplings),
        ]
        for label, items in combined:
            for item in items:
                for joint, coefficient in item.joints:
                    if joint not in kinds:
                        raise MechanismError(
                            f"{label} {item.name!r} refers to joint {joint!r}, which does not exist{did_you_mean(joint, kinds)}"
                        )
                    given = len(coefficient) if isinstance(coefficient, tuple) else 1
                    if kinds[joint].nv != given:
                        raise MechanismError(
                            f"{label} {item.name!r} acts on joint {joint!r}, which is {kinds[joint].label} and has "
                            f"{kinds[joint].nv} rates, but gives a coefficient for {given}."
                        )

    def _check_masses(self) -> None:
        """Every moving joint must carry some mass, unless all that it carries is declared massless."""
        carried = {body.name: body.mass for body in self.bodies}
        unmeant = {body.name: not (body.massless or body.mass) for body in self.bodies}
        for joint in reversed(self.joints):
            if joint.kind is not JointKind.FIXED and carried[joint.child] == 0 and unmeant[joint.child] and joint.armature == 0:
                raise MasslessError(
                    f"body {joint.child!r} moves on joint {joint.name!r}, but neither it nor anything that it carries has "
                    "mass; give it a mass, or declare it massless=True if the mass matrix is meant to be singular."
                )
            if joint.parent != WORLD:
                carried[joint.parent] += carried[joint.child]

    def _check_flatness(self, plane: str) -> None:
        for joint in self.joints:
            check_flat(joint, plane)
        for body in self.bodies:
            check_flat_body(body, plane)
        for loop in self.loops:
            check_flat_loop(loop, plane)

    def _set(self, field: str, value: Any) -> None:
        object.__setattr__(self, field, value)


def body_on_a_cycle(parents: Mapping[str, str]) -> str:
    """A body that hangs from itself by way of others, where `parents` gives every body another of them to hang from."""
    body, passed = next(iter(parents)), set()
    while body not in passed:
        passed.add(body)
        body = parents[body]
    return body


def _uniquely_named(items: Any, kind: type, plural: str) -> tuple[Any, ...]:
    listed = tuple(entries(items, f"the {plural} of a mechanism"))
    seen = set()
    for item in listed:
        if not isinstance(item, kind):
            raise MechanismError(f"the {plural} of a mechanism must be a sequence of {kind.__name__}; {shown(item)} is none.")
        label = item.name  # type: ignore[attr-defined]
        if label in seen:
            raise MechanismError(f"the name {label!r} is used by more than one of the {plural}.")
        seen.add(label)
    return listed


def _found(name: Any, names: Sequence[str], singular: str, plural: str) -> int:
    if name in names:
        return names.index(name)
    near = did_you_mean(name, names) if isinstance(name, str) else "."
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    raise MechanismError(
        f"there is no {singular} {shown(name)}"
        + (near if near != "." else f"; the {plural} are {', '.join(map(repr, names[:LISTED]))}{more}.")
    )
