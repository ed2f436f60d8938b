"""A system of linear identities, signs and choices: what every question about contact comes down to at one instant.

A contact either separates or pushes, sticks or slides; a complementarity problem asks of each pair of variables that one be
zero. Each such choice is a list of alternatives, and each alternative asks for the signs of some variables. So one engine
(`exploration.py`) finds all solutions of all of them, and one kind of proof (`proof.py`) covers what it excludes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stickslip.dynamics.kernel import kernel
from stickslip.dynamics.tree import Floats, Ints

FREE, POSITIVE, NEGATIVE, ZERO = 0, 1, -1, 2  # x is any number, x >= 0, x <= 0, x = 0

SWEEPS = 12  # of the scaling of a complementarity problem, each of which halves what is left in the exponents


@kernel
def both(first, second):
    """The sign of a variable that has to have both of two signs."""
    if first == second or second == FREE:
        return first
    return second if first == FREE else ZERO


class Alternative(NamedTuple):
    """One way in which a choice may be made: its name, and the signs (variable, sign) that it asks for."""

    label: str
    conditions: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class System:
    """x[:m] = matrix x[m:] + constant, each of the m + n variables with a sign; of every choice one alternative holds.

    `matrix` (m, n), `constant` (m,), and for every variable x (m + n,) its `signs` and its `scale`, a typical magnitude that
    tolerances refer to, in units of the variable. `motion` and `force` are the indices of the variables whose uniqueness is
    asked for, apart from each other: of a complementarity problem w and z.
    """

    matrix: Floats
    constant: Floats
    signs: Ints
    scale: Floats
    choices: tuple[tuple[Alternative, ...], ...]
    motion: Ints
    force: Ints

    @property
    def size(self) -> int:
        """The number of variables, m + n."""
        return sum(self.matrix.shape)

    def signs_along(self, path: tuple[int, ...]) -> Ints:
        """The signs (m + n,) of all variables once the first choices are made by the alternatives `path`."""
        signs = self.signs.copy()
        for choice, taken in zip(self.choices, path, strict=False):
            for variable, sign in choice[taken].conditions:
                signs[variable] = both.py_func(signs[variable], sign)  # type: ignore[attr-defined]
        return signs

    def labels(self, path: tuple[int, ...]) -> tuple[str, ...]:
        """The names of the alternatives taken along `path`."""
        return tuple(choice[taken].label for choice, taken in zip(self.choices, path, strict=False))


def of_complementarity(A: Floats, b: Floats, free: tuple[int, ...] = ()) -> System:
    """The system of w = A z + b >= 0, z >= 0, z . w = 0, with A (n, n) and b (n,): w comes first, then z.

    Pairs in `free` are equations instead: w_i = 0, z_i of any sign.
    """
    n = len(b)
    signs = np.full(2 * n, POSITIVE, dtype=np.int64)
    pairs = set(range(n)).difference(free)
    for i in free:
        signs[i], signs[n + i] = ZERO, FREE
    return System(
        matrix=A,
        constant=b,
        signs=signs,
        scale=np.concatenate(magnitudes(A, b)),
        choices=tuple((Alternative("z", ((i, ZERO),)), Alternative("0", ((n + i, ZERO),))) for i in sorted(pairs)),
        motion=np.arange(n),
        force=np.arange(n, 2 * n),
    )


def magnitudes(A: Floats, b: Floats) -> tuple[Floats, Floats]:
    """What w (n,) and z (n,) are measured by: units in which A has entries near one, times the largest b in these units."""
    size = np.abs(A)
    row, column = np.ones(len(b)), np.ones(len(b))
    for _ in range(SWEEPS):
        row /= _root_of_largest(size * row[:, None] * column, 1)
        column /= _root_of_largest(size * row[:, None] * column, 0)
    height = float((np.abs(b) * row).max(initial=0.0)) or 1.0
    return height / row, height * column


def _root_of_largest(size: Floats, axis: int) -> Floats:
    largest = size.max(axis=axis, initial=0.0)
    return np.sqrt(np.where(largest > 0.0, largest, 1.0))
