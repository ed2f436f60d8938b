"""Several contacts, one after the other: single impacts until nothing approaches any more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.impact.collision import Collision, Point
from stickslip.impact.law import Answer, failed
from stickslip.impact.status import ImpactStatus

Single = Callable[[Floats, Floats, Point, float], Floats]  # G (d, d), u (d,), the point, its restitution -> impulse (d,)


def in_turn(at: Collision, restitution: Floats, single: Single, order: str, most: int) -> Answer:
    """Single impacts: of the contact that approaches fastest, or of the first that does as they are "listed".

    `most` bounds their number. With restitutions below one the number can be infinite all the same; speeds then fall below
    thresholds or round-off after some dozens.
    """
    u, total, sequence = at.velocity.copy(), np.zeros(len(at.velocity)), list[int]()
    while True:
        waiting = at.approaching(u)
        if not waiting:
            return Answer(ImpactStatus.SOLVED, total, sequence=tuple(sequence))
        if len(sequence) == most:
            names = ", ".join(repr(at.points[i].name) for i in waiting)
            return failed(at, ImpactStatus.ENDLESS, f"after {most} single impacts, {names} still approach.")
        k = min(waiting, key=lambda i: u[at.points[i].normal]) if order == "fastest" else waiting[0]
        point = at.points[k]
        p = single(at.delassus[point.rows, point.rows], u[point.rows], point, float(restitution[k]))
        if not np.isfinite(p).all():
            reason = f"{point.name!r} is wedged: however large the impulse, it does not stop approaching."
            return failed(at, ImpactStatus.INFEASIBLE, reason)
        total[point.rows] += p
        u = at.velocity + at.delassus @ total
        sequence.append(k)
