"""All solutions of a system of identities, signs and choices, depth first, and the proofs of what is excluded on the way.

Choices are made one after another, each by imposing the signs of an alternative on a copy of the tableau. Where that fails, a
row of the tableau proves that nothing lies beyond, so that the work follows what is possible rather than the number of
combinations. Where all choices are made, what is left is a polyhedron of solutions, usually a single point.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stickslip.complementarity.polyhedron import BY_SIGN, State, affine_hull, furthest, put_scaled
from stickslip.complementarity.system import ZERO, System
from stickslip.complementarity.tableau import DONE, GIVEN_UP, impose, multipliers
from stickslip.dynamics.kernel import entry, kernel, routine
from stickslip.dynamics.tree import Floats, Ints

BUDGET = 200_000  # alternatives that are tried before the search is given up
ROOM = 16, 256  # leaves and exclusions that a search has room for at first
PINNED = 1e-9  # by how much scaled variables may differ to have the same values

NOTHING: Ints = np.zeros(0, dtype=np.int64)

COMPLETE, FULL, EXHAUSTED = range(3)  # how a search ended


class Choices(NamedTuple):
    """The choices of a system, flattened."""

    first: Ints  # (choices + 1,) alternative
    begin: Ints  # (alternatives + 1,) condition
    variable: Ints  # (conditions,)
    wanted: Ints  # (conditions,) sign


class Counts(NamedTuple):
    """What a search came to."""

    leaves: int
    exclusions: int
    tried: int


@dataclass(frozen=True, eq=False)
class Exclusion:
    """Nothing lies beyond `path`: with its signs the identity that `multipliers` (m,) make of the system's cannot hold."""

    path: tuple[int, ...]
    multipliers: Floats


@dataclass(frozen=True, eq=False)
class Leaf:
    """A polyhedron of solutions: the choices are made by the alternatives `path`, with the names `labels`.

    `point` (m + n,) lies in its relative interior, `directions` (d, m + n) span it, in the units of the variables.
    """

    path: tuple[int, ...]
    labels: tuple[str, ...]
    point: Floats
    directions: Floats
    state: State

    @property
    def dimension(self) -> int:
        """0 for a single point."""
        return len(self.directions)


@dataclass(frozen=True, eq=False)
class Exploration:
    """What a search found; `complete` if everything else is excluded, within round-off, by the `exclusions`."""

    system: System
    leaves: tuple[Leaf, ...]
    exclusions: tuple[Exclusion, ...]
    complete: bool
    tried: int


def explore(
    system: System, *, budget: int = BUDGET, most: int | None = None, pinned: Ints = NOTHING, point: Floats | None = None
) -> Exploration:
    """All solutions of a system, or the first `most`; not complete once `budget` alternatives have been tried.

    Where the question is only whether the variables `pinned` have the same values in all solutions as at `point` (m + n,), the
    search goes no deeper once the choices made so far leave them no others. The choices still open are left out of the path of
    such a leaf, which may hold no solution at all.
    """
    choices = flattened(system)
    leaves, exclusions = ROOM
    while True:
        search = _Search(system, choices, leaves, exclusions)
        ended = search.run(budget, -1 if most is None else most, pinned, np.zeros(system.size) if point is None else point)
        if ended != FULL:
            return search.result(ended == COMPLETE)
        leaves, exclusions = 8 * leaves, 8 * exclusions


def flattened(system: System) -> Choices:
    """The choices of a system as arrays."""
    first, begin, variable, wanted = [0], [0], [], []
    for choice in system.choices:
        for alternative in choice:
            for which, sign in alternative.conditions:
                variable.append(which)
                wanted.append(sign)
            begin.append(len(variable))
        first.append(len(begin) - 1)
    return Choices(*(np.array(numbers, dtype=np.int64) for numbers in (first, begin, variable, wanted)))


class _Search:
    """The arrays that a search works in: a tableau for every level, then one for every leaf."""

    def __init__(self, system: System, choices: Choices, leaves: int, exclusions: int) -> None:
        m, n = system.matrix.shape
        self.system, self.choices, self.depth = system, choices, len(system.choices)
        slots = self.depth + 1 + leaves
        self.states = State(
            np.empty((slots, m, n + 1)),
            np.empty((slots, m), dtype=np.int64),
            np.empty((slots, n), dtype=np.int64),
            np.empty((slots, m + n), dtype=np.int64),
            np.empty((slots, m + n), dtype=np.int64),
        )
        self.paths = np.empty((leaves, self.depth), dtype=np.int64)
        self.lengths = np.empty(leaves, dtype=np.int64)
        self.excluded = np.empty((exclusions, self.depth), dtype=np.int64)
        self.depths = np.empty(exclusions, dtype=np.int64)
        self.evidence = np.empty((exclusions, m))
        self.counts = np.zeros(3, dtype=np.int64)

    def run(self, budget: int, most: int, pinned: Ints, point: Floats) -> int:
        put_scaled(self.system, self.states.at(0))
        following, path = np.zeros((2, self.depth + 1), dtype=np.int64)
        return int(
            explore_into(
                *self.choices,
                self.system.signs,
                self.system.scale,
                pinned,
                point / self.system.scale,
                budget,
                most,
                *self.states,
                following,
                path,
                self.paths,
                self.lengths,
                self.excluded,
                self.depths,
                self.evidence,
                self.counts,
            )
        )

    def result(self, complete: bool) -> Exploration:
        leaves, exclusions, tried = (int(count) for count in self.counts)
        return Exploration(
            system=self.system,
            leaves=tuple(self.leaf(k) for k in range(leaves)),
            exclusions=tuple(
                Exclusion(tuple(self.excluded[k, : self.depths[k]].tolist()), self.evidence[k].copy())
                for k in range(exclusions)
            ),
            complete=complete,
            tried=tried,
        )

    def leaf(self, k: int) -> Leaf:
        path = tuple(self.paths[k, : self.lengths[k]].tolist())
        state = self.states.at(self.depth + 1 + k).copy()
        point, directions = affine_hull(self.system, state)
        return Leaf(path, self.system.labels(path), point, directions, state)


# ---- the search ----------------------------------------------------------------------------------------------------


@routine
def start(signs, T, basic, nonbasic, where, sign):
    """Impose the signs of all basic variables on the first tableau, where none of them has one: equations first."""
    for equations in (True, False):
        for v in range(basic.size):
            if (signs[v] == ZERO) == equations:
                status = impose(T, basic, nonbasic, where, sign, v, signs[v])
                if status != DONE:
                    return status
    return DONE


@routine
def take(alternative, begin, variable, wanted, T, basic, nonbasic, where, sign):
    """Impose the signs of one alternative."""
    for k in range(begin[alternative], begin[alternative + 1]):
        status = impose(T, basic, nonbasic, where, sign, variable[k], wanted[k])
        if status != DONE:
            return status
    return DONE


@kernel
def copy_state(Ts, basics, nonbasics, wheres, signs, source, target):
    Ts[target] = Ts[source]
    basics[target] = basics[source]
    nonbasics[target] = nonbasics[source]
    wheres[target] = wheres[source]
    signs[target] = signs[source]


@routine
def pinned_at(T, basic, nonbasic, where, sign, pinned, point):
    """Whether the variables `pinned`, if there are any, can have no other values than those of `point`. Moves the vertex."""
    n = nonbasic.size
    for towards in (1, -1):
        for v in pinned:
            status = furthest(T, basic, nonbasic, where, sign, v, towards)
            if status < 0 and status != BY_SIGN:
                return False
            value = T[where[v], n] if where[v] >= 0 else 0.0
            if abs(value - point[v]) > PINNED * max(1.0, abs(point[v])):
                return False
    return pinned.size > 0


@entry
def explore_into(
    first,
    begin,
    variable,
    wanted,
    signs,
    scale,
    pinned,
    point,
    budget,
    most,
    Ts,
    basics,
    nonbasics,
    wheres,
    current,
    following,
    path,
    leaf_paths,
    lengths,
    excluded,
    depths,
    evidence,
    counts,
):
    """Depth first from the tableau in slot 0. `counts` gets the numbers of leaves, exclusions and alternatives tried."""
    choices = first.size - 1
    counts[:] = 0
    level, depth = -1, 0  # of the choice that is being made, and of the tableau that it led to
    status = start(signs, Ts[0], basics[0], nonbasics[0], wheres[0], current[0])
    while True:
        if status == GIVEN_UP:
            return EXHAUSTED
        if status != DONE:  # the row of an impossible sign
            e = counts[1]
            if e == depths.size:
                return FULL
            multipliers(Ts[depth], wheres[depth], status, scale, evidence[e])
            depths[e] = depth
            excluded[e] = path[:choices]
            counts[1] += 1
        elif depth == choices or pinned_at(
            Ts[depth], basics[depth], nonbasics[depth], wheres[depth], current[depth], pinned, point
        ):
            if counts[0] == lengths.size:
                return FULL
            leaf_paths[counts[0]] = path[:choices]
            lengths[counts[0]] = depth
            copy_state(Ts, basics, nonbasics, wheres, current, depth, choices + 1 + counts[0])
            counts[0] += 1
            if counts[0] == most:
                return EXHAUSTED
        else:
            level = depth
            following[level] = first[level]
        while level >= 0 and following[level] == first[level + 1]:
            level -= 1
        if level < 0:
            return COMPLETE
        if counts[2] == budget:
            return EXHAUSTED
        counts[2] += 1
        path[level] = following[level] - first[level]
        copy_state(Ts, basics, nonbasics, wheres, current, level, level + 1)
        depth = level + 1
        status = take(
            following[level], begin, variable, wanted, Ts[depth], basics[depth], nonbasics[depth], wheres[depth], current[depth]
        )
        following[level] += 1
