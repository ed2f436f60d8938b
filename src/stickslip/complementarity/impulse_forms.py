"""The contact problem at the level of velocities: a time step with polyhedral friction, and impacts (papers 1 and 2).

Over a step dt, or at an impact (dt = 0), the rows' velocities become V+ = V + dt (free accelerations) + G p, with impulses p.
Friction acts along n_f directions d_j of the tangent plane, F_t = sum of beta_j d_j with beta >= 0; sigma is the speed of slip.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from stickslip.complementarity.compliance import compliance
from stickslip.complementarity.pairs import Form, Pairs
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem


class Jump(NamedTuple):
    """What a solution z of a form at the level of velocities means.

    `velocity_change` (nv,) of the coordinates, in m/s and rad/s, `impulse` (R,) of all rows, in N s and N m s, and the rows'
    `velocity` (R,) after it: contacts (normal first), limits, dry friction, bilateral.
    """

    velocity_change: Floats
    impulse: Floats
    velocity: Floats


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ImpulseForm(Form):
    """A complementarity problem between impulses and the velocities after them; `recover(z)` answers a `Jump`.

    `start` (R,) are the rows' velocities, in m/s or rad/s, as they would be after the step if no coordinate changed its own.
    `before` is what happened earlier in the same instant; it is included in the answer.
    """

    problem: ContactProblem
    start: Floats
    before: Jump | None = None

    def recover(self, z: Any) -> Jump:
        """The change of velocity (nv,), impulses (R,) and the rows' velocities (R,) after a solution z (n,), in SI units."""
        force = self.force(z)
        change = self.compliance.acceleration(force)
        impulse = np.concatenate([force, self.compliance.loop_force(force)])
        velocity = self.start + self.problem.stacked.jacobian @ change
        if self.before is not None:
            change, impulse = change + self.before.velocity_change, impulse + self.before.impulse
        return Jump(change, impulse, velocity)


def impact(problem: ContactProblem) -> ImpulseForm:
    """An inelastic impact without friction: normal impulses against normal velocities after it (paper 1, 58)."""
    return _with_friction(problem, problem.applied(), 0.0, 0, "the impact without friction")


def polyhedral(problem: ContactProblem, tau: Floats, dt: float, directions: int) -> ImpulseForm:
    """A step dt in s with friction along a number of `directions` (paper 2, 17 to 28); loops are eliminated beforehand."""
    if not 0.0 < dt < np.inf:
        raise ArgumentError(f"the time step must be positive, but is {dt!r}.")
    return _with_friction(problem, problem.applied(tau), dt, directions, "the problem of polyhedral friction")


def mixed(problem: ContactProblem, tau: Floats, dt: float, directions: int) -> ImpulseForm:
    """The same with the loops' impulses as unknowns of their own, whose pairs are equations (paper 2, 34 and 35)."""
    if not 0.0 < dt < np.inf:
        raise ArgumentError(f"the time step must be positive, but is {dt!r}.")
    return _with_friction(problem, problem.applied(tau), dt, directions, "the mixed problem", loops=False)


def compression(problem: ContactProblem, directions: int) -> ImpulseForm:
    """The first phase of an impact, which ends when nothing approaches any more (paper 2, 37 and 38)."""
    return _with_friction(problem, problem.applied(), 0.0, directions, "the phase of compression", loops=False)


def decompression(problem: ContactProblem, compressed: Jump, directions: int, *, as_printed: bool = False) -> ImpulseForm:
    """The second phase: restitution times the normal impulses of `compressed`, and what else is needed (paper 2, 39 to 41).

    Friction is bounded by all of this phase's normal impulse, as Coulomb's law has it. `as_printed` leaves the restored part
    out of that bound, as the paper does. The answer of `recover` is that of both phases together.
    """
    normal = np.arange(len(problem.contacts)) * problem.rows_per_contact
    restored = np.zeros(problem.stacked.count)
    restored[normal] = problem.restitution * compressed.impulse[normal]
    return _with_friction(
        problem,
        problem.applied(),
        0.0,
        directions,
        "the phase of decompression",
        loops=False,
        before=compressed,
        restored=restored,
        bounding=not as_printed,
    )


def _with_friction(
    problem: ContactProblem,
    applied: Floats,
    dt: float,
    number: int,
    name: str,
    *,
    loops: bool = True,
    before: Jump | None = None,
    restored: Floats | None = None,
    bounding: bool = True,
) -> ImpulseForm:
    rows = problem.stacked
    start = rows.velocity + dt * rows.drift if before is None else before.velocity
    pairs = Pairs(compliance(problem, dt * applied, drift=start, loops=loops))
    if restored is not None:
        pairs.offset[:] = restored[: len(pairs.offset)]
    directions = _directions(problem, number)
    size, rubbing = problem.rows_per_contact, []
    for i, contact in enumerate(problem.contacts):
        n, mu = size * i, problem.friction[i]
        normal = pairs.add(
            f"normal impulse of {contact.name}", f"normal velocity of {contact.name}", pushes={n: 1.0}, moves={n: 1.0}
        )
        if mu > 0.0 and directions:
            betas = [
                pairs.add(f"beta_{j + 1} of {contact.name}", f"sigma + d_{j + 1}.v_t of {contact.name}", pushes=d, moves=d)
                for j, d in enumerate({n + 1 + k: x for k, x in enumerate(direction)} for direction in directions)
            ]
            rubbing.append((contact.name, normal, betas, mu, mu * pairs.offset[n] if bounding else 0.0))
    _limits_and_dry(pairs, problem, dt)
    free = []
    for r, name_of in enumerate(problem.bilateral.names if not loops else ()):
        row = rows.bilateral.start + r
        free.append(pairs.add(f"impulse of {name_of}", f"velocity of {name_of}", pushes={row: 1.0}, moves={row: 1.0}))
    for name_of, normal, betas, mu, bound in rubbing:
        sigma = pairs.add(f"sigma of {name_of}", f"mu F_n - sum of beta of {name_of}", constant=bound)
        pairs.link(sigma, normal, mu)
        for beta in betas:
            pairs.link(beta, sigma, 1.0)
            pairs.link(sigma, beta, -1.0)
    form = pairs.form(name, ImpulseForm, tuple(free), problem=problem, start=start, before=before)
    assert isinstance(form, ImpulseForm)
    return form


def _directions(problem: ContactProblem, number: int) -> list[tuple[float, ...]]:
    """Unit vectors of the tangent line or plane, each with its opposite."""
    if number == 0:
        return []
    if problem.planar:
        return [(1.0,), (-1.0,)]
    if number < 4 or number % 2:
        raise ArgumentError(f"friction in space needs an even number of directions, four at least, not {number!r}.")
    half: list[tuple[float, ...]] = [(cos(2 * pi * j / number), sin(2 * pi * j / number)) for j in range(number // 2)]
    return half + [tuple(-x for x in direction) for direction in half]


def _limits_and_dry(pairs: Pairs, problem: ContactProblem, dt: float) -> None:
    rows, limits, dry = problem.stacked, problem.limits, problem.dry_friction
    for i, name in enumerate(limits.names):
        row = rows.limits.start + i
        pairs.add(f"impulse of {name}", f"velocity of {name}", pushes={row: 1.0}, moves={row: 1.0})
    for i, name in enumerate(dry.names if dt else ()):
        row, bound = rows.dry.start + i, dry.bound[i] * dt
        pairs.offset[row] = -bound
        first = pairs.add(f"bound + impulse of {name}", f"v+ of {name}", pushes={row: 1.0}, moves={row: 1.0})
        second = pairs.add(f"v- of {name}", f"bound - impulse of {name}", constant=2 * bound)
        pairs.link(first, second, 1.0)
        pairs.link(second, first, -1.0)
