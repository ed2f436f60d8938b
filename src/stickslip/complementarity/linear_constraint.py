"""Extra linear conditions on accelerations, contact forces and inputs (paper 0, eqs 11 to 18)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from stickslip.complementarity.arrays import fixed, for_each
from stickslip.dynamics.tree import Floats
from stickslip.mechanism.errors import ArgumentError


@dataclass(frozen=True, kw_only=True, eq=False, init=False)
class LinearConstraint:
    """Rows A a + F f + E tau = c, or >= c where the constraint is an inequality.

    `acceleration` A (r, nv), `force` F (r, rows of contact forces, normal first), `input` E (r, nu) and `constant` c (r,),
    in units that agree, such as N m for the torque balance of a massless leg. A single row may be given as a vector; what is
    left out is zero.
    """

    acceleration: Floats
    force: Floats
    input: Floats
    constant: Floats

    def __init__(self, *, acceleration: Any = None, force: Any = None, input: Any = None, constant: Any = 0.0) -> None:
        for field, value in zip(fields(self), (acceleration, force, input, constant), strict=True):
            object.__setattr__(self, field.name, value)

    def checked(self, nv: int, forces: int, nu: int, what: str) -> LinearConstraint:
        """The same with matrices of the right shapes, (r, nv), (r, forces), (r, nu) and (r,); units as given."""
        given = [(self.acceleration, nv, "acceleration"), (self.force, forces, "force"), (self.input, nu, "input")]
        counts = {name: _count(value, f"the {name} of {what}") for value, _, name in given if value is not None}
        if not counts:
            raise ArgumentError(f"{what} says nothing: it needs a matrix for accelerations, forces or inputs.")
        if len(set(counts.values())) > 1:
            raise ArgumentError(f"the matrices of {what} must have one number of rows, not {counts}.")
        count = next(iter(counts.values()))
        parts = {
            name: fixed(np.zeros((count, width)) if value is None else _rows(value), (count, width), f"the {name} of {what}")
            for value, width, name in given
        }
        parts["constant"] = for_each(self.constant, count, f"the constant of {what}")
        return LinearConstraint(**parts)


def _rows(value: Any) -> Any:
    try:
        return [value] if np.ndim(value) == 1 else value
    except ValueError:  # ragged; whoever checks the shape says so
        return value


def _count(value: Any, what: str) -> int:
    rows = _rows(value)
    if not hasattr(rows, "__len__"):
        raise ArgumentError(f"{what} must be a matrix or a row, not a single number.")
    return len(rows)
