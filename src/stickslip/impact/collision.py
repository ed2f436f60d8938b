"""An impact as laws see it: contacts and joint limits, what impulses there do to each other, and the velocities before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stickslip.complementarity.arrays import fixed
from stickslip.complementarity.compliance import Compliance, compliance
from stickslip.complementarity.problem import ContactProblem
from stickslip.complementarity.rows import Rows
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError

MISFIT = 1e-6  # difference between J v and the problem's own velocity, relative to the larger, that is no mistake
ROUND_OFF = 1e-12  # of the largest speed of any row: less is no approach


@dataclass(frozen=True)
class Point:
    """Where impulses may act: a contact, or a joint limit, which is a contact without tangents, friction and restitution.

    `rows` are its rows among those of the collision, normal first.
    """

    name: str
    rows: slice
    friction: float
    static_friction: float
    restitution: float
    threshold: float

    @property
    def normal(self) -> int:
        """Its normal row."""
        return int(self.rows.start)

    @property
    def tangents(self) -> slice:
        """Its tangential rows: none, one or two."""
        return slice(self.rows.start + 1, self.rows.stop)


@dataclass(frozen=True, eq=False)
class Collision:
    """The rows of all points, contacts first: `delassus` G (r, r) in 1/kg, and `velocity` (r,), their J v before, in m/s.

    Impulses p (r,), in N s, change the rows' velocities by G p and those of the coordinates by `response` p; loops hold.
    """

    problem: ContactProblem
    v: Floats
    points: tuple[Point, ...]
    delassus: Floats
    velocity: Floats
    response: Floats
    loop_response: Floats

    @property
    def kinetic_energy(self) -> float:
        """Before the impact, in J."""
        return float(self.v @ self.problem.mass @ self.v / 2)

    @property
    def speed(self) -> float:
        """The largest speed of any row, in m/s."""
        return float(np.abs(self.velocity).max(initial=0.0))

    @property
    def planar(self) -> bool:
        """Whether contacts have one tangent rather than two."""
        return self.problem.planar

    def approaching(self, velocity: Floats) -> list[int]:
        """Points that still close in at row velocities (r,), in m/s: faster than their threshold, and than round-off."""
        least = ROUND_OFF * max(self.speed, float(np.abs(velocity).max(initial=0.0)))
        return [i for i, point in enumerate(self.points) if velocity[point.normal] < -max(point.threshold, least)]


def collision(problem: ContactProblem, v: Any) -> Collision:
    """The collision of a contact problem at the velocities v (nv,), in m/s and rad/s."""
    v = fixed(v, (problem.nv,), "v")
    if problem.equalities or problem.inequalities:
        raise ArgumentError(
            "an impact has impulses and velocities, while extra equalities and inequalities speak of forces and accelerations; "
            "give a problem without them."
        )
    rows = problem.stacked
    velocity = rows.jacobian @ v
    _check_velocity(problem, velocity[rows.contacts])
    unmoved = np.zeros(rows.count)
    gives: Compliance = compliance(problem, np.zeros(problem.nv), drift=unmoved)
    count = rows.limits.stop
    return Collision(
        problem=problem,
        v=v,
        points=_points(problem),
        delassus=_symmetric(gives.delassus[:count, :count]),
        velocity=velocity[:count],
        response=gives.response[:, :count],
        loop_response=gives.loop_response[:, :count],
    )


def velocity_problem(at: Collision, shift: Floats, *, static: bool = True) -> ContactProblem:
    """A contact problem whose accelerations are the change of velocities, and whose forces are impulses.

    Its laws are those of an impact then, with u = J v + `shift` (r,), in m/s, in place of the contacts' accelerations: a
    contact that pushes has u_n = 0, sticks with u_t = 0 within static friction, or slides against that of sliding. Without
    `static` friction that of sliding is all there is.
    """
    problem, rows = at.problem, at.problem.stacked
    u = at.velocity + shift
    limits = problem.limits
    return ContactProblem(
        mass=problem.mass,
        bias=np.zeros(problem.nv),
        jacobian=problem.jacobian,
        drift=u[rows.contacts],
        friction=problem.friction,
        static_friction=problem.static_friction if static else problem.friction,
        restitution=problem.restitution,
        names=[contact.name for contact in problem.contacts],
        limits=Rows(jacobian=limits.jacobian, drift=u[rows.limits], names=limits.names),
        bilateral=Rows(jacobian=problem.bilateral.jacobian, names=problem.bilateral.names),
    )


def _points(problem: ContactProblem) -> tuple[Point, ...]:
    size, start = problem.rows_per_contact, problem.stacked.limits.start
    surfaces = zip(problem.contacts, problem.thresholds.tolist(), strict=True)
    contacts = [
        Point(c.name, slice(size * i, size * (i + 1)), c.friction, c.static_friction, c.restitution, threshold)
        for i, (c, threshold) in enumerate(surfaces)
    ]
    named = zip(problem.limits.names, problem.limits.threshold.tolist(), strict=True)
    limits = [
        Point(name, slice(start + i, start + i + 1), 0.0, 0.0, 0.0, threshold) for i, (name, threshold) in enumerate(named)
    ]
    return (*contacts, *limits)


def _check_velocity(problem: ContactProblem, velocity: Floats) -> None:
    """A problem that knows its contacts' velocities must agree with v; one written by hand may leave them out."""
    known = problem.velocity
    if not known.any():
        return
    size = max(np.abs(known).max(), np.abs(velocity).max(initial=0.0))
    off = np.abs(known - velocity)
    if off.max() > MISFIT * size:
        name = problem.contacts[int(off.argmax()) // problem.rows_per_contact].name
        raise ArgumentError(
            f"v does not belong to this contact problem: at {name!r} the problem says {known[off.argmax()]:g} m/s, "
            f"J v is {velocity[off.argmax()]:g} m/s."
        )


def _symmetric(G: Floats) -> Floats:
    return (G + G.T) / 2
