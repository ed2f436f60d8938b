"""Contact in space with Coulomb's circular cone, solved to machine precision: forces and motions of plain arrays.

    u = G f + c,   f_n >= 0,  u_n >= 0,  f_n u_n = 0,   |f_t| <= mu f_n,   f_t = -mu f_n u_t / |u_t| where u_t is not zero

for every contact, its rows in the order (n, t1, t2). u are accelerations, f forces; or u velocities and f impulses. In
De Saxce's words u + mu |u_t| n lies in the dual cone, complementary to f. The convex problems that other solvers take instead
let friction lift what slides; here f_n u_n = 0 is a line of the residual.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from math import hypot
from typing import Any

import numpy as np

from stickslip.complementarity.arrays import for_each
from stickslip.complementarity.cone_newton import LAW_WIDTH, SEPARATE, TABLE_WIDTH
from stickslip.complementarity.cone_residual import CONTACT_WIDTH, DYNAMIC, SLIDE, STATIC
from stickslip.complementarity.cone_search import (
    DRIFT,
    HELD,
    NO,
    NOT_FINITE,
    NOT_POSITIVE,
    NOT_SYMMETRIC,
    ONLY,
    OUT_OF_RANGE,
    REPORT_WIDTH,
    RESIDUAL,
    ROOT,
    SCALE,
    SOLVED,
    UNIT,
    VECTORS,
    YES,
    solve_cone_into,
)
from stickslip.complementarity.cone_start import pyramid_solution
from stickslip.complementarity.status import Status
from stickslip.dynamics.arguments import ready
from stickslip.dynamics.tree import Floats, Ints
from stickslip.mechanism.errors import ArgumentError

TOLERANCE = 1e-10  # largest residual of a solution
AT_REST = 10 * TOLERANCE  # accelerations below this, relative to the same scale, are zero in the word

EDGES = (4, 8, 12, 16, 24, 32, 48)  # of the pyramids from which the last attempts start
LARGEST_PYRAMID = 1000  # unknowns; more take seconds

LENGTH = 1e-6  # how far from 1 that of a unit vector may be

WRONG = {
    NOT_FINITE: "G and c must hold finite numbers only, not NaN or infinity.",
    NOT_SYMMETRIC: "G must be symmetric, as J M^-1 J^T is.",
    NOT_POSITIVE: "G must have no negative number in its diagonal, as J M^-1 J^T has none.",
    OUT_OF_RANGE: "the largest numbers of G and of c must lie between 1e-100 and 1e100; choose other units.",
}


@dataclass(frozen=True, eq=False)
class ConeSolution:
    """Forces (3k,) and accelerations (3k,) of k contacts, normal first: in N and m/s^2, or N s and m/s.

    `residual` is dimensionless: the worst violation of all lines of the law, as an acceleration, relative to `scale`, in m/s^2.
    That is the largest of c, or 1e-5 of the largest term of G f where that is more: such forces nearly cancel, and rounding
    alone does as much. If they are 1e9 times what would be violated without forces, the residual is infinite. `word` has a
    letter for each contact: S separates, F is fixed, D slides or begins to, in the unit direction of its row in `directions`
    (k, 2); the other rows are NaN. Only with `status` SOLVED is it a solution.
    """

    force: Floats
    acceleration: Floats
    residual: float
    scale: float
    status: Status
    word: str
    directions: Floats

    def __bool__(self) -> bool:
        return bool(self.status)


def solve_cone(
    G: Any,
    c: Any,
    friction: Any,
    *,
    static_friction: Any = None,
    sliding: Any = None,
    guess: Any = None,
    tolerance: float = TOLERANCE,
) -> ConeSolution:
    """One solution for G (3k, 3k), symmetric, in 1/kg and c (3k,) in m/s^2.

    `friction` and `static_friction` (k,), or one number for all: dimensionless; without the latter both are the same. `sliding`
    (k, 2) has the unit direction d of each contact that slides already, NaN for those at rest; what slides feels the friction
    -mu f_n d whatever its acceleration. `guess` (3k,), in N, are forces to begin with, such as those of the last instant.

    Where several solutions exist, the guess decides which one is found. Static friction is tried first at every contact.

    >>> G = np.eye(3)  # a mass of 1 kg on a floor, pushed by 4 N
    >>> solution = solve_cone(G, [-9.81, 4.0, 0.0], 0.3)
    >>> solution.word, solution.force.round(3), solution.acceleration.round(3)
    ('D', array([ 9.81 , -2.943,  0.   ]), array([0.   , 1.057, 0.   ]))
    """
    k = _count(c)
    G, c = ready(G, (3 * k, 3 * k), "G"), ready(c, (3 * k,), "c")
    contacts = contact_rows(k, friction, static_friction, sliding)
    if not 0.0 < tolerance < 1.0:
        raise ArgumentError(f"tolerance must lie between 0 and 1, but is {tolerance}.")
    scratch = Scratch.of_this_thread(k)
    scratch.f[:] = 0.0 if guess is None else _finite(ready(guess, (3 * k,), "guess"), "guess")
    if not scratch.run(G, c, contacts, NO if guess is None else YES, tolerance):
        _start_from_pyramids(G, c, contacts, tolerance, scratch)
    return scratch.solution(contacts, tolerance)


def _count(c: Any) -> int:
    """The number of contacts; what has no size gets its sentence from `ready`."""
    try:
        return np.size(c) // 3
    except ValueError:
        return 0


def contact_rows(k: int, friction: Any, static_friction: Any = None, sliding: Any = None) -> Floats:
    """What kernels want to know of k contacts, (k, 4): static and dynamic friction, unit direction of sliding or NaN."""
    rows = np.empty((k, CONTACT_WIDTH))
    rows[:, DYNAMIC] = for_each(friction, k, "friction")
    rows[:, STATIC] = rows[:, DYNAMIC] if static_friction is None else for_each(static_friction, k, "static_friction")
    rows[:, SLIDE:] = np.nan
    if not (rows[:, DYNAMIC] >= 0).all():
        i = int(np.argmin(rows[:, DYNAMIC]))
        raise ArgumentError(f"friction must not be negative, but is {rows[i, DYNAMIC]:g} at contact {i}.")
    if not (rows[:, STATIC] >= rows[:, DYNAMIC]).all():
        i = int(np.argmin(rows[:, STATIC] - rows[:, DYNAMIC]))
        both = f"{rows[i, STATIC]:g} < {rows[i, DYNAMIC]:g}"
        raise ArgumentError(f"static friction must not be less than dynamic friction, but is {both} at contact {i}.")
    if sliding is not None:
        rows[:, SLIDE:] = _directions(ready(sliding, (k, 2), "sliding"))
    return rows


def _directions(sliding: Floats) -> Floats:
    """Directions (k, 2) of length 1 as exactly as can be; NaN stays."""
    length = np.hypot(sliding[:, 0], sliding[:, 1])
    wrong = ~np.isnan(sliding).all(axis=1) & ~(np.abs(length - 1) <= LENGTH)
    if wrong.any():
        i = int(np.argmax(wrong))
        x, y = sliding[i]
        raise ArgumentError(
            f"sliding must hold unit vectors, or NaN for a contact at rest, but is ({x:g}, {y:g}) at contact {i}."
        )
    return sliding / length[:, None]


def _finite(array: Floats, what: str) -> Floats:
    if not np.isfinite(array).all():
        raise ArgumentError(f"{what} must hold finite numbers only, not NaN or infinity.")
    return array


def _start_from_pyramids(G: Floats, c: Floats, contacts: Floats, tolerance: float, scratch: Scratch) -> None:
    """Try again from the solutions with more and more edges in place of the cones, and keep what is found."""
    for edges in EDGES:
        if len(contacts) * (edges + 2) > LARGEST_PYRAMID:
            return
        start = scratch.pyramid_solution(contacts, edges)
        if start is None:
            continue
        for guessed in HELD, ONLY:
            scratch.f[:], scratch.modes[:] = start
            if scratch.run(G, c, contacts, guessed, tolerance):
                return


class Scratch:
    """A thread's arrays for problems of one size; results are copied out of them."""

    _local = threading.local()

    def __init__(self, k: int) -> None:
        n = 3 * k
        self.f, self.u, self.given = np.zeros(n), np.zeros(n), np.zeros(n)
        self.modes = np.zeros(k, dtype=np.int64)
        self.report = np.zeros(REPORT_WIDTH)
        self.scaled = np.zeros((n, n))
        self.vectors = np.zeros((VECTORS, n))
        self._work = (
            np.zeros((k, LAW_WIDTH)),
            np.zeros((n, TABLE_WIDTH)),
            np.zeros(2 * n, dtype=np.int64),
            self.scaled,
            np.zeros((2 * n, n)),
            self.vectors,
            self.report,
        )

    @classmethod
    def of_this_thread(cls, k: int) -> Scratch:
        kept: dict[int, Scratch] = cls._local.__dict__.setdefault("kept", {})
        if k not in kept:
            kept[k] = cls(k)
        return kept[k]

    def run(self, G: Floats, c: Floats, contacts: Floats, guessed: int, tolerance: float) -> bool:
        """Whether a solution was found, beginning with the forces `f`; a sentence where G or c is wrong."""
        status = solve_cone_into(G, c, self.given, contacts, guessed, tolerance, self.f, self.u, self.modes, *self._work)
        if status in WRONG:
            raise ArgumentError(WRONG[status])
        return bool(status == SOLVED)

    def pyramid_solution(self, contacts: Floats, edges: int) -> tuple[Floats, Ints] | None:
        """Forces (3k,) in N and modes (k,) for the last run's problem with pyramids of that many edges."""
        found = pyramid_solution(self.scaled, self.vectors[DRIFT], contacts, edges)
        if found is None:
            return None
        with np.errstate(over="ignore"):  # what is too large for a number is no solution
            return found[0] / np.repeat(self.vectors[ROOT, : len(contacts)], 3) * self.report[UNIT], found[1]

    def solution(self, contacts: Floats, tolerance: float) -> ConeSolution:
        """A copy of what the last run left."""
        residual, scale = float(self.report[RESIDUAL]), float(self.report[SCALE])
        word, directions = letters(self.u, self.modes == SEPARATE, contacts, AT_REST * scale)
        status = Status.SOLVED if residual <= tolerance else Status.UNDECIDED
        return ConeSolution(self.f.copy(), self.u.copy(), residual, scale, status, word, directions)


def letters(u: Floats, unloaded: Any, contacts: Floats, tiny: float) -> tuple[str, Floats]:
    """The word of a motion u (3k,) in m/s^2 and the directions (k, 2) of its sliding contacts; less than `tiny` is at rest."""
    word = []
    directions = np.full((len(contacts), 2), np.nan)
    for i, (normal, x, y) in enumerate(u.reshape(-1, 3).tolist()):
        speed = hypot(x, y)
        moving = contacts[i, SLIDE] == contacts[i, SLIDE]
        if normal > tiny or (unloaded[i] and (moving or speed > tiny)):
            word.append("S")
        elif moving or speed > tiny:
            word.append("D")
            directions[i] = contacts[i, SLIDE:] if moving else (x / speed, y / speed)
        else:
            word.append("F")
    return "".join(word), directions
