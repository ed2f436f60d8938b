"""Contact problems and their solutions as short tables for readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.stacked import scale_of
from stickslip.complementarity.word import approaching
from stickslip.dynamics.tree import Floats

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem
    from stickslip.complementarity.solution import ContactSolution

ROUND_OFF = 1e-12  # part of a typical magnitude below which a number is shown as zero

MODES = {"S": "separates", "F": "fixed", "R": "slides towards +t", "L": "slides towards -t", "D": "slides"}


def story_of_problem(problem: ContactProblem) -> str:
    """What touches, how fast it moves, and what may happen to it."""
    k = len(problem.contacts)
    where = "in the plane" if problem.planar else "in space"
    lines = [
        f"contact problem {where}: {_number(problem.nv, 'coordinate')}, {_number(problem.nu, 'input')}, {_number(k, 'contact')}"
    ]
    table = [("contact", "normal speed", "slip", "friction", "modes")] if k else []
    for i, contact in enumerate(problem.contacts):
        size = problem.rows_per_contact
        velocity = problem.velocity[size * i : size * (i + 1)]
        friction = f"{contact.friction:g}"
        if contact.static_friction != contact.friction:
            friction += f", static {contact.static_friction:g}"
        slip = ", ".join(f"{v:g}" for v in velocity[1:])
        table.append((contact.name, f"{velocity[0]:g}", slip, friction, " ".join(problem.letters[i]) or "impact"))
    lines += _aligned(table)
    for rows, kind in ((problem.limits, "joint limits"), (problem.dry_friction, "dry friction"), (problem.bilateral, "loops")):
        if rows.names:
            lines.append(f"  {kind}: {', '.join(rows.names)}")
    for constraints, kind in ((problem.equalities, "extra equalities"), (problem.inequalities, "extra inequalities")):
        if constraints:
            lines.append(f"  {kind}: {sum(len(c.constant) for c in constraints)}")
    for name, speed, _ in approaching(problem):
        lines.append(f"  {name} approaches at {-speed:g}: that takes an impact")
    return "\n".join(lines)


def story_of_solution(solution: ContactSolution) -> str:
    """The modes and forces, or why there are none."""
    problem = solution.problem
    if not solution:
        lines = [f"no solution: {solution.status.value}"]
        lines += [f"  {name} approaches at {-speed:g}" for name, speed, _ in approaching(problem)]
        return "\n".join(lines)
    lines = [
        f"solution {solution.word!r}, residual {solution.residual:.1g}"
        if solution.word
        else f"solution, residual {solution.residual:.1g}"
    ]
    size, scale = problem.rows_per_contact, scale_of(problem, problem.applied(solution.tau))
    table = [("contact", "mode", "force", "acceleration")] if problem.contacts else []
    for i, contact in enumerate(problem.contacts):
        here = slice(size * i, size * (i + 1))
        row = (
            contact.name,
            MODES[solution.letters[i]],
            _vector(solution.force[here], scale.force[here]),
            _vector(solution.contact_acceleration[here], scale.row[here]),
        )
        table.append(row)
    lines += _aligned(table)
    held = {"F": "holds", "S": "lets go"}
    modes = solution.modes
    for name, force in zip(problem.limits.names, solution.limit_force, strict=True):
        lines.append(f"  {name} {held[modes[name]]}, force {force:.4g}")
    for name, force in zip(problem.dry_friction.names, solution.dry_friction_force, strict=True):
        lines.append(f"  {name} {'sticks' if modes[name] == 'F' else MODES[modes[name]]}, force {force:.4g}")
    for name, force in zip(problem.bilateral.names, solution.bilateral_force, strict=True):
        lines.append(f"  {name}: force {force:.4g}")
    lines.append(f"  accelerations {_vector(solution.acceleration, scale.acceleration)}")
    family = solution.family
    if family.force_dimension:
        lines.append(f"  forces are one choice of a continuum of {_number(family.force_dimension, 'dimension')}")
    if family.motion_dimension:
        lines.append(f"  the motion is one choice of a continuum of {_number(family.motion_dimension, 'dimension')}")
    return "\n".join(lines)


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _vector(values: Floats, scale: Floats) -> str:
    """Numbers in brackets; those that are round-off beside the typical magnitudes `scale` are zero."""
    seen = np.where(np.abs(values) > ROUND_OFF * scale, values, 0.0)
    return "(" + ", ".join(f"{value:.4g}" for value in seen) + ")"


def _aligned(table: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))] if table else []
    return ["  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
