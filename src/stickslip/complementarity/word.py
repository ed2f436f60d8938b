"""Words: one letter for each contact, S separating, F fixed, R sliding towards +t, L towards -t; in space D for sliding.

Limits that hold and joints that stick by dry friction are F, limits that let go are S, joints that slide are R or L.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stickslip.mechanism.errors import ArgumentError

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

AT_REST = {True: "FSRL", False: "FSD"}  # in the plane, in space: sticking comes first, so that it is tried first


def approaching(problem: ContactProblem) -> list[tuple[str, float, float]]:
    """(name, speed, threshold) in m/s or rad/s of contacts and limits that come closer: only an impact can stop them."""
    normal = problem.velocity[:: problem.rows_per_contact]
    found = [
        (contact.name, float(v), float(threshold))
        for contact, v, threshold in zip(problem.contacts, normal, problem.thresholds, strict=True)
        if v < -threshold
    ]
    limits = problem.limits
    speeds = zip(limits.names, limits.velocity, limits.threshold, strict=True)
    return found + [(name, float(v), float(threshold)) for name, v, threshold in speeds if v < -threshold]


def possible_letters(problem: ContactProblem) -> tuple[str, ...]:
    """The modes of each contact that its velocity allows (paper 0, Table III)."""
    size = problem.rows_per_contact
    return tuple(
        _letters(problem.velocity[size * i : size * (i + 1)], problem.thresholds[i], problem.planar)
        for i in range(len(problem.contacts))
    )


def _letters(velocity: np.ndarray, threshold: float, planar: bool) -> str:
    normal, slip = velocity[0], velocity[1:]
    if normal < -threshold:
        return ""
    if normal > threshold:
        return "S"
    if np.linalg.norm(slip) <= threshold:
        return AT_REST[planar]
    if not planar:
        return "SD"
    return "SR" if slip[0] > 0 else "SL"


def limit_letters(problem: ContactProblem) -> tuple[str, ...]:
    """The modes of each joint limit that its velocity allows."""
    limits = problem.limits
    speeds = zip(limits.velocity, limits.threshold, strict=True)
    return tuple("" if v < -threshold else "S" if v > threshold else "FS" for v, threshold in speeds)


def dry_letters(problem: ContactProblem) -> tuple[str, ...]:
    """The modes of each row of dry friction that its velocity allows."""
    dry = problem.dry_friction
    speeds = zip(dry.velocity, dry.threshold, strict=True)
    return tuple("FRL" if abs(v) <= threshold else "R" if v > 0 else "L" for v, threshold in speeds)


def allowed_letters(problem: ContactProblem) -> tuple[str, ...]:
    """The modes that velocities allow of all contacts, joint limits and rows of dry friction."""
    return (*problem.letters, *limit_letters(problem), *dry_letters(problem))


def checked_word(problem: ContactProblem, word: object) -> str:
    """`word` if it has a letter for each contact, else a sentence."""
    letters = "".join(sorted(set(AT_REST[problem.planar]) | {"S"}))
    if not isinstance(word, str) or len(word) != len(problem.contacts) or set(word) - set(letters):
        raise ArgumentError(
            f"a word needs one of the letters {letters} for each of {len(problem.contacts)} contacts, not {word!r:.60}."
        )
    return word
