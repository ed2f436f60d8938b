"""What a linear complementarity problem answers: a small object that remembers its problem and can prove what it says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from stickslip.complementarity.status import Status
from stickslip.dynamics.tree import Floats

if TYPE_CHECKING:
    from stickslip.complementarity.certificate import Certificate


@dataclass(frozen=True, eq=False, repr=False, init=False)
class LcpSolution:
    """z and w (n,) of w = A z + b, in the problem's own units; NaN where `status` is not `SOLVED`.

    `residual` is dimensionless: the largest error of a row, relative to the terms that it is the sum of, and to the largest
    entry of b. `pivots` is what Lemke's method took, zero where a guess was right or a search had to help. Pairs in `free` are
    equations, with w_i = 0 and z_i of any sign. `basis` (n,) is not zero for the pairs that were taken for active, some of
    which may have z_i = 0 all the same; it is what the next guess needs.
    """

    A: Floats
    b: Floats
    free: tuple[int, ...]
    z: Floats
    w: Floats
    residual: float
    status: Status
    basis: Floats
    pivots: int
    known_directions: Floats | None

    def __init__(
        self,
        A: Floats,
        b: Floats,
        free: tuple[int, ...],
        z: Floats,
        w: Floats,
        residual: float,
        status: Status,
        basis: Floats,
        pivots: int = 0,
        known_directions: Floats | None = None,
    ) -> None:
        # one field at a time, as frozen dataclasses do it, takes longer than the solution of a small problem
        self.__dict__.update(
            A=A,
            b=b,
            free=free,
            z=z,
            w=w,
            residual=residual,
            status=status,
            basis=basis,
            pivots=pivots,
            known_directions=known_directions,
        )

    def __bool__(self) -> bool:
        return bool(self.status)

    @cached_property
    def directions(self) -> Floats:
        """Changes of z (d, n) that span the face of solutions around this one, orthonormal; none where it stands alone."""
        from stickslip.complementarity.lcp_enumeration import face_around

        return face_around(self) if self.known_directions is None else self.known_directions

    @property
    def dimension(self) -> int:
        """The dimension of that face: 0 for a single point."""
        return len(self.directions)

    @cached_property
    def certificate(self) -> Certificate:
        """Existence, uniqueness of w (`motion`) and of z (`force`), with proofs; worked out when first asked for."""
        from stickslip.complementarity.lcp_certificate import certify

        return certify(self)

    def __repr__(self) -> str:
        return f"<LcpSolution of {len(self.b)} pairs: {self.status.name}>"

    def __str__(self) -> str:
        if not self:
            return f"no solution: {self.status.value}"
        lines = [f"solution of {len(self.b)} pairs, residual {self.residual:.1g}, {self.pivots} pivots"]
        for i, (z, w) in enumerate(zip(self.z.tolist(), self.w.tolist(), strict=True)):
            lines.append(f"  z_{i + 1} = {z:.6g}" + ("" if i in self.free else f"   w_{i + 1} = {w:.6g}"))
        return "\n".join(lines)
