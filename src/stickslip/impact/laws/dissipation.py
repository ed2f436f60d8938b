"""Paper 4's law of impact: normal velocities by Newton, slip by a dissipation principle, energy under control."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import inf, sqrt

import numpy as np

from stickslip.contact.material import Stribeck
from stickslip.dynamics.tree import Floats
from stickslip.impact.collision import Collision
from stickslip.impact.exclusion import Exclusion
from stickslip.impact.law import Answer, count, failed, one_of, restitution_of, share, share_or_none
from stickslip.impact.slip_choice import Affine, Choice, Found, chosen, independent
from stickslip.impact.status import ImpactStatus
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown

ENERGY = ("constraint", "attenuation", "free")
WORDS = 5000  # combinations of modes that are tried
PASSES = 100  # along the friction curve


@dataclass(frozen=True, kw_only=True)
class DissipationPrinciple:
    """Paper 4's law. Points that push leave with -e times their normal velocity; if all of them can stick then, they do.

    Else some slip: of all tangential velocities whose impulses push (4.7) and keep within friction (4.6), those for which
    (mu_s - mu)^2 + abs(v_t)^2, summed over the points, is least (4.5). mu is mu_s for a point that sticks and min(mu_d, mu_f)
    for one that slips (4.9), where mu_f is the friction that sticking would need; with a `transition` it follows the curve
    (4.10). Combinations of sticking and slipping points, at most `words` of them, are gone through one by one; each is a
    convex problem, so that what is found is the least, and what is not found is proved impossible.

    `energetic_restitution` e*, dimensionless, is the share of the kinetic energy that may be left. With `energy` "constraint"
    only velocities that keep to it are considered (5.9); with "attenuation" all velocities are scaled down afterwards (5.3),
    which takes momentum that no contact took (`.unexplained`); "free" ignores it.

    Where not all points that approach or rest can push, `release` lets as few as possible go, which the paper does not
    consider. Rows of points that push must be independent, as in the paper.
    """

    restitution: float | None = None
    energetic_restitution: float = 1.0
    energy: str = "constraint"
    transition: Stribeck | None = None
    release: bool = True
    words: int = WORDS

    def __post_init__(self) -> None:
        object.__setattr__(self, "restitution", share_or_none(self.restitution, "the restitution of the dissipation principle"))
        object.__setattr__(self, "energetic_restitution", share(self.energetic_restitution, "the energetic restitution"))
        one_of(self.energy, ENERGY, "the control of energy")
        if self.transition is not None and not isinstance(self.transition, Stribeck):
            raise ArgumentError(f"the transition must be a Stribeck(speed=…) or None, not {shown(self.transition)}.")
        if not isinstance(self.release, bool):
            raise ArgumentError(f"release must be True or False, not {shown(self.release)}.")
        count(self.words, "the number of words")

    @property
    def keeps_energy(self) -> bool:
        """Where energy is under control."""
        return self.energy != "free"

    def resolve(self, at: Collision) -> Answer:
        """Impulses in N s for a collision."""
        search = _Search(self, at)
        found = search.run()
        if isinstance(found, Answer):
            return found
        return Answer(ImpactStatus.SOLVED, found.impulse, scale=self._attenuated(at, found))

    def _attenuated(self, at: Collision, found: Found) -> float:
        if self.energy != "attenuation":
            return 1.0
        had = at.kinetic_energy
        has = had + float(found.impulse @ (2 * at.velocity + at.delassus @ found.impulse)) / 2
        allowed = self.energetic_restitution * had
        return sqrt(allowed / has) if has > allowed else 1.0


class _Search:
    """The words of one collision, from all points that approach or rest pushing to fewer and fewer."""

    def __init__(self, law: DissipationPrinciple, at: Collision) -> None:
        self.law, self.at = law, at
        restitution = restitution_of(law.restitution, at)
        normal = np.array([at.velocity[point.normal] for point in at.points])
        self.aim = np.maximum(0.0, -restitution * normal)
        leaving = [normal[i] > point.threshold for i, point in enumerate(at.points)]
        self.taking_part = tuple(i for i, away in enumerate(leaving) if not away)
        self.rough = [i for i, point in enumerate(at.points) if point.tangents.stop > point.tangents.start]
        had = at.kinetic_energy
        self.energy = (law.energetic_restitution - 1.0) * had if law.energy == "constraint" else inf
        self.exclusions: list[Exclusion] = []
        self.doubt = self.dependent = False
        self.tried = 0

    def run(self) -> Found | Answer:
        """The best slip of the first sets of pushing points for which there is any."""
        for sets in self._levels():
            best, least = None, inf
            for active in sets:
                if not independent(self.at, active):
                    self.dependent = True
                    continue
                for slipping in _subsets(tuple(i for i in active if i in self.rough)):
                    self.tried += 1
                    if self.tried > self.law.words:
                        return self._failure(f"more than {self.law.words} combinations of modes would have to be tried.")
                    value, found = self._try(active, slipping)
                    if found is not None and value < least:
                        best, least = found, value
            if best is not None:
                return best
        return self._failure("")

    def _levels(self) -> Iterator[list[tuple[int, ...]]]:
        """Sets of pushing points, in the order of how many points do otherwise than they approach, rest or leave."""
        yield [self.taking_part]
        if self.law.release:
            everyone = range(len(self.at.points))
            for changes in range(1, len(self.at.points) + 1):
                sets = [tuple(sorted(set(self.taking_part) ^ set(some))) for some in combinations(everyone, changes)]
                yield [active for active in sets if active]

    def _try(self, active: tuple[int, ...], slipping: tuple[int, ...]) -> tuple[float, Found | None]:
        choice = Choice(self.at, active, slipping, self.aim, self.aim, self.energy)
        static, least = self._frictions(active)
        friction = np.array([least[i] if i in slipping else static[i] for i in range(len(static))])
        word = "".join("S" if i not in active else "D" if i in slipping else "F" for i in range(len(static)))
        found = self._solve(choice, friction, word)
        if found is None:
            return inf, None
        value = self._objective(found, slipping, static, friction)
        return (value, found) if self.law.transition is None else self._along_curve(choice, static, least, value, found, word)

    def _solve(self, choice: Choice, friction: Floats, word: str) -> Found | None:
        found = chosen(choice, friction, word)
        if isinstance(found, Exclusion):
            self.exclusions.append(found)
            return None
        self.doubt = self.doubt or found is None
        return found

    def _frictions(self, active: tuple[int, ...]) -> tuple[Floats, Floats]:
        """Static friction, and min(mu_d, mu_f) of every point (4.9). Where a point would be pulled, mu_f says nothing."""
        static = np.array([point.static_friction for point in self.at.points])
        least = np.array([point.friction for point in self.at.points])
        stuck = Affine(Choice(self.at, active, (), self.aim, self.aim, inf))
        for i in active:
            n, point = stuck.place[self.at.points[i].normal], self.at.points[i]
            if stuck.p[n] > 0.0:
                rubbing = float(np.linalg.norm(stuck.p[n + 1 : n + 1 + point.tangents.stop - point.tangents.start]))
                least[i] = min(least[i], rubbing / float(stuck.p[n]))
        return static, least

    def _objective(self, found: Found, slipping: tuple[int, ...], static: Floats, friction: Floats) -> float:
        """(4.5), in units of one."""
        excess = sum((static[i] - friction[i]) ** 2 for i in slipping)
        return float(excess + found.slip @ found.slip)

    def _along_curve(
        self, choice: Choice, static: Floats, least: Floats, value: float, found: Found, word: str
    ) -> tuple[float, Found]:
        """Friction grows towards rest along (4.10): slower slips that it allows are taken as long as they are better.

        A slower slip has more friction, so that each is allowed by the curve as well as by the friction it was found with.
        """
        curve = self.law.transition
        assert curve is not None
        for _ in range(PASSES):
            friction = self._on_curve(choice, static, least, found)
            better = chosen(choice, friction, word)
            if not isinstance(better, Found):
                return value, found
            speeds = self._speeds(choice, better) <= self._speeds(choice, found)
            now = self._objective(better, choice.slipping, static, self._on_curve(choice, static, least, better))
            if not speeds.all() or now >= value:
                return min(value, now) if speeds.all() else value, found
            value, found = now, better
        return value, found

    def _on_curve(self, choice: Choice, static: Floats, least: Floats, found: Found) -> Floats:
        """Friction at the slip of every point that slips, static friction elsewhere."""
        friction, curve = static.copy(), self.law.transition
        assert curve is not None
        for i, speed in zip(choice.slipping, self._speeds(choice, found), strict=True):
            friction[i] = least[i] + (static[i] - least[i]) * curve.share(float(speed))
        return friction

    def _speeds(self, choice: Choice, found: Found) -> Floats:
        return np.array([np.linalg.norm(found.slip[self.at.points[i].tangents]) for i in choice.slipping])

    def _failure(self, reason: str) -> Answer:
        if reason or self.doubt:
            return failed(
                self.at, ImpactStatus.UNDECIDED, reason or "round-off hid whether some combination of modes is possible."
            )
        if self.dependent:
            return failed(self.at, ImpactStatus.DEPENDENT, exclusions=tuple(self.exclusions))
        return failed(self.at, ImpactStatus.INFEASIBLE, self._why(), exclusions=tuple(self.exclusions))

    def _why(self) -> str:
        """Whether it is the bound on energy that leaves no answer."""
        if self.law.energy != "constraint":
            return ""
        free = _Search(replace(self.law, energy="free"), self.at).run()
        if isinstance(free, Answer):
            return ""
        return (
            f"no slip leaves at most {self.law.energetic_restitution:g} of the kinetic energy; without that bound the law has "
            "an answer. A smaller restitution, or attenuation, may have one."
        )


def _subsets(points: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Which points slip: none at first."""
    for slips in product((False, True), repeat=len(points)):
        yield tuple(i for i, one in zip(points, slips, strict=True) if one)
