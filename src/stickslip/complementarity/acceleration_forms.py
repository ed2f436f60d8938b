"""Contact at the level of accelerations as linear complementarity problems: paper 1's, and stick and slip in the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.compliance import compliance
from stickslip.complementarity.pairs import Form, Pairs
from stickslip.complementarity.tables import DIRECTION
from stickslip.complementarity.word import approaching, dry_letters, limit_letters
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem


def frictionless(problem: ContactProblem, tau: Floats) -> Form:
    """Normal forces f_n against normal accelerations, as if there were no friction at contacts (paper 1, 48)."""
    pairs = _begun(problem, tau)
    for i in _closed(problem):
        _normal(pairs, problem, i, {})
    _others(pairs, problem)
    return pairs.form("the frictionless problem")


def sliding(problem: ContactProblem, tau: Floats) -> Form:
    """Normal forces against normal accelerations where every contact slides, in a known direction (paper 1, 53).

    Friction force -mu s f_n, with s the sign of the slip (in space its direction), follows each normal force.
    """
    pairs = _begun(problem, tau)
    size = problem.rows_per_contact
    for i in _closed(problem):
        slip = problem.velocity[size * i + 1 : size * (i + 1)]
        speed = np.linalg.norm(slip)
        if speed <= problem.thresholds[i]:
            raise ArgumentError(
                f"contact {problem.contacts[i].name!r} does not slide, so that the direction of its friction is not known; "
                "the form stick_slide has no need of it."
            )
        rows = range(size * i + 1, size * (i + 1))
        friction = {row: -problem.friction[i] * part / speed for row, part in zip(rows, slip, strict=True)}
        _normal(pairs, problem, i, friction)
    _others(pairs, problem)
    return pairs.form("the sliding problem")


def stick_slide(problem: ContactProblem, tau: Floats, *, friction: Floats | None = None, borrowing: bool = False) -> Form:
    """Sticking and slipping in the plane, with three pairs for each contact at rest:

        f_n           against  a_n
        mu f_n + f_t  against  the part a_t+ of the tangential acceleration
        the part a_t- against  mu f_n - f_t         (a_t = a_t+ - a_t-)

    One pair where a contact slides or has no friction. `friction` (k,), dimensionless, stands for the problem's own.
    """
    if not problem.planar:
        raise ArgumentError("the stick and slide problem is one of the plane; in space take the form polyhedral.")
    mu = problem.friction if friction is None else friction
    pairs = _begun(problem, tau, borrowing)
    for i in _closed(problem):
        name, n, t, letters = problem.contacts[i].name, 2 * i, 2 * i + 1, problem.letters[i]
        if "F" not in letters or mu[i] == 0.0:
            _normal(pairs, problem, i, {t: -mu[i] * DIRECTION[letters[1]]} if "F" not in letters else {})
            continue
        first = pairs.add(f"f_n of {name}", f"a_n of {name}", pushes={n: 1.0, t: -mu[i]}, moves={n: 1.0})
        second = pairs.add(f"mu f_n + f_t of {name}", f"a_t+ of {name}", pushes={t: 1.0}, moves={t: 1.0})
        third = pairs.add(f"a_t- of {name}", f"mu f_n - f_t of {name}")
        pairs.link(second, third, 1.0)
        pairs.link(third, first, 2 * mu[i])
        pairs.link(third, second, -1.0)
    _others(pairs, problem)
    return pairs.form("the problem of stick and slide")


def _begun(problem: ContactProblem, tau: Floats, borrowing: bool = False) -> Pairs:
    for name, speed, threshold in approaching(problem):
        raise ArgumentError(f"{name!r} approaches at {-speed:g} (threshold {threshold:g}): that takes an impact, not a force.")
    return Pairs(compliance(problem, problem.applied(tau), borrowing=borrowing))


def _closed(problem: ContactProblem) -> list[int]:
    return [i for i, letters in enumerate(problem.letters) if letters != "S"]


def _normal(pairs: Pairs, problem: ContactProblem, i: int, friction: dict[int, float]) -> None:
    name, n = problem.contacts[i].name, problem.rows_per_contact * i
    pairs.add(f"f_n of {name}", f"a_n of {name}", pushes={n: 1.0, **friction}, moves={n: 1.0})


def _others(pairs: Pairs, problem: ContactProblem) -> None:
    """Joint limits, one pair each, and dry friction: two pairs at rest, a given force while sliding."""
    rows, limits, dry = problem.stacked, problem.limits, problem.dry_friction
    for i, letters in enumerate(limit_letters(problem)):
        row, name = rows.limits.start + i, limits.names[i]
        if letters != "S":
            pairs.add(f"force of {name}", f"acceleration of {name}", pushes={row: 1.0}, moves={row: 1.0})
    for i, letters in enumerate(dry_letters(problem)):
        row, name, bound = rows.dry.start + i, dry.names[i], dry.bound[i]
        if letters == "FRL":
            pairs.offset[row] = -bound
            first = pairs.add(f"bound + force of {name}", f"a+ of {name}", pushes={row: 1.0}, moves={row: 1.0})
            second = pairs.add(f"a- of {name}", f"bound - force of {name}", constant=2 * bound)
            pairs.link(first, second, 1.0)
            pairs.link(second, first, -1.0)
        else:
            pairs.offset[row] = -DIRECTION[letters] * bound
