"""SOLVE: contact problems as plain arrays; complementarity problems, all of their solutions, and certificates."""

from stickslip.complementarity import lcp
from stickslip.complementarity.answer import Answer
from stickslip.complementarity.budget import BudgetError
from stickslip.complementarity.certificate import Certificate
from stickslip.complementarity.contact import Contact
from stickslip.complementarity.critical_friction import critical_friction
from stickslip.complementarity.linear_constraint import LinearConstraint
from stickslip.complementarity.problem import ContactProblem
from stickslip.complementarity.rows import Rows
from stickslip.complementarity.solution import ContactSolution
from stickslip.complementarity.status import Status

__all__ = [
    "Answer",
    "BudgetError",
    "Certificate",
    "Contact",
    "ContactProblem",
    "ContactSolution",
    "LinearConstraint",
    "Rows",
    "Status",
    "critical_friction",
    "lcp",
]
