"""What happens when a search would take longer than it was allowed to."""

from stickslip.mechanism.errors import StickslipError


class BudgetError(StickslipError, RuntimeError):
    """A search was given up at its budget; the message says which budget, and that a larger one may be given."""
