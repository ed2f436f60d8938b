"""Why no velocities keep a law in one combination of modes: a sum of its own inequalities that none can satisfy."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from stickslip.dynamics.tree import Floats


@dataclass(frozen=True, eq=False, repr=False)
class Exclusion:
    """Of one `word`: inequalities A x >= b in the tangential velocities x (m,) in m/s, and multipliers that sum them up.

    With y >= 0, y . b exceeds y . A x for every x whose entries are at most `reach` in m/s, so that not all of them can hold.
    """

    word: str
    A: Floats
    b: Floats
    multipliers: Floats
    reach: float

    def verify(self) -> bool:
        """Whether the sum is impossible, in exact rational arithmetic."""
        y = [Fraction(float(m)) for m in self.multipliers]
        if any(m < 0 for m in y):
            return False
        columns = [sum((m * Fraction(float(a)) for m, a in zip(y, column, strict=True)), Fraction(0)) for column in self.A.T]
        least = sum((m * Fraction(float(b)) for m, b in zip(y, self.b, strict=True)), Fraction(0))
        return least > Fraction(self.reach) * sum(abs(c) for c in columns)

    def __repr__(self) -> str:
        return f"<Exclusion of {self.word!r}: {len(self.b)} inequalities>"
