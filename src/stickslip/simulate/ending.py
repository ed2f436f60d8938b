"""How a run ended, and what can be shown of it where contacts were not solved."""

from __future__ import annotations

from dataclasses import dataclass

from stickslip.complementarity.problem import ContactProblem
from stickslip.complementarity.status import Status
from stickslip.contact.instant import contact_problem
from stickslip.contact.touch import FULL, NO_NORMAL
from stickslip.contact.world import World
from stickslip.dynamics.tree import Floats
from stickslip.impact.poisson import UNSOLVED
from stickslip.mechanism.errors import StickslipError
from stickslip.simulate.outcome import Outcome
from stickslip.simulate.stepping import BAD_TAU, TOO_MANY, TOO_MANY_CONTACTS, UNSETTLED
from stickslip.simulate.verdict import Verdict

_ENDS = {
    TOO_MANY: Outcome.TOO_MANY_IMPACTS,
    NO_NORMAL: Outcome.OVERLAP,
    BAD_TAU: Outcome.CONTROLLER_FAILED,
}
_TOLD = {
    FULL: "more shapes were near each other than `most_contacts` leaves room for.",
    TOO_MANY_CONTACTS: "more contacts were closed than `most_contacts`.",
    BAD_TAU: "the compiled controller raised an error, or gave inputs that are not finite.",
    UNSETTLED: "things turn too fast for steps of that length; take a shorter `dt`.",
}
_SHOWN = {Status.NO_SOLUTION: Outcome.NO_SOLUTION, Status.IMPACT: Outcome.IMPACT_UNRESOLVED}


@dataclass(frozen=True)
class End:
    """How a run ended, what else there is to say of it, the contact problem that it stopped at, and what is known of that."""

    outcome: Outcome
    trouble: str = ""
    problem: ContactProblem | None = None
    certificates: tuple[Verdict, ...] = ()


def failure_of(world: World, status: int, time: float, q: Floats, v: Floats, tau: Floats) -> End:
    """The end of a run whose stepper answered `status` in the step from `time` in s, at (q, v), under the inputs tau (nu,).

    Where contacts were not solved it is asked of the contact problem there whether it has a solution at all.
    """
    outcome = _ENDS.get(status, Outcome.TROUBLE if status in _TOLD else Outcome.NOT_FINITE)
    problem, certificates = None, list[Verdict]()
    if status == UNSOLVED:
        outcome = Outcome.NOT_SOLVED
        try:
            problem = contact_problem(world, q, v)
            solution = problem.solve(tau)
            outcome = _SHOWN.get(solution.status, outcome)
            certificates.append(Verdict.of(time, solution.certificate))
        except StickslipError:
            pass  # no problem can be made of a state that overlaps: nothing more is known
    story = f"in the step from {time:.9g} s: {_TOLD.get(status, outcome.value)}"
    return End(outcome, story, problem, tuple(certificates))
