"""A contact problem's forms as complementarity problems: each is a small object with its matrix, its vector and its meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stickslip.complementarity import acceleration_forms, impulse_forms
from stickslip.complementarity.impulse_forms import ImpulseForm, Jump
from stickslip.complementarity.pairs import Form

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

DIRECTIONS = 8  # of friction in space, unless told otherwise


@dataclass(frozen=True, eq=False, repr=False)
class Forms:
    """The complementarity problems w = A z + b that a contact problem can be written as; inputs `tau` (nu,) in N and N m.

    Each has `.A`, `.b`, what its unknowns are called (`.z`, `.w`), the pairs that are equations (`.free`), and `.recover(z)`.
    They need an invertible mass matrix, use the friction of sliding, and know joint limits, dry friction and loops,
    but no extra equalities or inequalities.

    >>> import stickslip as ss
    >>> block = ss.ContactProblem(mass=[[2, 0], [0, 2]], bias=[0, 19.62], jacobian=[[0, 1], [1, 0]], friction=[0.5])
    >>> form = block.forms.frictionless()
    >>> form.A.tolist(), form.recover([19.62]).acceleration.tolist()
    ([[0.5]], [0.0, 0.0])
    """

    problem: ContactProblem

    def frictionless(self, tau: Any = None) -> Form:
        """Normal forces against normal accelerations (paper 1, 48), for `tau` (nu,) in N and N m."""
        return acceleration_forms.frictionless(self.problem, self.problem.input(tau))

    def sliding(self, tau: Any = None) -> Form:
        """All contacts slide in known directions (paper 1, 53), for `tau` (nu,) in N and N m."""
        return acceleration_forms.sliding(self.problem, self.problem.input(tau))

    def stick_slide(self, tau: Any = None) -> Form:
        """Sticking and slipping in the plane, three pairs for each contact at rest, for `tau` (nu,) in N and N m."""
        return acceleration_forms.stick_slide(self.problem, self.problem.input(tau))

    def polyhedral(self, dt: float, tau: Any = None, *, directions: int = DIRECTIONS) -> ImpulseForm:
        """A step dt in s with polyhedral friction (paper 2, 17 to 28), `tau` (nu,) in N, N m; two directions in the plane."""
        return impulse_forms.polyhedral(self.problem, self.problem.input(tau), dt, directions)

    def mixed(self, dt: float, tau: Any = None, *, directions: int = DIRECTIONS) -> ImpulseForm:
        """The same with the loops' impulses as free unknowns (paper 2, 34 and 35), for a step dt in s and `tau` (nu,)."""
        return impulse_forms.mixed(self.problem, self.problem.input(tau), dt, directions)

    def impact(self) -> ImpulseForm:
        """An inelastic impact without friction (paper 1, 58)."""
        return impulse_forms.impact(self.problem)

    def compression(self, *, directions: int = DIRECTIONS) -> ImpulseForm:
        """The first phase of an impact with friction (paper 2, 37 and 38)."""
        return impulse_forms.compression(self.problem, directions)

    def decompression(self, compressed: Jump, *, directions: int = DIRECTIONS, as_printed: bool = False) -> ImpulseForm:
        """The second phase, by each contact's restitution (paper 2, 39 to 41), after the `compressed` answer of the first.

        Friction is bounded by all of the normal impulse of this phase; `as_printed` bounds it, as the paper does, by what is
        added to the restored part only.
        """
        return impulse_forms.decompression(self.problem, compressed, directions, as_printed=as_printed)
