"""That what begins to slide in space can move in one way only: the directions of slip are narrowed down, step by step.

First a search shows that every solution slips within sectors around the directions of the solution at hand. Then these are
cut in three, and a search shows that no solution slips in an outer part: friction points against slip, so that both lie in
the same part, and together they do not make the force that is there. So the sectors become half as wide, and half again,
until all that is left of the motion is its one value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan2, pi
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.certificate import NOISE, bounds, without_noise
from stickslip.complementarity.contact_system import FACETS, contact_system
from stickslip.complementarity.exploration import Exclusion, Exploration, explore
from stickslip.complementarity.facets import sectors
from stickslip.complementarity.proof import NEAR, SWEEPS, UP_TO, Bounds, Identities, box_of, covers
from stickslip.complementarity.system import System
from stickslip.complementarity.tables import headings_of
from stickslip.dynamics.tree import Floats, Ints

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem
    from stickslip.complementarity.solution import ContactSolution

WIDEST = pi / FACETS  # rad: half the sectors that are begun with
NARROWEST = NEAR / 100  # rad: half the sectors that are given up at
BUDGET = 20_000  # alternatives that are tried in one step

Path = tuple[int, ...]


class Step(NamedTuple):
    """What excludes all that slips beyond `half`, in rad, of the directions; the `leaves` bound what is left."""

    half: float
    exclusions: tuple[Exclusion, ...]
    leaves: tuple[Bounds, ...]


@dataclass(frozen=True, eq=False)
class NarrowingProof:
    """All solutions slip as the one at hand: contacts (by index) along `angles`, in rad, less and less beside them.

    After the last step the motion is within `NEAR` of `centre` (motion,), in units of its scale.
    """

    problem: ContactProblem
    tau: Floats
    angles: Mapping[int, float]
    steps: tuple[Step, ...]
    centre: Floats

    answer = Answer.UNIQUE

    @property
    def sentence(self) -> str:
        """What it proves, in words."""
        count = sum(len(step.exclusions) for step in self.steps)
        return (
            f"directions of slip are narrowed down in {len(self.steps)} steps until one motion is left; all others are "
            f"excluded, by {count} identities whose terms push one way{UP_TO}."
        )

    def holds(self) -> bool:
        """Whether every step excludes what it says, and one motion is left, by exact arithmetic."""
        wide, known = None, None
        for step in self.steps:
            system = _system(self.problem, self.tau, self.angles, step.half, wide)
            paths = [leaf.path for leaf in step.leaves]
            inside = bool(paths) and all(_inside(system, self.angles, path) for path in paths)
            if not inside or not covers(system, {e.path: e for e in step.exclusions}, paths, known):
                return False
            box = _extent(system, step.leaves, known)
            wide, known = step.half, box[len(system.constant) :]
        return len(self.steps) > 0 and _one_motion(system, box, self.centre)


def narrowing_proof(solution: ContactSolution) -> NarrowingProof | None:
    """Such a proof of a solution in which contacts begin to slide, if there is one."""
    problem, tau = solution.problem, solution.tau
    headings = headings_of(problem, solution.letters, solution.acceleration)
    beginning = {i: way for i, way in headings.items() if "F" in problem.letters[i] and problem.static_friction[i] > 0.0}
    angles = {i: atan2(y, x) for i, (x, y) in beginning.items()}
    steps: list[Step] = []
    half, wide, known = WIDEST, None, None
    while angles and half > NARROWEST:
        system = _system(problem, tau, angles, half, wide)
        search = explore(system, budget=BUDGET)
        if not search.complete or not search.leaves or not all(_inside(system, angles, leaf.path) for leaf in search.leaves):
            return None
        leaves = _bounds(system, search)
        steps.append(Step(half, _sharpened(system, search.exclusions, known), leaves))
        box = _extent(system, leaves, known)
        centre = box[system.motion].mean(axis=1)
        if _one_motion(system, box, centre):
            return NarrowingProof(problem, tau, angles, tuple(steps), centre)
        half, wide, known = half / 2, half, box[len(system.constant) :]
    return None


def _system(problem: ContactProblem, tau: Floats, angles: Mapping[int, float], half: float, wide: float | None) -> System:
    """Sectors of twice `half` around the angles come first, then the others: up to `wide`, or all around where that is None."""
    parts = {}
    for i, angle in angles.items():
        low, high = angle - half, angle + half
        if wide is None:
            rest = (2 * pi - 2 * half) / (FACETS - 1)
            parts[i] = sectors([low, *(high + rest * k for k in range(FACETS - 1))], whole_turn=True)
        else:
            parts[i] = sectors([low, high])
            if wide > half:
                parts[i] += sectors([angle - wide, low]) + sectors([high, angle + wide])
    return contact_system(problem, tau, sectors=parts).system


def _inside(system: System, angles: Mapping[int, float], path: Path) -> bool:
    """Whether every contact that slips does so in its first sector."""
    labels = system.labels(path)
    return len(labels) == len(system.choices) and all(labels[i][0] != "D" or labels[i] == "D1" for i in angles)


def _sharpened(system: System, exclusions: tuple[Exclusion, ...], known: Floats | None) -> tuple[Exclusion, ...]:
    """The same exclusions without the noise of their multipliers, where they exclude without it."""
    identities, sharp = Identities(system), []
    for exclusion in exclusions:
        clean = Exclusion(exclusion.path, without_noise(system, exclusion.multipliers, NOISE))
        box = box_of(system, exclusion.path, known)
        sharp.append(clean if identities.exclude(clean.multipliers, box) else exclusion)
    return tuple(sharp)


def _bounds(system: System, search: Exploration) -> tuple[Bounds, ...]:
    """Bounds of every leaf, each twice: as the search found it, and without noise. Now this is better, now that."""
    bounded = _bounded(system)
    both = zip(bounds(system, search, bounded, 0.0), bounds(system, search, bounded, NOISE), strict=True)
    return tuple(Bounds(raw.path, np.concatenate([raw.multipliers, clean.multipliers])) for raw, clean in both)


def _bounded(system: System) -> Ints:
    """The variables that the leaves bound: motion, and what all identities are written in."""
    return np.union1d(system.motion, np.arange(len(system.constant), system.size))


def _extent(system: System, leaves: tuple[Bounds, ...], known: Floats | None) -> Floats:
    """The least and greatest value (m + n, 2) that any leaf leaves to each variable, of what is `known` (n, 2) already."""
    identities, boxes = Identities(system), []
    for leaf in leaves:
        box = box_of(system, leaf.path, known)
        for _ in range(SWEEPS):
            identities.sweep(leaf, np.tile(_bounded(system), 2), box)
        boxes.append(box)
    low, high = np.min([box[:, 0] for box in boxes], axis=0), np.max([box[:, 1] for box in boxes], axis=0)
    return np.column_stack([low, high])


def _one_motion(system: System, box: Floats, centre: Floats) -> bool:
    """Whether all that is left of the motion is `centre` (motion,)."""
    near = NEAR * np.maximum(system.scale[system.motion], np.abs(centre))
    return bool((np.abs(box[system.motion] - centre[:, None]) <= near[:, None]).all())
