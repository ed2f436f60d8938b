"""What has to hold in a mode (Tables I and II of paper 0): its equations, and how far a result is from every line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stickslip.complementarity.stacked import Scale
from stickslip.complementarity.word import allowed_letters
from stickslip.dynamics.tree import Floats

if TYPE_CHECKING:
    from stickslip.complementarity.problem import ContactProblem

DIRECTION = {"R": 1.0, "L": -1.0}

GROWTH = 1e6  # times the scale of a problem that its results may be larger before more accuracy is asked of them


def equations(
    problem: ContactProblem,
    tau: Floats,
    scale: Scale,
    letters: tuple[str, ...],
    at: tuple[Floats, Floats] | None = None,
) -> tuple[Floats, Floats]:
    """K (e, nv + R) and r (e,): K x = r holds in the mode `letters` for the scaled unknowns (a, forces of all rows).

    `letters` go through contacts, limits and rows of dry friction; where contacts in space begin to slide the equations are
    those linearised at the accelerations and forces `at`. Units are those of `scale`, so that all are near one.
    """
    rows, nv, size = problem.stacked, problem.nv, problem.rows_per_contact
    k, limits = len(problem.contacts), len(problem.limits)
    headings = headings_of(problem, letters, np.zeros(nv) if at is None else at[0])
    K = [np.hstack([problem.mass, -rows.jacobian.T])]
    r = [problem.applied(tau)]
    units = [scale.push]

    def accelerates(row: int, value: float = 0.0) -> None:
        line = np.zeros(nv + rows.count)
        line[:nv] = rows.jacobian[row]
        put(line, value - rows.drift[row], scale.row[row])

    def pushes(row: int, value: float = 0.0, other: int = -1, factor: float = 0.0) -> None:
        line = np.zeros(nv + rows.count)
        line[nv + row] = 1.0
        if other >= 0:
            line[nv + other] = factor
        put(line, value, scale.force[row])

    def turns(i: int, row: int) -> None:
        """f_t + mu f_n d = 0 where d follows the acceleration a_t: its change is that of a_t across d, over |a_t|."""
        t, heading = slice(size * i + 1, size * (i + 1)), headings[i]
        line = np.zeros(nv + rows.count)
        line[nv + row] = 1.0
        line[nv + size * i] = problem.friction[i] * heading[row - t.start]
        value, unit = 0.0, scale.force[row]
        if at is not None and "F" in problem.letters[i]:
            a, force = at
            across = np.eye(size - 1)[row - t.start] - heading[row - t.start] * heading
            slip = np.linalg.norm(rows.jacobian[t] @ a + rows.drift[t])
            stiffness = problem.friction[i] * force[size * i] / slip
            line[:nv] = stiffness * (across @ rows.jacobian[t])
            value = -stiffness * float(across @ rows.drift[t])
            unit = max(unit, abs(stiffness) * scale.row[row])
        put(line, value, unit)

    def put(line: Floats, value: float, unit: float) -> None:
        K.append(line[None])
        r.append(np.array([value]))
        units.append(np.array([unit]))

    for i, letter in enumerate(letters[:k]):
        for row in range(size * i, size * (i + 1)):
            if letter == "S":
                pushes(row)
            elif letter == "F" or row == size * i:
                accelerates(row)
            elif letter in DIRECTION:
                pushes(row, other=size * i, factor=DIRECTION[letter] * problem.friction[i])
            elif problem.friction[i] == 0.0:
                pushes(row)
            elif i in headings:
                turns(i, row)
    for i, letter in enumerate(letters[k : k + limits]):
        (pushes if letter == "S" else accelerates)(rows.limits.start + i)
    for i, letter in enumerate(letters[k + limits :]):
        if letter == "F":
            accelerates(rows.dry.start + i)
        else:
            pushes(rows.dry.start + i, -DIRECTION[letter] * problem.dry_friction.bound[i])
    for row in range(rows.bilateral.start, rows.bilateral.stop):
        accelerates(row)
    for extra in problem.equalities:
        A, F, size_of = extra_rows(problem, extra, scale)
        K.append(np.hstack([A, F]))
        r.append(extra.constant - extra.input @ tau)
        units.append(size_of)
    unit = np.concatenate(units)
    return (
        np.vstack(K) * np.concatenate([scale.acceleration, scale.force]) / unit[:, None],
        np.concatenate(r) / unit,
    )


def headings_of(problem: ContactProblem, letters: tuple[str, ...], a: Floats) -> dict[int, Floats]:
    """Unit vectors (2,) in which contacts in space slide, or begin to under the accelerations a (nv,)."""
    found = {}
    for i, letter in zip(range(len(problem.contacts)), letters, strict=False):
        if letter == "D":
            here = slice(3 * i + 1, 3 * i + 3)
            way = problem.velocity[here]
            if np.linalg.norm(way) <= problem.thresholds[i]:
                way = problem.jacobian[here] @ a + problem.drift[here]
            length = np.linalg.norm(way)
            if length > 0.0:
                found[i] = way / length
    return found


def extra_rows(problem: ContactProblem, extra, scale: Scale) -> tuple[Floats, Floats, Floats]:
    """A (r, nv) and F (r, R) of an extra constraint, and the magnitudes (r,) of its rows."""
    F = np.zeros((len(extra.constant), problem.stacked.count))
    F[:, problem.stacked.contacts] = extra.force
    size = np.abs(extra.acceleration) @ scale.acceleration + np.abs(F) @ scale.force
    size[size == 0.0] = 1.0
    return extra.acceleration, F, size


def residual(problem: ContactProblem, tau: Floats, scale: Scale, a: Floats, force: Floats, letters: tuple[str, ...]) -> float:
    """The largest violation of any line that has to hold in the mode `letters`, relative to `scale`, for finite results.

    `a` (nv,) and `force` (R,) of all rows, in SI units. Where the terms of a line are larger than the problem's own magnitudes,
    its violation is relative to them (`measured`). Infinite where a letter is not allowed by the velocity.
    """
    if not (np.isfinite(a).all() and np.isfinite(force).all()):
        return np.inf
    if any(letter not in possible or not possible for letter, possible in zip(letters, allowed_letters(problem), strict=True)):
        return np.inf
    rows = problem.stacked
    scale = measured(problem, tau, scale, a, force)
    dynamics = problem.mass @ a - problem.applied(tau) - rows.jacobian.T @ force
    moving = (rows.jacobian @ a + rows.drift) / scale.row
    worst = max(
        np.abs(dynamics / scale.push).max(initial=0.0),
        np.abs(moving[rows.bilateral]).max(initial=0.0),
        _contacts(problem, scale, moving, force, letters),
        _limits(problem, scale, moving, force, letters),
        _dry(problem, scale, moving, force, letters),
        *(np.abs(gap).max(initial=0.0) for gap in _extra(problem, tau, scale, a, force, problem.equalities)),
        *(-gap.min(initial=0.0) for gap in _extra(problem, tau, scale, a, force, problem.inequalities)),
    )
    return float(worst)


def measured(problem: ContactProblem, tau: Floats, scale: Scale, a: Floats, force: Floats) -> Scale:
    """What each line of a result a (nv,), force (R,) is measured by: the problem's scale, or its own terms if they are larger.

    Line by line, so that something huge elsewhere excuses nothing, and no more than `GROWTH` times the problem's scale. Both
    tangents of a contact share one unit, or directions would be distorted.
    """
    rows, size = problem.stacked, problem.rows_per_contact
    J, moves, pushes = np.abs(rows.jacobian), np.abs(a), np.abs(force)
    applied = np.abs(problem.bias) + np.abs(problem.input_map) @ np.abs(tau)
    row = _grown(scale.row, J @ moves + np.abs(rows.drift))
    tangents = row[rows.contacts].reshape(-1, size)[:, 1:]
    tangents[:] = tangents.max(axis=1, keepdims=True)
    return Scale(
        acceleration=_grown(scale.acceleration, moves),
        push=_grown(scale.push, np.abs(problem.mass) @ moves + J.T @ pushes + applied),
        row=row,
        force=_grown(scale.force, pushes),
    )


def _grown(scale: Floats, terms: Floats) -> Floats:
    return np.clip(terms, scale, GROWTH * scale)


def _contacts(problem: ContactProblem, scale: Scale, moving: Floats, force: Floats, letters: tuple[str, ...]) -> float:
    """Tables I and II."""
    worst, size = 0.0, problem.rows_per_contact
    for i, letter in zip(range(len(problem.contacts)), letters, strict=False):
        here = slice(size * i, size * (i + 1))
        unit = scale.force[here].max()
        f, a = force[here] / unit, moving[here]
        slip = problem.velocity[here][1:]
        if letter == "S":
            fast = problem.velocity[size * i] > problem.thresholds[i]
            lines = [np.abs(f).max(), 0.0 if fast else -a[0]]
        elif letter == "F":
            lines = [np.abs(a).max(), -f[0], np.linalg.norm(f[1:]) - problem.static_friction[i] * f[0]]
        else:
            lines = [abs(a[0]), -f[0], *_sliding(letter, slip, problem.thresholds[i], a[1:], f[1:], problem.friction[i] * f[0])]
        worst = max(worst, *lines)
    return worst


def _sliding(letter: str, slip: Floats, threshold: float, a: Floats, f: Floats, strength: float) -> list[float]:
    """Violations by friction f of given `strength` that opposes slip, or the acceleration a of what begins to slip.

    In space the direction of a small acceleration says little: it is asked for as far as the acceleration is there.
    """
    speed = float(np.linalg.norm(slip))
    begins = speed <= threshold
    if letter in DIRECTION:
        along = DIRECTION[letter]
        return [abs(f[0] + along * strength), -along * a[0] if begins else 0.0]
    if not begins:
        return [float(np.abs(f + strength * slip / speed).max())]
    size = float(np.linalg.norm(a))
    against = np.abs(size * f + strength * a).max() / max(1.0, size)
    return [float(against), abs(float(np.linalg.norm(f)) - strength)]


def _limits(problem: ContactProblem, scale: Scale, moving: Floats, force: Floats, letters: tuple[str, ...]) -> float:
    rows, k, worst = problem.stacked, len(problem.contacts), 0.0
    for i, letter in enumerate(letters[k : k + len(problem.limits)]):
        row = rows.limits.start + i
        f, a = force[row] / scale.force[row], moving[row]
        free = problem.limits.velocity[i] > problem.limits.threshold[i]
        worst = max(worst, *((abs(f), 0.0 if free else -a) if letter == "S" else (abs(a), -f)))
    return worst


def _dry(problem: ContactProblem, scale: Scale, moving: Floats, force: Floats, letters: tuple[str, ...]) -> float:
    rows, dry, worst = problem.stacked, problem.dry_friction, 0.0
    for i, letter in enumerate(letters[len(problem.contacts) + len(problem.limits) :]):
        row = rows.dry.start + i
        unit = scale.force[row]
        f, a, bound = force[row] / unit, moving[row], dry.bound[i] / unit
        if letter == "F":
            lines = [abs(a), abs(f) - bound]
        else:
            sliding = abs(dry.velocity[i]) > dry.threshold[i]
            lines = [abs(f + DIRECTION[letter] * bound), 0.0 if sliding else -DIRECTION[letter] * a]
        worst = max(worst, *lines)
    return worst


def _extra(problem: ContactProblem, tau: Floats, scale: Scale, a: Floats, force: Floats, constraints) -> list[Floats]:
    gaps = []
    for extra in constraints:
        A, F, size = extra_rows(problem, extra, scale)
        gaps.append((A @ a + F @ force + extra.input @ tau - extra.constant) / size)
    return gaps
