"""How an attempt to resolve an impact ended."""

from enum import Enum


class ImpactStatus(Enum):
    """How an attempt to resolve an impact ended, as a sentence; only SOLVED comes with velocities."""

    SOLVED = "the law has an answer, and every line that it must keep was checked."
    INFEASIBLE = "the law has no answer: every combination of contacts that stick, slide and let go was excluded."
    DEPENDENT = "the law needs contact rows that do not depend on each other, and these do."
    ENDLESS = "contacts went on colliding one after the other until the limit on single impacts was reached."
    UNDECIDED = "no answer was found within the budget of the search; none was excluded either."
    INACCURATE = "round-off grew too large to trust the answer: a line that it must keep is violated."

    def __bool__(self) -> bool:
        return self is ImpactStatus.SOLVED
