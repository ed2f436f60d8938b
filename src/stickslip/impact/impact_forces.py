"""Impact forces, paper 4's (3.22) to (3.26), in a reading that does not depend on where the origin is.

The paper minimises F . G F such that the energy changes by F . J q, with the *position* q in the place of a displacement; that
changes with the origin, and while nothing moves no finite force does work. What is left of it is this: impulses p that push and
whose work p . (u- + u+) / 2 is exactly what the energy changes by (Thomson and Tait), and of these the ones that make p . G p
least; their mean force over a duration is p / duration. Where velocities were scaled down, no impulses make all of the
change, and those that come nearest are given, with what is left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.complementarity import lcp
from stickslip.complementarity.compliance import compliance
from stickslip.dynamics.tree import Floats
from stickslip.impact.result import Impact
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown


class ImpactForces(NamedTuple):
    """Mean `force` (rows,) in N and `impulse` (rows,) in N s of the contacts, normal first.

    `work` in J is what they do; `energy_change` in J is what the kinetic energy changes by: the rest is no work of contacts.
    """

    force: Floats
    impulse: Floats
    work: float
    energy_change: float


def impact_forces(impact: Impact, duration: float) -> ImpactForces:
    """The mean forces of an impact that lasted for `duration` in s, in a problem with contacts alone."""
    if isinstance(duration, bool) or not isinstance(duration, (int, float)) or not 0.0 < duration < np.inf:
        raise ArgumentError(f"the duration of an impact must be a positive time in s, not {shown(duration)}.")
    if not impact:
        raise ArgumentError(f"this impact has no answer, and so no forces: {impact.status.value}")
    problem = impact.problem
    rows = problem.stacked.contacts
    G = compliance(problem, np.zeros(problem.nv), drift=np.zeros(problem.stacked.count)).delassus[rows, rows]
    before, after = problem.jacobian @ impact.velocity_before, problem.jacobian @ impact.velocity
    tangents = [r for r in range(len(before)) if r % problem.rows_per_contact]
    solution = lcp.solve(G, before - after, free=tangents)
    if not solution:
        raise ArgumentError("no impulses that push come near the change of the contacts' velocities.")
    return ImpactForces(
        force=solution.z / duration,
        impulse=solution.z,
        work=float(solution.z @ (before + after)) / 2,
        energy_change=impact.energy - impact.energy_before,
    )
