"""`impact`: what a law makes of an instant at which something collides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from stickslip.complementarity.problem import ContactProblem
from stickslip.impact.collision import Collision, collision
from stickslip.impact.law import Answer, Law, nothing
from stickslip.impact.laws.poisson import Poisson
from stickslip.impact.result import Impact
from stickslip.impact.status import ImpactStatus
from stickslip.mechanism.errors import ArgumentError
from stickslip.mechanism.numbers import shown


def impact(problem: ContactProblem, v: Any, law: Law | None = None) -> Impact:
    """What happens where contacts of `problem` approach with the velocities v (nv,), in m/s and rad/s.

    `law` is `Poisson()` unless given; others are `Newton`, `Energetic` and `DissipationPrinciple`, with named settings. Joint
    limits that are reached collide as contacts without friction and restitution, loops hold, and dry friction of joints,
    whose force is bounded, does nothing in an instant. The answer has velocities, impulses, energies, a word, and a
    `.certificate` that it is possible; where the law has none, `.status` is a sentence that says why.

    >>> import stickslip as ss
    >>> puck = ss.ContactProblem(  # 1 kg
    ...     mass=[[1, 0], [0, 1]], bias=[0, 0], jacobian=[[0, 1], [1, 0]], friction=[0.2], restitution=[0.5]
    ... )
    >>> hit = ss.impact(puck, [3.0, -1.0])
    >>> hit.word, hit.velocity.round(3).tolist(), hit.energy_before, round(hit.energy, 3)
    ('R', [2.7, 0.5], 5.0, 3.77)
    """
    if not isinstance(problem, ContactProblem):
        raise ArgumentError(
            f"an impact is that of a ContactProblem, as ss.contact_problem(…) gives it, not of {shown(problem)}."
        )
    law = Poisson() if law is None else law
    if not callable(getattr(law, "resolve", None)):
        raise ArgumentError(f"the law of an impact must be one like Poisson(), not {shown(law)}.")
    at = collision(problem, v)
    answer = law.resolve(at) if at.approaching(at.velocity) else nothing(at)
    return _judged(_told(at, law, answer))


def _told(at: Collision, law: Law, answer: Answer) -> Impact:
    contacts = at.problem.stacked.contacts
    return Impact(
        problem=at.problem,
        law=law,
        status=answer.status,
        velocity_before=at.v,
        velocity=answer.scale * (at.v + at.response @ answer.impulse),
        impulse=answer.impulse[contacts],
        limit_impulse=answer.impulse[contacts.stop :],
        loop_impulse=at.loop_response @ answer.impulse,
        scale=answer.scale,
        reason=answer.reason,
        sequence=tuple(at.points[i].name for i in answer.sequence),
        exclusions=answer.exclusions,
    )


def _judged(told: Impact) -> Impact:
    """An answer that breaks a line of its certificate is none."""
    if not told or told.certificate:
        return told
    broken = next(line for line in told.certificate.lines if not line.holds)
    lost = {
        name: np.full_like(getattr(told, name), np.nan) for name in ("velocity", "impulse", "limit_impulse", "loop_impulse")
    }
    return replace(told, status=ImpactStatus.INACCURATE, reason=f"a line is broken: {broken.sentence}.", **lost)
