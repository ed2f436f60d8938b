"""Proofs that a reader can replay: each says a sentence, and `holds()` checks it in exact arithmetic on the floats as given.

What the search excluded it excluded by an identity: a combination of the system's own equations, whose terms all push one way.
With floats as multipliers the terms that should cancel leave round-off behind, so the proofs speak of solutions up to a size:
`LARGEST` times the scale of each variable. Within that box the interval of the identity is evaluated exactly.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.exact import dyadic, fractions
from stickslip.complementarity.exploration import Exclusion
from stickslip.complementarity.system import FREE, NEGATIVE, POSITIVE, ZERO, System
from stickslip.dynamics.tree import Floats, Ints

LARGEST = 1e4  # times the scale of a variable: how large solutions are covered by a proof
ACCURACY = 1e-9  # times the scale: how well a solution must satisfy its equations and signs
NEAR = 1e-8  # times the scale, or the value where that is larger: solutions nearer to each other than this are the same
APART = 1e-7  # times the same: solutions further from each other than this are different

SWEEPS = 2  # of bounding the variables one after another, each within what is known of the others, at most
UP_TO = f", up to {LARGEST:,.0f} times the scale"  # what is said of identities, for that is as far as they go
RANGES = {FREE: (-LARGEST, LARGEST), POSITIVE: (0.0, LARGEST), NEGATIVE: (-LARGEST, 0.0), ZERO: (0.0, 0.0)}


class Proof(Protocol):
    """What every kind of proof offers."""

    @property
    def answer(self) -> Answer:
        """What it proves."""

    @property
    def sentence(self) -> str:
        """The same in words."""

    def holds(self) -> bool:
        """Whether it is right, by exact arithmetic."""


class Identities:
    """The equations of a system in integers, and the box that its variables are looked for in."""

    def __init__(self, system: System) -> None:
        self.system = system
        rows, self.exponent = dyadic(np.column_stack([system.matrix, system.constant]))
        self.columns = list(zip(*rows, strict=True)) if rows else [()] * (system.matrix.shape[1] + 1)

    def coefficients(self, multipliers: Floats) -> tuple[list[int], int]:
        """Coefficients and constant of the sum that is zero when the equations are added up with `multipliers`.

        Times a power of two that is left out: only the sign of the sum matters.
        """
        y, _ = dyadic(multipliers)
        used = [(i, number) for i, number in enumerate(y) if number]
        own = [number << -self.exponent for number in y]
        others = [-sum(number * column[i] for i, number in used) for column in self.columns]
        return own + others[:-1], others[-1]

    def range_of(self, multipliers: Floats, box: Floats, without: int = -1) -> tuple[list[int], int, int, int]:
        """(coefficients, least, greatest, shift): the sum lies between the two, times 2^shift, in units of the coefficients.

        For variables between the two columns of `box` (m + n, 2); one of them may be left out.
        """
        coefficients, constant = self.coefficients(multipliers)
        used = [v for v, c in enumerate(coefficients) if c and v != without]
        ends, shift = dyadic(box[used])
        least = greatest = constant << -shift
        for v, (low, high) in zip(used, ends, strict=True):
            c = coefficients[v]
            least += c * (low if c > 0 else high)
            greatest += c * (high if c > 0 else low)
        return coefficients, least, greatest, shift

    def exclude(self, multipliers: Floats, box: Floats) -> bool:
        """Whether the identity cannot be met anywhere in the box."""
        _, least, greatest, _ = self.range_of(multipliers, box)
        return least > 0 or greatest < 0

    def tighten(self, multipliers: Floats, box: Floats, variable: int, towards: int) -> None:
        """Draw in the end of the box that a variable meets on its way `towards` (+1 or -1), as far as the identity allows.

        k x + rest = 0 says that towards x = -towards rest / k, at most -least / |k| or greatest / |k|.
        """
        coefficients, least, greatest, shift = self.range_of(multipliers, box, without=variable)
        k = coefficients[variable] * towards
        if k:
            furthest = towards * Fraction(-least if k > 0 else greatest, abs(k) << -shift)
            end = 1 if towards > 0 else 0
            if furthest * towards < Fraction(float(box[variable, end])) * towards:
                box[variable, end] = np.nextafter(float(furthest), towards * np.inf)

    def sweep(self, leaf: Bounds, bounded: Ints, box: Floats) -> None:
        """Draw in both ends of all variables `bounded`, one after another, each within what is known of the others."""
        for k, variable in enumerate(bounded.tolist()):
            for side, towards in enumerate((-1, 1)):
                self.tighten(leaf.multipliers[k, side], box, variable, towards)

    def residual(self, point: Floats) -> list[Fraction]:
        """By how much each equation fails at a point (m + n,), in units of its basic variable."""
        x, constant = fractions(point), fractions(self.system.constant)
        m, matrix = len(constant), fractions(self.system.matrix)
        return [x[i] - constant[i] - sum((a * b for a, b in zip(matrix[i], x[m:], strict=True)), Fraction(0)) for i in range(m)]


@dataclass(frozen=True, eq=False)
class PointProof:
    """There is a solution: `point` (m + n,) satisfies the system with the alternatives `path` to `ACCURACY` of its scale."""

    system: System
    path: tuple[int, ...]
    point: Floats

    answer = Answer.YES

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return f"a solution is given that satisfies every equation and sign to {ACCURACY:g} of its scale."

    def holds(self) -> bool:
        """Whether the point does, by exact arithmetic."""
        if not np.isfinite(self.point).all() or len(self.path) != len(self.system.choices):
            return False
        scale = [ACCURACY * number for number in fractions(self.system.scale)]
        x, signs = fractions(self.point), self.system.signs_along(self.path)
        return all(_has_sign(value, sign, slack) for value, sign, slack in zip(x, signs, scale, strict=True)) and all(
            abs(error) <= slack for error, slack in zip(Identities(self.system).residual(self.point), scale, strict=False)
        )


def _has_sign(value: Fraction, sign: int, slack: Fraction) -> bool:
    above = sign in (FREE, POSITIVE) or value <= slack
    return above and (sign in (FREE, NEGATIVE) or value >= -slack)


def differ(first: Floats, second: Floats, scale: Floats, which: Ints) -> bool:
    """Whether two solutions (m + n,) are plainly not the same in the variables `which`, in units of their scales."""
    size = np.maximum(scale, np.maximum(np.abs(first), np.abs(second)))
    return bool((np.abs(first - second) > APART * size)[which].any())


@dataclass(frozen=True, eq=False)
class TwoPointsProof:
    """Two solutions differ in some of the variables `which` by more than `APART` times the scale."""

    first: PointProof
    second: PointProof
    which: Ints
    dimension: int
    count: int

    answer = Answer.AMBIGUOUS

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        if self.dimension:
            return f"two of a family of solutions are given, which has {self.dimension} dimension{'s' * (self.dimension > 1)}."
        return f"two of {self.count} different solutions are given."

    def holds(self) -> bool:
        """Whether they do, by exact arithmetic."""
        system = self.first.system
        apart = differ(self.first.point, self.second.point, system.scale, self.which)
        return system is self.second.system and apart and self.first.holds() and self.second.holds()


@dataclass(frozen=True, eq=False)
class ExclusionProof:
    """No solution: of every choice each alternative is excluded, or excluded before by one above it."""

    system: System
    exclusions: tuple[Exclusion, ...]

    answer = Answer.NO

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        return f"all alternatives are excluded, by {len(self.exclusions)} identities whose terms push one way{UP_TO}."

    def holds(self) -> bool:
        """Whether the identities exclude everything, by exact arithmetic."""
        return covers(self.system, {exclusion.path: exclusion for exclusion in self.exclusions}, {})


class Bounds(NamedTuple):
    """Of one leaf: multipliers (variables, 2, m) of identities that bound some variables, downwards and upwards."""

    path: tuple[int, ...]
    multipliers: Floats


@dataclass(frozen=True, eq=False)
class EnumerationProof:
    """The variables `which` are the same in all solutions: within `NEAR` of `centre` (m + n,), in units of their scales.

    `bounded` are the variables that the `leaves` bound, one after another, each within what is known of the others.
    """

    system: System
    exclusions: tuple[Exclusion, ...]
    leaves: tuple[Bounds, ...]
    bounded: Ints
    which: Ints
    centre: Floats

    answer = Answer.UNIQUE

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        modes = f"the one combination of alternatives that is left{' has' if len(self.leaves) == 1 else ''}"
        if len(self.leaves) > 1:
            modes = f"the {len(self.leaves)} combinations of alternatives that are left have"
        return (
            f"{modes} one value only; all others are excluded, "
            f"by {len(self.exclusions)} identities whose terms push one way{UP_TO}."
        )

    def holds(self) -> bool:
        """Whether the identities exclude everything else, by exact arithmetic."""
        leaves = {leaf.path: leaf for leaf in self.leaves}
        identities = Identities(self.system)
        return all(self._bounded(identities, leaf) for leaf in self.leaves) and covers(
            self.system, {e.path: e for e in self.exclusions}, leaves
        )

    def _bounded(self, identities: Identities, leaf: Bounds) -> bool:
        box = box_of(self.system, leaf.path)
        near = NEAR * np.maximum(self.system.scale, np.abs(self.centre))[:, None]
        for _ in range(SWEEPS):
            identities.sweep(leaf, self.bounded, box)
            if (np.abs(box - self.centre[:, None]) <= near)[self.which].all():
                return True
        return False


def box_of(system: System, path: tuple[int, ...], known: Floats | None = None) -> Floats:
    """The least and greatest value (m + n, 2) of each variable, in its unit, that is considered along a path.

    `known` (n, 2) bounds the nonbasic ones further.
    """
    box = np.array([RANGES[int(s)] for s in system.signs_along(path)]).reshape(-1, 2) * system.scale[:, None]
    if known is not None:
        ends = box[len(system.constant) :]
        ends[:, 0], ends[:, 1] = np.maximum(ends[:, 0], known[:, 0]), np.minimum(ends[:, 1], known[:, 1])
    return box


def covers(
    system: System,
    exclusions: Mapping[tuple[int, ...], Exclusion],
    leaves: Container[tuple[int, ...]],
    known: Floats | None = None,
) -> bool:
    """Whether every combination of alternatives is one of the leaves or begins with a path that is rightly excluded.

    Among solutions whose nonbasic variables lie within `known` (n, 2), if that is given.
    """
    identities = Identities(system)
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        path = waiting.pop()
        if path in exclusions:
            if not identities.exclude(exclusions[path].multipliers, box_of(system, path, known)):
                return False
        elif path not in leaves:
            if len(path) == len(system.choices):
                return False
            waiting.extend((*path, taken) for taken in range(len(system.choices[len(path)])))
    return True
