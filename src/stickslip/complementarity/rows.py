"""Rows of a contact problem that are no contacts: joint limits, dry friction in joints, loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from stickslip.complementarity.arrays import fixed, matrix, not_negative
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError


@dataclass(frozen=True, kw_only=True, eq=False, init=False, repr=False)
class Rows:
    """Scalar constraints on the acceleration, one a row, with one force each.

    `jacobian` (r, nv), `drift` (r,), the rows' dJ/dt v in m/s^2 or rad/s^2, and `velocity` (r,), their J v in m/s or rad/s;
    what is left out is zero; velocities within the `threshold` (r,) count as zero. `bound` (r,), in N or N m, limits the force
    of dry friction. A single number stands for all rows. `names` are one string a row.

    >>> import stickslip as ss
    >>> ss.Rows(jacobian=[[0.0, 1.0]], bound=0.2, names=["knee"])  # friction of 0.2 N m in the second joint
    <Rows: knee>
    """

    jacobian: Floats
    drift: Floats
    velocity: Floats
    bound: Floats
    threshold: Floats
    names: tuple[str, ...]

    def __init__(
        self,
        *,
        jacobian: Any,
        drift: Any = None,
        velocity: Any = None,
        bound: Any = 0.0,
        threshold: Any = 0.0,
        names: Sequence[str] = (),
    ) -> None:
        given = (jacobian, drift, velocity, bound, threshold, (names,) if isinstance(names, str) else tuple(names))
        for field, value in zip(fields(self), given, strict=True):
            object.__setattr__(self, field.name, value)

    def checked(self, nv: int, kind: str) -> Rows:
        """The same with arrays of the right shapes, all finite, and a name (rows called `kind`) for each; units as given."""
        jacobian = matrix(self.jacobian, nv, f"the Jacobian of the {kind} rows")
        count = len(jacobian)
        names = self.names or tuple(f"{kind} {r + 1}" for r in range(count))
        if len(names) != count:
            raise ArgumentError(f"the {kind} rows need one name each: {count}, not {len(names)}.")
        zero = np.zeros(count)
        return Rows(
            jacobian=jacobian,
            drift=fixed(zero if self.drift is None else self.drift, (count,), f"the drift of the {kind} rows"),
            velocity=fixed(zero if self.velocity is None else self.velocity, (count,), f"the velocity of the {kind} rows"),
            bound=not_negative(self.bound, count, "the bound", list(names)),
            threshold=not_negative(self.threshold, count, "the velocity threshold", list(names)),
            names=names,
        )

    def __repr__(self) -> str:
        return f"<Rows: {', '.join(self.names) or len(self.jacobian)}>"

    def __len__(self) -> int:
        return len(self.jacobian)


def rows_or_none(value: Any, nv: int, kind: str) -> Rows:
    """`value` as checked rows; None means that there are none."""
    if value is None:
        value = Rows(jacobian=np.zeros((0, nv)))
    if not isinstance(value, Rows):
        raise ArgumentError(f"the {kind} rows must be given as Rows(jacobian=…), not as {type(value).__name__}.")
    return value.checked(nv, kind)
