"""How a simulation ended."""

from enum import Enum


class Outcome(Enum):
    """How a simulation ended, as a sentence; only FINISHED counts as true.

    >>> import stickslip as ss
    >>> bool(ss.Outcome.FINISHED), bool(ss.Outcome.INTERRUPTED)
    (True, False)
    """

    FINISHED = "the whole duration was simulated."
    NO_SOLUTION = "the contact problem has no solution where the run stopped."
    NOT_SOLVED = "no solution of the contact problem was found where the run stopped, and none was excluded."
    IMPACT_UNRESOLVED = "an impact has no outcome: its law found no velocities after it that it allows."
    TOO_MANY_IMPACTS = "impacts followed each other so fast that time stood still."
    OVERLAP = "bodies overlap by more than the tolerance, and no step leads out of it."
    LEFT_FLOW_SET = "the state left the flow set, and no jump leads on."
    ACCUMULATION = "infinitely many jumps accumulate where the run stopped, and nothing says what happens after them."
    TOO_MANY_JUMPS = "jumps followed each other without end while time stood still."
    CONTROLLER_FAILED = "the controller raised an error, or gave inputs that are none."
    NOT_FINITE = "the state left the range of floating-point numbers."
    INTERRUPTED = "the run was interrupted; what was simulated until then is kept."
    TROUBLE = "the run stopped on an error, which is told as `.trouble`."

    def __bool__(self) -> bool:
        return self is Outcome.FINISHED
