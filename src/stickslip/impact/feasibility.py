"""What an impact has to keep whatever its law, line by line, judged in floats and again in exact rational arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from stickslip.impact.result import Impact

TOLERANCE = 1e-9  # violation of a line, relative to the magnitudes of its own terms


@dataclass(frozen=True)
class Line:
    """One thing that has to hold: a sentence, and by how much it is violated, relative to the magnitude of its terms."""

    sentence: str
    violation: float

    @property
    def holds(self) -> bool:
        """Whether the violation is within the tolerance."""
        return self.violation <= TOLERANCE


@dataclass(frozen=True, eq=False, repr=False)
class Feasibility:
    """That an impact's answer is possible: `lines`, each with its violation; all dimensionless. `bool` says whether all hold.

    `verify()` works every line out again in exact rational arithmetic on the numbers as they are.
    """

    impact: Impact
    lines: tuple[Line, ...]

    def __bool__(self) -> bool:
        return all(line.holds for line in self.lines)

    def verify(self) -> bool:
        """Whether the lines hold, without any round-off."""
        return all(violation <= Fraction(TOLERANCE) for _, violation in _lines(self.impact, exact=True))

    def __str__(self) -> str:
        return "\n".join(
            f"{'holds' if line.holds else 'BROKEN'}  {line.sentence}  ({line.violation:.1g})" for line in self.lines
        )

    def __repr__(self) -> str:
        worst = max((line.violation for line in self.lines), default=0.0)
        return f"<Feasibility: {len(self.lines)} lines, the worst violated by {worst:.1g}>"


def judged(impact: Impact) -> Feasibility:
    """The lines of an impact with their violations."""
    return Feasibility(impact, tuple(Line(sentence, float(violation)) for sentence, violation in _lines(impact, exact=False)))


def _lines(impact: Impact, *, exact: bool) -> list[tuple[str, Any]]:
    """(sentence, violation) of every line; numbers are Fractions if `exact`."""
    take = _fractions if exact else np.asarray
    problem, rows = impact.problem, impact.problem.stacked
    others = np.r_[rows.contacts, rows.limits, rows.bilateral]
    M, J = take(problem.mass), take(rows.jacobian[others])
    before, after, scale = take(impact.velocity_before), take(impact.velocity), take(np.array([impact.scale]))[0]
    p = take(np.concatenate([impact.impulse, impact.limit_impulse, impact.loop_impulse]))
    lines = [("momentum changes by the impulses alone", _momentum(M, J, p, before, after, scale))]
    size, speeds = problem.rows_per_contact, take(rows.jacobian) @ after
    fastest = _largest([*(take(rows.jacobian) @ before), *speeds]) or 1
    largest = _largest(p) or 1
    for i, contact in enumerate(problem.contacts):
        n = size * i
        lines.append((f"{contact.name!r} pushes and does not pull", -p[n] / largest))
        mu = take(problem.static_friction[i : i + 1])[0]
        rubbing = sum(p[r] ** 2 for r in range(n + 1, n + size)) - (mu * p[n]) ** 2
        lines.append((f"{contact.name!r} keeps friction within its cone", rubbing / largest**2))
        allowed = take(problem.thresholds[i : i + 1])[0]
        lines.append((f"{contact.name!r} does not approach afterwards", (-speeds[n] - allowed) / fastest))
    for k, name in enumerate(problem.limits.names):
        lines.append((f"{name!r} pushes and does not pull", -p[len(impact.impulse) + k] / largest))
        allowed = take(problem.limits.threshold[k : k + 1])[0]
        lines.append((f"{name!r} does not approach afterwards", (-speeds[rows.limits.start + k] - allowed) / fastest))
    for k, name in enumerate(problem.bilateral.names):
        row = rows.bilateral.start + k
        kept = speeds[row] - scale * (take(rows.jacobian[row]) @ before)
        lines.append((f"{name!r} keeps its velocity", abs(kept) / fastest))
    if impact.law.keeps_energy:
        had, has = before @ M @ before, after @ M @ after
        lines.append(("the impact adds no energy", (has - had) / had if had else has))
    return lines


def _momentum(M: Any, J: Any, p: Any, before: Any, after: Any, scale: Any) -> Any:
    """M v+ / scale - M v- - J^T p: a law that attenuates velocities leaves impulses as they were before it."""
    if not scale:
        return 0
    left = M @ after / scale - M @ before - p @ J
    return _largest(left) / (_largest([*(M @ before), *(p @ J)]) or 1)


def _largest(numbers: Any) -> Any:
    return max((abs(number) for number in numbers), default=0)


def _fractions(values: Any) -> Any:
    """The same array with every float as the fraction that it is."""
    array = np.asarray(values, dtype=float)
    exact = np.empty(array.shape, dtype=object)
    for place in np.ndindex(array.shape):
        exact[place] = Fraction(float(array[place]))
    return exact
