"""The curved limits of a slip, cones in space and energy, and Newton's method on those that hold it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stickslip.dynamics.tree import Floats, Ints

ROUNDS = 30
SETTLED = 1e-14  # error of a line of the conditions, relative to its terms
PUSHES = 1e-9  # share of the largest multiplier below which a limit does not hold x back


class Curve(Protocol):
    """A limit that x keeps where its concave value is not negative."""

    def value(self, x: Floats) -> float:
        """How far from the limit x is."""

    def size(self, x: Floats) -> float:
        """The magnitude of its terms."""

    def slope(self, x: Floats) -> Floats:
        """The gradient of the value."""

    def bend(self, x: Floats) -> Floats:
        """Its second derivatives."""


@dataclass(frozen=True, eq=False)
class RoundCone:
    """mu p_n - abs(p_t) of the impulse p = P x + p0, its rows (n, t1, t2)."""

    P: Floats
    p: Floats
    friction: float

    def value(self, x: Floats) -> float:
        """In N s."""
        p = self.P @ x + self.p
        return float(self.friction * p[0] - np.hypot(p[1], p[2]))

    def size(self, x: Floats) -> float:
        """In N s."""
        return float((np.abs(self.P) @ np.abs(x) + np.abs(self.p)).max())

    def slope(self, x: Floats) -> Floats:
        """(m,), in kg."""
        p = self.P @ x + self.p
        rubbing = np.hypot(p[1], p[2])
        way = p[1:] / rubbing if rubbing > 0.0 else np.zeros(2)
        return np.asarray(self.friction * self.P[0] - way @ self.P[1:])

    def bend(self, x: Floats) -> Floats:
        """(m, m)."""
        p = self.P @ x + self.p
        rubbing = np.hypot(p[1], p[2])
        if rubbing == 0.0:
            return np.zeros((len(x), len(x)))
        across = np.array([-p[2], p[1]]) / rubbing @ self.P[1:]
        return np.asarray(-np.outer(across, across) / rubbing)


@dataclass(frozen=True, eq=False)
class Quadratic:
    """bound - u . K u / 2 of the velocities u = S x + t; `had` is u . K u / 2 before the impact, all in J."""

    S: Floats
    t: Floats
    K: Floats
    bound: float
    had: float

    def value(self, x: Floats) -> float:
        """In J."""
        u = self.S @ x + self.t
        return float(self.bound - u @ self.K @ u / 2)

    def size(self, x: Floats) -> float:
        """In J."""
        u = self.S @ x + self.t
        return max(self.had, float(u @ self.K @ u / 2))

    def slope(self, x: Floats) -> Floats:
        """(m,), in N s."""
        return np.asarray(-self.S.T @ self.K @ (self.S @ x + self.t))

    def bend(self, x: Floats) -> Floats:
        """(m, m), in kg."""
        return np.asarray(-self.S.T @ self.K @ self.S)


def polish(x: Floats, A: Floats, b: Floats, owners: Ints, multipliers: Floats, curves: list[Curve]) -> Floats | None:
    """The x of least norm near x (m,), held back by the lines and curves that have multipliers; None if it is not there.

    Row k of A x >= b is a limit of its own where `owners` (rows,) is -1, else a tangent of that curve.
    """
    least = PUSHES * multipliers.max(initial=0.0)
    pushing = multipliers > least
    rows = np.flatnonzero(pushing & (owners < 0))
    bent = [curves[k] for k in sorted({int(k) for k in owners[pushing] if k >= 0})]
    if not bent:
        return None
    held = np.zeros(len(rows) + len(bent))
    x = np.asarray(x)
    for round_ in range(ROUNDS):
        N: Floats = np.vstack([A[rows], *(curve.slope(x)[None] for curve in bent)])
        g = np.append(A[rows] @ x - b[rows], [curve.value(x) for curve in bent])
        if round_ == 0:
            held += np.linalg.lstsq(N.T, x, rcond=None)[0]
        H = np.eye(len(x))
        for y, curve in zip(held[len(rows) :], bent, strict=True):
            H -= y * curve.bend(x)
        K = np.block([[H, -N.T], [N, np.zeros((len(N), len(N)))]])
        step = np.linalg.lstsq(K, -np.append(x - N.T @ held, g), rcond=None)[0]
        x = np.asarray(x + step[: len(x)])
        held = held + step[len(x) :]
        if not np.isfinite(step).all():
            return None
        if np.abs(step[: len(x)]).max() <= SETTLED * np.abs(x).max():
            break
    return x if _is_least(x, held, A, b, owners, rows, bent, curves) else None


def _is_least(
    x: Floats, held: Floats, A: Floats, b: Floats, owners: Ints, rows: Ints, bent: list[Curve], curves: list[Curve]
) -> bool:
    """Whether x keeps all limits, and is what its multipliers, none of them negative, make of it: then it is the least."""
    N = np.vstack([A[rows], *(curve.slope(x)[None] for curve in bent)])
    lines, bounds = A[owners < 0], b[owners < 0]
    sizes = np.abs(lines) @ np.abs(x) + np.abs(bounds)
    return bool(
        (lines @ x - bounds >= -10 * SETTLED * sizes).all()
        and all(curve.value(x) >= -10 * SETTLED * curve.size(x) for curve in curves)
        and (held >= -1e-9 * np.abs(held).max()).all()
        and np.abs(x - N.T @ held).max() <= 1e-9 * np.abs(x).max()
    )
