"""The World: a mechanism, what it may touch, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from math import inf, nan
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from stickslip.complementarity.contact import Contact
from stickslip.contact.detector import Detector, Found
from stickslip.contact.joint_rows import check_joints
from stickslip.contact.material import Material
from stickslip.contact.naming import contact_name
from stickslip.contact.overlap import OverlapError
from stickslip.contact.packing import Entry
from stickslip.contact.pairing import possible_pairs
from stickslip.contact.part import Obstacle, Part, check_known, parts_of
from stickslip.contact.planarity import plane_of_world
from stickslip.contact.scene import CORNERS, ELLIPSOID, KIND, ROUNDED
from stickslip.contact.surfaces import materials_of_pairs
from stickslip.contact.touch import FIRST, GAP, NO_NORMAL, NORMAL, ON_FIRST, ON_SECOND, SECOND
from stickslip.dynamics.mechanism import Mechanism
from stickslip.mechanism.errors import ArgumentError, MechanismError
from stickslip.mechanism.numbers import real_or_infinite, shown

TOLERANCE = 1e-8  # m: what is no farther apart touches, what is no deeper in one another does not overlap

WIDER = (0.0, 0.01, 0.1, 1.0, 10.0, 100.0, inf)  # m: margins within which the nearest pair is looked for


class Meeting(NamedTuple):
    """Two parts that may touch, and what every contact of theirs has in common."""

    first: Part
    second: Part
    material: Material
    one_partner: bool
    one_place: bool


class World:
    """A mechanism among obstacles: who may touch whom, and what the surfaces are like.

    `obstacles` are half-spaces and shapes that stand still, placed in the world by their `centre` and `rotation`. `material` is
    that of all pairs but those that `materials` names, as in {("leg", "floor"): Material(0.9), "ice": Material(0.02)}: a key is
    two names of bodies, shapes or obstacles, or one name that stands for all of its pairs, and the most specific one counts.

    Bodies meet all obstacles. They meet each other if `self_contact` is True, but for neighbours that a joint or a loop holds
    together; or it lists the pairs of names that may meet, neighbours or not. `ignore` lists pairs, or single names, that never
    touch. What has no thickness has no inside: points and segments, and in space plates, pass through each other. Meshes and
    polygons are their convex hulls.

    A world is planar if its mechanism is; `planar=True` insists on it, and holds as well for a mechanism in space that cannot
    leave a plane.

    >>> import stickslip as ss
    >>> b = ss.MechanismBuilder(plane="xz")
    >>> b.body("wheel", mass=1.0, inertia=0.02, shapes=[ss.Disc(radius=0.2)])
    >>> b.planar("root", child="wheel")
    >>> world = ss.World(ss.Mechanism(b), obstacles=[ss.HalfSpace(normal=(0, 1), name="floor")])
    >>> world.contacts([0.0, 0.2, 0.0])[0].name, world.gap([0.0, 0.5, 0.0])
    ('wheel', 0.3)
    """

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        obstacles: Iterable[Obstacle] = (),
        material: Material = Material(),  # noqa: B008  # frozen
        materials: Mapping[Any, Material] | None = None,
        planar: bool | None = None,
        self_contact: bool | Iterable[tuple[str, str]] = False,
        ignore: Iterable[tuple[str, str] | str] = (),
    ) -> None:
        if not isinstance(mechanism, Mechanism):
            raise ArgumentError(f"a World is made of a Mechanism, not of {shown(mechanism)}.")
        self_contact, ignore = _kept(self_contact), _kept(ignore)
        description = mechanism.description
        self._mechanism = mechanism
        self._plane = plane_of_world(description, planar)
        self._parts = parts_of(description, obstacles)
        pairs = possible_pairs(description, self._parts, self_contact, ignore)
        used, which = materials_of_pairs(self._parts, pairs, mechanism.body_names, material, materials)
        entries = [Entry(mechanism._body_rows[part.body], part.shape, repr(part.full_name)) for part in self._parts]
        try:
            self._detector = Detector(mechanism, entries, pairs, self._plane)
        except MechanismError as error:  # from a shape that does not fit the plane
            raise ArgumentError(str(error)) from None
        partners = np.bincount(np.array(pairs, dtype=np.int64).reshape(-1), minlength=len(self._parts))
        self._meetings = {
            (a, b): Meeting(self._parts[a], self._parts[b], used[m], bool(partners[b] == 1), self._meet_in_one_place(a, b))
            for (a, b), m in zip(pairs, which.tolist(), strict=True)
        }
        self._arguments: dict[str, Any] = {
            "obstacles": tuple(part.shape for part in self._parts if part.is_obstacle),
            "material": material,
            "materials": dict(materials or {}),
            "planar": planar,
            "self_contact": self_contact,
            "ignore": ignore,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles go by what the world was made from."""
        return partial(type(self), self._mechanism, **self._arguments), ()

    # ---- what it is made of ------------------------------------------------------------------------------------------

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that moves in it."""
        return self._mechanism

    @property
    def plane(self) -> str | None:
        """The plane that contacts live in, "xz" or "xy"; None in space."""
        return self._plane

    @property
    def planar(self) -> bool:
        """Whether contacts have one tangent rather than two."""
        return self._plane is not None

    @property
    def parts(self) -> tuple[Part, ...]:
        """All shapes of bodies, then the obstacles, each with its name."""
        return self._parts

    @property
    def obstacles(self) -> Mapping[str, Obstacle]:
        """The obstacles by name."""
        return MappingProxyType({part.name: part.shape for part in self._parts if part.is_obstacle})

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The names of all parts that may touch: the environment's side (or the first body's) and the robot's."""
        return [(meeting.first.name, meeting.second.name) for meeting in self._meetings.values()]

    def material_of(self, first: str, second: str) -> Material:
        """The material between two parts, by their names, in any order."""
        for name in (first, second):
            check_known(name, self._parts, self._mechanism.body_names, "a material")
        found = [
            meeting.material
            for meeting in self._meetings.values()
            if (meeting.first.answers_to(first) and meeting.second.answers_to(second))
            or (meeting.first.answers_to(second) and meeting.second.answers_to(first))
        ]
        if not found:
            raise ArgumentError(f"{first!r} and {second!r} never touch in this world.")
        if any(material != found[0] for material in found):
            raise ArgumentError(f"{first!r} and {second!r} have parts of different materials; name the parts.")
        return found[0]

    def __repr__(self) -> str:
        where = f"in the plane {self._plane!r}" if self._plane else "in space"
        counts = f"{_counted(len(self._parts), 'part')}, {_counted(len(self._meetings), 'pair')}"
        return f"<World of {self._mechanism.description.name!r} {where}: {counts}>"

    # ---- what touches ------------------------------------------------------------------------------------------------

    def contacts(self, q: Any, *, margin: float = TOLERANCE) -> list[Contact]:
        """All contacts at q (nq,) whose gap is at most `margin` in m, overlaps included; in the order of their ids.

        A contact keeps its name and its `id` from instant to instant. Its point is half-way between the two surfaces.
        """
        found = self.found(q, length(margin, "the margin"))
        return [self.contact(found, k) for k in range(len(found.touches))]

    def gap(self, q: Any) -> float:
        """The smallest gap at q (nq,) of all pairs that may touch, in m; negative in an overlap, infinite without pairs."""
        for margin in WIDER:
            touches = self.found(q, margin).touches
            if len(touches):
                return float(touches[:, GAP].min())
        return inf

    def check(self, q: Any, *, tolerance: float = TOLERANCE) -> None:
        """Raise an `OverlapError` if anything overlaps at q (nq,) by more than `tolerance`, in m (joint limits: or rad).

        It names the deepest pair. A loop that is open by more is an `ArgumentError`.
        """
        allowed = length(tolerance, "the tolerance")
        self.refuse_overlap(self.found(q, 0.0), allowed)
        check_joints(self._mechanism, self._mechanism._q(q), allowed)

    # ---- for the rooms below -------------------------------------------------------------------------------------------

    @property
    def detector(self) -> Detector:
        """The compiled scene."""
        return self._detector

    def materials_by_pair(self) -> list[tuple[tuple[int, int], Material]]:
        """The rows (first, second) of the scene of every pair that may touch, and the material between them."""
        return [(rows, meeting.material) for rows, meeting in self._meetings.items()]

    def found(self, q: Any, margin: float) -> Found:
        """The touches at q (nq,) with gaps up to `margin` in m, as arrays."""
        found = self._detector.find(self._mechanism._q(q), margin)
        if found.status == NO_NORMAL:
            self._refuse_coincidence(found)
        return self._mechanism._good(-1 if found.status >= 0 else found.status, found)

    def contact(self, found: Found, k: int) -> Contact:
        """Touch k of those found, in words."""
        row, (first, _, second, _, number) = found.touches[k].tolist(), found.identities[k].tolist()
        meeting = self._meetings[first, second]
        material = meeting.material
        normal = tuple(row[NORMAL : NORMAL + 3])
        witnesses = zip(row[ON_FIRST : ON_FIRST + 3], row[ON_SECOND : ON_SECOND + 3], strict=True)
        return Contact(
            name=self.contact_name(first, second, number),
            bodies=(meeting.first.name if meeting.first.is_obstacle else meeting.first.body, meeting.second.body),
            id=(second, first, number),
            point=tuple(0.5 * (a + b) for a, b in witnesses),
            normal=normal,
            tangents=self._detector.tangents(normal),
            gap=row[GAP],
            friction=material.friction,
            static_friction=material.static_friction,
            restitution=material.restitution,
        )

    def contact_name(self, first: int, second: int, number: int) -> str:
        """What contact `number` of two rows of the scene is called."""
        meeting = self._meetings[first, second]
        return contact_name(meeting.first, meeting.second, number, one_partner=meeting.one_partner, one_place=meeting.one_place)

    def material_of_rows(self, first: int, second: int) -> Material:
        """The material between two rows of the scene."""
        return self._meetings[first, second].material

    def material_between(self, found: Found, k: int) -> Material:
        """The material of touch k of those found."""
        return self.material_of_rows(int(found.identities[k, FIRST]), int(found.identities[k, SECOND]))

    def refuse_overlap(self, found: Found, tolerance: float) -> None:
        """Raise an `OverlapError` if a gap is smaller than minus the tolerance in m."""
        deepest: dict[tuple[int, int], float] = {}
        for row, identity in zip(found.touches, found.identities, strict=False):
            if row[GAP] < -tolerance:
                pair = int(identity[FIRST]), int(identity[SECOND])
                deepest[pair] = min(deepest.get(pair, 0.0), float(row[GAP]))
        if not deepest:
            return
        worst = min(deepest, key=lambda pair: deepest[pair])
        first, second = (self._parts[p] for p in worst)
        depth = -deepest[worst]
        others = len(deepest) - 1
        more = "" if not others else f"; {'one more pair overlaps' if others == 1 else f'{others} more pairs overlap'}, too"
        raise OverlapError(
            f"{second.full_name!r} overlaps {first.full_name!r} by {depth:.6g} m{more}.", (first.name, second.name), depth
        )

    def _refuse_coincidence(self, found: Found) -> NoReturn:
        first, second = (self._parts[found.identities[0, side]] for side in (FIRST, SECOND))
        raise OverlapError(
            f"the centres of {second.full_name!r} and {first.full_name!r} coincide (or their centre lines meet), so that no "
            "direction leads out of their overlap; move one of them.",
            (first.name, second.name),
            nan,
        )

    def _meet_in_one_place(self, first: int, second: int) -> bool:
        """Whether one of the two is a ball, a point or an ellipsoid, which touch what is convex once."""
        shapes = self._detector.scene.shapes
        kinds = [(shapes[p, KIND], shapes[p, CORNERS]) for p in (first, second)]
        return any(kind == ELLIPSOID or (kind == ROUNDED and corners == 1) for kind, corners in kinds)


def _kept(names: Any) -> Any:
    """What was given, in a form that can be gone through twice."""
    return list(names) if isinstance(names, Iterable) and not isinstance(names, str) else names


def length(value: Any, what: str) -> float:
    """`value` as a length in m, zero or more, maybe infinite."""
    try:
        number = real_or_infinite(value, what)
    except MechanismError as error:
        raise ArgumentError(str(error)) from None
    if number < 0:
        raise ArgumentError(f"{what} must not be negative, but is {number:g}.")
    return number


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
