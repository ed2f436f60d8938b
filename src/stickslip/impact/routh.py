"""One impact at one point in the plane, followed through the instant in which it happens: Routh's construction, exactly.

The normal impulse p_n takes the place of time. Velocities change by du = G dp, and friction obeys Coulomb's law all the way:

    slipping towards s      dp_t = -s mu dp_n,           until u_t = 0
    sticking                dp_t = -G_nt / G_tt dp_n,    if that is within static friction
    slipping again          in the only direction that friction cannot hold: s = sign G_nt

so the way is made of a few straight pieces. Compression ends where u_n = 0, and the impact

    newton       where u_n is -e times what it was
    poisson      where p_n is 1 + e times what it was at the end of compression
    energetic    where the work of the normal impulse has given back e^2 of what it took (Stronge)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from stickslip.complementarity.arrays import fixed
from stickslip.dynamics.tree import Floats
from stickslip.impact.law import one_of, share
from stickslip.mechanism.errors import ArgumentError, MechanismError
from stickslip.mechanism.numbers import not_negative

HYPOTHESES = ("energetic", "poisson", "newton")
STILL = 1e-9  # of the first normal velocity: less is none where rows depend on each other
ROUND_OFF = 1e-12  # of the compliance matrix's determinant, below which it counts as indefinite


class Piece(NamedTuple):
    """A straight part of the way: `mode` F sticking, R or L slipping; impulses (n, t) in N s and velocities in m/s, both ends.

    `work` is that of the normal impulse along it, in J; `restores` says whether compression is over.
    """

    mode: str
    impulse: tuple[tuple[float, float], tuple[float, float]]
    velocity: tuple[tuple[float, float], tuple[float, float]]
    work: float
    restores: bool


@dataclass(frozen=True)
class RouthPath:
    """The way of one planar impact, piece by piece, in N s, m/s and J."""

    pieces: tuple[Piece, ...]

    @property
    def impulse(self) -> Floats:
        """The whole impulse (n, t), as an array (2,) in N s."""
        return np.array(self.pieces[-1].impulse[1] if self.pieces else (0.0, 0.0))

    @property
    def compression(self) -> Floats:
        """The impulse (n, t) at the end of compression, as an array (2,) in N s."""
        ends = [piece.impulse[1] for piece in self.pieces if not piece.restores]
        return np.array(ends[-1] if ends else (0.0, 0.0))

    @property
    def work(self) -> tuple[float, float]:
        """What the normal impulse took in compression and gave in restitution, as signed works in J."""
        taken = sum(piece.work for piece in self.pieces if not piece.restores)
        return taken, sum(piece.work for piece in self.pieces if piece.restores)

    @property
    def modes(self) -> str:
        """The modes on the way, as "RF" for slip that ends in sticking or "RL" for slip that turns back."""
        word = ""
        for piece in self.pieces:
            word += piece.mode if not word.endswith(piece.mode) else ""
        return word


def routh(
    delassus: Any,
    velocity: Any,
    friction: float,
    restitution: float = 0.0,
    *,
    static_friction: float | None = None,
    hypothesis: str = "energetic",
) -> RouthPath:
    """The way of an impact at one planar contact: `delassus` G (2, 2) in 1/kg, `velocity` (2,) in m/s before it, rows (n, t).

    `friction`, `static_friction` and `restitution` are dimensionless. A contact that neither approaches nor is drawn in by its
    friction (Painlevé) has no pieces.

    >>> path = routh([[1, 0], [0, 1]], [-1, 3], friction=0.5, restitution=0.5)  # a point mass of 1 kg
    >>> path.modes, path.impulse.tolist()
    ('R', [1.5, -0.75])
    """
    G, u = fixed(delassus, (2, 2), "the Delassus matrix"), fixed(velocity, (2,), "the velocity of the contact")
    moving, still = _frictions(friction, static_friction)
    restitution, hypothesis = share(restitution, "the restitution"), one_of(hypothesis, HYPOTHESES, "the hypothesis")
    _check(G)
    return RouthPath(tuple(_followed(G, (float(u[0]), float(u[1])), moving, still, restitution, hypothesis)))


def _followed(
    G: Floats, u: tuple[float, float], moving: float, still: float, restitution: float, hypothesis: str
) -> list[Piece]:
    pieces: list[Piece] = []
    before, p, taken, given, compressed = u[0], (0.0, 0.0), 0.0, 0.0, 0.0
    restores = False
    while True:
        mode, ratio = _mode(G, u[1], moving, still)
        du = (G[0, 0] + ratio * G[0, 1], 0.0 if mode == "F" else G[1, 0] + ratio * G[1, 1])
        if not pieces and (u[0] > 0.0 or (u[0] == 0.0 and du[0] >= 0.0)):
            return pieces
        if mode == "F" and du[0] <= ROUND_OFF * G[0, 0]:  # friction holds whatever more the normal impulse does
            if u[0] >= -STILL * abs(before):
                return pieces
            raise ArgumentError("the contact is wedged: it approaches along a direction in which no impulse moves it.")
        slipping = -u[1] / du[1] if u[1] * du[1] < 0.0 else inf
        if not restores:
            closing = -u[0] / du[0] if du[0] > 0.0 else inf
        elif hypothesis == "newton":
            closing = (-restitution * before - u[0]) / du[0]
        elif hypothesis == "poisson":
            closing = (1.0 + restitution) * compressed - p[0]
        else:
            wanted = restitution**2 * -taken - given
            closing = (sqrt(u[0] ** 2 + 2.0 * du[0] * max(wanted, 0.0)) - u[0]) / du[0]
        step = min(slipping, max(closing, 0.0))
        ahead = (u[0] + du[0] * step, 0.0 if step == slipping else u[1] + du[1] * step)
        if not restores and step == closing:
            ahead = (0.0, ahead[1])
        work = step * (u[0] + ahead[0]) / 2
        pushed = (p[0] + step, p[1] + ratio * step)
        if step > 0.0:
            pieces.append(Piece(mode, (p, pushed), (u, ahead), work, restores))
        u, p = ahead, pushed
        if restores:
            given += work
        else:
            taken += work
        if step == max(closing, 0.0):
            if restores or restitution == 0.0:
                return pieces
            restores, compressed = True, p[0]


def _mode(G: Floats, slip: float, moving: float, still: float) -> tuple[str, float]:
    """The mode at a slip in m/s, and dp_t / dp_n in it."""
    if slip == 0.0:
        if abs(G[0, 1]) <= still * G[1, 1]:
            return "F", -G[0, 1] / G[1, 1] if G[1, 1] > 0.0 else 0.0
        slip = G[0, 1]
    return ("R" if slip > 0.0 else "L"), -copysign(moving, slip)


def _frictions(friction: Any, static_friction: Any) -> tuple[float, float]:
    try:
        moving = not_negative(friction, "friction")
        still = moving if static_friction is None else not_negative(static_friction, "static friction")
    except MechanismError as error:
        raise ArgumentError(str(error)) from None
    if still < moving:
        raise ArgumentError(f"static friction must not be smaller than friction, but is {still:g} against {moving:g}.")
    return moving, still


def _check(G: Floats) -> None:
    a, b, c = G[0, 0], G[0, 1], G[1, 1]
    if abs(b - G[1, 0]) > 1e-9 * (a + c):
        raise ArgumentError("the Delassus matrix must be symmetric, as J M^-1 J^T is.")
    if a <= 0.0 or c < 0.0 or a * c - b * b < -ROUND_OFF * a * c:
        raise ArgumentError("the Delassus matrix must be positive semidefinite, and something must give way along the normal.")
