"""Complementarity problems over the rows of a contact problem, written down pair by pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from stickslip.complementarity.arrays import fixed
from stickslip.complementarity.compliance import Compliance
from stickslip.dynamics.tree import Floats

NOTHING: Mapping[int, float] = {}


class Response(NamedTuple):
    """What a solution z of a form at the level of accelerations means: `acceleration` (nv,) and `force` (R,), in SI units.

    Forces are those of all rows: contacts (normal first), limits, dry friction, bilateral.
    """

    acceleration: Floats
    force: Floats


@dataclass(frozen=True, eq=False)
class Form:
    """w = A z + b, w >= 0, z >= 0, z.w = 0, where pairs in `free` are equations instead: w = 0, z of any sign.

    `A` (n, n) and `b` (n,), in units of m, s, rad and N; `z` and `w` say what each unknown means. `recover(z)` answers what
    follows from a solution.
    """

    name: str
    A: Floats
    b: Floats
    z: tuple[str, ...]
    w: tuple[str, ...]
    free: tuple[int, ...]
    compliance: Compliance
    force_of_z: Floats
    force_offset: Floats

    def force(self, z: Any) -> Floats:
        """Forces (or impulses) of contacts, limits and dry friction (r,), in N, N m (or N s, N m s), of z (n,)."""
        return self.force_of_z @ fixed(z, self.b.shape, "z") + self.force_offset

    def recover(self, z: Any) -> Any:
        """Accelerations and forces of a solution z (n,), in SI units."""
        force = self.force(z)
        return Response(self.compliance.acceleration(force), np.concatenate([force, self.compliance.loop_force(force)]))

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.b)} unknowns>"

    def __str__(self) -> str:
        lines = [f"{self.name}, of {len(self.b)} pairs:"]
        for i, (z, w) in enumerate(zip(self.z, self.w, strict=True)):
            lines.append(f"  {w} = 0" if i in self.free else f"  0 <= {z}  |  {w} >= 0")
        return "\n".join(lines)


class Pairs:
    """Pairs (z, w) as they are added: what z does to the forces, and which rows' accelerations w is made of."""

    def __init__(self, compliance: Compliance) -> None:
        self.compliance = compliance
        self.offset = np.zeros(len(compliance.row_free))
        self.names: list[tuple[str, str]] = []
        self.columns: list[Mapping[int, float]] = []
        self.picks: list[Mapping[int, float]] = []
        self.constants: list[float] = []
        self.links: list[tuple[int, int, float]] = []

    def add(
        self,
        z: str,
        w: str,
        *,
        pushes: Mapping[int, float] = NOTHING,
        moves: Mapping[int, float] = NOTHING,
        constant: float = 0.0,
    ) -> int:
        """One more pair: z adds `pushes` (row: factor) to the forces, w is the sum of `moves` (row: factor) and a constant."""
        self.names.append((z, w))
        self.columns.append(pushes)
        self.picks.append(moves)
        self.constants.append(constant)
        return len(self.names) - 1

    def link(self, w: int, z: int, factor: float) -> None:
        """Add factor z to w directly."""
        self.links.append((w, z, factor))

    def form(self, name: str, kind: type[Form] = Form, free: tuple[int, ...] = (), **more: Any) -> Form:
        """All pairs together."""
        n, rows = len(self.names), len(self.offset)
        push, pick, shift = np.zeros((rows, n)), np.zeros((n, rows)), np.zeros((n, n))
        for j, column in enumerate(self.columns):
            for row, factor in column.items():
                push[row, j] = factor
        for i, picked in enumerate(self.picks):
            for row, factor in picked.items():
                pick[i, row] = factor
        for w, z, factor in self.links:
            shift[w, z] += factor
        G, c = self.compliance.delassus, self.compliance.row_free
        return kind(
            name=name,
            A=pick @ (G @ push) + shift,
            b=pick @ (G @ self.offset + c) + np.array(self.constants),
            z=tuple(z for z, _ in self.names),
            w=tuple(w for _, w in self.names),
            free=free,
            compliance=self.compliance,
            force_of_z=push,
            force_offset=self.offset.copy(),
            **more,
        )
