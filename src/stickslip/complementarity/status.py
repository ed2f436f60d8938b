"""How an attempt to solve ended."""

from enum import Enum


class Status(Enum):
    """How an attempt to solve ended, as a sentence; only SOLVED comes with a solution."""

    SOLVED = "a solution was found, and its residual is within the tolerance."
    NO_SOLUTION = "there is no solution: every combination of active constraints was excluded."
    RAY = "Lemke's method ended on a ray; there may be no solution, or one that it cannot reach."
    PIVOT_LIMIT = "the limit on pivots was reached before a solution."
    INACCURATE = "round-off grew too large to trust the result: the residual exceeds the tolerance."
    IMPACT = "there is no solution without an impact: a contact or a joint limit is being approached."
    UNDECIDED = "no solution was found within the budget of the search; none was excluded either."

    def __bool__(self) -> bool:
        return self is Status.SOLVED
