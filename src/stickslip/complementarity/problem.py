"""The contact problem: what a mechanism in contact obeys at one instant, in plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from stickslip.complementarity.arrays import fixed, matrix, not_negative
from stickslip.complementarity.contact import Contact
from stickslip.complementarity.linear_constraint import LinearConstraint
from stickslip.complementarity.rows import Rows, rows_or_none
from stickslip.complementarity.stacked import Stacked, stack
from stickslip.complementarity.word import possible_letters
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError

if TYPE_CHECKING:
    from stickslip.complementarity.forms import Forms
    from stickslip.complementarity.solution import ContactSolution

SYMMETRY = 1e-9  # relative difference of a mass matrix from its transpose that passes for round-off
INDEFINITE = 1e-9  # size of a negative eigenvalue, the diagonal being one, that passes for round-off
ROUND_OFF = 1e-15  # and of a negative entry of the diagonal, relative to the largest


@dataclass(frozen=True, kw_only=True, eq=False, init=False, repr=False)
class ContactProblem:
    """One instant of a mechanism in contact, of k contacts in the plane or in space:

        M a + h = B tau + J^T f + forces of the other rows,   contact accelerations J a + drift complementary to f

    `mass` M (nv, nv), in kg, kg m^2 …, symmetric and positive semidefinite; it may be singular (massless legs). `bias` h
    (nv,), in N and N m: Coriolis, centrifugal and gravity forces. `input_map` B (nv, nu); without it there are no inputs.
    `jacobian` J (rows, nv) holds rows (n, t) or (n, t1, t2) of contact after contact, `drift` (rows,) their dJ/dt v in m/s^2
    and `velocity` (rows,) their J v in m/s; left out, they are zero. `friction` (k,) is that of sliding, `static_friction`
    (k,) that of sticking (the same unless given), `restitution` (k,) from 0 to 1; all dimensionless. Velocities within
    `thresholds` (k,), in m/s, count as zero.

    `limits`, `dry_friction` and `bilateral` are `Rows` of three more kinds: joint limits (row acceleration >= 0,
    complementary to a force >= 0), friction with a given bound, and loops. `equalities` and `inequalities` are
    `LinearConstraint`s that accelerations and forces have to satisfy besides. Names of contacts are given by `names`, or by
    `contacts` with all that is known of them.

    A sliding contact keeps the friction that opposes its slip; one at rest sticks with static friction or begins to slip with
    that of sliding (Tables I and II of paper 0). One that approaches faster than its threshold has no solution without an
    impact: `solve` says so in its status, naming the contact.

    >>> import stickslip as ss
    >>> block = ss.ContactProblem(  # 1 kg on a floor, pulled by 3 N
    ...     mass=[[1, 0], [0, 1]], bias=[0, 9.81], input_map=[[1], [0]], jacobian=[[0, 1], [1, 0]], friction=[0.5]
    ... )
    >>> block.solve([3.0]).word, block.solve([3.0]).force.round(2).tolist()
    ('F', [9.81, -3.0])
    """

    mass: Floats
    bias: Floats
    input_map: Floats
    jacobian: Floats
    drift: Floats
    velocity: Floats
    friction: Floats
    static_friction: Floats
    restitution: Floats
    thresholds: Floats
    contacts: tuple[Contact, ...]
    limits: Rows
    dry_friction: Rows
    bilateral: Rows
    equalities: tuple[LinearConstraint, ...]
    inequalities: tuple[LinearConstraint, ...]

    def __init__(
        self,
        *,
        mass: Any,
        bias: Any,
        jacobian: Any,
        friction: Any,
        input_map: Any = None,
        drift: Any = None,
        velocity: Any = None,
        static_friction: Any = None,
        restitution: Any = 0.0,
        thresholds: Any = 0.0,
        names: Sequence[str] = (),
        contacts: Sequence[Contact] = (),
        limits: Rows | None = None,
        dry_friction: Rows | None = None,
        bilateral: Rows | None = None,
        equalities: Sequence[LinearConstraint] = (),
        inequalities: Sequence[LinearConstraint] = (),
    ) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        nv = _length(bias, "the bias")
        put("bias", fixed(bias, (nv,), "the bias"))
        put("mass", _mass(mass, nv))
        put("input_map", fixed(np.zeros((nv, 0)), (nv, 0), "") if input_map is None else _input_map(input_map, nv))
        put("jacobian", matrix(jacobian, nv, "the Jacobian of the contacts"))

        count = _length(friction, "the friction")
        rows = _rows_per_contact(len(self.jacobian), count) * count
        put("drift", fixed(np.zeros(rows) if drift is None else drift, (rows,), "the drift of the contacts"))
        put("velocity", fixed(np.zeros(rows) if velocity is None else velocity, (rows,), "the velocity of the contacts"))

        known = _contacts(names, contacts, count)
        named = [contact.name for contact in known]
        put("friction", not_negative(friction, count, "the friction", named))
        static = self.friction if static_friction is None else static_friction
        put("static_friction", not_negative(static, count, "the static friction", named))
        put("restitution", not_negative(restitution, count, "the restitution", named))
        put("thresholds", not_negative(thresholds, count, "the velocity threshold", named))
        for name, moving, still, bounce in zip(named, self.friction, self.static_friction, self.restitution, strict=True):
            if still < moving:
                raise ArgumentError(
                    f"the static friction of {name!r} must not be below that of sliding, but {still:g} < {moving:g}."
                )
            if bounce > 1:
                raise ArgumentError(f"the restitution of {name!r} must be between 0 and 1, but is {bounce:g}.")
        surfaces = zip(known, self.friction, self.static_friction, self.restitution, strict=True)
        put(
            "contacts",
            tuple(replace(c, friction=float(mu), static_friction=float(s), restitution=float(e)) for c, mu, s, e in surfaces),
        )

        put("limits", rows_or_none(limits, nv, "limit"))
        put("dry_friction", rows_or_none(dry_friction, nv, "dry friction"))
        put("bilateral", rows_or_none(bilateral, nv, "bilateral"))
        sizes = nv, len(self.jacobian), self.nu
        put("equalities", tuple(_constraint(c, *sizes, f"equality {i + 1}") for i, c in enumerate(_listed(equalities))))
        put("inequalities", tuple(_constraint(c, *sizes, f"inequality {i + 1}") for i, c in enumerate(_listed(inequalities))))

    # ---- sizes ---------------------------------------------------------------------------------------------------

    @property
    def nv(self) -> int:
        """The number of velocity coordinates: the size of a."""
        return len(self.bias)

    @property
    def nu(self) -> int:
        """The number of inputs: the size of tau."""
        return self.input_map.shape[1]

    @property
    def planar(self) -> bool:
        """Whether contacts have two rows (n, t) rather than three."""
        return len(self.jacobian) <= 2 * len(self.contacts)

    @property
    def rows_per_contact(self) -> int:
        """2 in the plane, 3 in space."""
        return 2 if self.planar else 3

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """For each contact the modes that its velocity allows, such as "FSRL"; none if it approaches (paper 0, Table III)."""
        return possible_letters(self)

    @cached_property
    def stacked(self) -> Stacked:
        """Rows of all kinds in one: contacts, limits, dry friction, bilateral."""
        return stack(self)

    def applied(self, tau: Any = None) -> Floats:
        """B tau - bias (nv,), in N and N m: all that pushes besides contacts and other rows, for inputs `tau` (nu,)."""
        return self.input_map @ self.input(tau) - self.bias

    def input(self, tau: Any = None) -> Floats:
        """`tau` as a checked array (nu,), in N and N m; None means that all inputs are zero."""
        return fixed(np.zeros(self.nu) if tau is None else tau, (self.nu,), "tau")

    # ---- questions -----------------------------------------------------------------------------------------------

    def solve(self, tau: Any = None, *, guess: str | ContactSolution | None = None) -> ContactSolution:
        """What happens under the inputs `tau` (nu,), in N and N m: accelerations and forces, with a status and a residual.

        A right `guess` (the word of modes, or an earlier solution) makes it faster and is kept where it is a solution.
        Where there are several solutions, the one in which all that is at rest sticks is tried first; `.certificate` says
        whether there are others.
        """
        from stickslip.complementarity.solving import solve

        return solve(self, self.input(tau), guess)

    def solutions(self, tau: Any = None, *, budget: int | None = None) -> list[ContactSolution]:
        """All solutions under the inputs `tau` (nu,), in N and N m: one entry for every word of modes that has any.

        Entries that describe the same motion name each other in `.same_motion`; `.dimension` and `.directions` describe
        continua. In space a word in which contacts begin to slide may have several entries; what could be neither found nor
        excluded comes last, with the status UNDECIDED. More than `budget` combinations of modes raise a `BudgetError`.
        """
        from stickslip.complementarity.all_solutions import all_solutions

        return all_solutions(self, self.input(tau), budget)

    @property
    def forms(self) -> Forms:
        """The problem as complementarity problems: `.forms.stick_slide(tau).A`, …"""
        from stickslip.complementarity.forms import Forms

        return Forms(self)

    # ---- for readers ---------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<ContactProblem: {len(self.contacts)} contacts, nv={self.nv}, nu={self.nu}>"

    def __str__(self) -> str:
        from stickslip.complementarity.story import story_of_problem

        return story_of_problem(self)


# ---- checks --------------------------------------------------------------------------------------------------------


def _length(value: Any, what: str) -> int:
    if np.ndim(value) != 1 if isinstance(value, np.ndarray) else not hasattr(value, "__len__"):
        raise ArgumentError(f"{what} must be a vector, one number for each, not {value!r:.60}.")
    return len(value)


def _mass(value: Any, nv: int) -> Floats:
    mass = fixed(value, (nv, nv), "the mass matrix")
    size = np.abs(mass).max(initial=0.0)
    uneven = np.abs(mass - mass.T)
    if uneven.max(initial=0.0) > SYMMETRY * size:
        i, j = np.unravel_index(int(uneven.argmax()), uneven.shape)
        raise ArgumentError(
            f"the mass matrix must be symmetric, but its entries ({i}, {j}) are {mass[i, j]:g} and {mass[j, i]:g}."
        )
    if uneven.any():
        mass = fixed((mass + mass.T) / 2, (nv, nv), "the mass matrix")
    diagonal = mass.diagonal()
    if diagonal.min(initial=0.0) < -ROUND_OFF * size:
        k = int(diagonal.argmin())
        raise ArgumentError(f"the mass matrix must be positive semidefinite, but its entry ({k}, {k}) is {diagonal[k]:g}.")
    unit = np.sqrt(np.where(diagonal > 0.0, diagonal, size or 1.0))  # in any units, so that light parts are checked, too
    least = np.linalg.eigvalsh(mass / np.outer(unit, unit))[0] if nv else 0.0
    if least < -INDEFINITE:
        raise ArgumentError(
            f"the mass matrix must be positive semidefinite, but it has the eigenvalue {least:g} (its diagonal scaled to one)."
        )
    return mass


def _input_map(value: Any, nv: int) -> Floats:
    shape = np.shape(value)
    if len(shape) != 2 or shape[0] != nv:
        raise ArgumentError(f"the input map must be a matrix of {nv} rows, not an array of shape {shape}.")
    return fixed(value, shape, "the input map")


def _rows_per_contact(rows: int, count: int) -> int:
    for each in (2, 3):
        if rows == each * count:
            return each
    raise ArgumentError(
        f"the Jacobian must have rows (n, t) or (n, t1, t2) for each contact: with {count} friction coefficients that makes "
        f"{2 * count} or {3 * count} rows, not {rows}."
    )


def _contacts(names: Sequence[str], contacts: Sequence[Contact], count: int) -> tuple[Contact, ...]:
    if isinstance(names, str):
        names = (names,)
    known = tuple(contacts) or tuple(Contact(name=str(name)) for name in names)
    known = known or tuple(Contact(name=f"contact {i + 1}") for i in range(count))
    if len(known) != count:
        raise ArgumentError(f"there must be one name for each contact: {count}, not {len(known)}.")
    seen = set()
    for contact in known:
        if not isinstance(contact, Contact):
            raise ArgumentError(f"contacts must be given as Contact(name=…), not as {type(contact).__name__}.")
        if contact.name in seen:
            raise ArgumentError(f"contacts need different names, but two are called {contact.name!r}.")
        seen.add(contact.name)
    return known


def _listed(constraints: Any) -> Sequence[LinearConstraint]:
    return (constraints,) if isinstance(constraints, LinearConstraint) else tuple(constraints)


def _constraint(value: Any, nv: int, forces: int, nu: int, what: str) -> LinearConstraint:
    if not isinstance(value, LinearConstraint):
        raise ArgumentError(f"{what} must be a LinearConstraint(…), not {type(value).__name__}.")
    return value.checked(nv, forces, nu, what)
