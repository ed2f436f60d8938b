"""What is known of the solutions of one problem, with proofs that its reader can replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from stickslip.complementarity.answer import Answer
from stickslip.complementarity.exploration import BUDGET, Exploration, Leaf, explore
from stickslip.complementarity.polyhedron import bound
from stickslip.complementarity.proof import (
    APART,
    Bounds,
    EnumerationProof,
    ExclusionProof,
    PointProof,
    Proof,
    TwoPointsProof,
    differ,
)
from stickslip.complementarity.system import NEGATIVE, POSITIVE, System
from stickslip.dynamics.tree import Floats, Ints

QUESTIONS = ("existence", "motion", "force")


@dataclass(frozen=True, eq=False)
class Certificate:
    """Existence of a solution, uniqueness of the motion and uniqueness of the force, judged apart from each other.

    Each is an `Answer`; what is decided has a proof under the same name in `proofs`, dimensionless statements about the
    problem's own numbers. `verify()` replays all of them in exact rational arithmetic. `undecided` says why where nothing
    could be proved.
    """

    proofs: Mapping[str, Proof]
    undecided: Mapping[str, str] = field(default_factory=dict)

    @property
    def existence(self) -> Answer:
        """`yes`, `no` or `undecided`."""
        return self._answer("existence")

    @property
    def motion(self) -> Answer:
        """`unique`, `ambiguous`, `none` (there is no solution) or `undecided`; of a plain complementarity problem that of w."""
        return self._answer("motion")

    @property
    def force(self) -> Answer:
        """The same of the contact forces; of a plain complementarity problem that of z."""
        return self._answer("force")

    def _answer(self, question: str) -> Answer:
        if self._nothing_exists and question != "existence":
            return Answer.NONE
        return self.proofs[question].answer if question in self.proofs else Answer.UNDECIDED

    @property
    def _nothing_exists(self) -> bool:
        return "existence" in self.proofs and self.proofs["existence"].answer is Answer.NO

    def verify(self) -> bool:
        """Whether every proof holds, replayed in exact rational arithmetic on the numbers as they were given."""
        fits = all(self.proofs[name].answer in _FITTING[name] for name in self.proofs)
        return fits and all(proof.holds() for proof in self.proofs.values())

    def __str__(self) -> str:
        lines = []
        for name in QUESTIONS:
            why = self.proofs[name].sentence if name in self.proofs else self.undecided.get(name, "")
            lines.append(f"{name}: {self._answer(name).value}" + (f"; {why}" if why else ""))
        return "\n".join(lines)


_FITTING = {
    "existence": (Answer.YES, Answer.NO),
    "motion": (Answer.UNIQUE, Answer.AMBIGUOUS),
    "force": (Answer.UNIQUE, Answer.AMBIGUOUS),
}

NOISE = 1e-11  # part of the largest scaled multiplier below which others are most likely round-off

UNFINISHED = "the search ended at its budget before everything was tried."
IN_DOUBT = "the margins are within round-off of the data."


def judge(system: System, *, budget: int = BUDGET, known: PointProof | None = None) -> Certificate:
    """All that a search of at most `budget` alternatives shows of a system, of which a solution may be `known`.

    A proof that does not replay exactly is left out, and its question undecided.
    """
    proofs: dict[str, Proof] = {}
    undecided: dict[str, str] = {}
    search = explore(system, budget=budget, most=1)
    if not search.leaves:
        _settle("existence", exclusions(search), proofs, undecided)
    else:
        (first,) = search.leaves
        point = PointProof(system, first.path, first.point)
        _settle("existence", [point], proofs, undecided)
        for name, which in (("motion", system.motion), ("force", system.force)):
            _settle(name, uniqueness(system, first, which, budget), proofs, undecided)
            if known is not None and name in proofs and proofs[name].answer is Answer.UNIQUE:
                apart = TwoPointsProof(point, known, which, 0, 2)  # larger than what the other proof speaks of
                proofs[name] = apart if apart.holds() else proofs[name]
    return Certificate(MappingProxyType(proofs), MappingProxyType(undecided))


def _settle(name: str, candidates: Iterable[Proof], proofs: dict[str, Proof], undecided: dict[str, str]) -> None:
    """Enter the first proof that holds, else the reason why there is none."""
    why = UNFINISHED
    for proof in candidates:
        if proof.holds():
            proofs[name] = proof
            return
        why = IN_DOUBT
    undecided[name] = why


def exclusions(search: Exploration) -> Iterator[Proof]:
    """That there is no solution, if the search came to its end without any."""
    if search.complete:
        yield ExclusionProof(search.system, search.exclusions)


def uniqueness(system: System, first: Leaf, which: Ints, budget: int) -> Iterator[Proof]:
    """Whether the variables `which` are the same in all solutions as in the first one; nothing if that took too long."""
    family = _difference(system, [first], which)
    if family is not None:
        yield family
        return
    search = explore(system, budget=budget, pinned=which, point=first.point)
    whole = [leaf for leaf in search.leaves if len(leaf.path) == len(system.choices)]
    different = _difference(system, [first, *whole], which)
    if different is not None:
        yield different
    elif search.complete:
        # the variables that these hang on may have to be bounded as well; and what rounding left in multipliers may matter
        for bounded in (which, np.union1d(system.motion, system.force)):
            for noise in (0.0, NOISE):
                yield _sameness(system, search, first.point, which, bounded, noise)


def _difference(system: System, leaves: list[Leaf], which: Ints) -> Proof | None:
    """Two solutions in these leaves that differ in the variables `which`, if there are any."""
    distinct: list[Leaf] = []
    for leaf in leaves:
        spread = leaf.directions[:, which] / system.scale[which]
        dimension = int(np.linalg.matrix_rank(spread, tol=APART)) if spread.size else 0
        if dimension:
            other = PointProof(system, leaf.path, _moved(system, leaf, spread))
            return TwoPointsProof(PointProof(system, leaf.path, leaf.point), other, which, dimension, 0)
        if all(differ(leaf.point, other.point, system.scale, which) for other in distinct):
            distinct.append(leaf)
    if len(distinct) < 2:
        return None
    points = [PointProof(system, leaf.path, leaf.point) for leaf in distinct[:2]]
    return TwoPointsProof(points[0], points[1], which, 0, len(distinct))


def _moved(system: System, leaf: Leaf, spread: Floats) -> Floats:
    """Another point (m + n,) of a leaf, as far off in the variables whose `spread` (d, variables) is given as is plain."""
    direction = leaf.directions[np.abs(spread).max(axis=1).argmax()] / np.abs(spread).max()
    signs = system.signs_along(leaf.path)
    steps = [_room(leaf.point, way * direction, signs) for way in (1.0, -1.0)]
    way = 1.0 if steps[0] >= steps[1] else -1.0
    return leaf.point + way * min(max(steps) / 2, 1.0) * direction


def _room(point: Floats, direction: Floats, signs: Ints) -> float:
    """How far one can go from an interior point along a direction before a sign fails."""
    away = np.where(signs == POSITIVE, -direction, np.where(signs == NEGATIVE, direction, 0.0))
    falling = away > 1e-12 * np.abs(direction).max()
    return float((np.abs(point[falling]) / away[falling]).min(initial=np.inf))


def _sameness(system: System, search: Exploration, centre: Floats, which: Ints, bounded: Ints, noise: float) -> Proof:
    """That all leaves have one value of the variables `which`."""
    leaves = bounds(system, search, bounded, noise)
    return EnumerationProof(system, search.exclusions, leaves, bounded, which, centre)


def bounds(system: System, search: Exploration, bounded: Ints, noise: float) -> tuple[Bounds, ...]:
    """What bounds the variables `bounded` in every leaf; multipliers of zero stand for bounds that there are not.

    Those below the part `noise` of the largest are left out.
    """
    leaves = []
    for leaf in search.leaves:
        multipliers = np.zeros((len(bounded), 2, len(system.constant)))
        for k, variable in enumerate(bounded.tolist()):
            for side, towards in enumerate((-1, 1)):
                found = bound(system, leaf.state, variable, towards)
                if found is not None:
                    multipliers[k, side] = without_noise(system, found, noise)
        leaves.append(Bounds(leaf.path, multipliers))
    return tuple(leaves)


def without_noise(system: System, multipliers: Floats, noise: float) -> Floats:
    """Multipliers (m,) without those below a part of the largest: even so little of a variable without bounds may be much."""
    size = np.abs(multipliers) * system.scale[: len(multipliers)]
    return np.where(size > noise * size.max(initial=0.0), multipliers, 0.0)
