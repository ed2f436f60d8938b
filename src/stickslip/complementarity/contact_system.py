"""A contact problem as identities, signs and choices (`system.py`), on the numbers as given: M, h, B, J, never M^-1.

Unknowns are the accelerations, all forces and the inputs, which are pinned to their values. One alternative of a choice is
one letter of a contact, of a joint limit or of a row of dry friction. What holds whatever the letter, such as that contacts
do not pull, stands among the system's own signs, so that a search excludes early.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.facets import OUTER, Sector, regular
from stickslip.complementarity.stacked import Scale, scale_of
from stickslip.complementarity.system import FREE, NEGATIVE, POSITIVE, ZERO, Alternative, System
from stickslip.complementarity.tables import DIRECTION, extra_rows
from stickslip.complementarity.word import dry_letters, limit_letters
from stickslip.dynamics.tree import Floats, Ints

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

FACETS = 8  # sides of the polygon that stands for the friction circle in space
NONE: Mapping[int, Sequence[Floats]] = {}
ANY: Mapping[int, tuple[Sector, ...]] = {}
MASSLESS = 1e-12  # reciprocal condition of the mass matrix, coordinates scaled, below which some of them count as massless


@dataclass(frozen=True, eq=False)
class ContactSystem:
    """`system`, and where the problem's own unknowns are found in its variables.

    `exact` is false where circles of friction are replaced by polygons around them: then the system has every solution that
    the problem has, and perhaps others. `moving` (R,) are the variables that are the accelerations of all rows.
    """

    system: System
    problem: ContactProblem
    tau: Floats
    scale: Scale
    acceleration: slice
    force: slice
    moving: Ints
    exact: bool

    def unknowns(self, x: Floats) -> tuple[Floats, Floats]:
        """(accelerations, forces of all rows) of a point or a direction x (m + n,) of the system."""
        return x[..., self.acceleration].copy(), x[..., self.force].copy()

    def point(self, a: Floats, force: Floats) -> Floats:
        """All variables (m + n,) of the accelerations a (nv,) and the forces (R,) of all rows, in SI units."""
        free = np.concatenate([a, force, self.tau])
        return np.concatenate([self.system.matrix @ free + self.system.constant, free])

    def path(self, letters: tuple[str, ...], *, last: bool = False) -> tuple[int, ...]:
        """Which alternative each letter is; of the directions in which a contact begins to slide the first, or the `last`."""
        paths = zip(self.system.choices, letters, strict=True)
        found = ([k for k, alternative in enumerate(choice) if alternative.label[0] == letter] for choice, letter in paths)
        return tuple(places[-1 if last else 0] for places in found)


def contact_system(
    problem: ContactProblem,
    tau: Floats,
    *,
    number: int = FACETS,
    headings: Mapping[int, Sequence[Floats]] = NONE,
    sectors: Mapping[int, tuple[Sector, ...]] = ANY,
) -> ContactSystem:
    """The system of a problem under the inputs `tau` (nu,), in N and N m; `number` of facets in space.

    Contacts with an entry in `headings`, unit vectors (2,), may begin to slide these ways only, and those with one in `sectors`
    in these sectors, in place of a whole turn in equal parts: a part of all solutions.
    """
    return _Writer(problem, tau, number, headings, sectors).written()


def massless(mass: Floats) -> bool:
    """Whether some motion has no mass, as far as floating point can tell."""
    diagonal = mass.diagonal()
    if not (diagonal > 0.0).all():
        return True
    unit = np.sqrt(diagonal)
    return len(mass) > 0 and bool(np.linalg.eigvalsh(mass / np.outer(unit, unit))[0] < MASSLESS)


class _Writer:
    """Rows are collected one after another; their indices are known as they are written, for they come first."""

    def __init__(
        self,
        problem: ContactProblem,
        tau: Floats,
        number: int,
        headings: Mapping[int, Sequence[Floats]],
        sectors: Mapping[int, tuple[Sector, ...]],
    ) -> None:
        self.problem, self.tau, self.headings, self.sectors = problem, tau, headings, sectors
        self.polygon = regular(number)
        self.scale = scale_of(problem, problem.applied(tau))
        self.nv, self.rows = problem.nv, problem.stacked
        self.width = self.nv + self.rows.count + problem.nu
        self.lines: list[Floats] = []
        self.constants: list[float] = []
        self.signs: list[int] = []
        self.units: list[float] = []
        self.choices: list[list[tuple[str, list[tuple[str, int, int]]]]] = []
        self.signs_of_force = np.full(self.rows.count, FREE)
        self.exact = True

    # ---- rows ----------------------------------------------------------------------------------------------------

    def row(self, a=None, force=(), tau=None, constant: float = 0.0, sign: int = FREE, unit: float = 1.0) -> int:
        """One more basic variable; `force` are pairs (row, coefficient) or a whole vector (R,)."""
        line = np.zeros(self.width)
        if a is not None:
            line[: self.nv] = a
        if isinstance(force, np.ndarray):
            line[self.nv : self.nv + self.rows.count] = force
        else:
            for row, coefficient in force:
                line[self.nv + row] = coefficient
        if tau is not None:
            line[self.nv + self.rows.count :] = tau
        self.lines.append(line)
        self.constants.append(constant)
        self.signs.append(sign)
        self.units.append(unit)
        return len(self.lines) - 1

    def written(self) -> ContactSystem:
        problem, scale, rows = self.problem, self.scale, self.rows
        for i in range(self.nv):
            self.row(problem.mass[i], -rows.jacobian[:, i], -problem.input_map[i], problem.bias[i], ZERO, scale.push[i])
        self.moving = [self.row(rows.jacobian[r], constant=rows.drift[r], unit=scale.row[r]) for r in range(rows.count)]
        for k in range(problem.nu):
            self.row(tau=np.eye(problem.nu)[k], constant=-self.tau[k], sign=ZERO, unit=abs(self.tau[k]) or 1.0)
        for i in range(len(problem.contacts)):
            self.contact(i)
        for i, letters in enumerate(limit_letters(problem)):
            self.limit(rows.limits.start + i, letters)
        for i, letters in enumerate(dry_letters(problem)):
            self.dry(rows.dry.start + i, letters, problem.dry_friction.bound[i])
        for r in range(rows.bilateral.start, rows.bilateral.stop):
            self.signs[self.moving[r]] = ZERO
        for constraints, sign in ((problem.equalities, ZERO), (problem.inequalities, POSITIVE)):
            for extra in constraints:
                A, F, size = extra_rows(problem, extra, scale)
                for k in range(len(size)):
                    self.row(A[k], F[k], extra.input[k], -extra.constant[k], sign, size[k])
        motion = np.arange(self.nv)
        light = massless(problem.mass)
        if light:
            motion = np.array([self.row(problem.mass[i], unit=scale.push[i]) for i in range(self.nv)])
        return self.system(motion, light)

    def system(self, motion: Ints, light: bool) -> ContactSystem:
        m, scale, count = len(self.lines), self.scale, self.rows.count
        inputs = np.where(self.tau != 0.0, np.abs(self.tau), 1.0)
        signs = [*self.signs, *([FREE] * self.nv), *self.signs_of_force, *([FREE] * len(self.tau))]
        forces = m + self.nv + np.arange(count)
        system = System(
            matrix=np.array(self.lines).reshape(m, self.width),
            constant=np.array(self.constants),
            signs=np.array(signs, dtype=np.int64),
            scale=np.concatenate([self.units, scale.acceleration, scale.force, inputs]),
            choices=tuple(tuple(self.alternative(*letter, m) for letter in choice) for choice in self.choices),
            motion=motion if light else m + motion,
            force=forces,
        )
        places = slice(m, m + self.nv), slice(m + self.nv, m + self.nv + count)
        return ContactSystem(system, self.problem, self.tau, scale, *places, np.array(self.moving, dtype=np.int64), self.exact)

    def alternative(self, label: str, conditions: list[tuple[str, int, int]], m: int) -> Alternative:
        offset = {"row": 0, "force": m + self.nv}
        return Alternative(label, tuple((offset[kind] + index, sign) for kind, index, sign in conditions))

    # ---- kinds of rows -------------------------------------------------------------------------------------------

    def contact(self, i: int) -> None:
        size = self.problem.rows_per_contact
        letters = self.problem.letters[i]
        n, tangents = size * i, range(size * i + 1, size * (i + 1))
        self.signs_of_force[n] = POSITIVE
        if letters == "S":
            self.signs_of_force[n : n + size] = ZERO
        else:
            self.signs[self.moving[n]] = POSITIVE
        separate = [("force", row, ZERO) for row in range(n, n + size)]
        closed = ("row", self.moving[n], ZERO)
        choice: list[tuple[str, list[tuple[str, int, int]]]]
        if "F" in letters:
            stick = [("row", self.moving[row], ZERO) for row in range(n, n + size)]
            choice = [("F", stick), ("S", separate)]
            if size == 2:
                choice += self.begins_to_slide(i)
            elif self.problem.static_friction[i] == 0.0:
                self.signs_of_force[n + 1 : n + 3] = ZERO
                choice.append(("D", [closed]))
            else:
                choice += self.begins_to_slide_in_space(i)
        elif letters not in ("", "S"):
            velocity = self.problem.velocity[n + 1 : n + size]
            heading = velocity / np.linalg.norm(velocity)
            for row, part in zip(tangents, heading, strict=True):
                self.friction_line(row, n, self.problem.friction[i] * part, ZERO)
            choice = [("S", separate), (letters[1], [closed])]
        else:
            choice = [(letter, separate) for letter in letters]
        self.choices.append(choice)

    def friction_line(self, t: int, n: int, factor: float, sign: int, turn: float = 1.0) -> int:
        return self.row(force=[(t, turn), (n, factor)], sign=sign, unit=max(self.scale.force[t], factor * self.scale.force[n]))

    def begins_to_slide(self, i: int) -> list[tuple[str, list[tuple[str, int, int]]]]:
        n, t, closed = 2 * i, 2 * i + 1, ("row", self.moving[2 * i], ZERO)
        static, moving = self.problem.static_friction[i], self.problem.friction[i]
        edges = {letter: self.friction_line(t, n, static, POSITIVE, way) for letter, way in DIRECTION.items()}
        if moving != static:
            edges = {letter: self.friction_line(t, n, moving, FREE, way) for letter, way in DIRECTION.items()}
        starts = {"R": POSITIVE, "L": NEGATIVE}
        return [(letter, [closed, ("row", edges[letter], ZERO), ("row", self.moving[t], starts[letter])]) for letter in "RL"]

    def begins_to_slide_in_space(self, i: int) -> list[tuple[str, list[tuple[str, int, int]]]]:
        """Sectors of directions, each with what the friction force can be at most when it points against one of them."""
        self.exact = False
        n, closed = 3 * i, ("row", self.moving[3 * i], ZERO)
        unit = self.scale.force[n : n + 3].max()

        @cache
        def force_row(x: float, y: float, normal: float) -> int:
            return self.row(force=[(n, normal), (n + 1, x), (n + 2, y)], unit=unit)

        @cache
        def motion_row(x: float, y: float) -> int:
            t = slice(n + 1, n + 3)
            jacobian, drift = self.rows.jacobian[t], self.rows.drift[t]
            return self.row(
                x * jacobian[0] + y * jacobian[1], constant=x * drift[0] + y * drift[1], unit=self.scale.row[t].max()
            )

        static, moving = self.problem.static_friction[i], self.problem.friction[i]
        for side in self.polygon:
            x, y = side.middle
            self.signs[force_row(-x, -y, static * OUTER)] = POSITIVE
        for side in self.sectors.get(i, ()):  # and against what would slip there
            x, y = side.middle
            self.signs[force_row(x, y, static * OUTER)] = POSITIVE
        if i in self.headings:
            ways = []
            for k, (x, y) in enumerate(self.headings[i]):
                signs = [("row", force_row(1.0, 0.0, moving * x), ZERO), ("row", force_row(0.0, 1.0, moving * y), ZERO)]
                signs += [("row", motion_row(-y, x), ZERO), ("row", motion_row(x, y), POSITIVE)]
                ways.append((f"D{k + 1}", [closed, *signs]))
            return ways
        choice = []
        for k, part in enumerate(self.sectors.get(i, self.polygon)):
            signs = []
            for (x, y), sign in ((part.first, POSITIVE), (part.last, NEGATIVE)):
                signs += [("row", motion_row(-y, x), sign), ("row", force_row(y, -x, 0.0), sign)]
            x, y = part.middle
            signs.append(("row", force_row(-x, -y, -moving * part.inner), POSITIVE))
            signs.append(("row", force_row(x, y, moving * OUTER), POSITIVE))
            choice.append((f"D{k + 1}", [closed, *signs]))
        return choice

    def limit(self, row: int, letters: str) -> None:
        self.signs_of_force[row] = ZERO if letters == "S" else POSITIVE
        if letters != "S":
            self.signs[self.moving[row]] = POSITIVE
        conditions = {"F": [("row", self.moving[row], ZERO)], "S": [("force", row, ZERO)]}
        self.choices.append([(letter, conditions[letter]) for letter in letters])

    def dry(self, row: int, letters: str, bound: float) -> None:
        unit = max(self.scale.force[row], bound)
        if len(letters) == 1:
            self.row(force=[(row, 1.0)], constant=DIRECTION[letters] * bound, sign=ZERO, unit=unit)
            self.choices.append([(letters, [])])
            return
        right = self.row(force=[(row, 1.0)], constant=bound, sign=POSITIVE, unit=unit)
        left = self.row(force=[(row, -1.0)], constant=bound, sign=POSITIVE, unit=unit)
        self.choices.append(
            [
                ("F", [("row", self.moving[row], ZERO)]),
                ("R", [("row", right, ZERO), ("row", self.moving[row], POSITIVE)]),
                ("L", [("row", left, ZERO), ("row", self.moving[row], NEGATIVE)]),
            ]
        )
