"""The forces after an impact of contacts that do not rebound, for given modes: paper 4's (3.17) to (3.21)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from stickslip.complementarity.compliance import compliance
from stickslip.complementarity.problem import ContactProblem
from stickslip.complementarity.word import checked_word
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError


class ContactForces(NamedTuple):
    """`force` (rows,) in N, normal first, and the contacts' `acceleration` (rows,) in m/s^2; what lets go has no force."""

    force: Floats
    acceleration: Floats


def contact_forces(problem: ContactProblem, word: str, tau: Any = None) -> ContactForces:
    """Forces and accelerations of contacts in the modes of `word`, under inputs `tau` (nu,) in N and N m.

    S has no force; F no acceleration; R and L no normal acceleration, and friction against the slip; in space D slides in
    the direction of the problem's own velocity. Nothing is checked: whether contacts push and friction suffices is the question
    that `problem.solve` answers.
    """
    word = checked_word(problem, word)
    gives = compliance(problem, problem.applied(tau))
    rows = problem.stacked.contacts
    G, free = gives.delassus[rows, rows], gives.row_free[rows]
    size, count = problem.rows_per_contact, len(problem.jacobian)
    acceleration, force = [], []
    for i, letter in enumerate(word):
        normal, tangents = np.eye(count)[size * i], np.eye(count)[size * i + 1 : size * (i + 1)]
        if letter == "S":
            acceleration += [normal, *tangents]
        elif letter == "F":
            force += [normal, *tangents]
        else:
            acceleration += [*tangents]
            force.append(normal - problem.friction[i] * _direction(problem, i, letter) @ tangents)
    B1, B2 = np.reshape(acceleration, (-1, count)).T, np.reshape(force, (-1, count)).T
    unknown = np.linalg.lstsq(np.hstack([B1, -G @ B2]), free, rcond=None)[0]
    return ContactForces(np.asarray(B2 @ unknown[B1.shape[1] :]), np.asarray(B1 @ unknown[: B1.shape[1]]))


def _direction(problem: ContactProblem, i: int, letter: str) -> Floats:
    if letter != "D":
        return np.array([1.0 if letter == "R" else -1.0])
    slip = problem.velocity[3 * i + 1 : 3 * i + 3]
    speed = float(np.hypot(*slip))
    if speed <= problem.thresholds[i]:
        raise ArgumentError(f"{problem.contacts[i].name!r} does not slide yet, so that it has no direction D.")
    return np.asarray(slip / speed)
