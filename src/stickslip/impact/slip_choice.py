"""Paper 4's choice of the slip after an impact, (4.5) to (4.10) and (5.6) to (5.14), for one word: a convex problem.

Normal velocities after the impact are given, and which points stick; x are the tangential velocities of the others. Then

    u+ = S x + t,    p = K (u+ - u-),    K = G^-1     over the points that push

are affine in x, the friction cones abs(p_t) <= mu p_n are convex, and so is the energy u+ . K u+. The x of least norm is found
from outside: cones and energy are replaced by linear inequalities that all of their points satisfy, one more where the last x
breaks them, until Newton's method goes the rest of the way. So what excludes x there proves that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stickslip.dynamics.tree import Floats
from stickslip.impact.collision import Collision
from stickslip.impact.exclusion import Exclusion
from stickslip.impact.least_norm import nearest
from stickslip.impact.slip_polish import Curve, Quadratic, RoundCone, polish

CUTS = 60  # rounds of new inequalities
TOLERANCE = 1e-13  # violation of a cone or of the energy, relative to its terms
DEPENDENT = 1e-11  # reciprocal condition of G, its diagonal being one, below which rows depend on each other
REACH = 1e4  # times the speeds before the impact, up to which an exclusion excludes
EDGES = 8  # of a cone in space to begin with


@dataclass(frozen=True, eq=False)
class Choice:
    """Which points push (`active`), which of them slip, and the normal velocities `aim` (points,) in m/s that they get.

    `least` (points,), in m/s, is what others need at least. `energy`, in J, bounds the change of the kinetic energy.
    """

    at: Collision
    active: tuple[int, ...]
    slipping: tuple[int, ...]
    aim: Floats
    least: Floats
    energy: float


@dataclass(frozen=True, eq=False)
class Found:
    """Impulses (r,) in N s, and the tangential velocities (r,) of the slipping points in m/s, zero elsewhere."""

    impulse: Floats
    slip: Floats


class Affine:
    """u+ and p of a choice, over the rows that push, as functions of x: u+ = S x + t, p = K u+ - p0."""

    def __init__(self, choice: Choice) -> None:
        at = choice.at
        self.rows = np.concatenate([np.arange(at.points[i].rows.start, at.points[i].rows.stop) for i in choice.active])
        self.free = [r for i in choice.slipping for r in range(at.points[i].tangents.start, at.points[i].tangents.stop)]
        place = {int(row): k for k, row in enumerate(self.rows)}
        self.place = place
        self.S = np.zeros((len(self.rows), len(self.free)))
        for column, row in enumerate(self.free):
            self.S[place[row], column] = 1.0
        self.t = np.zeros(len(self.rows))
        for i in choice.active:
            self.t[place[at.points[i].normal]] = choice.aim[i]
        self.K = np.linalg.inv(at.delassus[np.ix_(self.rows, self.rows)])
        self.P = self.K @ self.S
        self.p = self.K @ (self.t - at.velocity[self.rows])

    def impulse(self, x: Floats) -> Floats:
        """Impulses of these rows, in N s, for x in m/s."""
        return np.asarray(self.P @ x + self.p)


def independent(at: Collision, active: tuple[int, ...]) -> bool:
    """Whether the rows of these points do not depend on each other, so that velocities may be chosen for all of them."""
    rows = np.concatenate([np.arange(at.points[i].rows.start, at.points[i].rows.stop) for i in active])
    G = at.delassus[np.ix_(rows, rows)]
    unit = np.sqrt(np.diag(G))
    if not (unit > 0.0).all():
        return False
    return bool(np.linalg.eigvalsh(G / np.outer(unit, unit))[0] > DEPENDENT)


def chosen(choice: Choice, friction: Floats, word: str) -> Found | Exclusion | None:
    """The x of least norm for coefficients of friction (points,); or why there is none; None if round-off hid it."""
    affine = Affine(choice)
    unit = choice.at.speed or 1.0
    A, b = _linear(choice, affine, friction)
    if not affine.free:
        return _without_slip(choice, affine, A, b, friction, word)
    curved = curves_of(choice, affine, friction)
    owners = [-1] * len(b)
    for _ in range(CUTS):
        lines, bounds = _normalised(A * unit, b)
        found = nearest(lines, bounds)
        if found is None:
            return None
        if found.point is None or np.abs(found.point).max() > REACH:
            proof = Exclusion(word, lines / unit, bounds, found.multipliers, REACH * unit)
            if proof.verify():
                return proof
        if found.point is None:
            return None
        x = found.point * unit
        broken = [k for k, curve in enumerate(curved) if curve.value(x) < -TOLERANCE * curve.size(x)]
        if not broken:
            return _found(choice, affine, x)
        polished = polish(x, A, b, np.array(owners), found.multipliers, curved)
        if polished is not None:
            return _found(choice, affine, polished)
        for k in broken:
            slope, value = curved[k].slope(x), curved[k].value(x)
            A, b = np.vstack([A, slope]), np.append(b, slope @ x - value)
            owners.append(k)
    return None


def _without_slip(choice: Choice, affine: Affine, A: Floats, b: Floats, friction: Floats, word: str) -> Found | Exclusion:
    """Where every point sticks there is nothing to choose: either all lines hold, or one says why not."""
    nothing = np.zeros(0)
    curved = curves_of(choice, affine, friction)
    unit = choice.at.speed or 1.0
    lines, bounds = _normalised(A, b)
    for curve in curved:
        size = curve.size(nothing) or 1.0
        lines, bounds = np.vstack([lines, np.zeros((1, 0))]), np.append(bounds, -curve.value(nothing) / size)
    wrong = int(bounds.argmax())
    if bounds[wrong] > TOLERANCE:
        return Exclusion(word, lines, bounds, np.eye(len(bounds))[wrong], REACH * unit)
    return _found(choice, affine, nothing)


def curves_of(choice: Choice, affine: Affine, friction: Floats) -> list[Curve]:
    """What is not linear: cones in space, and the bound on energy."""
    at, curved = choice.at, list[Curve]()
    for i in choice.active:
        n, count = affine.place[at.points[i].normal], at.points[i].tangents.stop - at.points[i].tangents.start
        if count == 2:
            rows = [n, n + 1, n + 2]
            curved.append(RoundCone(affine.P[rows], affine.p[rows], float(friction[i])))
    if np.isfinite(choice.energy):
        before = at.velocity[affine.rows]
        had = float(before @ affine.K @ before) / 2
        curved.append(Quadratic(affine.S, affine.t, affine.K, choice.energy + had, had))
    return curved


def _found(choice: Choice, affine: Affine, x: Floats) -> Found:
    impulse, slip = np.zeros(len(choice.at.velocity)), np.zeros(len(choice.at.velocity))
    impulse[affine.rows] = affine.impulse(x)
    slip[affine.free] = x
    return Found(impulse, slip)


def _normalised(A: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Each inequality divided by the size of its numbers."""
    size = np.maximum(np.abs(A).max(axis=1, initial=0.0), np.abs(b))
    size[size == 0.0] = 1.0
    return A / size[:, None], b / size


def _linear(choice: Choice, affine: Affine, friction: Floats) -> tuple[Floats, Floats]:
    """A x >= b: pushes, cones as seen from a few sides (in the plane from both, which is all), and points that let go."""
    at, rows, bounds = choice.at, [np.zeros((0, len(affine.free)))], list[float]()
    for i in choice.active:
        n = affine.place[at.points[i].normal]
        tangents = range(n + 1, n + 1 + at.points[i].tangents.stop - at.points[i].tangents.start)
        rows.append(affine.P[[n]])
        bounds.append(-affine.p[n])
        for direction in _sides(len(tangents)):
            rows.append((friction[i] * affine.P[n] - direction @ affine.P[list(tangents)])[None])
            bounds.append(float(direction @ affine.p[list(tangents)] - friction[i] * affine.p[n]))
    for i in range(len(at.points)):
        if i not in choice.active:
            reach = at.delassus[at.points[i].normal, affine.rows]
            rows.append((reach @ affine.P)[None])
            bounds.append(float(choice.least[i] - at.velocity[at.points[i].normal] - reach @ affine.p))
    return np.vstack(rows), np.array(bounds)


def _sides(tangents: int) -> Floats:
    if tangents < 2:
        return np.array([[1.0], [-1.0]])[:, :tangents] if tangents else np.zeros((0, 0))
    angles = 2.0 * np.pi * np.arange(EDGES) / EDGES
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)
