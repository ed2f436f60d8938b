"""What a tableau says of its polyhedron: a point inside it, its dimension, and how far a variable can go in it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stickslip.complementarity.system import FREE, ZERO, System
from stickslip.complementarity.tableau import (
    DONE,
    UNBOUNDED,
    direction_of,
    drive,
    exchange,
    impose,
    leaving,
    multipliers,
    negligible_in_row,
)
from stickslip.dynamics.kernel import entry, kernel, routine
from stickslip.dynamics.tree import Floats, Ints

OPEN = 1e-9  # a scaled variable that can be larger than this is not held at zero

BY_SIGN = -4  # a bound that is the variable's own sign


class State(NamedTuple):
    """A tableau in scaled variables and its bookkeeping (`tableau.py`), or a stack of them."""

    T: Floats  # (m, n + 1)
    basic: Ints  # (m,)
    nonbasic: Ints  # (n,)
    where: Ints  # (m + n,)
    sign: Ints  # (m + n,)

    def at(self, k: int) -> State:
        """The k-th of a stack."""
        return State(self.T[k], self.basic[k], self.nonbasic[k], self.where[k], self.sign[k])

    def copy(self) -> State:
        """The same in arrays of its own."""
        return State(self.T.copy(), self.basic.copy(), self.nonbasic.copy(), self.where.copy(), self.sign.copy())


def put_scaled(system: System, state: State) -> None:
    """The system's own tableau: its identities in scaled variables, no signs of basic variables imposed as yet."""
    m, n = system.matrix.shape
    state.T[:, :n] = system.matrix * system.scale[m:] / system.scale[:m, None]
    state.T[:, n] = system.constant / system.scale[:m]
    state.basic[:] = np.arange(m)
    state.nonbasic[:] = np.arange(m, m + n)
    state.where[:] = np.concatenate([np.arange(m), -1 - np.arange(n)])
    state.sign[:] = np.concatenate([np.zeros(m, dtype=np.int64), system.signs[m:]])


def affine_hull(system: System, state: State) -> tuple[Floats, Floats]:
    """A point (m + n,) in the relative interior of a polyhedron and directions (d, m + n) that span it, in true units."""
    m, n = system.matrix.shape
    state = state.copy()
    point = np.empty(m + n)
    interior_into(*state, np.empty(m + n), point)
    columns = [c for c in range(n) if state.sign[state.nonbasic[c]] != ZERO]
    directions = np.zeros((len(columns), m + n))
    for direction, c in zip(directions, columns, strict=True):
        direction[state.basic] = state.T[:, c]
        direction[state.nonbasic[c]] = 1.0
    return point * system.scale, directions * system.scale


def bound(system: System, state: State, variable: int, towards: int) -> Floats | None:
    """Multipliers (m,) of the identity that keeps a variable from going further `towards` (+1 or -1) than it can.

    None where nothing does. Multipliers of zero mean that the variable's own sign is its bound.
    """
    y = np.zeros(len(state.basic))
    status = bound_into(*state.copy(), variable, towards, system.scale, y)
    return y if status >= 0 or status == BY_SIGN else None


@routine
def enter(T, basic, nonbasic, where, sign, variable, towards):
    """Make a nonbasic variable basic by moving it `towards`. UNBOUNDED if nothing stops it, else DONE."""
    c = -1 - where[variable]
    stop, _ = leaving(T, basic, sign, c, towards, False)
    if stop < 0:
        return UNBOUNDED
    exchange(T, basic, nonbasic, where, stop, c)
    return DONE


@routine
def furthest(T, basic, nonbasic, where, sign, variable, towards):
    """Move a variable `towards` as far as it goes: the row that bounds it, BY_SIGN, UNBOUNDED or GIVEN_UP."""
    if where[variable] < 0:
        s = sign[variable]
        if s == ZERO or (s != FREE and s != towards):
            return BY_SIGN
        status = enter(T, basic, nonbasic, where, sign, variable, towards)
        if status != DONE:
            return status
    return drive(T, basic, nonbasic, where, sign, variable, towards, False)


@kernel
def put_vertex(T, basic, nonbasic, x):
    n = nonbasic.size
    for c in range(n):
        x[nonbasic[c]] = 0.0
    for r in range(basic.size):
        x[basic[r]] = T[r, n]


@routine
def put_far_point(T, basic, nonbasic, where, sign, variable, towards, x):
    """A point on an edge along which a variable goes `towards` for ever."""
    put_vertex(T, basic, nonbasic, x)
    least = negligible_in_row(T, where[variable]) if where[variable] >= 0 else 0.0
    for c in range(nonbasic.size):
        way = 0
        if where[variable] >= 0:
            way = direction_of(sign[nonbasic[c]], T[where[variable], c], towards, least)
        elif nonbasic[c] == variable:
            way = towards
        if way != 0 and leaving(T, basic, sign, c, way, False)[0] < 0:
            x[nonbasic[c]] += way
            for r in range(basic.size):
                x[basic[r]] += way * T[r, c]
            return


@entry
def interior_into(T, basic, nonbasic, where, sign, vertex, point):
    """A point in the relative interior; what can only be zero gets the sign ZERO."""
    put_vertex(T, basic, nonbasic, point)
    count = 1
    for v in range(sign.size):
        if sign[v] == FREE or sign[v] == ZERO or abs(point[v]) > OPEN:
            continue
        status = furthest(T, basic, nonbasic, where, sign, v, sign[v])
        if status == UNBOUNDED:
            put_far_point(T, basic, nonbasic, where, sign, v, sign[v], vertex)
        else:
            put_vertex(T, basic, nonbasic, vertex)
            if abs(vertex[v]) <= OPEN:
                impose(T, basic, nonbasic, where, sign, v, ZERO)
                continue
        count += 1
        for k in range(point.size):
            point[k] += vertex[k]
    for k in range(point.size):
        point[k] /= count


@entry
def bound_into(T, basic, nonbasic, where, sign, variable, towards, scale, y):
    """As `bound`: the row, or why there is none."""
    status = furthest(T, basic, nonbasic, where, sign, variable, towards)
    if status >= 0:
        multipliers(T, where, status, scale, y)
    return status
