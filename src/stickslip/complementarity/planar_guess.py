"""Letters for a planar problem, proposed by Lemke's method on the problem of stick and slide.

Sticking is given up only where static friction does not hold: contacts at rest begin with static friction, and those that
slip even so go on with the friction of sliding, until none changes any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity import lcp
from stickslip.complementarity.acceleration_forms import stick_slide
from stickslip.complementarity.pairs import Form
from stickslip.complementarity.stacked import Scale
from stickslip.complementarity.word import dry_letters, limit_letters
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import SingularInertiaError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

STILL = 1e-10  # scaled tangential acceleration below which a contact without friction counts as fixed


def planar_letters(problem: ContactProblem, tau: Floats, scale: Scale) -> Iterator[tuple[tuple[str, ...], Floats]]:
    """(letters, point (nv + R,)) that Lemke's method finds, in SI units; at most one, two where static friction misleads."""
    at_rest = np.array(["F" in letters for letters in problem.letters], dtype=bool)
    friction = np.where(at_rest, problem.static_friction, problem.friction)
    for _ in range(len(at_rest) + 1):
        found = _lemke(problem, tau, scale, friction)
        if found is None:
            break
        letters, point = found
        slips = [i for i in np.flatnonzero(at_rest) if letters[i] in "RL" and friction[i] != problem.friction[i]]
        if not slips:
            yield letters, point
            break
        friction[slips] = problem.friction[slips]
    if (problem.static_friction != problem.friction)[at_rest].any():
        found = _lemke(problem, tau, scale, problem.friction)
        if found is not None:
            yield found


def _lemke(problem: ContactProblem, tau: Floats, scale: Scale, friction: Floats) -> tuple[tuple[str, ...], Floats] | None:
    try:
        form = stick_slide(problem, tau, friction=friction)
    except SingularInertiaError:
        try:
            form = stick_slide(problem, tau, friction=friction, borrowing=True)
        except SingularInertiaError:
            return None
    found = lcp.solve(form.A, form.b, budget=0)
    if not found.status:
        return None
    response = form.recover(found.z)
    letters = _read(problem, form, scale, friction, found.z, found.w, response.acceleration)
    return letters, np.concatenate([response.acceleration, response.force])


def _read(
    problem: ContactProblem, form: Form, scale: Scale, friction: Floats, z: Floats, w: Floats, a: Floats
) -> tuple[str, ...]:
    """The letters that a solution of the problem of stick and slide stands for."""
    letters, at = [], 0
    for i, allowed in enumerate(problem.letters):
        if allowed == "S":
            letters.append("S")
            continue
        if z[at] == 0.0:
            letter = "S"
        elif "F" not in allowed:
            letter = allowed[1]
        elif friction[i] == 0.0:
            slip = problem.jacobian[2 * i + 1] @ a + problem.drift[2 * i + 1]
            letter = "F" if abs(slip) <= STILL * scale.row[2 * i + 1] else "R" if slip > 0.0 else "L"
        else:
            letter = "R" if z[at + 1] == 0.0 else "L" if z[at + 2] > 0.0 else "F"
        letters.append(letter)
        at += 3 if "F" in allowed and friction[i] != 0.0 else 1
    for allowed in limit_letters(problem):
        letters.append("S" if allowed == "S" or z[at] == 0.0 else "F")
        at += allowed != "S"
    for allowed in dry_letters(problem):
        if len(allowed) == 1:
            letters.append(allowed)
            continue
        letters.append("R" if z[at] == 0.0 else "L" if z[at + 1] > 0.0 else "F")
        at += 2
    return tuple(letters)
